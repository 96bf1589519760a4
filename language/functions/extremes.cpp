#include "language/functions/extremes.hpp"

#include <algorithm>

#include "language/errors.hpp"
#include "language/evaluator/environment.hpp"
#include "language/evaluator/evaluator.hpp"
#include "language/syntax/lexer/characters.hpp"
#include "language/text/ruby_number.hpp"
#include "language/text/ruby_text.hpp"

namespace volley {
namespace {

/// Compatibility: /\A-?\d+([._eE]\d+)?\z/, whatever that is in other places: '1_0' is, '1.5e3' is not.
bool looks_numeric(std::string_view text) {
    if (text.starts_with('-')) text.remove_prefix(1);
    const auto skip_digits = [&text] {
        const std::size_t before = text.size();
        while (!text.empty() && is_digit(text[0])) text.remove_prefix(1);
        return text.size() < before;
    };
    if (!skip_digits()) return false;
    if (text.empty()) return true;
    if (std::string_view("._eE").find(text[0]) == std::string_view::npos) return false;
    text.remove_prefix(1);
    return skip_digits() && text.empty();
}

void warn_of_conversion(CallContext& context, const char* key, const char* conversion) {
    const std::string name(context.name);
    context.environment().deprecation(
        name + "_function_" + key,
        "The " + name + "() function's auto conversion of " + conversion +
            " is deprecated - change to convert input before calling, or use lambda");
}

int extremes_order(CallContext& context, bool only_texts, const Value& a, const Value& b) {
    if (a.is_number() && b.is_number()) return ruby_compare(a, b);
    if (a.kind() == b.kind() && !a.is_string() &&
        (a.is(Kind::Timespan) || a.is(Kind::Timestamp) || a.is(Kind::SemVer))) {
        return puppet_compare(a, b);
    }
    const std::string left = ruby_to_s(a);
    const std::string right = ruby_to_s(b);
    if (looks_numeric(left) && looks_numeric(right)) {
        warn_of_conversion(context, "numeric_coerce_string", "String to Numeric");
        const double x = ruby_leading_float(left);
        const double y = ruby_leading_float(right);
        return x < y ? -1 : x > y ? 1 : 0;
    }
    if (!only_texts) warn_of_conversion(context, "string_coerce_any", "Any to String");
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
    const bool only_texts =
        std::all_of(values.begin(), values.end(), [](const Value& one) { return one.is_string(); });
    Value best = values.front();
    for (const Value& value : values.subspan(1)) {
        const int compared = context.block ? static_cast<int>(context.yield({value, best}).as_integer())
                                           : extremes_order(context, only_texts, value, best);
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
