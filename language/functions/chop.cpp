#include "language/functions/builtin.hpp"
#include "language/functions/iteration.hpp"
#include "support/unicode/utf8.hpp"

namespace volley::builtins {
namespace {

std::string chop(const std::string& text) {
    std::string result = text;
    if (result.ends_with("\r\n")) {
        result.resize(result.size() - 2);
        return result;
    }
    while (!result.empty() && continues_character(result.back())) result.pop_back();
    if (!result.empty()) result.pop_back();
    return result;
}
Value chop_change(CallContext&, std::span<const Value> args) { return each_string(args[0], chop); }

}  // namespace

const Builtin& chop_builtin() {
    static const Builtin def{
        .name = "chop",
        .doc = "Text without its last character.",
        .pure = true,
        .dispatches = {string_or_list_dispatches(chop_change)},
    };
    return def;
}

}  // namespace volley::builtins
