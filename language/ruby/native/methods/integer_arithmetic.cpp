#include <cmath>

#include "language/ruby/native/arguments.hpp"
#include "language/ruby/native/methods/tables.hpp"
#include "language/ruby/native/text/numbers.hpp"

/// Operators of Integer, with a Float on the right too.
namespace volley::ruby::methods {
namespace {

using Kind = Object::Kind;

[[noreturn]] void cannot_coerce(const Call& call) {
    const Object& other = call.arguments[0];
    if (other.is(Kind::Host) || other.is(Kind::Foreign)) not_native("arithmetic with an object of Puppet");
    raise_type(comparison_name(other) + " can't be coerced into " + std::string(class_name(call.self)));
}

/// One of two ways, by the kind of the right side.
template <class OfIntegers, class OfFloats>
Object integer_operator(const Call& call, OfIntegers of_integers, OfFloats of_floats) {
    const Object& other = call.arguments[0];
    if (other.is(Kind::Integer)) return of_integers(call.self.integer(), other.integer());
    if (other.is(Kind::Float))
        return Object(of_floats(static_cast<double>(call.self.integer()), other.number()));
    cannot_coerce(call);
}

Object integer_add(const Call& call) {
    return integer_operator(call, add_integers, [](double a, double b) { return a + b; });
}
Object integer_subtract(const Call& call) {
    return integer_operator(call, subtract_integers, [](double a, double b) { return a - b; });
}
Object integer_multiply(const Call& call) {
    return integer_operator(call, multiply_integers, [](double a, double b) { return a * b; });
}
Object integer_divide(const Call& call) {
    return integer_operator(call, divide_integers, [](double a, double b) { return a / b; });
}
Object integer_modulo(const Call& call) { return integer_operator(call, modulo_integers, modulo_floats); }

Object integer_power(const Call& call) {
    if (call.arguments.size() > 1) not_native("Integer#pow with a modulus");
    return integer_operator(call, power_integers, [](double a, double b) {
        if (a < 0 && b != std::round(b)) not_native("a Complex");
        return std::pow(a, b);
    });
}

Object floored_quotient(double left, double right) {
    if (right == 0.0) throw Raised{"ZeroDivisionError", "divided by 0"};
    return integer_of(std::floor(left / right));
}

Object integer_div(const Call& call) {
    if (call.arguments[0].is(Kind::Float))
        return floored_quotient(static_cast<double>(call.self.integer()), call.arguments[0].number());
    return integer_divide(call);
}

Object integer_divmod(const Call& call) {
    const Object& other = call.arguments[0];
    if (other.is(Kind::Float)) not_native("Integer#divmod with a Float");
    if (!other.is(Kind::Integer)) cannot_coerce(call);
    const Object quotient = divide_integers(call.self.integer(), other.integer());
    return pair(call, quotient, modulo_integers(call.self.integer(), other.integer()));
}

Object integer_remainder(const Call& call) {
    const Object& other = call.arguments[0];
    if (!other.is(Kind::Integer)) not_native("Integer#remainder with such an object");
    const std::int64_t right = other.integer();
    if (right == 0) throw Raised{"ZeroDivisionError", "divided by 0"};
    return Object(right == -1 ? std::int64_t{0} : call.self.integer() % right);
}

Object integer_fdiv(const Call& call) {
    const Object& other = call.arguments[0];
    constexpr std::int64_t exact = std::int64_t{1} << 53;
    if (other.is(Kind::Integer)) {
        if (std::abs(call.self.integer()) > exact || std::abs(other.integer()) > exact)
            not_native("Integer#fdiv of large numbers");
        return Object(static_cast<double>(call.self.integer()) / static_cast<double>(other.integer()));
    }
    if (other.is(Kind::Float)) return Object(static_cast<double>(call.self.integer()) / other.number());
    cannot_coerce(call);
}

template <class Operate>
Object integer_bit_operator(const Call& call, Operate operate) {
    const Object& other = call.arguments[0];
    if (!other.is(Kind::Integer)) not_native("bits of such an object");
    return Object(operate(call.self.integer(), other.integer()));
}

Object shifted(std::int64_t number, std::int64_t left) {
    if (left <= 0) {
        if (left < -63) return Object(std::int64_t{number < 0 ? -1 : 0});
        return Object(number >> -left);
    }
    if (number == 0) return Object(number);
    if (left > 62) not_native("a number beyond 64 bits");
    return multiply_integers(number, std::int64_t{1} << left);
}

Object integer_shift_left(const Call& call) {
    if (!call.arguments[0].is(Kind::Integer)) not_native("<< with such an object");
    return shifted(call.self.integer(), call.arguments[0].integer());
}

Object integer_shift_right(const Call& call) {
    if (!call.arguments[0].is(Kind::Integer)) not_native(">> with such an object");
    return shifted(call.self.integer(), subtract_integers(0, call.arguments[0].integer()).integer());
}

Object integer_bit(const Call& call) {
    if (call.arguments.size() > 1 || !call.arguments[0].is(Kind::Integer))
        not_native("Integer#[] of several bits");
    const std::int64_t place = call.arguments[0].integer();
    if (place < 0) return Object(std::int64_t{0});
    return Object((call.self.integer() >> std::min<std::int64_t>(place, 63)) & 1);
}

Object integer_compare(const Call& call) {
    const auto order = compare(call.self, call.arguments[0]);
    return order ? Object(static_cast<std::int64_t>(*order)) : Object();
}

template <class Test>
Object integer_relation(const Call& call, Test test) {
    const Object& other = call.arguments[0];
    if (other.is(Kind::Integer)) return Object(test(call.self.integer(), other.integer()));
    if (other.is(Kind::Float) && std::isnan(other.number())) return Object(false);
    return Object(test(order(call.self, other), 0));
}

constexpr Method integer_operator_table[] = {
    {"%", 1, 1, integer_modulo},
    {"&", 1, 1,
     [](const Call& call) { return integer_bit_operator(call, [](auto a, auto b) { return a & b; }); }},
    {"*", 1, 1, integer_multiply},
    {"**", 1, 1, integer_power},
    {"+", 1, 1, integer_add},
    {"-", 1, 1, integer_subtract},
    {"+@", 0, 0, [](const Call& call) { return call.self; }},
    {"-@", 0, 0, [](const Call& call) { return subtract_integers(0, call.self.integer()); }},
    {"/", 1, 1, integer_divide},
    {"<", 1, 1,
     [](const Call& call) { return integer_relation(call, [](auto a, auto b) { return a < b; }); }},
    {"<=", 1, 1,
     [](const Call& call) { return integer_relation(call, [](auto a, auto b) { return a <= b; }); }},
    {">", 1, 1,
     [](const Call& call) { return integer_relation(call, [](auto a, auto b) { return a > b; }); }},
    {">=", 1, 1,
     [](const Call& call) { return integer_relation(call, [](auto a, auto b) { return a >= b; }); }},
    {"<=>", 1, 1, integer_compare},
    {"<<", 1, 1, integer_shift_left},
    {">>", 1, 1, integer_shift_right},
    {"[]", 1, 2, integer_bit},
    {"^", 1, 1,
     [](const Call& call) { return integer_bit_operator(call, [](auto a, auto b) { return a ^ b; }); }},
    {"div", 1, 1, integer_div},
    {"divmod", 1, 1, integer_divmod},
    {"fdiv", 1, 1, integer_fdiv},
    {"modulo", 1, 1, integer_modulo},
    {"pow", 1, 2, integer_power},
    {"remainder", 1, 1, integer_remainder},
    {"|", 1, 1,
     [](const Call& call) { return integer_bit_operator(call, [](auto a, auto b) { return a | b; }); }},
    {"~", 0, 0, [](const Call& call) { return Object(~call.self.integer()); }},
};

}  // namespace

Table integer_arithmetic_methods() { return integer_operator_table; }

}  // namespace volley::ruby::methods
