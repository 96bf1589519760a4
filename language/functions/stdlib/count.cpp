#include <algorithm>

#include "language/evaluator/iterate.hpp"
#include "language/functions/stdlib/common.hpp"
#include "language/text/ruby_text.hpp"
#include "support/unicode/utf8.hpp"

namespace volley::stdlib {
namespace {

/// Ruby's String#count for plain sets, ranges (a-z) and negated sets (^abc) of ASCII characters.
std::int64_t stdlib_count_characters(const std::string& text, std::string_view set) {
    const bool negated = set.size() > 1 && set[0] == '^';
    if (negated) set.remove_prefix(1);
    const auto in_set = [set](char c) {
        for (std::size_t i = 0; i < set.size(); ++i) {
            const bool range = i + 2 < set.size() && set[i + 1] == '-';
            if (range ? c >= set[i] && c <= set[i + 2] : c == set[i]) return true;
            if (range) i += 2;
        }
        return false;
    };
    return std::count_if(text.begin(), text.end(), [&](char c) {
        return in_set(c) != negated && !(negated && continues_character(c));
    });
}

Value stdlib_count(CallContext&, std::span<const Value> args) {
    if (args.size() > 2)
        fail("count(): Wrong number of arguments given " + std::to_string(args.size()) + " for 1 or 2.");
    const bool wanted = args.size() > 1 && args[1].truthy();
    if (args[0].is_string()) {
        if (!wanted || !args[1].is_string()) fail("wrong number of arguments (given 0, expected 1+)");
        return stdlib_count_characters(args[0].as_string(), args[1].as_string());
    }
    if (!args[0].is_array() && !args[0].is_hash())
        fail("undefined method `count' for " + ruby_inspect(args[0]) + ":" + ruby_class(args[0]));
    const Value items = iterate_all(args[0]);
    return std::count_if(items.as_array().begin(), items.as_array().end(), [&](const Value& item) {
        if (wanted) return ruby_equal(item, args[1]);
        return !item.is_undef() && !(item.is_string() && item.as_string().empty());
    });
}

}  // namespace

const Builtin& count_function() {
    static const Builtin def{
        .name = "count",
        .doc =
            "How many elements of a list are neither undef nor empty text, or how many equal a value. In a "
            "text: how many of its characters are among those given.",
        .pure = true,
        .dispatches = {legacy_dispatch(stdlib_count)},
        .legacy_arity = -2,
    };
    return def;
}

}  // namespace volley::stdlib
