#include "language/functions/extremes.hpp"

#include <algorithm>

#include "language/errors.hpp"
#include "language/evaluator/evaluator.hpp"
#include "language/ruby_text.hpp"
#include "language/syntax/characters.hpp"

namespace volley {
namespace {

bool looks_numeric(const std::string& text) {
    const std::size_t digits = text.starts_with('-') ? 1 : 0;
    return text.size() > digits &&
           std::all_of(text.begin() + static_cast<std::ptrdiff_t>(digits), text.end(),
                       [](char c) { return is_digit(c) || c == '.' || c == '_' || c == 'e' || c == 'E'; }) &&
           is_digit(text[digits]) && is_digit(text.back());
}

int extremes_order(const Value& a, const Value& b) {
    if (a.is_number() && b.is_number()) return ruby_compare(a, b);
    if (a.kind() == b.kind() && !a.is_string() &&
        (a.is(Kind::Timespan) || a.is(Kind::Timestamp) || a.is(Kind::SemVer))) {
        return puppet_compare(a, b);
    }
    const std::string left = ruby_to_s(a);
    const std::string right = ruby_to_s(b);
    if (looks_numeric(left) && looks_numeric(right)) {
        const double x = std::strtod(left.c_str(), nullptr);
        const double y = std::strtod(right.c_str(), nullptr);
        return x < y ? -1 : x > y ? 1 : 0;
    }
    return left < right ? -1 : left > right ? 1 : 0;
}

}  // namespace

Value extreme(CallContext& context, std::span<const Value> args, int direction) {
    const bool list = args.size() == 1 && args[0].is_array();
    const std::span<const Value> values = list ? std::span<const Value>(args[0].as_array().items()) : args;
    if (values.empty()) {
        if (context.block) return {};
        throw EvalError("", std::string(context.name) + "(): Wrong number of arguments need at least one");
    }
    Value best = values.front();
    for (const Value& value : values.subspan(1)) {
        const int compared = context.block ? static_cast<int>(context.yield({value, best}).as_integer())
                                           : extremes_order(value, best);
        if (compared * direction > 0) best = value;
    }
    return best;
}

std::vector<Dispatch> extreme_dispatches(Dispatch::Body body) {
    std::vector<Dispatch> list;
    for (const std::string_view type : {"Numeric", "String", "Semver", "Timespan", "Timestamp"}) {
        list.push_back({.params = {{type, "values", Dispatch::Repeated}}, .call = body});
    }
    for (const std::string_view type : {"Array[Numeric]", "Array[String]", "Array[Semver]", "Array[Timespan]",
                                        "Array[Timestamp]", "Array"}) {
        list.push_back({.params = {{type, "values"}}, .block = "Optional[Callable[2,2]]", .call = body});
    }
    list.push_back(
        {.params = {{"Any", "values", Dispatch::Repeated}}, .block = "Callable[2,2]", .call = body});
    list.push_back({.params = {{"Any", "values", Dispatch::Repeated}}, .call = body});
    return list;
}

}  // namespace volley
