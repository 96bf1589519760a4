#include "language/functions/builtin.hpp"
#include "language/functions/iteration.hpp"

namespace volley::builtins {
namespace {

std::string strip(const std::string& text) {
    const std::string_view space("\0\t\n\v\f\r ", 7);
    const std::size_t begin = text.find_first_not_of(space);
    if (begin == std::string::npos) return "";
    return text.substr(begin, text.find_last_not_of(space) + 1 - begin);
}
Value strip_change(CallContext&, std::span<const Value> args) { return each_string(args[0], strip); }

}  // namespace

const Builtin& strip_builtin() {
    static const Builtin def{
        .name = "strip",
        .doc = "Text without white space around it.",
        .pure = true,
        .dispatches = {string_or_list_dispatches(strip_change)},
    };
    return def;
}

}  // namespace volley::builtins
