#include "apply/compiler/functions/declared_with.hpp"
#include "apply/compiler/resources/references.hpp"
#include "language/text/ruby_text.hpp"

namespace volley::compiler_functions {
namespace {

/// What packages get unless something else is said; "present" means installed.
Value package_defaults(std::span<const Value> args) {
    HashBuilder defaults;
    defaults.set("ensure", "installed");
    const Value given = hash_argument(args, 1);
    for (const auto& entry : given.as_hash()) defaults.set(entry.key, entry.value);
    const Value* ensure = defaults.find(Value("ensure"));
    if (ensure->is_string() && ensure->as_string() == "present") defaults.set("ensure", "installed");
    return defaults.build();
}

Value ensure_packages(CallContext& context, std::span<const Value> args) {
    const Value defaults = package_defaults(args);
    if (args[0].is_hash()) {
        context.evaluator.call("ensure_resources", {Value("package"), args[0], defaults}, nullptr,
                               context.frame, context.at);
        return {};
    }
    for (const Value& name : flat_values(args[0]))
        ensure_declared(context, "package", ruby_to_s(name), defaults);
    return {};
}

}  // namespace

const Builtin& ensure_packages_builtin() {
    static const Builtin def{
        .name = "ensure_packages",
        .doc = "Declares packages unless they are declared with the same parameters already.",
        .dispatches = {{.params = {{"Variant[String[1], Array[String[1]], Hash[String[1], Any]]", "packages"},
                                   {"Optional[Hash]", "default_attributes", Dispatch::Optional}},
                        .call = ensure_packages}},
    };
    return def;
}

const Builtin& stdlib_ensure_packages_builtin() {
    static const Builtin def{
        .name = "stdlib::ensure_packages",
        .doc = ensure_packages_builtin().doc,
        .dispatches = ensure_packages_builtin().dispatches,
    };
    return def;
}

}  // namespace volley::compiler_functions
