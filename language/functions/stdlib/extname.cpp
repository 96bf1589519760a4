#include "language/functions/stdlib/common.hpp"

namespace volley::stdlib {
namespace {

Value stdlib_extname(CallContext&, std::span<const Value> args) {
    std::string_view name = args[0].as_string();
    while (name.size() > 1 && name.ends_with('/')) name.remove_suffix(1);
    name = name.substr(name.rfind('/') + 1);
    const std::size_t first = name.find_first_not_of('.');
    const std::size_t dot = name.rfind('.');
    if (first == std::string_view::npos || dot == std::string_view::npos || dot < first) return "";
    return name.substr(dot);
}

}  // namespace

const Builtin& extname_function() {
    static const Builtin def{
        .name = "stdlib::extname",
        .doc = "The ending of a file name with its dot, empty when there is none.",
        .pure = true,
        .dispatches = {{.params = {{"String", "filename"}}, .returns = "String", .call = stdlib_extname}},
    };
    return def;
}

}  // namespace volley::stdlib
