#include <algorithm>

#include "language/errors.hpp"
#include "language/types/types.hpp"

namespace volley::types {
namespace {

const RangeType& any_size() {
    static const TypePtr type = size_range(0);
    return range(*type);
}

void append_size(std::string& out, const TypePtr& size, bool first) {
    if (!size || range(*size).unbounded()) return;
    std::string printed;
    size->print(printed, {});
    const auto begin = std::string_view("Integer[").size();
    out += (first ? "" : ", ") + printed.substr(begin, printed.size() - begin - 1);
}

bool is_empty_only(const TypePtr& size) { return size && range(*size).from == 0 && range(*size).to == 0; }

TypePtr element_or_default(TypeKind kind, const TypePtr& type, const TypePtr& size) {
    if (kind == TypeKind::Collection) return {};
    if (is_empty_only(size)) return simple(TypeKind::Unit);
    return type ? type : any();
}

bool is_any(const TypePtr& type) { return !type || type->kind() == TypeKind::Any; }

}  // namespace

CollectionType::CollectionType(TypeKind type_kind, TypePtr key_type, TypePtr value_type, TypePtr size_type)
    : Type(type_kind),
      size(size_type ? range(*size_type).to_size() : TypePtr()),
      key(type_kind == TypeKind::Hash ? element_or_default(type_kind, key_type, size_type) : TypePtr()),
      value(element_or_default(type_kind, value_type, size_type)) {}

const RangeType& CollectionType::size_or_any() const { return size ? range(*size) : any_size(); }

bool CollectionType::empty_only() const { return is_empty_only(size); }

bool CollectionType::instance(const Value& candidate, TypeGuard& guard) const {
    const auto fits = [this](std::size_t count) {
        return size_or_any().contains(static_cast<std::int64_t>(count));
    };
    if (kind() == TypeKind::Collection) {
        return (candidate.is_array() && fits(candidate.as_array().size())) ||
               (candidate.is_hash() && fits(candidate.as_hash().size()));
    }
    if (kind() == TypeKind::Array) {
        if (!candidate.is_array() || !fits(candidate.as_array().size())) return false;
        return std::all_of(candidate.as_array().begin(), candidate.as_array().end(),
                           [&](const Value& item) { return value->instance(item, guard); });
    }
    if (!candidate.is_hash() || !fits(candidate.as_hash().size())) return false;
    return std::all_of(candidate.as_hash().begin(), candidate.as_hash().end(),
                       [&](const volley::Hash::Entry& entry) {
                           return key->instance(entry.key, guard) && value->instance(entry.value, guard);
                       });
}

TypePtr CollectionType::generalize() const {
    const NestingGuard nesting;
    if (kind() == TypeKind::Collection) return default_of(kind());
    if (kind() == TypeKind::Array) {
        if (is_any(value)) return default_of(kind());
        return array_of(value->generalize());
    }
    const bool is_empty_hash = empty_only() && key->kind() == TypeKind::Unit;
    if (is_empty_hash || (is_any(key) && is_any(value) && !size)) return self();
    return hash_of(key->generalize(), value->generalize());
}

TypePtr CollectionType::normalize() const {
    if (kind() == TypeKind::Collection) return default_of(kind());
    if (kind() == TypeKind::Array) {
        if (is_any(value)) return default_of(kind());  // compatibility: this loses the size
        return array_of(value->normalize(), size);
    }
    if (empty_only() || (is_any(key) && is_any(value) && !size)) return self();
    return hash_of(key->normalize(), value->normalize(), size);
}

TypePtr CollectionType::iterable_type() const {
    if (kind() == TypeKind::Collection) return default_of(TypeKind::Iterable);
    if (kind() == TypeKind::Array)
        return is_any(value) ? default_of(TypeKind::Iterable) : wrap(TypeKind::Iterable, value);
    if (empty_only() || (is_any(key) && is_any(value) && !size)) {
        return wrap(TypeKind::Iterable,
                    tuple({simple(TypeKind::Unit), simple(TypeKind::Unit)}, size_range(2, 2)));
    }
    return wrap(TypeKind::Iterable, tuple({key, value}, size_range(2, 2)));
}

void CollectionType::print(std::string& out, const PrintOptions& options) const {
    out += name();
    if (kind() == TypeKind::Collection) {
        if (!size || range(*size).unbounded()) return;
        out += "[";
        append_size(out, size, true);
        out += "]";
        return;
    }
    if (empty_only()) {
        out += "[0, 0]";
        return;
    }
    if (is_any(value) && is_any(key) && !size) return;
    out += "[";
    if (key) {
        key->print_inside(out, options);
        out += ", ";
    }
    value->print_inside(out, options);
    append_size(out, size, false);
    out += "]";
}

void CollectionType::for_each_contained(const std::function<void(const Type&)>& visit) const {
    for (const TypePtr& part : {size, key, value}) {
        if (part) visit(*part);
    }
}

std::size_t CollectionType::hash() const {
    return Type::hash() ^ (size ? size->hash() : 0) ^ (key ? key->hash() * 31 : 0) ^
           (value ? value->hash() * 37 : 0);
}

bool CollectionType::accepts(const Type& other, TypeGuard& guard) const {
    if (kind() == TypeKind::Array) return accepts_array(other, guard);
    if (kind() == TypeKind::Hash) return accepts_hash(other, guard);
    switch (other.kind()) {
        case TypeKind::Collection:
        case TypeKind::Array:
        case TypeKind::Hash:
            return size_or_any().contains(as<CollectionType>(other).size_or_any());
        case TypeKind::Tuple: {
            const auto& that = as<TupleType>(other);
            const auto count = static_cast<std::int64_t>(that.types.size());
            return size_or_any().contains(range(that.size ? *that.size : *size_range(count, count)));
        }
        case TypeKind::Struct: {
            return size_or_any().contains(static_cast<std::int64_t>(as<StructType>(other).elements.size()));
        }
        default:
            return false;
    }
}

bool CollectionType::accepts_array(const Type& other, TypeGuard& guard) const {
    if (other.kind() == TypeKind::Array) {
        const auto& that = as<CollectionType>(other);
        return size_or_any().contains(that.size_or_any()) && value->assignable(*that.value, guard);
    }
    if (other.kind() != TypeKind::Tuple) return false;
    const auto& that = as<TupleType>(other);
    const auto count = static_cast<std::int64_t>(that.types.size());
    const TypePtr that_size = that.size ? that.size : size_range(count, count);
    if (!size_or_any().contains(range(*that_size))) return false;
    return std::all_of(that.types.begin(), that.types.end(),
                       [&](const TypePtr& type) { return value->assignable(*type, guard); });
}

bool CollectionType::accepts_hash(const Type& other, TypeGuard& guard) const {
    if (other.kind() == TypeKind::Hash) {
        const auto& that = as<CollectionType>(other);
        const bool that_empty = that.empty_only() && that.key->kind() == TypeKind::Unit;
        if (that_empty && (!size || range(*size).from == 0)) return true;
        return key->assignable(*that.key, guard) && value->assignable(*that.value, guard) &&
               size_or_any().contains(that.size_or_any());
    }
    if (other.kind() != TypeKind::Struct) return false;
    const auto& members = as<StructType>(other).elements;
    if (!size_or_any().contains(static_cast<std::int64_t>(members.size()))) return false;
    return std::all_of(members.begin(), members.end(), [&](const StructType::Element& member) {
        return key->instance(Value(member.name), guard) && value->assignable(*member.value, guard);
    });
}

bool CollectionType::same(const Type& other) const {
    const auto& that = as<CollectionType>(other);
    return equal_or_both_null(size, that.size) && equal_or_both_null(key, that.key) &&
           equal_or_both_null(value, that.value);
}

TypePtr array_of(TypePtr element, TypePtr size) {
    return make_shared_object<CollectionType>(TypeKind::Array, TypePtr(), std::move(element),
                                              std::move(size));
}

TypePtr hash_of(TypePtr key, TypePtr value, TypePtr size) {
    return make_shared_object<CollectionType>(TypeKind::Hash, std::move(key), std::move(value),
                                              std::move(size));
}

}  // namespace volley::types
