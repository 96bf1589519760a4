#include "language/functions/stdlib/common.hpp"
#include "language/functions/stdlib/escapes.hpp"
#include "language/text/ruby_text.hpp"

namespace volley::stdlib {
namespace {

Value stdlib_shell_join(CallContext&, std::span<const Value> args) {
    if (args.size() != 1)
        fail("shell_join(): Wrong number of arguments given (" + std::to_string(args.size()) + " for 1)");
    if (!args[0].is_array()) fail("First argument is not an Array: " + ruby_inspect(args[0]));
    std::string line;
    for (const Value& word : args[0].as_array())
        line += (line.empty() ? "" : " ") + shell_escaped(ruby_to_s(word));
    return line;
}

}  // namespace

const Builtin& shell_join_function() {
    static const Builtin def{
        .name = "shell_join",
        .doc = "Words as one command line for a POSIX shell, each escaped.",
        .pure = true,
        .dispatches = {legacy_dispatch(stdlib_shell_join)},
        .legacy_arity = -1,
    };
    return def;
}

}  // namespace volley::stdlib
