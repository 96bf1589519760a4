#include "inventory/plugins.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "inventory/project.hpp"
#include "support/error.hpp"

namespace volley::inventory {
namespace {

/// Ruby's idea of truth: everything but nothing and false.
bool is_given(const Json& reference, const char* key) {
    const auto found = reference.find(key);
    return found != reference.end() && !found->is_null() && *found != false;
}

/// PLG-030.
Json resolve_env_var(const Json& reference, const Surroundings& surroundings) {
    const auto var = reference.find("var");
    if (var == reference.end() || !var->is_string()) {
        throw Error("bolt/validation-error", "env_var plugin requires that the 'var' is specified");
    }
    const std::string name = var->get<std::string>();
    const auto text = surroundings.environment(name);
    if (!text) {
        if (is_given(reference, "default")) return reference["default"];
        if (is_given(reference, "optional")) return nullptr;
        throw Error("bolt/validation-error",
                    fmt::format("env_var plugin requires that the var '{}' be set; give it a 'default' or make it "
                                "'optional' when it need not be",
                                name));
    }
    if (!is_given(reference, "json")) return *text;
    Json value = Json::parse(*text, nullptr, false);
    if (value.is_discarded()) {
        // The text itself stays out of the message: it may be a secret.
        throw Error("bolt/invalid-plugin-data",
                    fmt::format("Invalid Plugin Data for env_var: the value of {} is not JSON", name));
    }
    return value;
}

/// PLG-031.
Json resolve_prompt(const Json& reference, const Surroundings& surroundings) {
    const auto message = reference.find("message");
    if (message == reference.end() || !message->is_string()) {
        throw Error("bolt/validation-error", "Prompt requires a 'message'");
    }
    if (!surroundings.ask_secret) throw Error("bolt/plugin-error", "Error executing plugin prompt: nobody to ask");
    return surroundings.ask_secret(message->get<std::string>() + ": ");
}

class BuiltinPlugins final : public Plugins {
public:
    explicit BuiltinPlugins(const Surroundings& surroundings) : surroundings_(surroundings) {}

    Json resolve(const Json& reference) override {
        const auto name = reference.find("_plugin");
        const std::string plugin = name != reference.end() && name->is_string() ? name->get<std::string>() : "";
        if (plugin == "env_var") return resolve_env_var(reference, surroundings_);
        if (plugin == "prompt") return resolve_prompt(reference, surroundings_);
        throw Error("bolt/unknown-plugin",
                    fmt::format("Unknown plugin: '{}'. This version knows env_var and prompt", plugin));
    }

private:
    Surroundings surroundings_;
};

}  // namespace

std::unique_ptr<Plugins> make_builtin_plugins(const Surroundings& surroundings) {
    return std::make_unique<BuiltinPlugins>(surroundings);
}

}  // namespace volley::inventory
