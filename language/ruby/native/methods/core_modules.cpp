#include "language/ruby/native/methods/tables.hpp"
#include "language/ruby/native/program/patterns.hpp"
#include "language/ruby/native/walk.hpp"

/// Methods of the classes themselves: Hash.new, Regexp.escape.
namespace volley::ruby::methods {
namespace {

using Kind = Object::Kind;

Object hash_new(const Call& call) {
    if (call.block && !call.arguments.empty()) expect_arguments(call.arguments.size(), 0, 0);
    const Object made = call.machine.heap().hash();
    if (!call.arguments.empty()) made.hash().fallback = call.arguments[0];
    made.hash().fallback_block = call.block;
    return made;
}

Object hash_from(const Call& call) {
    const Object made = call.machine.heap().hash();
    if (call.arguments.size() == 1 && call.arguments[0].is(Kind::Hash)) {
        for (const Hash::Entry& entry : call.arguments[0].hash().entries)
            made.hash().set(entry.key, entry.value);
        return made;
    }
    if (call.arguments.size() == 1 && call.arguments[0].is(Kind::Array)) {
        for (const Object& row : call.arguments[0].array().items) {
            if (!row.is(Kind::Array) || row.array().items.size() != 2) not_native("Hash[] of such a list");
            made.hash().set(row.array().items[0], row.array().items[1]);
        }
        return made;
    }
    if (call.arguments.size() % 2 != 0) raise_argument("odd number of arguments for Hash");
    for (std::size_t at = 0; at < call.arguments.size(); at += 2)
        made.hash().set(call.arguments[at], call.arguments[at + 1]);
    return made;
}

Object array_new(const Call& call) {
    if (call.arguments.empty()) {
        if (call.block) not_native("Array.new with only a block");
        return list(call, {});
    }
    if (call.arguments[0].is(Kind::Array) && call.arguments.size() == 1)
        return list(call, call.arguments[0].array().items);
    const std::size_t size = to_count(call.arguments[0], "negative array size");
    if (size > Heap::most_bytes / sizeof(Object)) not_native("a very long list");
    if (!call.block)
        return list(call,
                    std::vector<Object>(size, call.arguments.size() > 1 ? call.arguments[1] : Object()));
    if (call.arguments.size() > 1) not_native("Array.new with a value and a block");
    std::vector<Object> items;
    for (std::size_t at = 0; at < size; ++at) {
        call.machine.step();
        items.push_back(yield(call, size_object(at)));
    }
    return list(call, std::move(items));
}

Object string_new(const Call& call) {
    if (!call.arguments.empty() && call.arguments[0].is(Kind::Hash)) not_native("String.new with keywords");
    return text(call, call.arguments.empty() ? "" : to_string(call.arguments[0]));
}

Object range_new(const Call& call) {
    const Object& first = call.arguments[0];
    const Object& last = call.arguments[1];
    if (!first.is_nil() && !last.is_nil() && !compare(first, last)) raise_argument("bad value for range");
    return call.machine.heap().range(first, last, call.arguments.size() > 2 && call.arguments[2].truthy());
}

unsigned pattern_new_options(const Object& given) {
    switch (given.kind()) {
        case Kind::Nil:
        case Kind::False:
            return Regexp::None;
        case Kind::True:
            return Regexp::IgnoreCase;
        case Kind::Integer: {
            const std::int64_t bits = given.integer();
            if (bits < 0 || bits > 7) not_native("Regexp.new with such options");
            return (bits & 1 ? Regexp::IgnoreCase : 0U) | (bits & 2 ? Regexp::Extended : 0U) |
                   (bits & 4 ? Regexp::MultiLine : 0U);
        }
        default:
            not_native("Regexp.new with such options");
    }
}

Object pattern_new(const Call& call) {
    const Object& source = call.arguments[0];
    if (call.arguments.size() > 2) not_native("Regexp.new with an encoding");
    if (source.is(Kind::Pattern)) {
        if (call.arguments.size() > 1) not_native("Regexp.new of a pattern with options");
        return source;
    }
    const unsigned options = call.arguments.size() > 1 ? pattern_new_options(call.arguments[1]) : 0U;
    return call.machine.heap().pattern(compile_pattern_text(to_string(source), options));
}

Object pattern_escape(const Call& call) {
    const Object& given = call.arguments[0];
    return text(call, escape_pattern(given.is(Kind::Symbol) ? given.name() : to_string(given)));
}

Object pattern_union(const Call& call) {
    std::vector<Object> parts(call.arguments.begin(), call.arguments.end());
    if (parts.size() == 1 && parts[0].is(Kind::Array)) parts = std::vector<Object>(parts[0].array().items);
    if (parts.empty()) return call.machine.heap().pattern(compile_pattern_text("(?!)", Regexp::None));
    if (parts.size() == 1 && parts[0].is(Kind::Pattern)) return parts[0];
    std::string source;
    for (const Object& part : parts) {
        if (!source.empty() || &part != &parts[0]) source += '|';
        if (part.is(Kind::Pattern))
            source += to_text(part);
        else
            source += escape_pattern(part.is(Kind::Symbol) ? part.name() : to_string(part));
    }
    return call.machine.heap().pattern(compile_pattern_text(source, Regexp::None));
}

constexpr Method hash_class[] = {{"[]", 0, Method::any, hash_from}, {"new", 0, 1, hash_new}};
constexpr Method array_class[] = {{"[]", 0, Method::any,
                                   [](const Call& call) {
                                       return list(call, {call.arguments.begin(), call.arguments.end()});
                                   }},
                                  {"new", 0, 2, array_new}};
constexpr Method string_class[] = {{"new", 0, 1, string_new}};
constexpr Method range_class[] = {{"new", 2, 3, range_new}};
constexpr Method pattern_class[] = {{"compile", 1, 3, pattern_new},
                                    {"escape", 1, 1, pattern_escape},
                                    {"new", 1, 3, pattern_new},
                                    {"quote", 1, 1, pattern_escape},
                                    {"union", 0, Method::any, pattern_union}};

/// Kernel.format and the others that are functions too.
const Method* kernel_function(std::string_view name) {
    for (const Method& method : kernel_functions()) {
        if (method.name == name) return &method;
    }
    return nullptr;
}
Object kernel_module_format(const Call& call) { return invoke(*kernel_function("format"), call); }
Object kernel_module_integer(const Call& call) { return invoke(*kernel_function("Integer"), call); }
Object kernel_module_float(const Call& call) { return invoke(*kernel_function("Float"), call); }
constexpr Method kernel_module[] = {{"Float", 0, Method::any, kernel_module_float},
                                    {"Integer", 0, Method::any, kernel_module_integer},
                                    {"format", 0, Method::any, kernel_module_format},
                                    {"sprintf", 0, Method::any, kernel_module_format}};

constexpr ModuleTable core_tables[] = {{"Array", array_class},    {"Hash", hash_class},
                                       {"Kernel", kernel_module}, {"Range", range_class},
                                       {"Regexp", pattern_class}, {"String", string_class}};

}  // namespace

std::span<const ModuleTable> core_modules() { return core_tables; }

}  // namespace volley::ruby::methods
