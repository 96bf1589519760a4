#include "language/callable.hpp"
#include "language/errors.hpp"
#include "language/text/text.hpp"
#include "language/types/types.hpp"

namespace volley::types {

namespace {

TypePtr normal_form(TypeKind kind, TypePtr contained) {
    // Optional[Any] stays; NotUndef[Any], Sensitive[Any] are the same as without.
    if (contained && contained->kind() == TypeKind::Any &&
        (kind == TypeKind::NotUndef || kind == TypeKind::Sensitive)) {
        return {};
    }
    return kind == TypeKind::Sensitive && contained ? contained->generalize() : contained;
}

bool takes_anything(const TypePtr& type) { return !type || is_assignable(*type, *any()); }

bool can_be_iterated(const Value& value) {
    switch (value.kind()) {
        case Kind::String:
        case Kind::Array:
        case Kind::Hash:
        case Kind::Iterator:
            return true;
        case Kind::Integer:
            return value.as_integer() >= 0;
        case Kind::Object:
            return static_cast<bool>(value.as<ObjectBase>().type()->iterable_type());
        case Kind::Type: {
            const TypePtr type = value.as_type();
            const Type& meaning = type->kind() == TypeKind::Alias ? as<AliasType>(*type).resolved() : *type;
            return meaning.kind() == TypeKind::Enum ||
                   (meaning.kind() == TypeKind::Integer && as<RangeType>(meaning).finite());
        }
        default:
            return false;
    }
}

}  // namespace

WrapperType::WrapperType(TypeKind type_kind, TypePtr contained)
    : Type(type_kind), type(normal_form(type_kind, std::move(contained))) {}

bool WrapperType::instance(const Value& value, TypeGuard& guard) const {
    switch (kind()) {
        case TypeKind::Optional:
            return value.is_undef() || (type && type->instance(value, guard));
        case TypeKind::NotUndef:
            return !value.is_undef() && (!type || type->instance(value, guard));
        case TypeKind::Type:
            return value.is(Kind::Type) && assignable_or_any(type, *value.as_type(), guard);
        case TypeKind::Sensitive:
            return value.is(Kind::Sensitive) && (!type || type->instance(value.unwrap_sensitive(), guard));
        case TypeKind::Iterable:
            return takes_anything(type) ? can_be_iterated(value) : assignable(*infer(value), guard);
        default:
            return assignable(*infer(value), guard);
    }
}

TypePtr WrapperType::generalize() const {
    const NestingGuard nesting;
    return type ? wrap(kind(), type->generalize()) : self();
}

TypePtr WrapperType::normalize() const {
    if (!type) return self();
    TypePtr inner = type->normalize();
    if (kind() == TypeKind::Optional) {
        if (inner->kind() == TypeKind::NotUndef) return optional(as<WrapperType>(*inner).type)->normalize();
        if (is_assignable(*inner, *undef())) return inner;
    }
    if (kind() == TypeKind::NotUndef) {
        if (inner->kind() == TypeKind::Optional) return not_undef(as<WrapperType>(*inner).type)->normalize();
        if (!is_assignable(*inner, *undef())) return inner;
    }
    return wrap(kind(), inner);
}

TypePtr WrapperType::iterable_type() const {
    switch (kind()) {
        case TypeKind::Iterable:
            return self();
        case TypeKind::Iterator:
            return wrap(TypeKind::Iterable, type);
        case TypeKind::Type: {
            if (!type) return {};
            const bool countable = type->kind() == TypeKind::Enum ||
                                   (type->kind() == TypeKind::Integer && range(*type).finite());
            return countable ? wrap(TypeKind::Iterable, type) : TypePtr();
        }
        default:
            return {};
    }
}

void WrapperType::print(std::string& out, const PrintOptions& options) const {
    out += name();
    if (!type) return;
    out += "[";
    const bool literal = (kind() == TypeKind::Optional || kind() == TypeKind::NotUndef) &&
                         type->kind() == TypeKind::String && as<StringType>(*type).value;
    if (literal)
        out += puppet_quote(*as<StringType>(*type).value);
    else
        type->print_inside(out, options);
    out += "]";
}

void WrapperType::for_each_contained(const std::function<void(const Type&)>& visit) const {
    if (type) visit(*type);
}

bool WrapperType::is_callable(bool optional_too) const {
    return kind() == TypeKind::Optional && optional_too && type && type->is_callable(optional_too);
}

std::size_t WrapperType::hash() const { return Type::hash() ^ (type ? type->hash() * 31 : 0); }

bool WrapperType::accepts(const Type& other, TypeGuard& guard) const {
    switch (kind()) {
        case TypeKind::Optional:
            if (other.kind() == TypeKind::Undef || !type) return true;
            return type->assignable(other, guard);
        case TypeKind::NotUndef:
            return !is_assignable(other, *undef()) && assignable_or_any(type, other, guard);
        case TypeKind::Iterable: {
            const TypePtr iterable = other.iterable_type();
            if (takes_anything(type)) return static_cast<bool>(iterable);
            if (!iterable || !as<WrapperType>(*iterable).type) return false;
            return type->assignable(*as<WrapperType>(*iterable).type, guard);
        }
        case TypeKind::Iterator: {
            if (other.kind() != TypeKind::Iterator) return false;
            if (!type) return true;
            return as<WrapperType>(other).type && type->assignable(*as<WrapperType>(other).type, guard);
        }
        default: {  // Type, Sensitive
            if (other.kind() != kind()) return false;
            if (!type) return true;
            const TypePtr& theirs = as<WrapperType>(other).type;
            return theirs ? type->assignable(*theirs, guard)
                          : kind() == TypeKind::Sensitive && takes_anything(type);
        }
    }
}

bool WrapperType::same(const Type& other) const {
    return equal_or_both_null(type, as<WrapperType>(other).type);
}

TypePtr wrap(TypeKind kind, TypePtr contained) {
    return make_shared_object<WrapperType>(kind, std::move(contained));
}
TypePtr optional(TypePtr type) { return wrap(TypeKind::Optional, std::move(type)); }
TypePtr not_undef(TypePtr type) { return wrap(TypeKind::NotUndef, std::move(type)); }

}  // namespace volley::types
