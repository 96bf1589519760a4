#include "language/functions/catalog_operations.hpp"

#include <deque>

#include "language/errors.hpp"

namespace volley {
namespace {

/// Compatibility: reported with its line, and not as a mistake of the evaluation.
Value refuse_operation(CallContext& context, std::span<const Value>) {
    Location at = context.at;
    at.column = 0;
    throw EvalError("CATALOG_OPERATION_NOT_SUPPORTED_WHEN_SCRIPTING",
                    "The catalog operation '" + std::string(context.name) +
                        "' is only available when compiling a catalog",
                    at);
}

Builtin refused_operation(std::string_view name) {
    Builtin made;
    made.name = name;
    made.doc = "Only in catalogs.";
    Dispatch dispatch;
    dispatch.params.push_back({"Any", "arguments", Dispatch::Repeated});
    dispatch.call = refuse_operation;
    made.dispatches.push_back(std::move(dispatch));
    return made;
}

}  // namespace

const std::vector<const Builtin*>& refused_catalog_operations() {
    static const std::deque<Builtin> made = [] {
        std::deque<Builtin> all;
        for (const std::string_view name :
             {"contain", "create_resources", "include", "realize", "require", "tag", "tagged"})
            all.push_back(refused_operation(name));
        return all;
    }();
    static const std::vector<const Builtin*> list = [] {
        std::vector<const Builtin*> all;
        for (const Builtin& one : made) all.push_back(&one);
        return all;
    }();
    return list;
}

}  // namespace volley
