#include "cli/options/underscore_options.hpp"

#include <nlohmann/json.hpp>
#include <utility>

namespace volley::cli {
namespace {

/// As the Puppet language takes a condition.
bool is_truthy(const Json& value) { return !value.is_null() && value != Json(false); }

}  // namespace

UnderscoreOptions take_underscore_options(Json& parameters) {
    UnderscoreOptions options;
    if (!parameters.is_object()) return options;
    Json kept = Json::object();
    for (auto& [name, value] : parameters.items()) {
        if (!name.starts_with('_')) {
            kept[name] = std::move(value);
        } else if (name == "_run_as" && value.is_string()) {
            options.run_as = value.get<std::string>();
        } else if (name == "_description" && value.is_string()) {
            options.description = value.get<std::string>();
        } else if (name == "_noop") {
            options.noop = is_truthy(value);
        } else if (name == "_catch_errors") {
            options.catch_errors = is_truthy(value);
        }
    }
    parameters = std::move(kept);
    return options;
}

}  // namespace volley::cli
