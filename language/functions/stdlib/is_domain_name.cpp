#include <algorithm>

#include "language/functions/stdlib/common.hpp"
#include "language/text/regexp.hpp"
#include "support/text.hpp"

namespace volley::stdlib {
namespace {

Value stdlib_is_domain_name(CallContext&, std::span<const Value> args) {
    if (args.size() != 1)
        fail("is_domain_name(): Wrong number of arguments given " + std::to_string(args.size()) + " for 1");
    if (!args[0].is_string()) return false;
    std::string domain = args[0].as_string();
    if (domain == ".") return true;
    if (domain.ends_with('.')) domain.pop_back();
    if (domain.empty() || domain.size() > 255) return false;
    if (domain.find('.') != std::string::npos && !Regexp::compile("\\.[A-Za-z]+$")->matches(domain))
        return false;
    const std::vector<std::string> labels = split(domain, '.');
    return std::all_of(labels.begin(), labels.end(), [](const std::string& label) {
        return !label.empty() && label.size() <= 63 && label.front() != '-' && label.back() != '-' &&
               Regexp::compile("^[a-z\\d-]+$", Regexp::IgnoreCase)->matches(label);
    });
}

}  // namespace

const Builtin& is_domain_name_function() {
    static const Builtin def{
        .name = "is_domain_name",
        .doc = "Whether its argument is a correct domain name.",
        .pure = true,
        .dispatches = {legacy_dispatch(stdlib_is_domain_name)},
        .legacy_arity = -1,
    };
    return def;
}

}  // namespace volley::stdlib
