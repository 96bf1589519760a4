#include "apply/compiler/functions/class_references.hpp"
#include "apply/compiler/resources/references.hpp"

namespace volley::compiler_functions {
namespace {

Value require_classes(CallContext& context, std::span<const Value> args) {
    return declare_classes(
        context, args,
        [](Compiler& compiler, Scope& scope, const std::vector<std::string>& names, const auto&) {
            Resource& resource = *scope.resource();
            for (const std::string& name : names) {
                std::vector<Value> required = flat_values(resource.value("require"));
                required.push_back(to_parameter_value(class_references({name}).as_array()[0]));
                compiler.set_parameter(resource, "require", Value(std::move(required)));
            }
        });
}

}  // namespace

const Builtin& require_builtin() {
    static const Builtin def{
        .name = "require",
        .doc = "Declares classes and makes the class or defined type around depend on them.",
        .dispatches = {{.params = {{"Any", "names", Dispatch::RequiredRepeated}}, .call = require_classes}},
    };
    return def;
}

}  // namespace volley::compiler_functions
