#include "language/ruby/native/object.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "language/execution_state.hpp"

namespace volley::ruby {
namespace {

using Kind = Object::Kind;

void object_check_depth() {
    if (stack_is_low()) throw NotNative{"objects that are nested too deeply"};
}

template <class T>
int object_order(const T& left, const T& right) {
    return left < right ? -1 : right < left ? 1 : 0;
}

/// Exact, unlike a conversion to double: 2**53 + 1 is more than (2**53).to_f. nullopt for NaN.
std::optional<int> order_integer_float(std::int64_t integer, double number) {
    if (std::isnan(number)) return std::nullopt;
    if (number >= 9223372036854775808.0) return -1;
    if (number < -9223372036854775808.0) return 1;
    const auto whole = static_cast<std::int64_t>(number);
    if (integer != whole) return integer < whole ? -1 : 1;
    const double rest = number - static_cast<double>(whole);
    return rest > 0 ? -1 : rest < 0 ? 1 : 0;
}

/// == of what containers hold. Ruby takes one and the same NaN for equal; which one it is, is not known here.
bool equal_inside(const Object& left, const Object& right) {
    if (left.is(Kind::Float) && right.is(Kind::Float) && std::isnan(left.number()) &&
        std::isnan(right.number()))
        throw NotNative{"NaN in a collection"};
    return equal(left, right);
}

bool equal_arrays(const Array& left, const Array& right, bool (*alike)(const Object&, const Object&)) {
    return &left == &right ||
           std::equal(left.items.begin(), left.items.end(), right.items.begin(), right.items.end(), alike);
}

bool equal_hashes(const Hash& left, const Hash& right, bool (*alike)(const Object&, const Object&)) {
    if (&left == &right) return true;
    if (left.entries.size() != right.entries.size()) return false;
    for (const Hash::Entry& entry : left.entries) {
        const Object* const other = right.find(entry.key);
        if (!other || !alike(entry.value, *other)) return false;
    }
    return true;
}

bool equal_ranges(const Range& left, const Range& right, bool (*alike)(const Object&, const Object&)) {
    return left.exclusive == right.exclusive && alike(left.first, right.first) &&
           alike(left.last, right.last);
}

bool equal_matches(const Match& left, const Match& right) {
    if (!left.pattern->equals(*right.pattern) || left.subject != right.subject) return false;
    return std::equal(left.found.groups.begin(), left.found.groups.end(), right.found.groups.begin(),
                      right.found.groups.end(),
                      [](const auto& a, const auto& b) { return a.begin == b.begin && a.end == b.end; });
}

/// For kinds that == and eql? treat alike once numbers have been looked at.
bool alike_objects(const Object& left, const Object& right, bool (*alike)(const Object&, const Object&)) {
    object_check_depth();
    switch (left.kind()) {
        case Kind::String:
            return left.string().text == right.string().text;
        case Kind::Symbol:
        case Kind::Module:
            return &left.name() == &right.name() || left.name() == right.name();
        case Kind::Array:
            return equal_arrays(left.array(), right.array(), alike);
        case Kind::Hash:
            return equal_hashes(left.hash(), right.hash(), alike);
        case Kind::Range:
            return equal_ranges(left.range(), right.range(), alike);
        case Kind::Pattern:
            return &left.pattern() == &right.pattern() || left.pattern().equals(right.pattern());
        case Kind::Match:
            return equal_matches(left.match(), right.match());
        case Kind::Foreign:
            return left.foreign() == right.foreign();
        default:
            return left.identical(right);
    }
}

std::optional<int> compare_arrays(const Array& left, const Array& right) {
    const std::size_t shared = std::min(left.items.size(), right.items.size());
    for (std::size_t at = 0; at < shared; ++at) {
        const auto order = compare(left.items[at], right.items[at]);
        if (order != 0) return order;
    }
    return object_order(left.items.size(), right.items.size());
}

}  // namespace

bool equal(const Object& left, const Object& right) {
    if (left.is(Kind::Integer) && right.is(Kind::Float))
        return order_integer_float(left.integer(), right.number()) == 0;
    if (left.is(Kind::Float) && right.is(Kind::Integer))
        return order_integer_float(right.integer(), left.number()) == 0;
    if (left.kind() != right.kind()) return false;
    if (left.is(Kind::Integer)) return left.integer() == right.integer();
    if (left.is(Kind::Float)) return left.number() == right.number();
    return alike_objects(left, right, equal_inside);
}

bool same(const Object& left, const Object& right) {
    if (left.kind() != right.kind()) return false;
    if (left.is(Kind::Integer)) return left.integer() == right.integer();
    if (left.is(Kind::Float)) {
        if (std::isnan(left.number()) && std::isnan(right.number())) throw NotNative{"NaN in a collection"};
        return left.number() == right.number();
    }
    return alike_objects(left, right, same);
}

std::optional<int> compare(const Object& left, const Object& right) {
    if (left.is(Kind::Integer) && right.is(Kind::Integer))
        return object_order(left.integer(), right.integer());
    if (left.is(Kind::Integer) && right.is(Kind::Float))
        return order_integer_float(left.integer(), right.number());
    if (left.is(Kind::Float) && right.is(Kind::Integer)) {
        const auto order = order_integer_float(right.integer(), left.number());
        return order ? std::optional(-*order) : order;
    }
    if (left.is(Kind::Foreign) || left.is(Kind::Module)) throw NotNative{"<=> of types"};
    if (left.kind() != right.kind()) return std::nullopt;
    object_check_depth();
    switch (left.kind()) {
        case Kind::Float:
            if (std::isnan(left.number()) || std::isnan(right.number())) return std::nullopt;
            return object_order(left.number(), right.number());
        case Kind::String: {
            const int order = left.string().text.compare(right.string().text);
            return order < 0 ? -1 : order > 0 ? 1 : 0;
        }
        case Kind::Symbol: {
            const int order = left.name().compare(right.name());
            return order < 0 ? -1 : order > 0 ? 1 : 0;
        }
        case Kind::Array:
            return compare_arrays(left.array(), right.array());
        default:
            return equal(left, right) ? std::optional(0) : std::nullopt;
    }
}

std::size_t ObjectHash::operator()(const Object& object) const {
    object_check_depth();
    const auto mix = [](std::size_t seed, std::size_t more) {
        return (seed ^ more) * 0x9E3779B97F4A7C15ULL + 1;
    };
    const auto kind = static_cast<std::size_t>(object.kind());
    switch (object.kind()) {
        case Kind::Integer:
            return mix(kind, static_cast<std::size_t>(object.integer()));
        case Kind::Float:
            return mix(kind, std::hash<double>{}(object.number()));  // the same for 0.0 and -0.0
        case Kind::Symbol:
        case Kind::Module:
            return mix(kind, std::hash<std::string>{}(object.name()));
        case Kind::String:
            return mix(kind, std::hash<std::string>{}(object.string().text));
        case Kind::Array: {
            std::size_t seed = kind;
            for (const Object& item : object.array().items) seed = mix(seed, (*this)(item));
            return seed;
        }
        case Kind::Hash: {  // whatever the order of the entries
            std::size_t sum = kind;
            for (const auto& entry : object.hash().entries)
                sum += mix((*this)(entry.key), (*this)(entry.value));
            return sum;
        }
        case Kind::Range:
            return mix(mix(kind, (*this)(object.range().first)), (*this)(object.range().last));
        case Kind::Pattern:
            return mix(kind, object.pattern().hash());
        case Kind::Match:
            return mix(kind, std::hash<std::string_view>{}(object.match().subject));
        case Kind::Foreign:
            return mix(kind, object.foreign().hash_code());
        case Kind::Nil:
        case Kind::False:
        case Kind::True:
            return mix(kind, 0);
        default:
            return mix(kind, static_cast<std::size_t>(object.kind()));
    }
}

bool ObjectSame::operator()(const Object& left, const Object& right) const { return same(left, right); }

}  // namespace volley::ruby
