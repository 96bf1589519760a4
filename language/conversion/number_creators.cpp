#include <cmath>
#include <limits>

#include "language/conversion/creators.hpp"
#include "language/errors.hpp"
#include "language/evaluator/evaluator.hpp"
#include "language/evaluator/expressions/time_arithmetic.hpp"
#include "language/float_to_integer.hpp"
#include "language/syntax/lexer/characters.hpp"
#include "language/text/characters_case.hpp"
#include "language/text/ruby_text.hpp"
#include "language/types/parse.hpp"

namespace volley {
namespace {

constexpr std::string_view float_pattern =
    "(?:(?:0|[1-9]\\d*)(?:\\.\\d+)?(?:[eE]-?\\d+)?)|(?:0[xX][0-9A-Fa-f]+)|(?:0[0-7]+)|(?:0[bB][01]+)";

/// A text as Ruby's Integer() reads it, with the radix given or found in its prefix.
std::int64_t ruby_integer(const std::string& text, int radix) {
    const auto invalid = [&text]() {
        return EvalError("", "invalid value for Integer(): " + ruby_inspect(Value(text)));
    };
    std::string digits;
    for (const char c : text) {
        if (!is_space(c)) digits += c;
    }
    bool negative = false;
    if (!digits.empty() && (digits[0] == '-' || digits[0] == '+')) {
        negative = digits[0] == '-';
        digits.erase(0, 1);
    }
    const char mark = digits.size() > 1 && digits[0] == '0' ? static_cast<char>(digits[1] | 0x20) : '\0';
    const int prefix = mark == 'x' ? 16 : mark == 'b' ? 2 : mark == 'o' ? 8 : 0;
    if (prefix != 0 &&
        (radix == 0 || radix == prefix)) {  // else it may be digits: 0b1 is a number in base 16
        radix = prefix;
        digits.erase(0, 2);
    } else if (radix == 0) {
        radix = digits.size() > 1 && digits[0] == '0' ? 8 : 10;
    }
    std::uint64_t number = 0;
    if (digits.empty()) throw invalid();
    for (const char c : digits) {
        const int digit = is_digit(c) ? c - '0' : is_hex(c) ? (c | 0x20) - 'a' + 10 : 99;
        if (digit >= radix) throw invalid();
        if (number > (std::numeric_limits<std::uint64_t>::max() >> 1) / static_cast<std::uint64_t>(radix)) {
            throw EvalError("", "The number " + text + " is too large for an Integer");
        }
        number = number * static_cast<std::uint64_t>(radix) + static_cast<std::uint64_t>(digit);
    }
    // Compatibility: Puppet makes a number beyond 64 bits here, which it refuses everywhere else.
    const std::uint64_t largest = std::numeric_limits<std::int64_t>::max();
    if (number > largest + (negative ? 1 : 0))
        throw EvalError("", "The number " + text + " is too large for an Integer");
    return static_cast<std::int64_t>(negative ? 0 - number : number);
}

Value absolute(Value number, bool wanted) {
    if (!wanted) return number;
    if (number.is(Kind::Float)) return std::abs(number.as_float());
    if (number.as_integer() == std::numeric_limits<std::int64_t>::min())
        throw EvalError("", "The number " + ruby_to_s(number) + " has no absolute value among the Integers");
    return number.as_integer() < 0 ? -number.as_integer() : number.as_integer();
}

Value to_integer(const Value& from, int radix) {
    if (from.is(Kind::Integer)) return from;
    if (from.is(Kind::Boolean)) return from.as_boolean() ? 1 : 0;
    if (from.is(Kind::Float)) return whole_number(from.as_float());
    if (is_time(from)) return from.as_integer() / 1'000'000'000;
    return ruby_integer(from.as_string(), radix);
}

Value to_float(const Value& from) {
    if (from.is_number()) return from.as_float();
    if (from.is(Kind::Boolean)) return from.as_boolean() ? 1.0 : 0.0;
    if (is_time(from)) return static_cast<double>(from.as_integer()) / 1e9;
    std::string text;
    for (const char c : from.as_string()) {
        if (!is_space(c)) text += c;
    }
    const std::size_t digits = text.starts_with('-') || text.starts_with('+') ? 1 : 0;
    const bool binary = text.size() > digits + 1 && text[digits] == '0' && (text[digits + 1] | 0x20) == 'b';
    if (binary) return static_cast<double>(ruby_integer(text, 0));
    return std::strtod(text.c_str(), nullptr);
}

Value to_numeric(const Value& from) {
    if (from.is_number()) return from;
    if (from.is(Kind::Boolean)) return from.as_boolean() ? 1 : 0;
    if (is_time(from)) return to_float(from);
    const std::string& text = from.as_string();
    if (text.starts_with("0b") || text.starts_with("0B")) return ruby_integer(text, 0);
    if (const auto number = parse_number(text)) return *number;
    return ruby_integer(text, 0);
}

bool abs_of(std::span<const Value> args, std::size_t index) {
    return args.size() > index && args[index].as_boolean();
}

const Value* member(const Value& hash, std::string_view name) { return hash.as_hash().find(name); }

bool abs_in(const Value& hash) {
    const Value* flag = member(hash, "abs");
    return flag && flag->truthy();
}

int radix_of(const Value* radix) {
    return radix && radix->is(Kind::Integer) ? static_cast<int>(radix->as_integer()) : 0;
}

Value integer_args(CallContext&, std::span<const Value> args) {
    return absolute(to_integer(args[0], radix_of(args.size() > 1 ? &args[1] : nullptr)), abs_of(args, 2));
}
Value integer_hash(CallContext&, std::span<const Value> args) {
    return absolute(to_integer(*member(args[0], "from"), radix_of(member(args[0], "radix"))),
                    abs_in(args[0]));
}
Value float_args(CallContext&, std::span<const Value> args) {
    return absolute(to_float(args[0]), abs_of(args, 1));
}
Value float_hash(CallContext&, std::span<const Value> args) {
    return absolute(to_float(*member(args[0], "from")), abs_in(args[0]));
}
Value numeric_args(CallContext&, std::span<const Value> args) {
    return absolute(to_numeric(args[0]), abs_of(args, 1));
}
Value numeric_hash(CallContext&, std::span<const Value> args) {
    return absolute(to_numeric(*member(args[0], "from")), abs_in(args[0]));
}

[[noreturn]] void cannot_convert(std::string_view function, const Value& from, std::string_view type) {
    const std::string subject = from.is_string()
                                    ? "The string '" + from.as_string() + "'"
                                    : "Value of type " + to_display_string(*infer(from)->generalize());
    throw EvalError(
        "", "'" + std::string(function) + "' " + subject + " cannot be converted to " + std::string(type));
}

void check_radix(const Value& radix) {
    if (radix.is(Kind::Default)) return;
    const std::int64_t value = radix.is(Kind::Integer) ? radix.as_integer() : 0;
    if (value == 2 || value == 8 || value == 10 || value == 16) return;
    throw EvalError("", "Illegal radix: " + ruby_to_s(radix) + ", expected 2, 8, 10, 16, or default");
}

Value integer_error(CallContext&, std::span<const Value> args) {
    if (args.size() > 1) check_radix(args[1]);
    cannot_convert("new", args[0], "Integer");
}
std::size_t known_members(const Value& hash) {
    std::size_t count = 0;
    for (const std::string_view name : {"from", "radix", "abs"}) count += member(hash, name) ? 1 : 0;
    return count;
}

Value integer_hash_error(CallContext& context, std::span<const Value> args) {
    const Value* from = member(args[0], "from");
    if (from && !from->is_string() && !from->is_number() && !from->is(Kind::Boolean))
        cannot_convert("new", *from, "Integer");
    if (!from || args[0].as_hash().size() > known_members(args[0])) {
        static const TypePtr members =
            parse_type("Struct[{from=>NotUndef,Optional[radix]=>Any,Optional[abs]=>Any}]");
        throw EvalError("", describe_mismatch("Integer.new has wrong type,", members, infer_set(args[0])));
    }
    if (const Value* radix = member(args[0], "radix")) check_radix(*radix);
    const Value given[] = {*from};
    return integer_error(context, given);
}
Value float_error(CallContext&, std::span<const Value> args) {
    cannot_convert("new_float", args[0], "Float");
}
Value numeric_error(CallContext&, std::span<const Value> args) {
    cannot_convert("new_numeric", args[0], "Numeric");
}

Value boolean_args(CallContext&, std::span<const Value> args) {
    if (args[0].is(Kind::Boolean)) return args[0];
    if (args[0].is_number()) return args[0].as_float() != 0;
    const std::string text = to_lower(args[0].as_string());
    return text != "false" && text != "no" && text != "n";
}
Value boolean_error(CallContext&, std::span<const Value> args) {
    cannot_convert("new_boolean", args[0], "Boolean");
}

const std::string& float_convertible() {
    static const std::string text =
        "Variant[Numeric, Boolean, Pattern[/\\A[+-]?\\s*(?:" + std::string(float_pattern) +
        ")\\z/], Timespan, Timestamp]";
    return text;
}

/// Float.new and Numeric.new take the same.
Builtin fraction_creator(std::string_view name, std::string_view doc, Dispatch::Body from_arguments,
                         Dispatch::Body from_hash, Dispatch::Body explain) {
    return {
        .name = name,
        .doc = doc,
        .dispatches = {{.params = {{"Convertible", "from"}, {"Boolean", "abs", Dispatch::Optional}},
                        .call = from_arguments},
                       {.params = {{"NamedArgs", "hash_args"}}, .call = from_hash},
                       {.params = {{"Any", "from"}, {"Boolean", "abs", Dispatch::Optional}},
                        .call = explain,
                        .explains = true}},
        .local_types = {{"Convertible", float_convertible()},
                        {"NamedArgs", "Struct[{from => Convertible, Optional[abs] => Boolean}]"}},
    };
}

}  // namespace

const Builtin& integer_creator() {
    static const Builtin def{
        .name = "new",
        .doc = "An Integer from a number, a text, a Boolean or a time.",
        .dispatches = {{.params = {{"Convertible", "from"},
                                   {"Radix", "radix", Dispatch::Optional},
                                   {"Boolean", "abs", Dispatch::Optional}},
                        .call = integer_args},
                       {.params = {{"NamedArgs", "hash_args"}}, .call = integer_hash},
                       {.params = {{"Hash[Any, Any]", "hash_args"}},
                        .call = integer_hash_error,
                        .explains = true},
                       {.params = {{"Any", "from"},
                                   {"Integer", "radix", Dispatch::Optional},
                                   {"Boolean", "abs", Dispatch::Optional}},
                        .call = integer_error,
                        .explains = true}},
        .local_types =
            {{"Radix", "Variant[Default, Integer[2,2], Integer[8,8], Integer[10,10], Integer[16,16]]"},
             {"Convertible",
              "Variant[Numeric, Boolean, "
              "Pattern[/\\A[+-]?\\s*(?:(?:\\d+)|(?:0[xX][0-9A-Fa-f]+)|(?:0[bB][01]+))\\z/], "
              "Timespan, Timestamp]"},
             {"NamedArgs",
              "Struct[{from => Convertible, Optional[radix] => Radix, Optional[abs] => Boolean}]"}},
    };
    return def;
}

const Builtin& float_creator() {
    static const Builtin def =
        fraction_creator("new_float", "A Float from a number, a text, a Boolean or a time.", float_args,
                         float_hash, float_error);
    return def;
}

const Builtin& numeric_creator() {
    static const Builtin def =
        fraction_creator("new_numeric", "An Integer or Float from a number, a text, a Boolean or a time.",
                         numeric_args, numeric_hash, numeric_error);
    return def;
}

const Builtin& boolean_creator() {
    static const Builtin def{
        .name = "new_boolean",
        .doc = "A Boolean from a number or a word.",
        .dispatches =
            {{.params = {{"Variant[Integer, Float, Boolean, Enum['false','true','yes','no','y','n',true]]",
                          "from"}},
              .call = boolean_args},
             {.params = {{"Any", "from"}}, .call = boolean_error, .explains = true}},
    };
    return def;
}

}  // namespace volley
