#include <cmath>

#include "language/ruby/native/arguments.hpp"
#include "language/ruby/native/methods/tables.hpp"

/// Math, where its results are exact or the C library's.
namespace volley::ruby::methods {
namespace {

using Kind = Object::Kind;

double math_argument(const Call& call, std::size_t index) {
    const Object& given = call.arguments[index];
    if (given.is(Kind::Float)) return given.number();
    if (given.is(Kind::Integer)) return static_cast<double>(given.integer());
    if (given.is(Kind::Host) || given.is(Kind::Foreign)) not_native("Math of an object of Puppet");
    raise_type("can't convert " + conversion_name(given) + " into Float");
}

double math_positive(const Call& call, const char* name) {
    const double value = math_argument(call, 0);
    if (value < 0)
        throw Raised{"Math::DomainError", std::string("Numerical argument is out of domain - ") + name};
    return value;
}

Object math_sqrt(const Call& call) { return Object(std::sqrt(math_positive(call, "sqrt"))); }

Object math_log(const Call& call) {
    if (call.arguments.size() > 1) not_native("Math.log with a base");
    return Object(std::log(math_positive(call, "log")));
}

constexpr Method math_module[] = {
    {"hypot", 2, 2,
     [](const Call& call) { return Object(std::hypot(math_argument(call, 0), math_argument(call, 1))); }},
    {"log", 1, 2, math_log},
    {"log10", 1, 1, [](const Call& call) { return Object(std::log10(math_positive(call, "log10"))); }},
    {"log2", 1, 1, [](const Call& call) { return Object(std::log2(math_positive(call, "log2"))); }},
    {"sqrt", 1, 1, math_sqrt},
};
constexpr ModuleTable math_tables[] = {{"Math", math_module}};

}  // namespace

std::span<const ModuleTable> math_modules() { return math_tables; }

}  // namespace volley::ruby::methods
