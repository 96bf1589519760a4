#include "language/functions/stdlib/common.hpp"
#include "language/text/regexp.hpp"
#include "language/text/ruby_text.hpp"

namespace volley::stdlib {
namespace {

Value stdlib_grep(CallContext&, std::span<const Value> args) {
    if (args.size() != 2)
        fail("grep(): Wrong number of arguments given " + std::to_string(args.size()) + " for 2");
    if (!args[1].is_string()) fail("no implicit conversion of " + ruby_class(args[1]) + " into String");
    const auto pattern = Regexp::compile(args[1].as_string());
    std::vector<Value> result;
    if (args[0].is_hash()) return result;  // compatibility: its entries are not texts
    if (!args[0].is_array())
        fail("undefined method `grep' for " + ruby_inspect(args[0]) + ":" + ruby_class(args[0]));
    for (const Value& item : args[0].as_array()) {
        if (item.is_string() && pattern->matches(item.as_string())) result.push_back(item);
    }
    return result;
}

}  // namespace

const Builtin& grep_function() {
    static const Builtin def{
        .name = "grep",
        .doc = "The texts of a list that a regular expression (given as text) matches.",
        .pure = true,
        .dispatches = {legacy_dispatch(stdlib_grep)},
        .legacy_arity = -1,
    };
    return def;
}

}  // namespace volley::stdlib
