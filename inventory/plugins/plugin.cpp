#include "inventory/plugins/plugin.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "support/error.hpp"

namespace volley::inventory {

namespace plugins {
#define VOLLEY_PLUGIN(name) const PluginSpec& name##_plugin();
#include "inventory/plugins/registry.def"
#undef VOLLEY_PLUGIN
}  // namespace plugins

const std::vector<const PluginSpec*>& builtin_plugins() {
    static const std::vector<const PluginSpec*> list{
#define VOLLEY_PLUGIN(name) &plugins::name##_plugin(),
#include "inventory/plugins/registry.def"
#undef VOLLEY_PLUGIN
    };
    return list;
}

std::string_view hook_name(Hook hook) noexcept {
    switch (hook) {
        case Hook::PuppetLibrary:
            return "puppet_library";
        case Hook::ResolveReference:
            return "resolve_reference";
        case Hook::SecretEncrypt:
            return "secret_encrypt";
        case Hook::SecretDecrypt:
            return "secret_decrypt";
        case Hook::SecretCreateKeys:
            return "secret_createkeys";
        case Hook::ValidateResolveReference:
            return "validate_resolve_reference";
    }
    return {};
}

std::string required_text(std::string_view plugin, const Json& options, const char* option) {
    const auto found = options.find(option);
    if (found == options.end() || !found->is_string()) {
        throw Error("bolt/validation-error",
                    fmt::format("{} plugin requires that the '{}' is specified", plugin, option));
    }
    return found->get<std::string>();
}

std::string plugin_text(const Json& options, const char* option, std::string fallback) {
    const auto found = options.find(option);
    return found != options.end() && found->is_string() ? found->get<std::string>() : fallback;
}

bool is_given(const Json& options, const char* option) {
    const auto found = options.find(option);
    return found != options.end() && !found->is_null() && *found != false;
}

}  // namespace volley::inventory
