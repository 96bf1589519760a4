#include "language/functions/stdlib/common.hpp"

namespace volley::stdlib {
namespace {

Value stdlib_basename(CallContext&, std::span<const Value> args) {
    if (args.empty()) fail("basename(): No arguments given");
    if (args.size() > 2) fail("basename(): Too many arguments given (" + std::to_string(args.size()) + ")");
    if (!args[0].is_string()) fail("basename(): Requires string as first argument");
    std::string_view name = args[0].as_string();
    while (name.size() > 1 && name.ends_with('/')) name.remove_suffix(1);
    const std::size_t slash = name.rfind('/');
    if (slash != std::string_view::npos && name.size() > 1) name = name.substr(slash + 1);
    if (args.size() < 2) return name;
    if (!args[1].is_string()) fail("basename(): Requires string as second argument");
    const std::string& ending = args[1].as_string();
    if (ending == ".*") {
        const std::size_t dot = name.rfind('.');
        return dot == std::string_view::npos || dot == 0 ? name : name.substr(0, dot);
    }
    if (name.size() > ending.size() && name.ends_with(ending)) name.remove_suffix(ending.size());
    return name;
}

}  // namespace

const Builtin& basename_function() {
    static const Builtin def{
        .name = "basename",
        .doc = "The last part of a path, without an ending when one is given (.* for any).",
        .pure = true,
        .dispatches = {legacy_dispatch(stdlib_basename)},
        .legacy_arity = -1,
    };
    return def;
}

}  // namespace volley::stdlib
