#include "language/errors.hpp"
#include "language/functions/builtin.hpp"
#include "language/functions/digest_text.hpp"
#include "language/functions/legacy.hpp"
#include "language/ruby_text.hpp"

namespace volley::builtins {
namespace {

Value sha256_digest(CallContext&, std::span<const Value> args) {
    if (!args[0].is_string())
        throw EvalError("", "no implicit conversion of " + ruby_class(args[0]) + " into String");
    return digest_text("SHA256", args[0].as_string());
}

}  // namespace

const Builtin& sha256_builtin() {
    static const Builtin def{
        .name = "sha256",
        .doc = "The SHA256 digest of text, in hexadecimal.",
        .dispatches = {legacy_dispatch(sha256_digest)},
        .legacy_arity = 1,
    };
    return def;
}

}  // namespace volley::builtins
