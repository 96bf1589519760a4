#include "language/errors.hpp"
#include "language/functions/builtin.hpp"
#include "language/functions/digest_text.hpp"
#include "language/ruby_text.hpp"

namespace volley::builtins {
namespace {

Value sha1_digest(CallContext&, std::span<const Value> args) {
    if (args.size() != 1) {
        throw EvalError(
            "", "sha1(): Wrong number of arguments given (" + std::to_string(args.size()) + " for 1)");
    }
    if (!args[0].is_string())
        throw EvalError("", "no implicit conversion of " + ruby_class(args[0]) + " into String");
    return digest_text("SHA1", args[0].as_string());
}

}  // namespace

const Builtin& sha1_builtin() {
    static const Builtin def{
        .name = "sha1",
        .doc = "The SHA1 digest of text, in hexadecimal.",
        .dispatches = {{.params = {{"Any", "values", Dispatch::Repeated}}, .call = sha1_digest}},
    };
    return def;
}

}  // namespace volley::builtins
