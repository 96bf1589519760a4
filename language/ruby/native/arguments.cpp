#include "language/ruby/native/arguments.hpp"

#include <algorithm>
#include <cmath>

namespace volley::ruby {
namespace {

using Kind = Object::Kind;

}  // namespace

void raise_argument(const std::string& message) { throw Raised{"ArgumentError", message}; }
void raise_type(const std::string& message) { throw Raised{"TypeError", message}; }
void raise_index(const std::string& message) { throw Raised{"IndexError", message}; }
void raise_range(const std::string& message) { throw Raised{"RangeError", message}; }

void raise_not_comparable(const Object& left, const Object& right) {
    raise_argument("comparison of " + std::string(class_name(left)) + " with " + comparison_name(right) +
                   " failed");
}

std::string conversion_name(const Object& object) {
    if (object.is_nil() || object.is(Kind::True) || object.is(Kind::False)) return inspect(object);
    return std::string(class_name(object));
}

std::string comparison_name(const Object& object) {
    constexpr std::int64_t largest_small = (std::int64_t{1} << 62) - 1;
    switch (object.kind()) {
        case Kind::Nil:
        case Kind::True:
        case Kind::False:
        case Kind::Float:
        case Kind::Symbol:
            return inspect(object);
        case Kind::Integer:
            if (object.integer() <= largest_small && object.integer() >= -largest_small - 1)
                return inspect(object);
            return "Integer";
        default:
            return std::string(class_name(object));
    }
}

std::int64_t to_integer(const Object& object) {
    if (object.is(Kind::Integer)) return object.integer();
    if (object.is(Kind::Float)) {
        const double value = object.number();
        if (!(std::fabs(value) < 9223372036854774784.0)) {
            if (std::isfinite(value)) throw NotNative{"a number beyond 64 bits"};
            raise_range("float " +
                        std::string(std::isnan(value) ? "NaN"
                                    : value < 0       ? "-Inf"
                                                      : "Inf") +
                        " out of range of integer");
        }
        return static_cast<std::int64_t>(value);
    }
    if (object.is(Kind::Host) || object.is(Kind::Foreign)) throw NotNative{"an object of Puppet as a number"};
    if (object.is_nil()) raise_type("no implicit conversion from nil to integer");
    raise_type("no implicit conversion of " + conversion_name(object) + " into Integer");
}

int to_small_integer(const Object& object) {
    const std::int64_t value = to_integer(object);
    if (value == static_cast<int>(value)) return static_cast<int>(value);
    raise_range("integer " + std::to_string(value) + (value < 0 ? " too small" : " too big") +
                " to convert to `int'");
}

std::size_t to_count(const Object& object, const char* negative_message) {
    const std::int64_t count = to_integer(object);
    if (count < 0) raise_argument(negative_message);
    return static_cast<std::size_t>(count);
}

const std::string& to_string(const Object& object) {
    if (object.is(Kind::String)) return object.string().text;
    if (object.is(Kind::Host) || object.is(Kind::Foreign)) throw NotNative{"an object of Puppet as a text"};
    raise_type("no implicit conversion of " + conversion_name(object) + " into String");
}

const std::vector<Object>& to_items(const Object& object) {
    if (object.is(Kind::Array)) return object.array().items;
    if (object.is(Kind::Host) || object.is(Kind::Foreign)) throw NotNative{"an object of Puppet as a list"};
    raise_type("no implicit conversion of " + conversion_name(object) + " into Array");
}

Hash& to_hash(const Object& object) {
    if (object.is(Kind::Hash)) return object.hash();
    if (object.is(Kind::Host) || object.is(Kind::Foreign)) throw NotNative{"an object of Puppet as a hash"};
    raise_type("no implicit conversion of " + conversion_name(object) + " into Hash");
}

const std::string& to_name(const Object& object) {
    if (object.is(Kind::Symbol)) return object.name();
    if (object.is(Kind::String)) return object.string().text;
    raise_type(inspect(object) + " is not a symbol nor a string");
}

const Object* keyword(const Call& call, std::string_view name) {
    if (call.arguments.empty() || !call.arguments.back().is(Kind::Hash)) return nullptr;
    for (const Hash::Entry& entry : call.arguments.back().hash().entries) {
        if (entry.key.is(Kind::Symbol) && entry.key.name() == name) return &entry.value;
    }
    return nullptr;
}

std::span<const Object> positional(const Call& call) {
    if (call.arguments.empty() || !call.arguments.back().is(Kind::Hash)) return call.arguments;
    return call.arguments.first(call.arguments.size() - 1);
}

void expect_arguments(std::size_t given, int least, int most) {
    if (given >= static_cast<std::size_t>(least) &&
        (most == Method::any || given <= static_cast<std::size_t>(most)))
        return;
    std::string expected = std::to_string(least);
    if (most == Method::any)
        expected += '+';
    else if (most != least)
        expected += ".." + std::to_string(most);
    raise_argument("wrong number of arguments (given " + std::to_string(given) + ", expected " + expected +
                   ")");
}

Object text(const Call& call, std::string text) {
    call.machine.step(1 + text.size() / 64);
    return call.machine.heap().string(std::move(text));
}

Object list(const Call& call, std::vector<Object> items) {
    call.machine.step(1 + items.size() / 16);
    return call.machine.heap().array(std::move(items));
}

Object pair(const Call& call, const Object& first, const Object& second) {
    return call.machine.heap().array({first, second});
}

Object yield(const Call& call, const Object& argument) {
    return call.machine.yield(*call.block, std::span(&argument, 1));
}

Object yield(const Call& call, const Object& first, const Object& second) {
    const Object arguments[] = {first, second};
    return call.machine.yield(*call.block, arguments);
}

void need_block(const Call& call, std::string_view method) {
    if (!call.block) not_native(std::string(method) + " without a block");
}

Object enumerator(const Call& call, std::string_view method) {
    return call.machine.heap().enumerator(
        {call.self, std::string(method), {call.arguments.begin(), call.arguments.end()}});
}

void not_native(std::string_view what) { throw NotNative{std::string(what)}; }

int order(const Object& left, const Object& right) {
    if (const auto known = compare(left, right)) return *known;
    raise_not_comparable(left, right);
}

int order_of_answer(const Object& answer, const Object& left, const Object& right) {
    if (answer.is(Kind::Integer)) return answer.integer() < 0 ? -1 : answer.integer() > 0 ? 1 : 0;
    if (answer.is_nil()) raise_not_comparable(left, right);
    if (answer.is(Kind::Float)) return answer.number() > 0 ? 1 : answer.number() < 0 ? -1 : 0;
    not_native("an order that is not a number");
}

bool case_equal(Machine& machine, const Object& pattern, const Object& object) {
    switch (pattern.kind()) {
        case Kind::Nil:
        case Kind::True:
        case Kind::False:
        case Kind::Integer:
        case Kind::Float:
        case Kind::Symbol:
        case Kind::String:
        case Kind::Array:
        case Kind::Hash:
            return equal(pattern, object);
        default:
            return machine.send(pattern, "===", std::span(&object, 1)).truthy();
    }
}

bool equal_objects(const Call& call, const Object& left, const Object& right) {
    if (left.is(Kind::Host)) return call.machine.send(left, "==", std::span(&right, 1)).truthy();
    return equal(left, right);
}

std::string text_of(const Call& call, const Object& object) {
    if (!object.is(Kind::Host)) return to_text(object);
    const Object answer = call.machine.send(object, "to_s", {});
    if (!answer.is(Kind::String)) not_native("to_s that answers no String");
    return answer.string().text;
}

void check_changeable(const Call& call, std::uint32_t own_walks) {
    const Object& object = call.self;
    Change change = Change::Frozen;
    const auto look_at = [&](const auto& what) {
        if (what.walked > own_walks) not_native("changing what a block is called for");
        change = what.change;
    };
    if (object.is(Kind::String)) look_at(object.string());
    if (object.is(Kind::Array)) look_at(object.array());
    if (object.is(Kind::Hash)) look_at(object.hash());
    if (change == Change::Watched) call.machine.changes_manifest();
    if (change == Change::Borrowed) not_native("changing a value that others see");
    if (change == Change::Frozen)
        throw Raised{"FrozenError",
                     "can't modify frozen " + std::string(class_name(object)) + ": " + inspect(object)};
}

std::optional<Slice> slice_of(std::int64_t begin, std::int64_t length, std::size_t size) {
    const auto count = static_cast<std::int64_t>(size);
    if (length < 0) return std::nullopt;
    if (begin < 0) begin += count;
    if (begin < 0 || begin > count) return std::nullopt;
    return Slice{static_cast<std::size_t>(begin), static_cast<std::size_t>(std::min(length, count - begin))};
}

std::optional<Slice> slice_of(const Range& range, std::size_t size) {
    const auto count = static_cast<std::int64_t>(size);
    std::int64_t begin = range.first.is_nil() ? 0 : to_integer(range.first);
    std::int64_t end = range.last.is_nil() ? -1 : to_integer(range.last);
    const bool exclusive = range.exclusive && !range.last.is_nil();
    if (begin < 0) begin += count;
    if (begin < 0 || begin > count) return std::nullopt;
    if (end < 0) end += count;
    if (!exclusive && end < count) ++end;
    end = std::min(end, count);
    return Slice{static_cast<std::size_t>(begin),
                 static_cast<std::size_t>(std::max<std::int64_t>(0, end - begin))};
}

}  // namespace volley::ruby
