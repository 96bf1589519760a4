#include <arpa/inet.h>

#include <algorithm>
#include <array>
#include <memory>

#include "language/ruby/native/arguments.hpp"
#include "language/ruby/native/methods/tables.hpp"

/// IPAddr, to find out which kind an address is, and the escapes of URLs.
namespace volley::ruby::methods {
namespace {

class IpAddress final : public HostObject {
public:
    IpAddress(std::string written, bool version6) : written_(std::move(written)), version6_(version6) {}
    std::string_view class_name() const override { return "IPAddr"; }
    Object call(Machine&, std::string_view method, std::span<const Object> arguments,
                const Closure*) override {
        if (arguments.empty()) {
            if (method == "ipv6?") return Object(version6_);
            if (method == "ipv4?") return Object(!version6_);
            if (method == "nil?") return Object(false);
        }
        throw NotNative{"IPAddr#" + std::string(method)};
    }

private:
    const std::string written_;
    const bool version6_;
};

/// "1.2.3.4" without zeros before a number, which IPAddr does not take.
bool is_plain_ipv4(const std::string& text) {
    in_addr address{};
    if (text.find_first_not_of("0123456789.") != std::string::npos) return false;
    return ::inet_pton(AF_INET, text.c_str(), &address) == 1;
}

Object ip_address_new(const Call& call) {
    if (!call.arguments[0].is(Object::Kind::String)) not_native("IPAddr.new of such an object");
    const std::string& written = call.arguments[0].string().text;
    if (is_plain_ipv4(written)) return call.machine.heap().host(std::make_shared<IpAddress>(written, false));
    in6_addr address{};
    if (written.find_first_of("/[%") == std::string::npos && written.find('\0') == std::string::npos &&
        ::inet_pton(AF_INET6, written.c_str(), &address) == 1)
        return call.machine.heap().host(std::make_shared<IpAddress>(written, true));
    // What looks like an address with something more is Ruby's matter.
    const bool like_ipv4 = written.find_first_not_of("0123456789.") == std::string::npos;
    if (like_ipv4 || written.find_first_of(":/[]%") != std::string::npos)
        not_native("IPAddr.new of such a text");
    throw Raised{"IPAddr::InvalidAddressError", "invalid address: "};
}

Object ip_address_const_defined(const Call& call) {
    const std::string& name = to_name(call.arguments[0]);
    if (name == "InvalidAddressError" || name == "Error" || name == "AddressFamilyError" ||
        name == "InvalidPrefixError")
        return Object(true);
    not_native("IPAddr.const_defined?");
}

std::string percent_escaped(std::string_view text, bool plus) {
    static constexpr std::string_view digits = "0123456789ABCDEF";
    std::string escaped;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                           c == '_' || c == '-' || c == '.' || c == '~';
        if (plain) {
            escaped += c;
        } else if (plus && c == ' ') {
            escaped += '+';
        } else {
            escaped += '%';
            escaped += digits[byte >> 4U];
            escaped += digits[byte & 0xFU];
        }
    }
    return escaped;
}

Object url_encode(const Call& call) {
    const Object& given = call.arguments[0];
    const bool simple = given.is(Object::Kind::String) || given.is(Object::Kind::Integer) ||
                        given.is(Object::Kind::Symbol) || given.is_nil();
    if (!simple) not_native("url_encode of such an object");
    return text(call, percent_escaped(to_text(given), false));
}

Object cgi_escape(const Call& call) {
    return text(call, percent_escaped(to_string(call.arguments[0]), true));
}

constexpr Method ip_address_class[] = {{"new", 1, 1, ip_address_new},
                                       {"const_defined?", 1, 1, ip_address_const_defined}};
constexpr Method erb_util_module[] = {{"url_encode", 1, 1, url_encode}};
constexpr Method cgi_class[] = {{"escape", 1, 1, cgi_escape}};
constexpr ModuleTable network_tables[] = {
    {"IPAddr", ip_address_class}, {"ERB::Util", erb_util_module}, {"CGI", cgi_class}};

}  // namespace

std::span<const ModuleTable> network_modules() { return network_tables; }

}  // namespace volley::ruby::methods
