#include <cstdlib>

#include "language/functions/stdlib/common.hpp"
#include "language/functions/stdlib/successor.hpp"
#include "language/text/regexp.hpp"
#include "language/text/ruby_text.hpp"

namespace volley::stdlib {
namespace {

constexpr std::size_t range_limit = 1'000'000;

struct Bounds {
    Value first;
    Value last;
    bool exclusive = false;
    std::int64_t step = 1;
};

Bounds stdlib_bounds(const Value& given) {
    if (!given.is_string())
        fail("undefined method `match' for " + ruby_inspect(given) + ":" + ruby_class(given));
    const std::string& text = given.as_string();
    const auto match = Regexp::compile("^(\\w+)(\\.\\.\\.?|\\-)(\\w+)$")->search(text);
    if (!match) {
        fail((text.empty() ? "range(): Unknown range format: "
                           : "range(): Unable to compute range from the value: ") +
             text);
    }
    return {std::string(match->group(text, 1)), std::string(match->group(text, 3)),
            match->group(text, 2) == "..."};
}

Value stdlib_number_range(const Bounds& bounds) {
    std::vector<Value> result;
    const std::int64_t last = loose_integer(bounds.last) - (bounds.exclusive ? 1 : 0);
    for (std::int64_t number = loose_integer(bounds.first); number <= last && result.size() < range_limit;
         number += bounds.step) {
        result.emplace_back(number);
    }
    return result;
}

/// Ruby's String#upto: successors until the last text, or until they get longer than it.
Value stdlib_text_range(const Bounds& bounds) {
    std::vector<Value> result;
    std::string text = ruby_to_s(bounds.first);
    const std::string last = ruby_to_s(bounds.last);
    if (text > last) return result;
    for (std::int64_t position = 0; result.size() < range_limit; ++position) {
        if (text == last && bounds.exclusive) break;
        if (position % bounds.step == 0) result.emplace_back(text);
        if (text == last || text.empty()) break;
        text = successor(text);
        if (text.size() > last.size()) break;
    }
    return result;
}

Value stdlib_range(CallContext&, std::span<const Value> args) {
    if (args.empty()) fail("range(): Wrong number of arguments given (0 for 1)");
    Bounds bounds;
    if (args.size() > 1) {
        bounds.first = args[0];
        bounds.last = args[1];
        bounds.step = args.size() > 2 && !args[2].is_undef() ? std::abs(loose_integer(args[2])) : 1;
        if (bounds.step == 0) fail("range(): 3rd arg (step size) must be a non zero integer (e.g. 1 or -1)");
    } else {
        bounds = stdlib_bounds(args[0]);
    }
    return Regexp::compile("^\\d+$")->matches(ruby_to_s(bounds.first)) ? stdlib_number_range(bounds)
                                                                       : stdlib_text_range(bounds);
}

}  // namespace

const Builtin& range_function() {
    static const Builtin def{
        .name = "range",
        .doc =
            "A list of numbers or texts from a first to a last one, in steps; or from a text such as 1..4 or "
            "a-f. At most a million.",
        .pure = true,
        .dispatches = {legacy_dispatch(stdlib_range)},
        .legacy_arity = -1,
    };
    return def;
}

}  // namespace volley::stdlib
