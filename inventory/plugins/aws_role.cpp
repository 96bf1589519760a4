#include "inventory/plugins/aws_role.hpp"

#include <nlohmann/json.hpp>

#include "support/error.hpp"
#include "support/http/client.hpp"
#include "support/json/json_reader.hpp"
#include "support/text.hpp"

namespace volley::inventory {
namespace {

std::string role_variable(const PluginContext& context, std::string_view name) {
    return context.process.environment(name).value_or("");
}

/// The body of an answer; nullopt when nobody answers or says no.
std::optional<std::string> ask_role_service(std::string url, std::vector<std::string> headers,
                                            std::string method = "GET") {
    HttpRequest request;
    request.method = std::move(method);
    request.url = std::move(url);
    request.headers = std::move(headers);
    request.connect_timeout = 1;
    request.timeout = 5;
    try {
        HttpResponse response = http_send(request);
        if (response.status == 200) return std::move(response.body);
    } catch (const Error&) {
        // Outside of AWS there is no such service.
    }
    return std::nullopt;
}

std::optional<AwsKeys> keys_of_answer(const std::optional<std::string>& text) {
    const Json answer = try_parse_json(text.value_or(""));
    AwsKeys keys{plugin_text(answer, "AccessKeyId"), plugin_text(answer, "SecretAccessKey"),
                 plugin_text(answer, "Token")};
    if (keys.id.empty() || keys.secret.empty()) return std::nullopt;
    return keys;
}

std::optional<AwsKeys> keys_of_container(const PluginContext& context) {
    const std::string path = role_variable(context, "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI");
    const std::string url = path.empty() ? role_variable(context, "AWS_CONTAINER_CREDENTIALS_FULL_URI")
                                         : "http://169.254.170.2" + path;
    if (url.empty()) return std::nullopt;
    const std::string token = role_variable(context, "AWS_CONTAINER_AUTHORIZATION_TOKEN");
    return keys_of_answer(ask_role_service(
        url, token.empty() ? std::vector<std::string>() : std::vector{"Authorization: " + token}));
}

std::optional<AwsKeys> keys_of_instance(const PluginContext& context) {
    if (lower(role_variable(context, "AWS_EC2_METADATA_DISABLED")) == "true") return std::nullopt;
    std::string service = role_variable(context, "AWS_EC2_METADATA_SERVICE_ENDPOINT");
    if (service.empty()) service = "http://169.254.169.254";
    while (service.ends_with('/')) service.pop_back();
    const auto token =
        ask_role_service(service + "/latest/api/token", {"X-aws-ec2-metadata-token-ttl-seconds: 60"}, "PUT");
    if (!token) return std::nullopt;
    const std::vector<std::string> headers{"X-aws-ec2-metadata-token: " + std::string(trim(*token))};
    const std::string roles = service + "/latest/meta-data/iam/security-credentials/";
    const auto role = ask_role_service(roles, headers);
    if (!role || trim(*role).empty()) return std::nullopt;
    return keys_of_answer(ask_role_service(roles + url_escape(trim(*role)), headers));
}

}  // namespace

std::optional<AwsKeys> find_aws_role_keys(const PluginContext& context) {
    if (auto keys = keys_of_container(context)) return keys;
    return keys_of_instance(context);
}

}  // namespace volley::inventory
