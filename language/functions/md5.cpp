#include "language/errors.hpp"
#include "language/functions/builtin.hpp"
#include "language/functions/digest_text.hpp"
#include "language/ruby_text.hpp"

namespace volley::builtins {
namespace {

Value md5_digest(CallContext&, std::span<const Value> args) {
    if (args.size() != 1) {
        throw EvalError("",
                        "md5(): Wrong number of arguments given (" + std::to_string(args.size()) + " for 1)");
    }
    if (!args[0].is_string())
        throw EvalError("", "no implicit conversion of " + ruby_class(args[0]) + " into String");
    return digest_text("MD5", args[0].as_string());
}

}  // namespace

const Builtin& md5_builtin() {
    static const Builtin def{
        .name = "md5",
        .doc = "The MD5 digest of text, in hexadecimal.",
        .dispatches = {{.params = {{"Any", "values", Dispatch::Repeated}}, .call = md5_digest}},
    };
    return def;
}

}  // namespace volley::builtins
