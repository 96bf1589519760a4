#include "planner/functions/plan_function.hpp"

/// The functions that make catalogs: in plans each is an error, which says so (PLN-003). Where catalogs are
/// compiled the compiler has functions of these names.
namespace volley::planner {
namespace {

Value refuse_catalog_operation(CallContext& context, std::span<const Value>) {
    fail_call_at(context, "CATALOG_OPERATION_NOT_SUPPORTED_WHEN_SCRIPTING",
                 "The catalog operation '" + std::string(context.name) +
                     "' is only available when compiling a catalog");
}

Builtin catalog_operation(std::string_view name) {
    Builtin made;
    made.name = name;
    made.doc = "Only in catalogs.";
    Dispatch dispatch;
    dispatch.params.push_back({"Any", "arguments", Dispatch::Repeated});
    dispatch.call = refuse_catalog_operation;
    made.dispatches.push_back(std::move(dispatch));
    return made;
}

}  // namespace

#define VOLLEY_CATALOG_OPERATION(name)                       \
    const Builtin& name##_function() {                       \
        static const Builtin def = catalog_operation(#name); \
        return def;                                          \
    }
VOLLEY_CATALOG_OPERATION(contain)
VOLLEY_CATALOG_OPERATION(create_resources)
VOLLEY_CATALOG_OPERATION(include)
VOLLEY_CATALOG_OPERATION(realize)
VOLLEY_CATALOG_OPERATION(require)
VOLLEY_CATALOG_OPERATION(tag)
VOLLEY_CATALOG_OPERATION(tagged)
#undef VOLLEY_CATALOG_OPERATION

}  // namespace volley::planner
