#include "language/functions/stdlib/common.hpp"
#include "language/text/ruby_text.hpp"

namespace volley::stdlib {
namespace {

Value stdlib_batch_escape(CallContext&, std::span<const Value> args) {
    std::string result = "\"";
    for (const char c : ruby_to_s(args[0])) {
        if (c == '"') result += c;
        if (c == '$' || c == '\\') result += '\\';
        result += c;
    }
    return result + '"';
}

}  // namespace

const Builtin& batch_escape_function() {
    static const Builtin def{
        .name = "batch_escape",
        .doc = "A text in quotes for cmd.exe.",
        .pure = true,
        .dispatches = {{.params = {{"Any", "string"}}, .call = stdlib_batch_escape}},
    };
    return def;
}

}  // namespace volley::stdlib
