#include "language/functions/builtin.hpp"
#include "language/functions/digest_text.hpp"
#include "language/ruby_text.hpp"

namespace volley::builtins {
namespace {

Value digest(CallContext&, std::span<const Value> args) { return digest_text("SHA256", args[0].as_string()); }

}  // namespace

const Builtin& sha256_builtin() {
    static const Builtin def{
        .name = "sha256",
        .doc = "The SHA256 digest of text, in hexadecimal.",
        .dispatches = {{.params = {{"String", "string"}}, .call = digest}},
    };
    return def;
}

}  // namespace volley::builtins
