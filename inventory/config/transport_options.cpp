#include "inventory/config/transport_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "inventory/config/config_schema.hpp"
#include "support/error.hpp"
#include "support/files.hpp"
#include "support/json/json_reader.hpp"
#include "support/yaml/document.hpp"

namespace volley::inventory {
namespace {

const transports::OptionSpec* find_option(const transports::TransportSpec& transport, std::string_view name) {
    const auto found = std::ranges::find(transport.options, name, &transports::OptionSpec::name);
    return found == transport.options.end() ? nullptr : &*found;
}

const Schema& section_schema(std::string_view transport) {
    static const std::vector<Schema::Property> sections = transport_properties();
    return *std::ranges::find(sections, transport, &Schema::Property::name)->schema;
}

Json with_dots(const Json& interpreters) {
    Json out = Json::object();
    for (const auto& [extension, program] : interpreters.items()) {
        out[extension.starts_with('.') ? extension : "." + extension] = program;
    }
    return out;
}

void check_options(const Json& options, const transports::TransportSpec& transport,
                   const std::string& owner) {
    const auto document =
        yaml::Document::from_json(options, fmt::format("{} options of {}", transport.name, owner));
    std::vector<std::string> faults;
    for (const Finding& finding : check(document->root(), section_schema(transport.name)).faults) {
        faults.push_back(finding.message);
    }
    // The transport's own rules may rely on the types.
    if (faults.empty() && transport.check != nullptr) faults = transport.check(options);
    if (faults.empty()) return;
    std::string message = fmt::format("Invalid {} configuration for {}:", transport.name, owner);
    for (const std::string& fault : faults) message += "\n  " + fault;
    throw Error("bolt/validation-error", message);
}

}  // namespace

Json default_options(const transports::TransportSpec& transport) {
    Json options = Json::object();
    for (const transports::OptionSpec& option : transport.options) {
        if (!option.default_json.empty()) options[std::string(option.name)] = parse_json(option.default_json);
    }
    return options;
}

Json finish_options(Json options, const transports::TransportSpec& transport,
                    const std::filesystem::path& project, const std::string& owner) {
    Json out = Json::object();
    for (auto& [name, value] : options.items()) {
        const transports::OptionSpec* option = find_option(transport, name);
        if (value.is_null() || (option == nullptr && !transport.keeps_unknown_options)) continue;
        if (option != nullptr && option->type == transports::OptionType::Interpreters && value.is_object()) {
            value = with_dots(value);
        }
        if (option != nullptr && option->is_path && value.is_string()) {
            value = expand_path(value.get<std::string>(), project).string();
        }
        out[name] = std::move(value);
    }
    check_options(out, transport, owner);
    return out;
}

Json redact_options(Json options, const transports::TransportSpec& transport) {
    constexpr const char* redacted = "Sensitive [value redacted]";
    for (auto& [name, value] : options.items()) {
        const transports::OptionSpec* option = find_option(transport, name);
        if (option == nullptr) continue;
        if (option->is_secret) value = redacted;
        if (value.is_object() && value.contains("key-data")) value["key-data"] = redacted;
    }
    return options;
}

}  // namespace volley::inventory
