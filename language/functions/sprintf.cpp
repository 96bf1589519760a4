#include "language/conversion/ruby_format.hpp"
#include "language/errors.hpp"
#include "language/functions/builtin.hpp"
#include "language/ruby_text.hpp"

namespace volley::builtins {
namespace {

Value sprintf_text(CallContext&, std::span<const Value> args) {
    if (args.empty()) throw EvalError("", "sprintf(): Wrong number of arguments given (0 for minimum 1)");
    return ruby_format(ruby_to_s(args[0]), args.subspan(1));
}

}  // namespace

const Builtin& sprintf_builtin() {
    static const Builtin def{
        .name = "sprintf",
        .doc = "Text from a format and values.",
        .dispatches = {{.params = {{"Any", "values", Dispatch::Repeated}}, .call = sprintf_text}},
    };
    return def;
}

}  // namespace volley::builtins
