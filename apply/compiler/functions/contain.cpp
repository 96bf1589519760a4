#include "apply/compiler/compiler.hpp"
#include "apply/compiler/functions/class_references.hpp"

namespace volley::compiler_functions {
namespace {

Value contain_classes(CallContext& context, std::span<const Value> args) {
    Compiler& compiler = Compiler::of(context);
    const std::vector<std::string> names = Compiler::class_names(args);
    Scope& scope = compiler.scope_of(context.frame);
    for (Resource* resource : compiler.include(names, scope)) compiler.contain(*scope.resource(), *resource);
    return class_references(names);
}

}  // namespace

const Builtin& contain_builtin() {
    static const Builtin def{
        .name = "contain",
        .doc = "Declares classes and makes them part of the class or defined type around.",
        .dispatches = {{.params = {{"Any", "names", Dispatch::RequiredRepeated}}, .call = contain_classes}},
    };
    return def;
}

}  // namespace volley::compiler_functions
