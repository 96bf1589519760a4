#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace volley {

struct HttpRequest {
    std::string method = "GET";
    std::string url;
    std::vector<std::string> headers;  ///< "Name: value"
    std::string body;
    std::string ca_file;      ///< PEM; empty: the system's
    std::string certificate;  ///< client certificate and its key, files in PEM form
    std::string key;
    bool insecure = false;        ///< whoever the server says it is
    double connect_timeout = 30;  ///< seconds
    double timeout = 120;         ///< seconds for the whole of it
    std::string proxy;            ///< URL; empty: what the environment says (http_proxy, no_proxy)
    int redirects = 0;            ///< how many to follow; headers with credentials stay with the first host
    std::size_t largest = 256UL * 1024 * 1024;  ///< bytes of an answer; a larger one is an error
};

struct HttpResponse {
    long status = 0;
    std::string body;
};

/// Sends a request and waits for the answer; any status is an answer. Only http and https. Throws Error
/// bolt/http-error, naming the host and never headers or query. Any thread.
HttpResponse http_send(const HttpRequest& request);

/// `text` with everything but letters, digits and "-_.~" as %XX.
std::string url_escape(std::string_view text);

}  // namespace volley
