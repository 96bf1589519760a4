#include "language/functions/builtin.hpp"
#include "language/functions/iteration.hpp"

namespace volley::builtins {
namespace {

std::string lstrip(const std::string& text) {
    const std::size_t begin = text.find_first_not_of(std::string_view("\0\t\n\v\f\r ", 7));
    return begin == std::string::npos ? "" : text.substr(begin);
}
Value lstrip_change(CallContext&, std::span<const Value> args) { return each_string(args[0], lstrip); }

}  // namespace

const Builtin& lstrip_builtin() {
    static const Builtin def{
        .name = "lstrip",
        .doc = "Text without white space at its start.",
        .pure = true,
        .dispatches = {string_or_list_dispatches(lstrip_change)},
    };
    return def;
}

}  // namespace volley::builtins
