#include "support/http/client.hpp"

#include <curl/curl.h>
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string_view>

#include "support/dynamic_library.hpp"
#include "support/error.hpp"

namespace volley {
namespace {

/// The functions of libcurl. It is loaded when the first request is sent: the twenty libraries that it brings
/// would cost every start of the program 3 ms, and few runs ask a server.
class CurlLibrary {
public:
    /// Throws Error kind bolt/http-error when the machine has no libcurl. Never unloaded.
    static const CurlLibrary& get() {
        static const CurlLibrary library;
        return library;
    }

    decltype(curl_easy_init)* easy_init = nullptr;
    decltype(curl_easy_setopt)* easy_setopt = nullptr;
    decltype(curl_easy_perform)* easy_perform = nullptr;
    decltype(curl_easy_getinfo)* easy_getinfo = nullptr;
    decltype(curl_easy_strerror)* easy_strerror = nullptr;
    decltype(curl_easy_cleanup)* easy_cleanup = nullptr;
    decltype(curl_slist_append)* slist_append = nullptr;
    decltype(curl_slist_free_all)* slist_free_all = nullptr;

private:
    CurlLibrary() {
        DynamicLibrary curl("libcurl.so.4");
        decltype(curl_global_init)* global_init = nullptr;
        curl.find(global_init, "curl_global_init");
        curl.find(easy_init, "curl_easy_init");
        curl.find(easy_setopt, "curl_easy_setopt");
        curl.find(easy_perform, "curl_easy_perform");
        curl.find(easy_getinfo, "curl_easy_getinfo");
        curl.find(easy_strerror, "curl_easy_strerror");
        curl.find(easy_cleanup, "curl_easy_cleanup");
        curl.find(slist_append, "curl_slist_append");
        curl.find(slist_free_all, "curl_slist_free_all");
        if (!curl.fault().empty())
            throw Error("bolt/http-error",
                        "Requests to servers need libcurl (Debian's package libcurl4): " + curl.fault());
        if (global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK)
            throw Error("bolt/http-error", "libcurl cannot be started");
    }
};

struct CurlDone {
    void operator()(CURL* handle) const { CurlLibrary::get().easy_cleanup(handle); }
    void operator()(curl_slist* list) const { CurlLibrary::get().slist_free_all(list); }
};
using CurlPtr = std::unique_ptr<CURL, CurlDone>;
using CurlList = std::unique_ptr<curl_slist, CurlDone>;

/// The body as it comes, up to a limit.
struct CurlBody {
    std::string bytes;
    std::size_t largest = 0;
    bool too_large = false;
};

std::size_t curl_collect(char* data, std::size_t size, std::size_t count, void* into) {
    auto& body = *static_cast<CurlBody*>(into);
    body.too_large = body.bytes.size() + size * count > body.largest;
    if (body.too_large) return 0;  // curl ends with an error then
    body.bytes.append(data, size * count);
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
        curl_slist* more = CurlLibrary::get().slist_append(list.get(), header.c_str());
        static_cast<void>(list.release());
        list.reset(more);
    }
    return list;
}

void set_tls(CURL* curl, const HttpRequest& request) {
    const CurlLibrary& library = CurlLibrary::get();
    if (!request.ca_file.empty()) library.easy_setopt(curl, CURLOPT_CAINFO, request.ca_file.c_str());
    if (!request.certificate.empty()) library.easy_setopt(curl, CURLOPT_SSLCERT, request.certificate.c_str());
    if (!request.key.empty()) library.easy_setopt(curl, CURLOPT_SSLKEY, request.key.c_str());
    if (request.insecure) {
        library.easy_setopt(curl, CURLOPT_SSL_VERIFYPEER, 0L);
        library.easy_setopt(curl, CURLOPT_SSL_VERIFYHOST, 0L);
    }
}

/// RFC 9110's "token": what methods and the names of headers are made of.
bool is_http_token(std::string_view text) {
    constexpr std::string_view marks = "!#$%&'*+-.^_`|~";
    return !text.empty() && std::ranges::all_of(text, [&](char c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
               marks.find(c) != std::string_view::npos;
    });
}

bool has_control_character(std::string_view text, bool tab_allowed) {
    return std::ranges::any_of(text, [tab_allowed](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return (byte < 0x20 && !(tab_allowed && c == '\t')) || byte == 0x7f;
    });
}

/// A line end in one of these would begin another header or another request (SEC-17.6). What they hold stays
/// out of the message: it may be a secret.
void check_request(const HttpRequest& request) {
    const auto refuse = [&request](const std::string& what) {
        throw Error("bolt/validation-error",
                    fmt::format("The request to {} is not sent: {}", shown_host(request.url), what));
    };
    if (has_control_character(request.url, false) || request.url.find(' ') != std::string::npos)
        throw Error("bolt/validation-error",
                    "The request is not sent: its URL has spaces or control characters");
    if (!is_http_token(request.method)) refuse("its method is not the name of a method, such as GET or POST");
    for (const std::string& header : request.headers) {
        const std::size_t colon = header.find(':');
        const std::string name = header.substr(0, colon);
        if (colon == std::string::npos || !is_http_token(name))
            refuse("the name of a header has characters that names cannot have");
        if (has_control_character(header.substr(colon), true))
            refuse("the value of the header '" + name + "' has a line end or another control character");
    }
}

}  // namespace

HttpResponse http_send(const HttpRequest& request) {
    check_request(request);
    const CurlLibrary& library = CurlLibrary::get();
    const CurlPtr curl(library.easy_init());
    if (!curl) throw Error("bolt/http-error", "libcurl cannot be started");
    CurlBody body{.bytes = {}, .largest = request.largest};
    const CurlList headers = header_list(request);
    char reason[CURL_ERROR_SIZE] = {};
    CURL* const handle = curl.get();
    library.easy_setopt(handle, CURLOPT_ERRORBUFFER, reason);
    library.easy_setopt(handle, CURLOPT_URL, request.url.c_str());
    library.easy_setopt(handle, CURLOPT_PROTOCOLS_STR, "http,https");
    library.easy_setopt(handle, CURLOPT_CUSTOMREQUEST, request.method.c_str());
    library.easy_setopt(handle, CURLOPT_HTTPHEADER, headers.get());
    if (!request.body.empty()) {
        library.easy_setopt(handle, CURLOPT_POSTFIELDSIZE_LARGE,
                            static_cast<curl_off_t>(request.body.size()));
        library.easy_setopt(handle, CURLOPT_POSTFIELDS, request.body.c_str());
    }
    library.easy_setopt(handle, CURLOPT_NOSIGNAL, 1L);
    library.easy_setopt(handle, CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(request.connect_timeout * 1000));
    library.easy_setopt(handle, CURLOPT_TIMEOUT_MS, static_cast<long>(request.timeout * 1000));
    library.easy_setopt(handle, CURLOPT_WRITEFUNCTION, curl_collect);
    library.easy_setopt(handle, CURLOPT_WRITEDATA, &body);
    if (!request.proxy.empty()) library.easy_setopt(handle, CURLOPT_PROXY, request.proxy.c_str());
    if (request.redirects > 0) {
        library.easy_setopt(handle, CURLOPT_FOLLOWLOCATION, 1L);
        library.easy_setopt(handle, CURLOPT_MAXREDIRS, static_cast<long>(request.redirects));
        library.easy_setopt(handle, CURLOPT_REDIR_PROTOCOLS_STR, "http,https");
    }
    set_tls(handle, request);
    const CURLcode done = library.easy_perform(handle);
    if (body.too_large) {
        throw Error("bolt/http-error", fmt::format("The answer of {} is larger than {} bytes",
                                                   shown_host(request.url), request.largest));
    }
    if (done != CURLE_OK) {
        throw Error("bolt/http-error", fmt::format("The request to {} failed: {}", shown_host(request.url),
                                                   reason[0] != '\0' ? reason : library.easy_strerror(done)));
    }
    HttpResponse response;
    library.easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &response.status);
    response.body = std::move(body.bytes);
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

}  // namespace volley
