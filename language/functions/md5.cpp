#include "language/functions/builtin.hpp"
#include "language/functions/digest_text.hpp"
#include "language/functions/legacy.hpp"

namespace volley::builtins {
namespace {

Value md5_digest(CallContext&, std::span<const Value> args) { return digest_of_argument("MD5", args[0]); }

}  // namespace

const Builtin& md5_builtin() {
    static const Builtin def{
        .name = "md5",
        .doc = "The MD5 digest of text, in hexadecimal.",
        .pure = true,
        .dispatches = {legacy_dispatch(md5_digest)},
        .legacy_arity = 1,
    };
    return def;
}

}  // namespace volley::builtins
