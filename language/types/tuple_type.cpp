#include <algorithm>

#include "language/errors.hpp"
#include "language/types/types.hpp"

namespace volley::types {

TupleType::TupleType(std::vector<TypePtr> element_types, TypePtr size_type)
    : Type(TypeKind::Tuple),
      types(std::move(element_types)),
      size(size_type ? range(*size_type).to_size() : TypePtr()) {}

TypePtr TupleType::size_range() const {
    if (size) return size;
    const auto count = static_cast<std::int64_t>(types.size());
    return count == 0 ? volley::types::size_range(0) : volley::types::size_range(count, count);
}

bool TupleType::instance(const Value& candidate, TypeGuard& guard) const {
    if (!candidate.is_array()) return false;
    const auto& items = candidate.as_array();
    if (size) {
        if (!range(*size).contains(static_cast<std::int64_t>(items.size()))) return false;
    } else if (!types.empty() && types.size() != items.size()) {
        return false;
    }
    if (types.empty()) return true;
    for (std::size_t i = 0; i < items.size(); ++i) {
        if (!at(i).instance(items[i], guard)) return false;
    }
    return true;
}

TypePtr TupleType::generalize() const {
    const NestingGuard nesting;
    std::vector<TypePtr> parts;
    for (const TypePtr& type : types) parts.push_back(type->generalize());
    return tuple(std::move(parts), size);
}

TypePtr TupleType::normalize() const {
    std::vector<TypePtr> parts;
    for (const TypePtr& type : types) parts.push_back(type->normalize());
    return tuple(std::move(parts), size);
}

TypePtr TupleType::iterable_type() const { return wrap(TypeKind::Iterable, variant(types)); }

void TupleType::print(std::string& out, const PrintOptions& options) const {
    out += "Tuple";
    if (types.empty()) return;
    out += "[";
    for (std::size_t i = 0; i < types.size(); ++i) {
        if (i > 0) out += ", ";
        types[i]->print_inside(out, options);
    }
    if (size && !range(*size).unbounded()) {
        std::string printed;
        size->print(printed, {});
        out += ", " + printed.substr(8, printed.size() - 9);  // what stands inside Integer[...]
    }
    out += "]";
}

void TupleType::for_each_contained(const std::function<void(const Type&)>& visit) const {
    if (size) visit(*size);
    for (const TypePtr& type : types) visit(*type);
}

std::size_t TupleType::hash() const {
    std::size_t result = Type::hash();
    for (const TypePtr& type : types) result = result * 31 + type->hash();
    return result;
}

bool TupleType::accepts(const Type& other, TypeGuard& guard) const {
    if (equals(other)) return true;
    const TypePtr mine = size_range();
    if (other.kind() == TypeKind::Tuple) {
        const auto& that = as<TupleType>(other);
        if (!range(*mine).contains(range(*that.size_range()))) return false;
        if (types.empty()) return true;
        if (that.types.empty()) return range(*mine).from == 0;
        for (std::size_t i = 0; i < that.types.size(); ++i) {
            if (!at(i).assignable(*that.types[i], guard)) return false;
        }
        return true;
    }
    if (other.kind() != TypeKind::Array) return false;
    const auto& that = as<CollectionType>(other);
    if (!range(*mine).contains(that.size_or_any())) return false;
    const auto count = std::min(static_cast<std::int64_t>(types.size()), that.size_or_any().to);
    for (std::int64_t i = 0; i < count; ++i) {
        if (!at(static_cast<std::size_t>(i)).assignable(*that.value, guard)) return false;
    }
    return true;
}

bool TupleType::same(const Type& other) const {
    const auto& that = as<TupleType>(other);
    return equal_or_both_null(size, that.size) &&
           std::equal(types.begin(), types.end(), that.types.begin(), that.types.end(),
                      [](const TypePtr& a, const TypePtr& b) { return a->equals(*b); });
}

TypePtr tuple(std::vector<TypePtr> elements, TypePtr size) {
    return make_shared_object<TupleType>(std::move(elements), std::move(size));
}

}  // namespace volley::types
