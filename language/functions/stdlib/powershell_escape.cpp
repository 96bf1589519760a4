#include "language/functions/stdlib/common.hpp"
#include "language/text/ruby_text.hpp"

namespace volley::stdlib {
namespace {

Value stdlib_powershell_escape(CallContext&, std::span<const Value> args) {
    std::string result;
    for (const char c : ruby_to_s(args[0])) {
        if (c == '"') {
            result += "\\`\"";
            continue;
        }
        if (std::string_view(" '`|\n$").find(c) != std::string_view::npos) result += '`';
        result += c;
    }
    return result;
}

}  // namespace

const Builtin& powershell_escape_function() {
    static const Builtin def{
        .name = "powershell_escape",
        .doc = "A text escaped for PowerShell.",
        .pure = true,
        .dispatches = {{.params = {{"Any", "string"}}, .call = stdlib_powershell_escape}},
    };
    return def;
}

}  // namespace volley::stdlib
