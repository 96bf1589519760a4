#include "language/ruby/native/text/formats.hpp"

#include "language/conversion/ruby_format.hpp"
#include "language/errors.hpp"
#include "language/ruby/native/arguments.hpp"
#include "language/ruby/native/text/characters.hpp"
#include "language/ruby/native/text/conversion.hpp"

namespace volley::ruby {
namespace {

using Kind = Object::Kind;

/// Values of the language that format alike; `exact` is false where only %s does.
Value formats_value(const Object& object, bool& exact) {
    if (const auto scalar = scalar_value(object)) return *scalar;
    switch (object.kind()) {
        case Kind::String:
            check_characters(object.string().text);
            return Value(object.string().text);
        case Kind::Hash: {
            HashBuilder names;
            for (const Hash::Entry& entry : object.hash().entries) {
                if (entry.key.is(Kind::Symbol))
                    names.set(entry.key.name(), formats_value(entry.value, exact));
            }
            if (!object.hash().fallback.is_nil() || object.hash().fallback_block)
                not_native("format of a hash with a default");
            exact = false;
            return names.build();
        }
        default:
            exact = false;
            return Value(to_text(object));
    }
}

bool names_arguments(std::string_view format) {
    return format.find("%<") != std::string_view::npos || format.find('{') != std::string_view::npos ||
           format.find('<') != std::string_view::npos;
}

/// Whether a directive is there that shows an object as inspect does, or needs a number where a text was put.
bool uses_other_directives(std::string_view format) {
    for (std::size_t at = 0; at < format.size(); ++at) {
        if (format[at] != '%') continue;
        ++at;
        while (at < format.size() &&
               std::string_view("+- #0123456789.*$").find(format[at]) != std::string_view::npos)
            ++at;
        if (at < format.size() && format[at] != 's' && format[at] != '%') return true;
    }
    return false;
}

bool shows_inspect(std::string_view format) {
    for (std::size_t at = format.find('p'); at != std::string_view::npos; at = format.find('p', at + 1)) {
        const std::size_t percent = format.rfind('%', at);
        if (percent == std::string_view::npos) continue;
        if (format.substr(percent + 1, at - percent - 1).find_first_not_of("+- #0123456789.*$") ==
                std::string_view::npos ||
            names_arguments(format))
            return true;
    }
    return false;
}

[[noreturn]] void raise_format_error(const std::string& message) {
    const auto is = [&](std::string_view start) { return message.starts_with(start); };
    if (is("key<") || is("key{")) throw Raised{"KeyError", message};
    // Ruby calls these by their values.
    if (is("can't convert NilClass") || is("can't convert TrueClass") || is("can't convert FalseClass"))
        not_native(message);
    if (is("can't convert") || is("no implicit conversion")) raise_type(message);
    if (is("float ") || is("width too big")) not_native(message);
    raise_argument(message);
}

}  // namespace

std::string format_text(const std::string& format, std::span<const Object> arguments) {
    check_characters(format);
    if (shows_inspect(format)) not_native("format with %p");
    const bool named = names_arguments(format);
    bool exact = true;
    std::vector<Value> values;
    for (const Object& argument : arguments) {
        if (argument.is(Kind::Hash) && !named) {
            exact = false;
            values.emplace_back(to_text(argument));
        } else {
            values.push_back(formats_value(argument, exact));
        }
    }
    if (named) {
        bool inside_exact = true;
        const bool one_hash = arguments.size() == 1 && arguments[0].is(Kind::Hash);
        if (one_hash) {
            for (const Hash::Entry& entry : arguments[0].hash().entries) {
                if (entry.value.is(Kind::Hash) || entry.value.is(Kind::Array) || entry.value.is(Kind::Symbol))
                    inside_exact = false;
                else
                    formats_value(entry.value, inside_exact);
            }
        }
        exact = one_hash && inside_exact;
        if (!exact) not_native("format with such arguments");
    } else if (!exact && uses_other_directives(format)) {
        not_native("format with such arguments");
    }
    try {
        return ruby_format(format, values);
    } catch (const EvalError& error) {
        raise_format_error(error.what());
    }
}

}  // namespace volley::ruby
