#include <nlohmann/json.hpp>

#include "inventory/plugins/plugin.hpp"
#include "support/error.hpp"

namespace volley::inventory::plugins {
namespace {

/// Asks at the terminal, without showing what is typed (PLG-031).
Json ask_user(const PluginContext& context, const Json& options) {
    const auto message = options.find("message");
    if (message == options.end() || !message->is_string()) {
        throw Error("bolt/validation-error", "Prompt requires a 'message'");
    }
    if (!context.process.ask_secret) throw Error("bolt/plugin-error", "there is no terminal to ask on");
    return context.process.ask_secret(message->get<std::string>() + ": ");
}

}  // namespace

const PluginSpec& prompt_plugin() {
    static const PluginSpec spec{"prompt",
                                 {{Hook::ResolveReference, "Prompt for values from the user.", ask_user}},
                                 true,
                                 Answers::OfTheUser};
    return spec;
}

}  // namespace volley::inventory::plugins
