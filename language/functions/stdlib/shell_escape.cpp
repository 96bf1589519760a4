#include "language/functions/stdlib/common.hpp"
#include "language/functions/stdlib/escapes.hpp"
#include "language/text/ruby_text.hpp"

namespace volley::stdlib {
namespace {

Value stdlib_shell_escape(CallContext&, std::span<const Value> args) {
    return shell_escaped(ruby_to_s(args[0]));
}

}  // namespace

const Builtin& shell_escape_function() {
    static const Builtin def{
        .name = "shell_escape",
        .doc = "A text as one word of a POSIX shell command.",
        .pure = true,
        .dispatches = {{.params = {{"Any", "string"}}, .call = stdlib_shell_escape}},
    };
    return def;
}

}  // namespace volley::stdlib
