#include <algorithm>

#include "language/functions/stdlib/common.hpp"
#include "language/functions/stdlib/ip_address.hpp"
#include "language/text/ruby_text.hpp"

namespace volley::stdlib {
namespace {

IpAddress stdlib_ip(const std::string& text) {
    const auto address = IpAddress::parse(text);
    if (!address) fail("invalid address: " + text);
    return *address;
}

Value stdlib_ip_in_range(CallContext&, std::span<const Value> args) {
    const IpAddress address = stdlib_ip(args[0].as_string());
    const std::vector<Value> ranges =
        args[1].is_array() ? args[1].as_array().items() : std::vector<Value>{args[1]};
    return std::any_of(ranges.begin(), ranges.end(), [&address](const Value& range) {
        return stdlib_ip(ruby_to_s(range)).includes(address);
    });
}

}  // namespace

const Builtin& ip_in_range_function() {
    static const Builtin def{
        .name = "stdlib::ip_in_range",
        .doc = "Whether an IP address lies in a network, or in one of several.",
        .pure = true,
        .dispatches = {{.params = {{"String", "ipaddress"}, {"Variant[String, Array]", "range"}},
                        .returns = "Boolean",
                        .call = stdlib_ip_in_range}},
    };
    return def;
}

}  // namespace volley::stdlib
