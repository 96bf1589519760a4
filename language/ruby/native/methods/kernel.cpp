#include <cmath>

#include "language/ruby/native/methods/tables.hpp"
#include "language/ruby/native/text/formats.hpp"
#include "language/ruby/native/text/numbers.hpp"
#include "language/ruby/native/walk.hpp"

/// Functions without a receiver, and the modules and classes whose own methods need nothing else.
namespace volley::ruby::methods {
namespace {

using Kind = Object::Kind;

/// False when "exception: false" asks for nil.
bool kernel_raises(const Call& call) {
    const Object* const raises = keyword(call, "exception");
    if (raises && !raises->is(Kind::True) && !raises->is(Kind::False))
        not_native("exception: with such an object");
    return !raises || raises->truthy();
}

std::string kernel_name(const Object& object) { return conversion_name(object); }

Object integer_of_text(const Object& object, std::int64_t base) {
    const std::string& text = object.string().text;
    if (base < 0) not_native("Integer() with a base below 0");
    if (base == 1 || base > 36) raise_argument("invalid radix " + std::to_string(base));
    if (text.find('\0') != std::string::npos) not_native("Integer() of such a text");
    if (const auto read = parse_integer(text, static_cast<int>(base))) return Object(*read);
    raise_argument("invalid value for Integer(): " + inspect(object));
}

Object kernel_integer(const Call& call) {
    const bool raises = kernel_raises(call);
    const auto arguments = keyword(call, "exception") ? positional(call) : call.arguments;
    expect_arguments(arguments.size(), 1, 2);
    const Object& object = arguments[0];
    const bool has_base = arguments.size() > 1 && !arguments[1].is_nil();
    try {
        if (object.is(Kind::String))
            return integer_of_text(object, has_base ? to_small_integer(arguments[1]) : 0);
        if (has_base) raise_argument("base specified for non string value");
        if (object.is(Kind::Integer)) return object;
        if (object.is(Kind::Float)) return integer_of(std::trunc(object.number()));
        if (object.is(Kind::Host) || object.is(Kind::Foreign)) not_native("Integer() of an object of Puppet");
        raise_type("can't convert " + kernel_name(object) + " into Integer");
    } catch (const Raised&) {
        if (raises) throw;
        return {};
    }
}

Object float_of(const Object& object) {
    switch (object.kind()) {
        case Kind::Float:
            return object;
        case Kind::Integer:
            return Object(static_cast<double>(object.integer()));
        case Kind::String: {
            if (object.string().text.find('\0') != std::string::npos) not_native("Float() of such a text");
            if (const auto read = parse_float(object.string().text)) return Object(*read);
            raise_argument("invalid value for Float(): " + inspect(object));
        }
        case Kind::Host:
        case Kind::Foreign:
            not_native("Float() of an object of Puppet");
        default:
            raise_type("can't convert " + kernel_name(object) + " into Float");
    }
}

Object kernel_float(const Call& call) {
    const bool raises = kernel_raises(call);
    const auto arguments = keyword(call, "exception") ? positional(call) : call.arguments;
    expect_arguments(arguments.size(), 1, 1);
    try {
        return float_of(arguments[0]);
    } catch (const Raised&) {
        if (raises) throw;
        return {};
    }
}

Object kernel_array(const Call& call) {
    const Object& object = call.arguments[0];
    switch (object.kind()) {
        case Kind::Nil:
            return list(call, {});
        case Kind::Array:
            return object;
        case Kind::Hash:
        case Kind::Range:
        case Kind::Enumerator:
            return list(call, items_of(call, object));
        case Kind::Match:
        case Kind::Host:
        case Kind::Foreign:
            not_native("Array() of such an object");
        default:
            return list(call, {object});
    }
}

Object kernel_string(const Call& call) {
    return call.arguments[0].is(Kind::String) ? call.arguments[0]
                                              : text(call, text_of(call, call.arguments[0]));
}

Object kernel_hash(const Call& call) {
    const Object& object = call.arguments[0];
    if (object.is(Kind::Hash)) return object;
    if (object.is_nil() || (object.is(Kind::Array) && object.array().items.empty()))
        return call.machine.heap().hash();
    if (object.is(Kind::Host) || object.is(Kind::Foreign)) not_native("Hash() of an object of Puppet");
    raise_type("can't convert " + kernel_name(object) + " into Hash");
}

Object kernel_format(const Call& call) {
    return text(call, format_text(to_string(call.arguments[0]), call.arguments.subspan(1)));
}

constexpr Method kernel_table[] = {
    {"Array", 1, 1, kernel_array},
    {"Float", 1, 2, kernel_float},
    {"Hash", 1, 1, kernel_hash},
    {"Integer", 1, 3, kernel_integer},
    {"String", 1, 1, kernel_string},
    {"format", 1, Method::any, kernel_format},
    {"sprintf", 1, Method::any, kernel_format},
};

}  // namespace

Table kernel_functions() { return kernel_table; }

}  // namespace volley::ruby::methods
