#include "language/functions/stdlib/common.hpp"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdlib>

#include "language/errors.hpp"
#include "language/evaluator/evaluator.hpp"
#include "language/flattened.hpp"
#include "language/functions/digest_text.hpp"
#include "language/syntax/lexer/characters.hpp"
#include "language/text/regexp.hpp"
#include "language/text/ruby_number.hpp"
#include "language/text/ruby_text.hpp"

namespace volley::stdlib {

void fail(const std::string& message) { throw EvalError("", message); }

bool ruby_equal(const Value& a, const Value& b) {
    const NestingGuard guard;
    if (a.is_number() && b.is_number()) return a.as_float() == b.as_float();
    if (!a.is_array() || !b.is_array()) return a == b;
    const Array& left = a.as_array();
    const Array& right = b.as_array();
    if (left.size() != right.size()) return false;
    for (std::size_t i = 0; i < left.size(); ++i) {
        if (!ruby_equal(left[i], right[i])) return false;
    }
    return true;
}

namespace {

bool stdlib_matches(std::string_view pattern, const std::string& text) {
    return Regexp::compile(pattern, Regexp::IgnoreCase)->matches(text);
}

}  // namespace

bool holds_of_any(std::span<const Value> args, bool (*test)(std::string_view text, std::string_view other)) {
    const std::string& text = args[0].as_string();
    if (args[1].is_string()) return test(text, args[1].as_string());
    const Array& any = args[1].as_array();
    return std::any_of(any.begin(), any.end(), [&](const Value& one) { return test(text, one.as_string()); });
}

bool string_truth(const Value& value) {
    if (value.is(Kind::Boolean)) return value.as_boolean();
    if (!value.is_string()) fail("str2bool(): Requires string to work with");
    const std::string& text = value.as_string();
    // Compatibility: ^ and $ stand for lines, so one line of several decides.
    if (text.empty() || Regexp::compile("^$")->matches(text)) return false;
    if (stdlib_matches("^(1|t|y|true|yes)$", text)) return true;
    if (stdlib_matches("^(0|f|n|false|no)$", text) || Regexp::compile("^(undef|undefined)$")->matches(text))
        return false;
    fail("str2bool(): Unknown type of boolean given");
}

bool number_truth(const Value& value) {
    if (value.is_number()) return std::trunc(value.as_float()) > 0;
    if (!value.is_string()) return loose_integer(ruby_to_s(value)) > 0;
    const auto number = strict_float(value.as_string());
    if (!number) {
        fail("num2bool(): '" + value.as_string() +
             "' does not look like a number: invalid value for Float(): " + ruby_inspect(value));
    }
    return std::trunc(*number) > 0;
}

std::optional<std::int64_t> strict_integer(std::string_view text) {
    static const auto form = Regexp::compile(
        "\\A\\s*[-+]?(0[xX]\\h+(_\\h+)*|0[bB][01]+(_[01]+)*|0[oO]?[0-7]+(_[0-7]+)*|0|[1-9]\\d*(_\\d+)*)\\s*"
        "\\z");
    if (!form->matches(text)) return std::nullopt;
    std::string digits;
    for (const char c : text) {
        if (c != '_' && !is_space(c)) digits += c;
    }
    const std::size_t start = digits[0] == '-' || digits[0] == '+' ? 1 : 0;
    int base = 10;
    if (digits.size() > start + 1 && digits[start] == '0') {
        const char mark = digits[start + 1];
        base = mark == 'x' || mark == 'X' ? 16 : mark == 'b' || mark == 'B' ? 2 : 8;
        if (!is_digit(mark)) digits.erase(start, 2);
    }
    errno = 0;
    const long long number = std::strtoll(digits.c_str(), nullptr, base);
    if (errno == ERANGE) return std::nullopt;
    return number;
}

std::optional<double> strict_float(std::string_view text) { return ruby_float(text); }

std::int64_t loose_integer(const Value& value) {
    if (value.is(Kind::Integer)) return value.as_integer();
    if (value.is(Kind::Float)) {
        const double number = value.as_float();
        return std::abs(number) < 9.2e18 ? static_cast<std::int64_t>(number) : 0;
    }
    const std::string text = value.is_string() ? value.as_string() : ruby_to_s(value);
    return std::strtoll(text.c_str(), nullptr, 10);
}

void deprecate(CallContext& context, std::string_view key, const std::string& message) {
    // Compatibility: the module prints two frames of the stack as Ruby shows lists.
    const Location at = context.at;
    const std::string file = at.file.empty() ? "unknown" : at.file;
    const std::string where =
        message + " at [" + ruby_inspect(Value(file)) + ", " + std::to_string(at.line) + "]:[\"unknown\", 0]";
    switch (context.environment().settings.strict) {
        case Strictness::Error:
            fail("deprecation. " + std::string(key) + ". " + where);
        case Strictness::Warning:
            context.environment().deprecation(std::string(key), where);
            break;
        case Strictness::Off:
            break;
    }
}

std::string node_seed(CallContext& context, const std::vector<Value>& more) {
    std::string text = ruby_to_s(top_variable(context, "fqdn"));
    for (const Value& value : flattened(Value(more))) text += ":" + ruby_to_s(value);
    return digest_text("MD5", text);
}

Value affixed(std::string_view function, std::span<const Value> args,
              std::string (*changed)(const std::string& item, const std::string& added)) {
    const std::string name = std::string(function) + "(): ";
    if (args.empty()) fail(name + "Wrong number of arguments given (0 for 1)");
    if (!args[0].is_array() && !args[0].is_hash())
        fail(name + "expected first argument to be an Array or a Hash, got " + ruby_inspect(args[0]));
    const bool given = args.size() > 1 && args[1].truthy();
    if (given && !args[1].is_string())
        fail(name + "expected second argument to be a String, got " + ruby_inspect(args[1]));
    const std::string added = given ? args[1].as_string() : "";
    if (args[0].is_array()) {
        std::vector<Value> result;
        for (const Value& item : args[0].as_array()) result.emplace_back(changed(ruby_to_s(item), added));
        return result;
    }
    HashBuilder result;
    for (const auto& entry : args[0].as_hash()) result.set(changed(ruby_to_s(entry.key), added), entry.value);
    return result.build();
}

Value top_variable(CallContext& context, std::string_view name) {
    const auto value = context.evaluator.find_variable("::" + std::string(name), context.frame);
    if (!value) fail("Undefined variable '::" + std::string(name) + "'; ");
    return *value;
}

}  // namespace volley::stdlib
