#include "language/functions/builtin.hpp"
#include "language/functions/iteration.hpp"

namespace volley::builtins {
namespace {

std::string chomp(const std::string& text) {
    std::string result = text;
    if (result.ends_with("\r\n"))
        result.resize(result.size() - 2);
    else if (result.ends_with('\n') || result.ends_with('\r'))
        result.pop_back();
    return result;
}
Value chomp_change(CallContext&, std::span<const Value> args) { return each_string(args[0], chomp); }

}  // namespace

const Builtin& chomp_builtin() {
    static const Builtin def{
        .name = "chomp",
        .doc = "Text without a line break at its end.",
        .pure = true,
        .dispatches = {string_or_list_dispatches(chomp_change)},
    };
    return def;
}

}  // namespace volley::builtins
