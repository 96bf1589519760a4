#include "language/evaluator/expressions/time_arithmetic.hpp"

#include <cmath>

#include "language/errors.hpp"
#include "language/evaluator/evaluator.hpp"
#include "language/evaluator/labels.hpp"
#include "language/float_to_integer.hpp"

namespace volley {
namespace {

/// Nanoseconds of a time, or of a number of seconds.
std::int64_t nanoseconds(const Value& value) {
    if (is_time(value)) return value.as_integer();
    return value.is(Kind::Integer) ? nanoseconds_of(value.as_integer()) : nanoseconds_of(value.as_float());
}

std::int64_t add(std::int64_t a, std::int64_t b) {
    std::int64_t sum = 0;
    if (__builtin_add_overflow(a, b, &sum)) throw EvalError("", "The time is out of range");
    return sum;
}

std::int64_t subtract(std::int64_t a, std::int64_t b) {
    std::int64_t difference = 0;
    if (__builtin_sub_overflow(a, b, &difference)) throw EvalError("", "The time is out of range");
    return difference;
}

std::int64_t scaled(const Value& span, double factor) {
    const double amount = static_cast<double>(span.as_integer()) * factor;
    if (!(std::abs(amount) < 9.2e18)) throw EvalError("", "The time is out of range");
    return static_cast<std::int64_t>(amount);
}

[[noreturn]] void not_applicable(const ast::Binary& node, const Value& left) {
    Evaluator::fail(
        "OPERATOR_NOT_APPLICABLE", *node.left,
        "Operator '" + std::string(node.op) + "' is not applicable to " + a_an(label(left)) + ".");
}

Value stamp_arithmetic(const ast::Binary& node, const Value& left, const Value& right) {
    if (node.op == "+") {
        if (right.is(Kind::Timestamp)) throw EvalError("", "A Timestamp cannot be added to a Timestamp");
        return Value::timestamp(add(left.as_integer(), nanoseconds(right)));
    }
    if (node.op != "-") not_applicable(node, left);
    if (right.is(Kind::Timestamp)) return Value::timespan(subtract(left.as_integer(), right.as_integer()));
    return Value::timestamp(subtract(left.as_integer(), nanoseconds(right)));
}

Value span_division(const ast::Binary& node, const Value& left, const Value& right) {
    if (right.is(Kind::Timestamp)) throw EvalError("", "A Timespan cannot be divided by a Timestamp");
    const double divisor =
        right.is(Kind::Timespan) ? static_cast<double>(right.as_integer()) : right.as_float();
    if (divisor == 0) Evaluator::fail("DIV_BY_ZERO", *node.right, "Division by 0");
    if (right.is(Kind::Timespan)) return static_cast<double>(left.as_integer()) / divisor;
    return Value::timespan(scaled(left, 1.0 / divisor));
}

Value span_arithmetic(const ast::Binary& node, const Value& left, const Value& right) {
    if (node.op == "+") {
        if (right.is(Kind::Timestamp)) return Value::timestamp(add(left.as_integer(), right.as_integer()));
        return Value::timespan(add(left.as_integer(), nanoseconds(right)));
    }
    if (node.op == "-") {
        if (right.is(Kind::Timestamp))
            throw EvalError("", "A Timestamp cannot be subtracted from a Timespan");
        return Value::timespan(subtract(left.as_integer(), nanoseconds(right)));
    }
    if (node.op == "*") {
        if (is_time(right)) throw EvalError("", "A Timestamp cannot be multiplied by a " + label(right));
        return Value::timespan(scaled(left, right.as_float()));
    }
    if (node.op == "/") return span_division(node, left, right);
    if (node.op != "%") not_applicable(node, left);
    if (is_time(right)) throw EvalError("", "Can not do modulus on a Timespan using a " + a_an(label(right)));
    // Of whole seconds, and a number: both as in Ruby, where quotients are rounded down.
    const std::int64_t divisor = right.as_integer();
    if (divisor == 0) Evaluator::fail("DIV_BY_ZERO", *node.right, "Division by 0");
    if (divisor == -1) return 0;
    constexpr std::int64_t second = 1'000'000'000;
    const std::int64_t seconds = left.as_integer() / second - (left.as_integer() % second < 0 ? 1 : 0);
    const std::int64_t rest = seconds % divisor;
    return rest != 0 && (rest < 0) != (divisor < 0) ? rest + divisor : rest;
}

}  // namespace

Value time_arithmetic(const ast::Binary& node, Value left, Value right) {
    if (!is_time(left)) {  // a number on the left
        if (node.op == "+" || (node.op == "*" && right.is(Kind::Timespan))) {
            std::swap(left, right);
        } else if (node.op == "-" && right.is(Kind::Timespan)) {
            left = Value::timespan(nanoseconds(left));
        } else {
            Evaluator::fail("OPERATOR_NOT_APPLICABLE_WHEN", *node.left,
                            "Operator '" + std::string(node.op) + "' is not applicable to " +
                                a_an(label(left)) + " when right side is " + a_an(label(right)) + ".");
        }
    }
    return left.is(Kind::Timestamp) ? stamp_arithmetic(node, left, right)
                                    : span_arithmetic(node, left, right);
}

}  // namespace volley
