#include <algorithm>
#include <nlohmann/json.hpp>

#include "inventory/plugins/plugin.hpp"
#include "support/error.hpp"
#include "support/files.hpp"
#include "support/http/client.hpp"
#include "support/json/json_reader.hpp"

namespace volley::inventory::plugins {
namespace {

std::string vault_setting(const PluginContext& context, const Json& options, const char* option,
                          const char* variable) {
    std::string value = plugin_text(options, option);
    return value.empty() ? context.process.environment(variable).value_or("") : value;
}

Json vault_send(const PluginContext& context, const Json& options, HttpRequest request,
                const std::string& path) {
    std::string server = vault_setting(context, options, "server_url", "VAULT_ADDR");
    if (server.empty())
        throw Error("bolt/validation-error", "vault plugin requires that the 'server_url' is specified");
    while (server.ends_with('/')) server.pop_back();
    request.url = server + "/v1/" + path.substr(std::min(path.find_first_not_of('/'), path.size()));
    if (const std::string ca = vault_setting(context, options, "cacert", "VAULT_CACERT"); !ca.empty())
        request.ca_file = expand_path(ca, context.project);
    const std::string space = plugin_text(options, "namespace");
    if (!space.empty()) request.headers.push_back("X-Vault-Namespace: " + space);
    const HttpResponse response = http_send(request);
    std::string fault;
    Json body = try_parse_json(response.body, fault);
    if (response.status == 200 && body.is_object()) return body;
    std::string reason = "status " + std::to_string(response.status);
    if (body.is_object() && body.contains("errors") && !body["errors"].empty())
        reason += " " + body["errors"].dump();
    if (response.status == 200 && !fault.empty()) reason += ", which is not valid JSON (" + fault + "),";
    throw Error("bolt/plugin-error", "Vault answered with " + reason + " for " + path);
}

/// PLG-036: by token, or logged in with user and password. Empty without both: a Vault Agent on the way may
/// know one.
std::string vault_token(const PluginContext& context, const Json& options) {
    const bool given = is_given(options, "auth");
    const Json auth = given ? options["auth"] : Json::object();
    const std::string method = plugin_text(auth, "method", "token");
    if (method == "token") {
        std::string token = vault_setting(context, auth, "token", "VAULT_TOKEN");
        if (token.empty() && given)
            throw Error("bolt/validation-error",
                        "vault plugin needs a token: auth: {method: token, token: ...}");
        return token;
    }
    if (method != "userpass")
        throw Error("bolt/validation-error", "vault plugin supports the auth methods token and userpass");
    HttpRequest request;
    request.method = "POST";
    request.body = Json{{"password", required_text("vault", auth, "pass")}}.dump();
    const Json answer = vault_send(context, options, request,
                                   "auth/userpass/login/" + url_escape(required_text("vault", auth, "user")));
    return answer.value("auth", Json::object()).value("client_token", "");
}

Json read_vault(const PluginContext& context, const Json& options) {
    const std::string path = required_text("vault", options, "path");
    const auto version = options.find("version");
    const bool second = version != options.end() && (*version == 2 || *version == "2");
    std::string where = path;
    if (second) {
        // Version 2 keeps data below MOUNT/data/, also what is called "data" there.
        const std::size_t mount = path.find('/');
        where = path.substr(0, mount) + "/data" + (mount == std::string::npos ? "" : path.substr(mount));
    }
    HttpRequest request;
    if (const std::string token = vault_token(context, options); !token.empty())
        request.headers = {"X-Vault-Token: " + token};
    Json data = vault_send(context, options, std::move(request), where).value("data", Json::object());
    if (second) data = data.value("data", Json::object());
    const std::string field = plugin_text(options, "field");
    if (field.empty()) return data;
    if (!data.contains(field))
        throw Error("bolt/validation-error", "Unknown secrets field: " + field + " in " + path);
    return data[field];
}

}  // namespace

const PluginSpec& vault_plugin() {
    using Type = PluginSpec::Option::Type;
    static const PluginSpec spec{
        .name = "vault",
        .abilities = {{Hook::ResolveReference, "Read values stored in Vault.", read_vault}},
        .options = {{"server_url"},
                    {"auth", Type::Hash},
                    {"path"},
                    {"field"},
                    {"version", Type::Any},
                    {"cacert"},
                    {"namespace"}}};
    return spec;
}

}  // namespace volley::inventory::plugins
