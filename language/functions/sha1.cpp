#include "language/functions/builtin.hpp"
#include "language/functions/digest_text.hpp"
#include "language/ruby_text.hpp"

namespace volley::builtins {
namespace {

Value digest(CallContext&, std::span<const Value> args) { return digest_text("SHA1", args[0].as_string()); }

}  // namespace

const Builtin& sha1_builtin() {
    static const Builtin def{
        .name = "sha1",
        .doc = "The SHA1 digest of text, in hexadecimal.",
        .dispatches = {{.params = {{"String", "string"}}, .call = digest}},
    };
    return def;
}

}  // namespace volley::builtins
