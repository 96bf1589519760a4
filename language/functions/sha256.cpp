#include "language/functions/builtin.hpp"
#include "language/functions/digest_text.hpp"
#include "language/functions/legacy.hpp"

namespace volley::builtins {
namespace {

Value sha256_digest(CallContext&, std::span<const Value> args) {
    return digest_of_argument("SHA256", args[0]);
}

}  // namespace

const Builtin& sha256_builtin() {
    static const Builtin def{
        .name = "sha256",
        .doc = "The SHA256 digest of text, in hexadecimal.",
        .pure = true,
        .dispatches = {legacy_dispatch(sha256_digest)},
        .legacy_arity = 1,
    };
    return def;
}

}  // namespace volley::builtins
