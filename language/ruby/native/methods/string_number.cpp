#include "language/ruby/native/arguments.hpp"
#include "language/ruby/native/methods/tables.hpp"
#include "language/ruby/native/text/numbers.hpp"

/// String: the numbers it stands for.
namespace volley::ruby::methods {
namespace {

Object string_to_integer(const Call& call) {
    const std::int64_t base = call.arguments.empty() ? 10 : to_small_integer(call.arguments[0]);
    if (base < 0 || base == 1 || base > 36)
        not_native("to_i with an invalid base");  // an error, but for some texts without digits
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

/// Ruby reads 0x1F as 0 or as 31: that depends on how it keeps the text.
Object string_to_f(const Call& call) {
    const std::string& text = call.self.string().text;
    const std::size_t at = text.find_first_not_of(" \t\n\v\f\r+-");
    if (at != std::string::npos && text[at] == '0' && at + 1 < text.size() && (text[at + 1] | 0x20) == 'x')
        not_native("to_f of hexadecimal digits");
    return Object(leading_float(text));
}

constexpr Method string_number_table[] = {
    {"hex", 0, 0, [](const Call& call) { return Object(leading_integer(call.self.string().text, 16)); }},
    {"oct", 0, 0, string_octal},
    {"to_f", 0, 0, string_to_f},
    {"to_i", 0, 1, string_to_integer},
};

}  // namespace

Table string_number_methods() { return string_number_table; }

}  // namespace volley::ruby::methods
