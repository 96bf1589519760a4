#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "inventory/plugins/plugin.hpp"
#include "support/http/client.hpp"

/// What the inventory plugins of the clouds have in common.
namespace volley::inventory {

/// One option of a plugin and the type it must have.
struct CloudOption {
    enum class Type { Text, Hash, Array };
    std::string_view name;
    Type type = Type::Text;
    bool required = false;
};

/// PLG-013: every key of `options` is known and has its type, and what is required is there. Throws Error
/// bolt/validation-error with plugin and option, never with a value.
void check_cloud_options(std::string_view plugin, const Json& options, const std::vector<CloudOption>& known);

/// An option, else the first of the environment variables that is set; empty when none is.
std::string cloud_setting(const PluginContext& context, const Json& options, const char* option,
                          const std::vector<std::string_view>& variables);

/// "a=1&b=2", escaped as forms are.
std::string form_text(const std::vector<std::pair<std::string, std::string>>& fields);

/// Sends a request; one that the service is too busy for (429, 500, 502, 503, 504) is sent three times in
/// all.
HttpResponse send_to_cloud(const HttpRequest& request);

/// The URL without slashes at its end. Throws Error bolt/validation-error when secrets would travel over it
/// unencrypted: it must begin with https://, or with http:// and name this machine.
std::string secured_url(std::string_view plugin, std::string url);

/// The answer as a JSON object. Throws Error with `service`, the status and the service's own reason.
Json cloud_answer(const HttpResponse& response, std::string_view service);

/// What goes into the header Authorization, of a token service's answer. Throws Error when it holds no token.
std::string cloud_authorization(const Json& answer, std::string_view service);

/// Calls `ask` for each page of a list: with where the page is (first `page`), it returns where the next one
/// is, or an empty text. Throws Error when `service` names a page again, or more than 10,000 pages.
void for_each_cloud_page(std::string_view service, std::string page,
                         const std::function<std::string(const std::string& page)>& ask);

/// `text` in which no secret occurs any more: some services repeat what they were sent.
std::string conceal(std::string text, const std::vector<std::string>& secrets);

}  // namespace volley::inventory
