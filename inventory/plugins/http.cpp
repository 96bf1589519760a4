#include <nlohmann/json.hpp>

#include "inventory/plugins/mapping.hpp"
#include "inventory/plugins/plugin.hpp"
#include "support/error.hpp"
#include "support/files.hpp"
#include "support/http/client.hpp"
#include "support/json/json_reader.hpp"

namespace volley::inventory::plugins {
namespace {

/// What a web service answers: JSON as it is, or each element of a list made into a target.
Json read_url(const PluginContext& context, const Json& options) {
    HttpRequest request;
    request.url = required_text("http", options, "url");
    request.method = plugin_text(options, "method", "GET");
    const auto headers = options.find("headers");
    if (headers != options.end() && headers->is_object()) {
        for (const auto& [name, value] : headers->items())
            request.headers.push_back(name + ": " +
                                      (value.is_string() ? value.get<std::string>() : value.dump()));
    }
    const auto body = options.find("body");
    if (body != options.end()) request.body = body->is_string() ? body->get<std::string>() : body->dump();
    for (const auto& [option, into] :
         {std::pair{"cacert", &request.ca_file}, std::pair{"cert", &request.certificate},
          std::pair{"key", &request.key}}) {
        const std::string path = plugin_text(options, option);
        if (!path.empty()) *into = expand_path(path, context.project);
    }
    const HttpResponse response = http_send(request);
    if (response.status < 200 || response.status > 299)
        throw Error("bolt/plugin-error",
                    "the server answered with status " + std::to_string(response.status));
    std::string fault;
    Json data = try_parse_json(response.body, fault);
    if (data.is_discarded()) throw Error("bolt/plugin-error", "the answer is not valid JSON: " + fault);
    const auto mapping = options.find("target_mapping");
    if (mapping == options.end()) return data;
    if (!data.is_array())
        throw Error("bolt/plugin-error", "target_mapping needs a list, and the answer is not a list");
    Json targets = Json::array();
    for (const Json& element : data) targets.push_back(apply_mapping(*mapping, element));
    return targets;
}

}  // namespace

const PluginSpec& http_plugin() {
    using Type = PluginSpec::Option::Type;
    static const PluginSpec spec{
        .name = "http",
        .abilities = {{Hook::ResolveReference, "Read JSON from a web service.", read_url}},
        .options = {{"url"},
                    {"method"},
                    {"headers", Type::Hash},
                    {"body", Type::Any},
                    {"cacert"},
                    {"cert"},
                    {"key"},
                    {"target_mapping", Type::Hash}}};
    return spec;
}

}  // namespace volley::inventory::plugins
