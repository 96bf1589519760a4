#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "inventory/plugins/plugin.hpp"
#include "support/error.hpp"
#include "support/json/json_reader.hpp"

namespace volley::inventory::plugins {
namespace {

/// The value of an environment variable, as text or JSON; a default, or null when it is optional (PLG-030).
Json read_env_var(const PluginContext& context, const Json& options) {
    const std::string name = required_text("env_var", options, "var");
    const auto text = context.process.environment(name);
    if (!text) {
        if (is_given(options, "default")) return options["default"];
        if (is_given(options, "optional")) return nullptr;
        throw Error(
            "bolt/validation-error",
            fmt::format(
                "env_var plugin requires that the var '{}' be set; set a 'default', or 'optional' when it "
                "may be missing",
                name));
    }
    if (!is_given(options, "json")) return *text;
    std::string fault;
    Json value = try_parse_json(*text, fault);
    if (value.is_discarded()) {
        // The text itself stays out of the message: it may be a secret.
        throw Error("bolt/invalid-plugin-data",
                    fmt::format("Invalid Plugin Data for env_var: the value of {} is not valid JSON: {}",
                                name, fault));
    }
    // Compatibility: the default stands for null. Bolt drops `false` in the same way, which turns a switch
    // that is off into its default; here it stays what the user said.
    if (value.is_null() && is_given(options, "default")) return options["default"];
    return value;
}

}  // namespace

const PluginSpec& env_var_plugin() {
    static const PluginSpec spec{
        "env_var",
        {{Hook::ResolveReference, "Read values stored in environment variables.", read_env_var}},
        false,
        Answers::OfTheUser};
    return spec;
}

}  // namespace volley::inventory::plugins
