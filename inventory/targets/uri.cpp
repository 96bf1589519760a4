#include "inventory/targets/uri.hpp"

#include <algorithm>
#include <charconv>

#include "support/error.hpp"
#include "support/text/hex_digit.hpp"

namespace volley::inventory {
namespace {

constexpr int highest_port = 65535;

[[noreturn]] void fail(std::string_view reason) {
    throw Error("bolt/parse-error", "Could not parse target URI: " + std::string(reason));
}

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// The length of "scheme" in "scheme://..."; npos when the text does not begin so.
std::size_t scheme_length(std::string_view text) {
    const std::size_t colon = text.find(':');
    const bool has = colon != std::string_view::npos && colon > 0 && text.substr(colon).starts_with("://");
    return has ? colon : std::string_view::npos;
}

void check_scheme(std::string_view scheme) {
    const bool good = is_letter(scheme.front()) && std::ranges::all_of(scheme, [](char c) {
                          return is_letter(c) || is_digit(c) || c == '.' || c == '+' || c == '-';
                      });
    if (!good) fail("Invalid scheme format");
}

void check_host(std::string_view host, bool bracketed) {
    // RFC 3986: what no host name may contain; sub-delimiters and unreserved characters inside brackets.
    constexpr std::string_view never = "<>{}/\\?#@\" \t\r\n\v\f[]";
    if (host.find_first_of(never) != std::string_view::npos) fail("Invalid character in host");
    if (!bracketed && host.find(':') != std::string_view::npos) {
        fail("Invalid port number, or an IPv6 address without brackets");
    }
    if (bracketed && host.empty()) fail("The address in brackets is empty");
}

int parse_port(std::string_view digits) {
    int port = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), port);
    if (error != std::errc() || end != digits.data() + digits.size() || digits.size() > 5 || port < 0 ||
        port > highest_port) {
        fail("Invalid port number");
    }
    return port;
}

void parse_host_and_port(std::string_view text, Uri& uri) {
    std::string_view host = text;
    std::string_view port;
    const bool bracketed = text.starts_with('[');
    if (bracketed) {
        const std::size_t close = text.find(']');
        if (close == std::string_view::npos) fail("Invalid character in host");
        host = text.substr(1, close - 1);
        const std::string_view rest = text.substr(close + 1);
        if (!rest.empty() && rest.front() != ':') fail("Invalid character in host");
        if (!rest.empty()) port = rest.substr(1);
    } else if (const std::size_t colon = text.rfind(':'); colon != std::string_view::npos) {
        host = text.substr(0, colon);
        port = text.substr(colon + 1);
    }
    check_host(host, bracketed);
    uri.host = std::string(host);
    // RFC 6874: the zone of a link-local address is written fe80::1%25eth0; the resolver wants fe80::1%eth0.
    if (const std::size_t zone = host.find("%25"); bracketed && zone != std::string_view::npos)
        uri.host.erase(zone + 1, 2);
    if (!port.empty()) uri.port = parse_port(port);
    if (uri.port && uri.host.empty()) fail("Hostname not supplied");
}

}  // namespace

std::string without_password(std::string_view name) {
    if (name.find('@') == std::string_view::npos) return std::string(name);
    try {
        Uri uri = parse_uri(name);
        return uri.password ? std::move(uri.safe_text) : std::string(name);
    } catch (const Error&) {
        return std::string(name);
    }
}

Uri parse_uri(std::string_view text) {
    if (text.empty()) fail("URI is empty string");
    Uri uri;
    std::string_view rest = text;
    if (const std::size_t length = scheme_length(text); length != std::string_view::npos) {
        check_scheme(text.substr(0, length));
        uri.scheme = std::string(text.substr(0, length));
        rest.remove_prefix(length + 3);
    } else if (rest.starts_with("//")) {
        rest.remove_prefix(2);
    }
    uri.safe_text = std::string(text.substr(0, text.size() - rest.size()));
    if (!uri.scheme) uri.safe_text.clear();
    const std::string_view authority = rest.substr(0, rest.find_first_of("/?#"));
    const std::string_view tail = rest.substr(authority.size());
    std::string_view host = authority;
    const std::size_t bracket = authority.find('[');
    if (const std::size_t at = authority.substr(0, bracket).rfind('@'); at != std::string_view::npos) {
        const std::string_view who = authority.substr(0, at);
        const std::size_t colon = who.find(':');
        uri.user = percent_decode(who.substr(0, colon));
        if (colon != std::string_view::npos) uri.password = percent_decode(who.substr(colon + 1));
        host = authority.substr(at + 1);
        uri.safe_text += who.substr(0, colon);
        uri.safe_text += '@';
    }
    parse_host_and_port(host, uri);
    if (uri.host.empty() && (uri.user || !uri.scheme || tail.empty())) fail("Hostname not supplied");
    uri.safe_text += host;
    uri.safe_text += tail;
    return uri;
}

std::string percent_decode(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    for (std::size_t i = 0; i < text.size(); ++i) {
        const int high = text[i] == '%' && i + 2 < text.size() ? hex_digit(text[i + 1]) : -1;
        const int low = high >= 0 ? hex_digit(text[i + 2]) : -1;
        if (low >= 0) {
            out += static_cast<char>(high * 16 + low);
            i += 2;
        } else {
            out += text[i];
        }
    }
    return out;
}

}  // namespace volley::inventory
