#include <cmath>

#include "language/ruby/native/arguments.hpp"
#include "language/ruby/native/methods/tables.hpp"
#include "language/ruby/native/text/numbers.hpp"

namespace volley::ruby::methods {
namespace {

using Kind = Object::Kind;

double float_argument(const Call& call) {
    const Object& other = call.arguments[0];
    if (other.is(Kind::Float)) return other.number();
    if (other.is(Kind::Integer)) return static_cast<double>(other.integer());
    if (other.is(Kind::Host) || other.is(Kind::Foreign)) not_native("arithmetic with an object of Puppet");
    raise_type(comparison_name(other) + " can't be coerced into Float");
}

template <class Operate>
Object float_operator(const Call& call, Operate operate) {
    return Object(operate(call.self.number(), float_argument(call)));
}

Object float_power(const Call& call) {
    const double right = float_argument(call);
    if (call.self.number() < 0 && right != std::round(right)) not_native("a Complex");
    return Object(std::pow(call.self.number(), right));
}

Object float_div(const Call& call) {
    const double right = float_argument(call);
    if (right == 0.0) throw Raised{"ZeroDivisionError", "divided by 0"};
    return integer_of(std::floor(call.self.number() / right));
}

template <class Test>
Object float_relation(const Call& call, Test test) {
    const Object& other = call.arguments[0];
    const bool is_number = other.is(Kind::Integer) || other.is(Kind::Float);
    if (is_number && !compare(call.self, other)) return Object(false);  // NaN
    return Object(test(order(call.self, other)));
}

Object float_compare(const Call& call) {
    const auto order = compare(call.self, call.arguments[0]);
    return order ? Object(static_cast<std::int64_t>(*order)) : Object();
}

template <Rounding rounding>
Object float_round(const Call& call) {
    if (keyword(call, "half")) not_native("round(half: ...)");
    expect_arguments(call.arguments.size(), 0, 1);
    return round_float(call.self.number(), call.arguments.empty() ? 0 : to_small_integer(call.arguments[0]),
                       rounding);
}

Object float_to_integer(const Call& call) { return integer_of(std::trunc(call.self.number())); }

Object float_infinite(const Call& call) {
    if (!std::isinf(call.self.number())) return Object();
    return Object(std::int64_t{call.self.number() < 0 ? -1 : 1});
}

Object float_absolute(const Call& call) { return Object(std::fabs(call.self.number())); }
Object float_itself(const Call& call) { return call.self; }
Object float_divide(const Call& call) {
    return float_operator(call, [](double a, double b) { return a / b; });
}

constexpr Method float_table[] = {
    {"%", 1, 1, [](const Call& call) { return float_operator(call, modulo_floats); }},
    {"*", 1, 1,
     [](const Call& call) { return float_operator(call, [](double a, double b) { return a * b; }); }},
    {"**", 1, 1, float_power},
    {"+", 1, 1,
     [](const Call& call) { return float_operator(call, [](double a, double b) { return a + b; }); }},
    {"-", 1, 1,
     [](const Call& call) { return float_operator(call, [](double a, double b) { return a - b; }); }},
    {"+@", 0, 0, float_itself},
    {"-@", 0, 0, [](const Call& call) { return Object(-call.self.number()); }},
    {"/", 1, 1, float_divide},
    {"<", 1, 1, [](const Call& call) { return float_relation(call, [](int order) { return order < 0; }); }},
    {"<=", 1, 1, [](const Call& call) { return float_relation(call, [](int order) { return order <= 0; }); }},
    {">", 1, 1, [](const Call& call) { return float_relation(call, [](int order) { return order > 0; }); }},
    {">=", 1, 1, [](const Call& call) { return float_relation(call, [](int order) { return order >= 0; }); }},
    {"<=>", 1, 1, float_compare},
    {"abs", 0, 0, float_absolute},
    {"ceil", 0, 1, float_round<Rounding::Up>},
    {"div", 1, 1, float_div},
    {"fdiv", 1, 1, float_divide},
    {"finite?", 0, 0, [](const Call& call) { return Object(std::isfinite(call.self.number())); }},
    {"floor", 0, 1, float_round<Rounding::Down>},
    {"infinite?", 0, 0, float_infinite},
    {"integer?", 0, 0, [](const Call&) { return Object(false); }},
    {"magnitude", 0, 0, float_absolute},
    {"modulo", 1, 1, [](const Call& call) { return float_operator(call, modulo_floats); }},
    {"nan?", 0, 0, [](const Call& call) { return Object(std::isnan(call.self.number())); }},
    {"negative?", 0, 0, [](const Call& call) { return Object(call.self.number() < 0); }},
    {"nonzero?", 0, 0, [](const Call& call) { return call.self.number() == 0 ? Object() : call.self; }},
    {"positive?", 0, 0, [](const Call& call) { return Object(call.self.number() > 0); }},
    {"real?", 0, 0, [](const Call&) { return Object(true); }},
    {"round", 0, 2, float_round<Rounding::HalfUp>},
    {"to_f", 0, 0, float_itself},
    {"to_i", 0, 0, float_to_integer},
    {"to_int", 0, 0, float_to_integer},
    {"truncate", 0, 1, float_round<Rounding::ToZero>},
    {"zero?", 0, 0, [](const Call& call) { return Object(call.self.number() == 0); }},
};

}  // namespace

Table float_methods() { return float_table; }

}  // namespace volley::ruby::methods
