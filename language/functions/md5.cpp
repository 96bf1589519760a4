#include "language/functions/builtin.hpp"
#include "language/functions/digest_text.hpp"
#include "language/ruby_text.hpp"

namespace volley::builtins {
namespace {

Value digest(CallContext&, std::span<const Value> args) { return digest_text("MD5", args[0].as_string()); }

}  // namespace

const Builtin& md5_builtin() {
    static const Builtin def{
        .name = "md5",
        .doc = "The MD5 digest of text, in hexadecimal.",
        .dispatches = {{.params = {{"String", "string"}}, .call = digest}},
    };
    return def;
}

}  // namespace volley::builtins
