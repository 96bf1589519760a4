#include <algorithm>

#include "language/functions/stdlib/common.hpp"
#include "language/functions/stdlib/ip_address.hpp"
#include "language/text/ruby_text.hpp"

namespace volley::stdlib {
namespace {

Value stdlib_enclose_ipv6(CallContext&, std::span<const Value> args) {
    if (args.size() != 1)
        fail("enclose_ipv6(): Wrong number of arguments given " + std::to_string(args.size()) + " for 1");
    if (!args[0].is_string() && !args[0].is_array()) {
        fail("enclose_ipv6(): Wrong argument type given " + ruby_class(args[0]) +
             " expected String or Array");
    }
    std::vector<Value> result;
    for (const Value& given : flattened(args[0])) {
        if (given.is_undef()) continue;
        const std::string text = ruby_to_s(given);
        const auto address = IpAddress::parse(text);
        if (!address && text != "*")
            fail("enclose_ipv6(): Wrong argument given " + text + " is not an ip address.");
        const Value shown = address && address->v6 ? Value("[" + address->text() + "]") : given;
        if (std::find(result.begin(), result.end(), shown) == result.end()) result.push_back(shown);
    }
    return result;
}

}  // namespace

const Builtin& enclose_ipv6_function() {
    static const Builtin def{
        .name = "enclose_ipv6",
        .doc =
            "IP addresses as a list without repetitions, those of IPv6 in square brackets. * stays as it is.",
        .pure = true,
        .dispatches = {legacy_dispatch(stdlib_enclose_ipv6)},
        .legacy_arity = -1,
    };
    return def;
}

}  // namespace volley::stdlib
