#include "language/functions/rounding.hpp"

#include "language/errors.hpp"
#include "language/evaluator/environment.hpp"
#include "language/float_to_integer.hpp"
#include "language/text/ruby_number.hpp"

namespace volley::rounding {

Value of_number(const Value& number, double (*rule)(double)) {
    return number.is(Kind::Integer) ? number : Value(whole_number(rule(number.as_float())));
}

Value of_text(CallContext& context, const Value& text, double (*rule)(double)) {
    const std::string name(context.name);
    context.environment().deprecation(
        name + "_function_numeric_coerce_string",
        "The " + name +
            "() function's auto conversion of String to Float is deprecated - change to convert input before "
            "calling");
    const std::optional<double> number = ruby_float(text.as_string());
    if (!number) throw EvalError("", name + "(): cannot convert given value to a floating point value.");
    return whole_number(rule(*number));
}

}  // namespace volley::rounding
