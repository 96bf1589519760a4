#include "language/functions/first_found.hpp"

#include "language/evaluator/environment.hpp"

namespace volley {

Value first_found(CallContext& context, std::span<const Value> names, std::string_view kind) {
    LanguageHost& host = context.environment().host;
    for (const Value& name : names) {
        if (name.is_array()) {
            Value found = first_found(context, name.as_array().items(), kind);
            if (!found.is_undef()) return found;
        } else if (kind.empty()) {
            if (const auto path = host.module_path(name.as_string())) return *path;
        } else if (const auto path = host.module_file_path(kind, name.as_string())) {
            return *path;
        }
    }
    return {};
}

}  // namespace volley
