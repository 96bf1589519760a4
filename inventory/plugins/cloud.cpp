#include "inventory/plugins/cloud.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <thread>

#include "inventory/config/schema.hpp"
#include "support/error.hpp"
#include "support/json/json_reader.hpp"

namespace volley::inventory {
namespace {

std::string_view cloud_type_name(CloudOption::Type type) {
    return type == CloudOption::Type::Text ? "String" : type == CloudOption::Type::Hash ? "Hash" : "Array";
}

bool has_cloud_type(const Json& value, CloudOption::Type type) {
    if (type == CloudOption::Type::Text)
        return value.is_string() && !value.get_ref<const std::string&>().empty();
    return type == CloudOption::Type::Hash ? value.is_object() : value.is_array();
}

/// A service's reason, wherever it stands in its answer.
std::string cloud_reason(const Json& body) {
    if (!body.is_object()) return {};
    const auto description = body.find("error_description");
    if (description != body.end() && description->is_string()) return description->get<std::string>();
    const auto error = body.find("error");
    if (error == body.end()) return {};
    if (error->is_string()) return error->get<std::string>();
    return error->is_object() ? plugin_text(*error, "message") : std::string();
}

}  // namespace

void check_cloud_options(std::string_view plugin, const Json& options,
                         const std::vector<CloudOption>& known) {
    std::vector<std::string> names;
    for (const CloudOption& option : known) names.emplace_back(option.name);
    for (const auto& [key, value] : options.items()) {
        if (key.starts_with('_')) continue;
        const auto option = std::ranges::find(known, key, &CloudOption::name);
        if (option == known.end()) {
            throw Error("bolt/validation-error",
                        fmt::format("{} plugin has no option '{}'.{}", plugin, key, hint(key, names)));
        }
        if (!value.is_null() && !has_cloud_type(value, option->type)) {
            throw Error("bolt/validation-error",
                        fmt::format("{} plugin: '{}' must be of type {}, and not empty", plugin, key,
                                    cloud_type_name(option->type)));
        }
    }
    for (const CloudOption& option : known) {
        if (!option.required || is_given(options, std::string(option.name).c_str())) continue;
        throw Error("bolt/validation-error",
                    fmt::format("{} plugin requires that the '{}' is specified", plugin, option.name));
    }
}

std::string cloud_setting(const PluginContext& context, const Json& options, const char* option,
                          const std::vector<std::string_view>& variables) {
    std::string value = plugin_text(options, option);
    for (const std::string_view variable : variables) {
        if (!value.empty()) break;
        value = context.process.environment(variable).value_or("");
    }
    return value;
}

std::string form_text(const std::vector<std::pair<std::string, std::string>>& fields) {
    std::string text;
    for (const auto& [name, value] : fields) {
        text += fmt::format("{}{}={}", text.empty() ? "" : "&", url_escape(name), url_escape(value));
    }
    return text;
}

HttpResponse send_to_cloud(const HttpRequest& request) {
    constexpr int attempts = 3;
    constexpr long busy[] = {429, 500, 502, 503, 504};
    for (int attempt = 1;; ++attempt) {
        HttpResponse response = http_send(request);
        if (attempt == attempts || std::ranges::find(busy, response.status) == std::end(busy))
            return response;
        std::this_thread::sleep_for(std::chrono::milliseconds(500) * attempt);
    }
}

std::string secured_url(std::string_view plugin, std::string url) {
    while (url.ends_with('/')) url.pop_back();
    const auto starts_host = [&url](std::string_view start) {
        return url.starts_with(start) &&
               (url.size() == start.size() || url[start.size()] == ':' || url[start.size()] == '/');
    };
    if (url.starts_with("https://") || starts_host("http://127.0.0.1") || starts_host("http://localhost") ||
        starts_host("http://[::1]"))
        return url;
    throw Error("bolt/validation-error",
                fmt::format("{} plugin sends secrets only to an https:// URL, or to http:// on this machine",
                            plugin));
}

Json cloud_answer(const HttpResponse& response, std::string_view service) {
    std::string fault = "the answer is not a JSON object";
    Json body = try_parse_json(response.body, fault);
    if (response.status == 200 && body.is_object()) return body;
    std::string reason = cloud_reason(body);
    if (reason.empty()) reason = response.status == 200 ? fault : "no reason was given";
    throw Error("bolt/http-error",
                fmt::format("{} answered with status {}: {}", service, response.status, reason));
}

std::string cloud_authorization(const Json& answer, std::string_view service) {
    const std::string token = plugin_text(answer, "access_token");
    if (token.empty()) throw Error("bolt/http-error", fmt::format("{} returned no access_token", service));
    return plugin_text(answer, "token_type", "Bearer") + " " + token;
}

void for_each_cloud_page(std::string_view service, std::string page,
                         const std::function<std::string(const std::string& page)>& ask) {
    constexpr int most_pages = 10'000;
    for (int count = 0; count < most_pages; ++count) {
        std::string next = ask(page);
        if (next.empty()) return;
        if (next == page)
            throw Error("bolt/http-error", fmt::format("{} returned the same page again", service));
        page = std::move(next);
    }
    throw Error("bolt/http-error",
                fmt::format("{} returned more than {} pages, which is the limit", service, most_pages));
}

std::string conceal(std::string text, const std::vector<std::string>& secrets) {
    constexpr std::string_view cover = "[REDACTED]";
    for (const std::string& secret : secrets) {
        if (secret.empty()) continue;
        for (std::size_t at = text.find(secret); at != std::string::npos;
             at = text.find(secret, at + cover.size()))
            text.replace(at, secret.size(), cover);
    }
    return text;
}

}  // namespace volley::inventory
