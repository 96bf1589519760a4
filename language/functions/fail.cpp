#include "language/errors.hpp"
#include "language/functions/builtin.hpp"
#include "language/functions/legacy.hpp"
#include "language/text/ruby_text.hpp"

namespace volley::builtins {
namespace {

Value fail_with(CallContext&, std::span<const Value> args) {
    std::string message;
    for (std::size_t i = 0; i < args.size(); ++i)
        message += (i == 0 ? "" : " ") + legacy_resource(args[i]).value_or(ruby_to_s(args[i]));
    throw EvalError("", message);
}

}  // namespace

const Builtin& fail_builtin() {
    static const Builtin def{
        .name = "fail",
        .doc = "Ends the program with a message.",
        .pure = true,
        .dispatches = {legacy_dispatch(fail_with)},
        .legacy_arity = -1,
    };
    return def;
}

}  // namespace volley::builtins
