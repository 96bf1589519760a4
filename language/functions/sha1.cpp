#include "language/errors.hpp"
#include "language/functions/builtin.hpp"
#include "language/functions/digest_text.hpp"
#include "language/functions/legacy.hpp"
#include "language/ruby_text.hpp"

namespace volley::builtins {
namespace {

Value sha1_digest(CallContext&, std::span<const Value> args) {
    if (!args[0].is_string())
        throw EvalError("", "no implicit conversion of " + ruby_class(args[0]) + " into String");
    return digest_text("SHA1", args[0].as_string());
}

}  // namespace

const Builtin& sha1_builtin() {
    static const Builtin def{
        .name = "sha1",
        .doc = "The SHA1 digest of text, in hexadecimal.",
        .dispatches = {legacy_dispatch(sha1_digest)},
        .legacy_arity = 1,
    };
    return def;
}

}  // namespace volley::builtins
