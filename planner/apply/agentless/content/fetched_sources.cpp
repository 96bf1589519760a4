#include "planner/apply/agentless/content/fetched_sources.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "language/functions/digest_text.hpp"
#include "support/error.hpp"
#include "support/files.hpp"
#include "support/http/client.hpp"
#include "support/json/json_text.hpp"
#include "support/text.hpp"

namespace volley::planner {
namespace {

constexpr std::size_t most_content = std::size_t{512} << 20U;

void add_urls(const Json& value, std::vector<std::string>& urls) {
    if (value.is_array()) {
        for (const Json& one : value) add_urls(one, urls);
        return;
    }
    if (!value.is_string()) return;
    auto url = value.get<std::string>();
    const std::size_t scheme = std::min(url.find("://"), url.size());
    url.replace(0, scheme, lower(url.substr(0, scheme)));  // as the agent asks for it
    if (!url.starts_with("http://") && !url.starts_with("https://")) return;
    if (std::find(urls.begin(), urls.end(), url) == urls.end()) urls.push_back(url);
}

/// For messages: neither user and password nor what stands after "?", which may be a token.
std::string shown_url(const std::string& url) {
    const std::size_t host = url.find("//") + 2;
    const std::size_t path = std::min(url.find_first_of("/?#", host), url.size());
    const std::size_t at = url.rfind('@', path);
    const std::size_t from = at == std::string::npos || at < host ? host : at + 1;
    return url.substr(0, host) + url.substr(from, url.find_first_of("?#", from) - from);
}

HttpRequest request_for(const std::string& url) {
    HttpRequest request;
    request.url = url;
    request.timeout = 3600;
    request.redirects = 10;
    request.largest = most_content;
    return request;
}

Error answered(const std::string& url, long status) {
    return Error("bolt/apply-error", "The source " + shown_url(url) +
                                         " could not be fetched: the server answered " +
                                         std::to_string(status));
}

/// What an archive says of how its sources are fetched.
void add_access(const Json& parameters, HttpRequest& request) {
    if (const std::string user = text_in(parameters, "username"); !user.empty())
        request.headers.push_back("Authorization: Basic " +
                                  base64_encode(user + ":" + text_in(parameters, "password")));
    if (const std::string cookie = text_in(parameters, "cookie"); !cookie.empty())
        request.headers.push_back("Cookie: " + cookie);
    if (const auto headers = parameters.find("headers"); headers != parameters.end() && headers->is_array()) {
        for (const Json& header : *headers) {
            if (header.is_string()) request.headers.push_back(header.get<std::string>());
        }
    }
    request.proxy = text_in(parameters, "proxy_server");
    const auto insecure = parameters.find("allow_insecure");
    request.insecure =
        insecure != parameters.end() && (*insecure == true || *insecure == "true" || *insecure == "yes");
}

bool is_not_found(long status) { return status == 404 || status == 410; }

}  // namespace

std::vector<std::string> http_sources(const Json& document) {
    std::vector<std::string> urls;
    const auto resources = document.find("resources");
    if (resources == document.end() || !resources->is_array()) return urls;
    for (const Json& resource : *resources) {
        const std::string type = resource.value("type", std::string());
        if (type != "File" && type != "Concat_fragment") continue;
        const auto parameters = resource.find("parameters");
        if (parameters == resource.end() || !parameters->is_object()) continue;
        if (const auto source = parameters->find("source"); source != parameters->end())
            add_urls(*source, urls);
    }
    return urls;
}

FetchedSources::Found FetchedSources::fetch(const HttpRequest& request, std::size_t number) {
    const HttpResponse response = http_send(request);
    if (is_not_found(response.status)) return std::nullopt;
    if (response.status != 200) throw answered(request.url, response.status);
    DeliveredFile file;
    file.path = request.url;
    file.local = folder_->path() / std::to_string(number);
    file.sum = digest_text("SHA256", response.body);
    file.size = response.body.size();
    write_file_atomically(file.local, response.body, 0600);
    return file;
}

std::vector<LateSource> late_sources(const Json& document) {
    std::vector<LateSource> sources;
    const auto resources = document.find("resources");
    if (resources == document.end() || !resources->is_array()) return sources;
    for (const Json& resource : *resources) {
        if (resource.value("type", std::string()) != "Archive") continue;
        const auto parameters = resource.find("parameters");
        if (parameters == resource.end() || !parameters->is_object()) continue;
        for (const char* name : {"source", "url", "checksum_url", "digest_url"}) {
            const std::string url = text_in(*parameters, name);
            if (!url.starts_with("http://") && !url.starts_with("https://")) continue;
            LateSource source;
            source.name = "Archive[" + resource.value("title", std::string()) + "] " + url;
            source.request = request_for(url);
            add_access(*parameters, source.request);
            sources.push_back(std::move(source));
        }
    }
    return sources;
}

FetchedSources::Found FetchedSources::once(const std::string& name, const HttpRequest& request) {
    std::promise<Found> promise;
    std::shared_future<Found> found;
    bool is_first = false;
    std::size_t number = 0;
    {
        const std::lock_guard lock(mutex_);
        if (!folder_) folder_.emplace("volley-sources-");
        number = known_.size();
        const auto [at, added] = known_.try_emplace(name);
        if (added) at->second = promise.get_future().share();
        found = at->second;
        is_first = added;
    }
    if (is_first) {
        try {
            promise.set_value(fetch(request, number));
        } catch (...) {
            promise.set_exception(std::current_exception());
        }
    }
    return found.get();
}

std::vector<DeliveredFile> FetchedSources::of(const Json& document) {
    std::vector<DeliveredFile> files;
    for (const std::string& url : http_sources(document)) {
        if (const Found file = once(url, request_for(url))) files.push_back(*file);
    }
    return files;
}

DeliveredFile FetchedSources::fetched(const LateSource& source) {
    const Found file = once(source.name, source.request);
    if (!file) throw answered(source.request.url, 404);
    return *file;
}

}  // namespace volley::planner
