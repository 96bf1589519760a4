#include "apply/compiler/compiler.hpp"
#include "language/errors.hpp"

namespace volley::compiler_functions {
namespace {

Value add_tags(CallContext& context, std::span<const Value> args) {
    Compiler& compiler = Compiler::of(context);
    if (args.empty()) throw EvalError("", "tag(): Wrong number of arguments given (0 for minimum 1)");
    compiler.add_tags(*compiler.scope_of(context.frame).resource(), args);
    return {};
}

}  // namespace

const Builtin& tag_builtin() {
    static const Builtin def{
        .name = "tag",
        .doc = "Adds tags to the class or defined type around, and so to everything in it.",
        .dispatches = {{.params = {{"Any", "tags", Dispatch::Repeated}}, .call = add_tags}},
    };
    return def;
}

}  // namespace volley::compiler_functions
