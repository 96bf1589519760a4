#include "apply/compiler/compiler.hpp"
#include "apply/compiler/references.hpp"
#include "language/errors.hpp"

namespace volley::compiler_functions {
namespace {

Value realize(CallContext& context, std::span<const Value> args) {
    Compiler& compiler = Compiler::of(context);
    if (args.empty()) throw EvalError("", "realize(): Wrong number of arguments given (0 for minimum 1)");
    compiler.realize(flat_values(Value(std::vector<Value>(args.begin(), args.end()))),
                     compiler.scope_of(context.frame));
    return {};
}

}  // namespace

const Builtin& realize_builtin() {
    static const Builtin def{
        .name = "realize",
        .doc = "Makes virtual resources, given by their references, real.",
        .dispatches = {{.params = {{"Any", "references", Dispatch::Repeated}}, .call = realize}},
    };
    return def;
}

}  // namespace volley::compiler_functions
