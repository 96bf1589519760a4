#include <algorithm>
#include <charconv>
#include <cmath>

#include "language/binary.hpp"
#include "language/errors.hpp"
#include "language/evaluator/evaluator.hpp"
#include "language/evaluator/expressions/time_arithmetic.hpp"
#include "language/evaluator/iterate.hpp"
#include "language/evaluator/labels.hpp"
#include "language/evaluator/wrapped_error.hpp"
#include "language/item_set.hpp"
#include "language/syntax/lexer/characters.hpp"
#include "language/text/ruby_text.hpp"
#include "language/text/text.hpp"
#include "language/text/uri.hpp"
#include "language/types/types.hpp"

namespace volley {
namespace {

using ast::NodeKind;
__extension__ typedef __int128 Wide;
__extension__ typedef unsigned __int128 UnsignedWide;

std::string_view skip_blanks(std::string_view text) {
    while (const std::size_t length = blank_length(text)) text.remove_prefix(length);
    return text;
}

Value to_list(const Value& value) {
    return value.is_array() ? value : value.is_hash() ? iterate_all(value) : Value(std::vector<Value>{value});
}

Value pairs_to_hash(HashBuilder builder, const Array& items) {
    const bool nested = !items.empty() && std::all_of(items.begin(), items.end(),
                                                      [](const Value& item) { return item.is_array(); });
    if (nested) {
        for (const Value& pair : items) {
            if (pair.as_array().size() != 2) {
                throw EvalError("", "wrong array length at 0 (expected 2, was " +
                                        std::to_string(pair.as_array().size()) + ")");
            }
            builder.set(pair.as_array()[0], pair.as_array()[1]);
        }
        return builder.build();
    }
    if (items.size() % 2 != 0) throw EvalError("", "odd number of arguments for Hash");
    for (std::size_t i = 0; i < items.size(); i += 2) builder.set(items[i], items[i + 1]);
    return builder.build();
}

Value concatenate(const Value& left, const Value& right) {
    if (left.is_array()) {
        std::vector<Value> items = left.as_array().items();
        const Value more = to_list(right);
        check_list_size(items.size() + more.as_array().size());
        items.insert(items.end(), more.as_array().begin(), more.as_array().end());
        return items;
    }
    HashBuilder builder(left.as_hash());
    if (right.is_hash()) {
        for (const auto& entry : right.as_hash()) builder.set(entry.key, entry.value);
        return builder.build();
    }
    if (!right.is_array()) throw EvalError("", "Can only append Array or Hash to a Hash");
    return pairs_to_hash(std::move(builder), right.as_array());
}

/// 1 and 1.0 are the same item here; adding 0.0 makes the two zeros one.
Value to_be_compared(const Value& item) { return item.is_number() ? Value(item.as_float() + 0.0) : item; }

Value without(const Value& left, const Value& right) {
    if (left.is_array()) {
        ItemSet unwanted;
        const Value list = to_list(right);
        for (const Value& item : list.as_array()) unwanted.insert(to_be_compared(item));
        std::vector<Value> items;
        for (const Value& item : left.as_array()) {
            if (!unwanted.contains(to_be_compared(item))) items.push_back(item);
        }
        return items;
    }
    ItemSet unwanted;
    if (right.is_hash()) {
        for (const auto& entry : right.as_hash()) unwanted.insert(entry.key);
    } else {
        const Value keys = to_list(right);
        for (const Value& key : keys.as_array()) unwanted.insert(key);
    }
    HashBuilder builder;
    for (const auto& entry : left.as_hash()) {
        if (!unwanted.contains(entry.key)) builder.set(entry.key, entry.value);
    }
    return builder.build();
}

Value join_binary(const Value& left, const Value& right) {
    if (!right.is(Kind::Binary)) throw EvalError("", "Can only append Binary to a Binary");
    return Binary::make(left.as<Binary>().bytes + right.as<Binary>().bytes);
}

Value join_uri(const Value& left, const Value& right) {
    if (!right.is_string() && !right.is(Kind::Uri))
        throw EvalError("", "An URI can only be merged with an URI or String");
    const Value reference = right.is_string() ? Uri::parse(right.as_string()) : right;
    return Uri::join(left.as<Uri>(), reference.as<Uri>());
}

std::int64_t floor_divide(std::int64_t a, std::int64_t b) {
    const std::int64_t quotient = a / b;
    return (a % b != 0 && (a < 0) != (b < 0)) ? quotient - 1 : quotient;
}

std::string hex_text(Wide value) {
    const bool negative = value < 0;
    auto magnitude = static_cast<UnsignedWide>(negative ? -value : value);
    std::string digits;
    do {
        digits.insert(digits.begin(), "0123456789abcdef"[static_cast<std::size_t>(magnitude % 16)]);
        magnitude /= 16;
    } while (magnitude > 0);
    return (negative ? "-0x" : "+0x") + digits;
}

Wide shift(std::int64_t number, std::int64_t places) {
    if (places >= 0) {
        if (number == 0) return 0;
        if (places > 63) return number > 0 ? Wide{1} << 100 : -(Wide{1} << 100);
        return Wide{number} * (Wide{1} << places);
    }
    return places < -63 ? (number < 0 ? -1 : 0) : number >> -places;
}

/// The integer that a shift by more than 63 places results in, modulo 2^64.
std::string shifted_text(std::int64_t number, std::int64_t places) {
    const std::int64_t shown = std::min<std::int64_t>(places, 4096);
    return hex_text(Wide{number} * (Wide{1} << (shown % 4))) +
           std::string(static_cast<std::size_t>(shown / 4), '0');
}

}  // namespace

std::optional<Value> parse_number(std::string_view text) {
    if (text.starts_with("::")) text.remove_prefix(2);
    text = skip_blanks(text);
    bool negative = false;
    if (!text.empty() && (text[0] == '-' || text[0] == '+')) {
        negative = text[0] == '-';
        text = skip_blanks(text.substr(1));
    }
    std::size_t end = 0;
    const bool hex =
        text.size() > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X') && is_hex(text[2]);
    if (hex) {
        end = 2;
        while (end < text.size() && is_hex(text[end])) ++end;
    } else {
        while (end < text.size() && is_digit(text[end])) ++end;
        if (end == 0) return std::nullopt;
    }
    const std::size_t whole = end;
    bool is_float = false;
    if (!hex) {
        if (end + 1 < text.size() && text[end] == '.' && is_digit(text[end + 1])) {
            is_float = true;
            for (++end; end < text.size() && is_digit(text[end]);) ++end;
        }
        std::size_t exponent = end;
        if (exponent < text.size() && (text[exponent] == 'e' || text[exponent] == 'E')) {
            ++exponent;
            if (exponent < text.size() && text[exponent] == '-') ++exponent;
            if (exponent < text.size() && is_digit(text[exponent])) {
                is_float = true;
                for (end = exponent; end < text.size() && is_digit(text[end]);) ++end;
            }
        }
    }
    if (!skip_blanks(text.substr(end)).empty()) return std::nullopt;
    if (is_float) {
        const double number = std::strtod(std::string(text.substr(0, end)).c_str(), nullptr);
        if (std::isinf(number)) return std::nullopt;
        return Value(negative ? -number : number);
    }
    const bool octal = !hex && whole > 1 && text[0] == '0';
    const std::string_view digits = hex ? text.substr(2, whole - 2) : text.substr(0, whole);
    std::int64_t number = 0;
    const auto result = std::from_chars(digits.data(), digits.data() + digits.size(), number,
                                        hex     ? 16
                                        : octal ? 8
                                                : 10);
    if (result.ec != std::errc{} || result.ptr != digits.data() + digits.size()) return std::nullopt;
    return Value(negative ? -number : number);
}

Value Evaluator::coerce_numeric(const Value& value, const ast::Node& node) {
    if (value.is_number() || value.is(Kind::Timespan) || value.is(Kind::Timestamp)) return value;
    const auto number = value.is_string() ? parse_number(value.as_string()) : std::nullopt;
    if (!number)
        fail("NOT_NUMERIC", node, "The value '" + ruby_to_s(value) + "' cannot be converted to Numeric.");
    const std::string message = "The string '" + text(value) +
                                "' was automatically coerced to the numerical value " + to_text(*number);
    if (environment_.settings.strict == Strictness::Error) fail("NUMERIC_COERCION", node, message);
    if (environment_.settings.strict == Strictness::Warning) {
        environment_.log({Severity::Warning, message, "", node.location()});
    }
    return *number;
}

Value Evaluator::eval_minus(const ast::Unary& node, const FramePtr& frame) {
    const Value number = coerce_numeric(evaluate(*node.expr, frame), node);
    if (number.is(Kind::Float)) return -number.as_float();
    if (number.is(Kind::Timespan)) return Value::timespan(-number.as_integer());
    return -number.as_integer();
}

/// A long chain of operators leans to the left; it is walked, not recursed into.
Value Evaluator::eval_arithmetic(const ast::Node& node, const FramePtr& frame) {
    std::vector<const ast::Binary*> chain{&ast::as<ast::Binary>(node)};
    while (chain.back()->left->kind == NodeKind::Arithmetic)
        chain.push_back(&ast::as<ast::Binary>(*chain.back()->left));
    Value result = evaluate(*chain.back()->left, frame);
    for (auto it = chain.rbegin(); it != chain.rend(); ++it) {
        const Value right = evaluate(*(*it)->right, frame);
        try {
            result = calculate(**it, result, right);
            environment_.count_copied(result);
        } catch (const EvalError& error) {
            if (error.location().known()) throw;
            throw WrappedError("RUNTIME_ERROR",
                               "Evaluation Error: Error while evaluating " + a_an(label(**it)) + ", ",
                               std::string(error.what()), (*it)->location());
        }
    }
    return result;
}

Value Evaluator::calculate(const ast::Binary& node, const Value& left_value, const Value& right_value) {
    const std::string_view op = node.op;
    const auto not_applicable = [&](const Value& value) {
        fail("OPERATOR_NOT_APPLICABLE", *node.left,
             "Operator '" + std::string(op) + "' is not applicable to " + a_an(label(value)) + ".");
    };
    if (left_value.is(Kind::Integer) && right_value.is(Kind::Integer))
        return calculate_numbers(node, left_value, right_value);
    if (left_value.is(Kind::Uri) && op == "+") return join_uri(left_value, right_value);
    if (left_value.is(Kind::Binary) && op == "+") return join_binary(left_value, right_value);
    if ((left_value.is_array() || left_value.is_hash()) && (op == "+" || op == "-" || op == "<<")) {
        if (op == "+") return concatenate(left_value, right_value);
        if (op == "-") return without(left_value, right_value);
        if (!left_value.is_array()) not_applicable(left_value);
        std::vector<Value> items = left_value.as_array().items();
        items.push_back(right_value);
        return items;
    }
    if (left_value.is(Kind::SemVer)) not_applicable(left_value);
    const Value left = coerce_numeric(left_value, *node.left);
    const Value right = coerce_numeric(right_value, *node.right);
    return calculate_numbers(node, left, right);
}

/// Both sides are numbers or times.
Value Evaluator::calculate_numbers(const ast::Binary& node, const Value& left, const Value& right) {
    const std::string_view op = node.op;
    const auto not_applicable = [&](const Value& value) {
        fail("OPERATOR_NOT_APPLICABLE", *node.left,
             "Operator '" + std::string(op) + "' is not applicable to " + a_an(label(value)) + ".");
    };
    if (op == "%" && (left.is(Kind::Float) || right.is(Kind::Float))) {
        if (left.is(Kind::Float)) not_applicable(left);
        fail("OPERATOR_NOT_APPLICABLE_WHEN", *node.left,
             "Operator '" + std::string(op) + "' is not applicable to " + a_an(label(left)) +
                 " when right side is " + a_an(label(right)) + ".");
    }
    if (is_time(left) || is_time(right)) return time_arithmetic(node, left, right);
    if (left.is(Kind::Float) || right.is(Kind::Float)) {
        if (op == "<<" || op == ">>") {
            if (left.is(Kind::Float) || !(std::abs(right.as_float()) < 1e6)) not_applicable(left);
            return calculate_numbers(node, left, Value(static_cast<std::int64_t>(right.as_float())));
        }
        const double a = left.as_float();
        const double b = right.as_float();
        const double result = op == "+" ? a + b : op == "-" ? a - b : op == "*" ? a * b : a / b;
        if (std::isinf(result)) {
            fail("RESULT_IS_INFINITY", *node.left,
                 "The result of the " + std::string(op) + " expression is Infinity");
        }
        return result;
    }
    const std::int64_t a = left.as_integer();
    const std::int64_t b = right.as_integer();
    Wide result = 0;
    switch (op.front()) {
        case '+':
            result = Wide{a} + b;
            break;
        case '-':
            result = Wide{a} - b;
            break;
        case '*':
            result = Wide{a} * b;
            break;
        case '<':
            result = shift(a, b);
            break;
        case '>':
            result = shift(a, b == std::numeric_limits<std::int64_t>::min() ? 64 : -b);
            break;
        default:  // "/" and "%"
            if (b == 0) fail("DIV_BY_ZERO", *node.right, "Division by 0");
            if (b == -1)
                result = op == "/" ? -Wide{a} : 0;
            else
                result = op == "/" ? floor_divide(a, b) : a - floor_divide(a, b) * b;
    }
    if (result < std::numeric_limits<std::int64_t>::min() ||
        result > std::numeric_limits<std::int64_t>::max()) {
        fail("NUMERIC_OVERFLOW", node,
             a_an_uc(label(node)) + " resulted in a value outside of Puppet Integer " +
                 (result < 0 ? "min" : "max") + " range, got '" +
                 (op == "<<" && b > 63    ? shifted_text(a, b)
                  : op == ">>" && b < -63 ? shifted_text(a, b < -4096 ? 4096 : -b)
                                          : hex_text(result)) +
                 "'");
    }
    return static_cast<std::int64_t>(result);
}

}  // namespace volley
