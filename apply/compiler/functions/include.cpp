#include "apply/compiler/functions/class_references.hpp"

namespace volley::compiler_functions {
namespace {

Value include_classes(CallContext& context, std::span<const Value> args) {
    return declare_classes(context, args, [](auto&&...) {});
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
