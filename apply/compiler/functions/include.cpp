#include "apply/compiler/compiler.hpp"
#include "apply/compiler/functions/class_references.hpp"

namespace volley::compiler_functions {
namespace {

Value include_classes(CallContext& context, std::span<const Value> args) {
    Compiler& compiler = Compiler::of(context);
    const std::vector<std::string> names = Compiler::class_names(args);
    compiler.include(names, compiler.scope_of(context.frame));
    return class_references(names);
}

}  // namespace

const Builtin& include_builtin() {
    static const Builtin def{
        .name = "include",
        .doc = "Declares classes, unless they are declared already.",
        .dispatches = {{.params = {{"Any", "names", Dispatch::RequiredRepeated}}, .call = include_classes}},
    };
    return def;
}

}  // namespace volley::compiler_functions
