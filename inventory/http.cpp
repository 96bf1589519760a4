#include "inventory/http.hpp"

#include <curl/curl.h>
#include <fmt/format.h>

#include <memory>
#include <mutex>

#include "support/error.hpp"

namespace volley::inventory {
namespace {

constexpr std::size_t largest_answer = 256UL * 1024 * 1024;

struct CurlDone {
    void operator()(CURL* handle) const { curl_easy_cleanup(handle); }
    void operator()(curl_slist* list) const { curl_slist_free_all(list); }
};
using CurlPtr = std::unique_ptr<CURL, CurlDone>;
using CurlList = std::unique_ptr<curl_slist, CurlDone>;

std::size_t curl_collect(char* data, std::size_t size, std::size_t count, void* into) {
    auto& body = *static_cast<std::string*>(into);
    if (body.size() + size * count > largest_answer) return 0;  // curl ends with an error then
    body.append(data, size * count);
    return size * count;
}

/// Scheme and host: what may stand in a message.
std::string shown_host(const std::string& url) {
    const std::size_t scheme = url.find("://");
    if (scheme == std::string::npos) return url.substr(0, url.find_first_of("/?"));
    std::string host = url.substr(scheme + 3, url.find_first_of("/?", scheme + 3) - scheme - 3);
    return url.substr(0, scheme + 3) +
           host.substr(host.find('@') == std::string::npos ? 0 : host.find('@') + 1);
}

CurlList header_list(const HttpRequest& request) {
    CurlList list;
    for (const std::string& header : request.headers) {
        curl_slist* more = curl_slist_append(list.get(), header.c_str());
        static_cast<void>(list.release());
        list.reset(more);
    }
    return list;
}

void set_tls(CURL* curl, const HttpRequest& request) {
    if (!request.ca_file.empty()) curl_easy_setopt(curl, CURLOPT_CAINFO, request.ca_file.c_str());
    if (!request.certificate.empty()) curl_easy_setopt(curl, CURLOPT_SSLCERT, request.certificate.c_str());
    if (!request.key.empty()) curl_easy_setopt(curl, CURLOPT_SSLKEY, request.key.c_str());
}

}  // namespace

HttpResponse http_send(const HttpRequest& request) {
    static std::once_flag started;
    std::call_once(started, [] { curl_global_init(CURL_GLOBAL_DEFAULT); });
    const CurlPtr curl(curl_easy_init());
    if (!curl) throw Error("bolt/http-error", "libcurl cannot be started");
    HttpResponse response;
    const CurlList headers = header_list(request);
    char reason[CURL_ERROR_SIZE] = {};
    CURL* const handle = curl.get();
    curl_easy_setopt(handle, CURLOPT_ERRORBUFFER, reason);
    curl_easy_setopt(handle, CURLOPT_URL, request.url.c_str());
    curl_easy_setopt(handle, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(handle, CURLOPT_CUSTOMREQUEST, request.method.c_str());
    curl_easy_setopt(handle, CURLOPT_HTTPHEADER, headers.get());
    if (!request.body.empty()) {
        curl_easy_setopt(handle, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request.body.size()));
        curl_easy_setopt(handle, CURLOPT_POSTFIELDS, request.body.c_str());
    }
    curl_easy_setopt(handle, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(handle, CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(request.connect_timeout * 1000));
    curl_easy_setopt(handle, CURLOPT_TIMEOUT_MS, static_cast<long>(request.timeout * 1000));
    curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, curl_collect);
    curl_easy_setopt(handle, CURLOPT_WRITEDATA, &response.body);
    set_tls(handle, request);
    const CURLcode done = curl_easy_perform(handle);
    if (done != CURLE_OK) {
        throw Error("bolt/http-error", fmt::format("The request to {} failed: {}", shown_host(request.url),
                                                   reason[0] != '\0' ? reason : curl_easy_strerror(done)));
    }
    curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &response.status);
    return response;
}

std::string url_escape(std::string_view text) {
    std::string out;
    for (const char c : text) {
        const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                           c == '-' || c == '_' || c == '.' || c == '~';
        out += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
    return out;
}

}  // namespace volley::inventory
