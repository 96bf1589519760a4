#include "language/functions/stdlib/common.hpp"

namespace volley::stdlib {
namespace {

Value stdlib_dirname(CallContext&, std::span<const Value> args) {
    if (args.empty()) fail("dirname(): No arguments given");
    if (args.size() > 1) fail("dirname(): Too many arguments given (" + std::to_string(args.size()) + ")");
    if (!args[0].is_string()) fail("dirname(): Requires string as argument");
    if (args[0].as_string().empty()) fail("dirname(): Requires a non-empty string as argument");
    std::string_view path = args[0].as_string();
    const auto trim_slashes = [&path] {
        while (path.size() > 1 && path.ends_with('/')) path.remove_suffix(1);
    };
    while (path.starts_with("//")) path.remove_prefix(1);
    trim_slashes();
    const std::size_t slash = path.rfind('/');
    if (slash == std::string_view::npos) return ".";
    path = path.substr(0, slash == 0 ? 1 : slash);
    trim_slashes();
    return path;
}

}  // namespace

const Builtin& dirname_function() {
    static const Builtin def{
        .name = "dirname",
        .doc = "The folder of a path, as a text.",
        .pure = true,
        .dispatches = {legacy_dispatch(stdlib_dirname)},
        .legacy_arity = -1,
    };
    return def;
}

}  // namespace volley::stdlib
