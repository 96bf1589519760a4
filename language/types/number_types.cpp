#include <algorithm>
#include <cmath>

#include "language/errors.hpp"
#include "language/text/text.hpp"
#include "language/types/types.hpp"

namespace volley::types {

RangeType::RangeType(TypeKind type_kind, std::int64_t lower, std::int64_t upper)
    : Type(type_kind), from(lower), to(upper) {
    if (lower > upper) {
        const auto shown = [type_kind](std::int64_t number) {
            return type_kind == TypeKind::Integer    ? std::to_string(number)
                   : type_kind == TypeKind::Timespan ? to_text(Value::timespan(number))
                                                     : to_text(Value::timestamp(number));
        };
        throw EvalError("",
                        "'from' must be less or equal to 'to'. Got (" + shown(lower) + ", " + shown(upper));
    }
}

TypePtr RangeType::to_size() const {
    return from >= 0 ? self() : size_range(0, std::max<std::int64_t>(to, 0));
}

TypePtr RangeType::merge(const RangeType& other) const {
    const bool intersect = !(to < other.from || other.to < from);
    const auto touch = [](const RangeType& low, const RangeType& high) {
        return low.to != highest && high.from != lowest && low.to + 1 == high.from;
    };
    const bool adjacent = kind() == TypeKind::Integer && (touch(*this, other) || touch(other, *this));
    if (!intersect && !adjacent) return {};
    return make_shared_object<RangeType>(kind(), std::min(from, other.from), std::max(to, other.to));
}

bool RangeType::instance(const Value& value, TypeGuard&) const {
    const Kind wanted = kind() == TypeKind::Integer    ? Kind::Integer
                        : kind() == TypeKind::Timespan ? Kind::Timespan
                                                       : Kind::Timestamp;
    return value.is(wanted) && contains(value.as_integer());
}

TypePtr RangeType::generalize() const { return default_of(kind()); }

TypePtr RangeType::iterable_type() const {
    return kind() == TypeKind::Integer ? wrap(TypeKind::Iterable, default_of(TypeKind::Integer)) : TypePtr();
}

void RangeType::print(std::string& out, const PrintOptions&) const {
    out += name();
    if (unbounded()) return;
    const auto shown = [this](std::int64_t number) {
        return kind() == TypeKind::Integer    ? std::to_string(number)
               : kind() == TypeKind::Timespan ? puppet_quote(to_text(Value::timespan(number)))
                                              : puppet_quote(to_text(Value::timestamp(number)));
    };
    out += "[" + (from == lowest ? std::string("default") : shown(from));
    const bool same_time = kind() != TypeKind::Integer && from == to;
    if (to != highest && !same_time) out += ", " + shown(to);
    out += "]";
}

std::size_t RangeType::hash() const {
    return Type::hash() ^ (static_cast<std::size_t>(from) * 31 + static_cast<std::size_t>(to));
}

bool RangeType::accepts(const Type& other, TypeGuard&) const {
    return other.kind() == kind() && contains(as<RangeType>(other));
}

bool RangeType::same(const Type& other) const {
    return from == as<RangeType>(other).from && to == as<RangeType>(other).to;
}

FloatType::FloatType(double lower, double upper) : Type(TypeKind::Float), from(lower), to(upper) {
    if (lower > upper) {
        throw EvalError(
            "", "'from' must be less or equal to 'to'. Got (" + float_text(lower) + ", " + float_text(upper));
    }
}

TypePtr FloatType::merge(const FloatType& other) const {
    if (to < other.from || other.to < from) return {};
    return make_shared_object<FloatType>(std::min(from, other.from), std::max(to, other.to));
}

bool FloatType::instance(const Value& value, TypeGuard&) const {
    return value.is(Kind::Float) && value.as_float() >= from && value.as_float() <= to;
}

TypePtr FloatType::generalize() const { return default_of(TypeKind::Float); }

void FloatType::print(std::string& out, const PrintOptions&) const {
    out += "Float";
    if (std::isinf(from) && std::isinf(to)) return;
    out += "[" + (std::isinf(from) ? std::string("default") : float_text(from));
    if (!std::isinf(to)) out += ", " + float_text(to);
    out += "]";
}

bool FloatType::accepts(const Type& other, TypeGuard&) const {
    return other.kind() == TypeKind::Float && from <= as<FloatType>(other).from &&
           to >= as<FloatType>(other).to;
}

bool FloatType::same(const Type& other) const {
    return from == as<FloatType>(other).from && to == as<FloatType>(other).to;
}

TypePtr integer(std::int64_t from, std::int64_t to) {
    return make_shared_object<RangeType>(TypeKind::Integer, from, to);
}
TypePtr size_range(std::int64_t from, std::int64_t to) { return integer(from, to); }

}  // namespace volley::types
