#include "language/errors.hpp"
#include "language/functions/builtin.hpp"
#include "language/functions/digest_text.hpp"
#include "language/functions/legacy.hpp"
#include "language/ruby_text.hpp"

namespace volley::builtins {
namespace {

Value md5_digest(CallContext&, std::span<const Value> args) {
    if (!args[0].is_string())
        throw EvalError("", "no implicit conversion of " + ruby_class(args[0]) + " into String");
    return digest_text("MD5", args[0].as_string());
}

}  // namespace

const Builtin& md5_builtin() {
    static const Builtin def{
        .name = "md5",
        .doc = "The MD5 digest of text, in hexadecimal.",
        .dispatches = {legacy_dispatch(md5_digest)},
        .legacy_arity = 1,
    };
    return def;
}

}  // namespace volley::builtins
