#include "language/functions/builtin.hpp"
#include "language/functions/digest_text.hpp"
#include "language/functions/legacy.hpp"

namespace volley::builtins {
namespace {

Value sha1_digest(CallContext&, std::span<const Value> args) { return digest_of_argument("SHA1", args[0]); }

}  // namespace

const Builtin& sha1_builtin() {
    static const Builtin def{
        .name = "sha1",
        .doc = "The SHA1 digest of text, in hexadecimal.",
        .pure = true,
        .dispatches = {legacy_dispatch(sha1_digest)},
        .legacy_arity = 1,
    };
    return def;
}

}  // namespace volley::builtins
