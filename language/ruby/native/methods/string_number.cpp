#include "language/ruby/native/arguments.hpp"
#include "language/ruby/native/methods/tables.hpp"
#include "language/ruby/native/numbers.hpp"

/// String: the numbers it stands for.
namespace volley::ruby::methods {
namespace {

Object string_to_integer(const Call& call) {
    const std::int64_t base = call.arguments.empty() ? 10 : to_integer(call.arguments[0]);
    if (base < 0 || base == 1 || base > 36) raise_argument("invalid radix " + std::to_string(base));
    return Object(leading_integer(call.self.string().text, static_cast<int>(base)));
}

/// Octal, unless "0x" or another prefix says something else.
Object string_octal(const Call& call) {
    const std::string& text = call.self.string().text;
    const std::size_t zero = text.find_first_not_of(" \t\n\v\f\r+-");
    const bool prefix = zero != std::string::npos && text[zero] == '0' && zero + 1 < text.size() &&
                        std::string_view("xXbBoOdD").find(text[zero + 1]) != std::string_view::npos;
    return Object(leading_integer(text, prefix ? 0 : 8));
}

constexpr Method string_number_table[] = {
    {"hex", 0, 0, [](const Call& call) { return Object(leading_integer(call.self.string().text, 16)); }},
    {"oct", 0, 0, string_octal},
    {"to_f", 0, 0, [](const Call& call) { return Object(leading_float(call.self.string().text)); }},
    {"to_i", 0, 1, string_to_integer},
};

}  // namespace

Table string_number_methods() { return string_number_table; }

}  // namespace volley::ruby::methods
