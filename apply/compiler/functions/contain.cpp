#include "apply/compiler/functions/class_references.hpp"

namespace volley::compiler_functions {
namespace {

Value contain_classes(CallContext& context, std::span<const Value> args) {
    return declare_classes(context, args,
                           [](Compiler& compiler, Scope& scope, const auto&, const auto& declared) {
                               for (Resource* resource : declared)
                                   compiler.contain(*scope.resource(), *resource);
                           });
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
