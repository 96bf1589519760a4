#include <fmt/format.h>

#include <chrono>
#include <nlohmann/json.hpp>

#include "inventory/plugins/cloud.hpp"
#include "inventory/plugins/json_web_token.hpp"
#include "inventory/plugins/mapping.hpp"
#include "support/error.hpp"
#include "support/files.hpp"
#include "support/json/json_reader.hpp"

namespace volley::inventory::plugins {
namespace {

constexpr std::string_view gcloud_scope = "https://www.googleapis.com/auth/compute.readonly";

/// A service account of Google Cloud.
struct GcloudAccount {
    std::string email;
    std::string private_key;
    std::string token_url;
};

GcloudAccount account_of(const Json& data) {
    return {plugin_text(data, "client_email"), plugin_text(data, "private_key"),
            plugin_text(data, "token_uri")};
}

GcloudAccount read_gcloud_file(const std::filesystem::path& path) {
    std::string fault;
    const Json data = try_parse_json(read_file(path, "credentials file"), fault);
    if (data.is_discarded())
        throw Error("bolt/validation-error",
                    "Unable to parse credentials file " + path.string() + " as JSON: " + fault);
    if (!data.is_object())
        throw Error("bolt/validation-error",
                    "Expected credentials to be a Hash, and " + path.string() + " holds none");
    std::string missing;
    for (const char* key : {"client_email", "private_key", "token_uri"}) {
        if (plugin_text(data, key).empty()) missing += (missing.empty() ? "" : ", ") + std::string(key);
    }
    if (!missing.empty()) {
        throw Error("bolt/validation-error",
                    "Missing required keys in credentials file " + path.string() + ": " + missing);
    }
    return account_of(data);
}

GcloudAccount find_gcloud_account(const PluginContext& context, const Json& options) {
    const std::string named = plugin_text(options, "credentials");
    if (!named.empty()) return read_gcloud_file(expand_path(named, context.project));
    GcloudAccount account = account_of(options);
    if (!account.email.empty() && !account.private_key.empty() && !account.token_url.empty()) return account;
    const auto variable = context.process.environment("GOOGLE_APPLICATION_CREDENTIALS");
    if (variable && !variable->empty()) return read_gcloud_file(expand_path(*variable, context.project));
    throw Error(
        "bolt/validation-error",
        "gcloud_inventory plugin has no credentials: name the service account's file with 'credentials' or "
        "GOOGLE_APPLICATION_CREDENTIALS, or set 'client_email', 'private_key' and 'token_uri'");
}

/// The value of the header Authorization: a token that the signed claim of the account is exchanged for.
std::string gcloud_authorization(const GcloudAccount& account) {
    using namespace std::chrono;
    const long now = duration_cast<seconds>(system_clock::now().time_since_epoch()).count();
    const Json claims{{"iss", account.email},
                      {"scope", gcloud_scope},
                      {"aud", account.token_url},
                      {"iat", now - 60},
                      {"exp", now + 600}};  // clocks may differ by a minute
    HttpRequest request;
    request.method = "POST";
    request.url = secured_url("gcloud_inventory", account.token_url);
    request.headers = {"Content-Type: application/x-www-form-urlencoded"};
    request.body = form_text({{"grant_type", "urn:ietf:params:oauth:grant-type:jwt-bearer"},
                              {"assertion", signed_web_token(claims, account.private_key)}});
    const Json answer = cloud_answer(send_to_cloud(request), "Google's token service");
    return cloud_authorization(answer, "Google's token service");
}

/// Targets of the instances of Google Compute Engine (PLG-039).
Json gcloud_targets(const PluginContext& context, const Json& options) {
    using Type = CloudOption::Type;
    check_cloud_options("gcloud_inventory", options,
                        {{"project", Type::Text, true},
                         {"zone", Type::Text, true},
                         {"credentials"},
                         {"client_email"},
                         {"private_key"},
                         {"token_uri"},
                         {"endpoint"},
                         {"target_mapping", Type::Hash}});
    const Json& mapping = target_mapping("gcloud_inventory", options);
    HttpRequest request;
    const std::string list = fmt::format(
        "{}/compute/v1/projects/{}/zones/{}/instances",
        secured_url("gcloud_inventory", plugin_text(options, "endpoint", "https://compute.googleapis.com")),
        url_escape(required_text("gcloud_inventory", options, "project")),
        url_escape(required_text("gcloud_inventory", options, "zone")));
    request.headers = {"Authorization: " + gcloud_authorization(find_gcloud_account(context, options))};
    Json targets = Json::array();
    for_each_cloud_page("Google Cloud", "", [&](const std::string& page) {
        request.url = list + (page.empty() ? "" : "?" + form_text({{"pageToken", page}}));
        const Json answer = cloud_answer(send_to_cloud(request), "Google Cloud");
        const auto items = answer.find("items");  // absent when there are no instances
        for (const Json& instance : items == answer.end() ? Json::array() : *items)
            targets.push_back(map_target(mapping, instance, "instance " + plugin_text(instance, "name")));
        return plugin_text(answer, "nextPageToken");
    });
    return targets;
}

}  // namespace

const PluginSpec& gcloud_inventory_plugin() {
    static const PluginSpec spec{
        "gcloud_inventory",
        {{Hook::ResolveReference, "Make targets of Google Cloud compute instances.", gcloud_targets}},
        false,
        Answers::OfMachines};
    return spec;
}

}  // namespace volley::inventory::plugins
