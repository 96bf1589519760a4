#include "language/functions/builtin.hpp"
#include "language/functions/iteration.hpp"

namespace volley::builtins {
namespace {

std::string rstrip(const std::string& text) {
    const std::size_t end = text.find_last_not_of(std::string_view("\0\t\n\v\f\r ", 7));
    return end == std::string::npos ? "" : text.substr(0, end + 1);
}
Value rstrip_change(CallContext&, std::span<const Value> args) { return each_string(args[0], rstrip); }

}  // namespace

const Builtin& rstrip_builtin() {
    static const Builtin def{
        .name = "rstrip",
        .doc = "Text without white space at its end.",
        .pure = true,
        .dispatches = {string_or_list_dispatches(rstrip_change)},
    };
    return def;
}

}  // namespace volley::builtins
