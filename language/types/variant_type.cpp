#include <algorithm>

#include "language/errors.hpp"
#include "language/types/types.hpp"
#include "support/text.hpp"

namespace volley::types {
namespace {

using Choices = std::vector<TypePtr>;

Choices variant_type_flatten(const Choices& types) {
    Choices flat;
    for (const TypePtr& type : types) {
        if (type->kind() == TypeKind::Variant) {
            const auto& inner = as<VariantType>(*type).types;
            flat.insert(flat.end(), inner.begin(), inner.end());
        } else {
            flat.push_back(type);
        }
    }
    return flat;
}

Choices unique(const Choices& types) {
    Choices result;
    for (const TypePtr& type : types) {
        const bool known = std::any_of(result.begin(), result.end(),
                                       [&type](const TypePtr& other) { return other->equals(*type); });
        if (!known) result.push_back(type);
    }
    return result;
}

/// Takes out what `wanted` holds of; the rest stays in `types`.
template <class Predicate>
Choices split_off(Choices& types, Predicate wanted) {
    Choices taken;
    Choices rest;
    for (TypePtr& type : types) (wanted(*type) ? taken : rest).push_back(type);
    if (taken.size() < 2) return {};
    types = std::move(rest);
    return taken;
}

void merge_not_undefs(Choices& types) {
    const Choices found =
        split_off(types, [](const Type& type) { return type.kind() == TypeKind::NotUndef; });
    if (found.empty()) return;
    Choices inner;
    for (const TypePtr& type : found) {
        const TypePtr& contained = as<WrapperType>(*type).type;
        inner.push_back(contained ? contained : any());
    }
    types.push_back(not_undef(VariantType::create(std::move(inner))->normalize()));
}

void merge_enums(Choices& types) {
    const Choices exact = split_off(types, [](const Type& type) {
        if (type.kind() == TypeKind::String) return as<StringType>(type).value.has_value();
        return type.kind() == TypeKind::Enum && !as<EnumType>(type).values.empty() &&
               !as<EnumType>(type).case_insensitive;
    });
    if (!exact.empty()) {
        std::vector<std::string> words;
        for (const TypePtr& type : exact) {
            if (type->kind() == TypeKind::String)
                words.push_back(*as<StringType>(*type).value);
            else
                words.insert(words.end(), as<EnumType>(*type).values.begin(),
                             as<EnumType>(*type).values.end());
        }
        types.push_back(make_shared_object<EnumType>(std::move(words), false));
    }
    const Choices loose = split_off(types, [](const Type& type) {
        return type.kind() == TypeKind::Enum && !as<EnumType>(type).values.empty() &&
               as<EnumType>(type).case_insensitive;
    });
    if (loose.empty()) return;
    std::vector<std::string> words;
    for (const TypePtr& type : loose) {
        for (const std::string& word : as<EnumType>(*type).values) words.push_back(lower(word));
    }
    types.push_back(make_shared_object<EnumType>(std::move(words), true));
}

void merge_patterns(Choices& types) {
    const Choices found = split_off(types, [](const Type& type) { return type.kind() == TypeKind::Pattern; });
    if (found.empty()) return;
    std::vector<Ref<const volley::Regexp>> patterns;
    for (const TypePtr& type : found) {
        const auto& more = as<PatternType>(*type).patterns;
        patterns.insert(patterns.end(), more.begin(), more.end());
    }
    types.push_back(make_shared_object<PatternType>(std::move(patterns)));
}

/// Joins the ranges that overlap, starting with the last, as Puppet does.
template <class T>
void merge_ranges(Choices& types, TypeKind kind) {
    Choices found = split_off(types, [kind](const Type& type) { return type.kind() == kind; });
    if (found.empty()) return;
    Choices merged;
    while (!found.empty()) {
        TypePtr current = found.back();
        found.pop_back();
        Choices apart;
        for (const TypePtr& other : found) {
            if (const TypePtr joined = as<T>(*current).merge(as<T>(*other)))
                current = joined;
            else
                apart.push_back(other);
        }
        merged.push_back(current);
        found = std::move(apart);
    }
    types.insert(types.begin(), merged.begin(), merged.end());
}

}  // namespace

TypePtr VariantType::create(Choices choices) {
    Choices flat = unique(variant_type_flatten(choices));
    if (flat.size() == 1) return flat.front();
    return make_shared_object<VariantType>(std::move(flat));
}

bool VariantType::instance(const Value& value, TypeGuard& guard) const {
    return std::any_of(types.begin(), types.end(),
                       [&](const TypePtr& type) { return type->instance(value, guard); });
}

int VariantType::really_instance(const Value& value, TypeGuard& guard) const {
    int best = -1;
    for (const TypePtr& type : types) {
        best = std::max(best, type->really_instance(value, guard));
        if (best > 0) break;
    }
    return best;
}

bool VariantType::assignable(const Type& other, TypeGuard& guard) const {
    if (types.empty()) {
        if (other.kind() == TypeKind::Undef) return false;
        if (other.kind() == TypeKind::Variant) return true;
    }
    return Type::assignable(other, guard);
}

bool VariantType::accepts(const Type& other, TypeGuard& guard) const {
    return std::any_of(types.begin(), types.end(),
                       [&](const TypePtr& type) { return type->assignable(other, guard); });
}

TypePtr VariantType::generalize() const {
    const NestingGuard nesting;
    if (types.empty()) return self();
    Choices general;
    for (const TypePtr& type : types) general.push_back(type->generalize());
    return create(std::move(general));
}

TypePtr VariantType::normalize() const {
    if (types.empty()) return self();
    Choices list;
    for (const TypePtr& type : types) list.push_back(type->normalize());
    if (list.size() == 1) return list.front();
    const auto takes_undef = [](const TypePtr& type) {
        return type->kind() == TypeKind::Undef || type->kind() == TypeKind::Optional;
    };
    if (std::any_of(list.begin(), list.end(), takes_undef)) {
        Choices others;
        for (const TypePtr& type : list) {
            if (type->kind() == TypeKind::Undef) continue;
            const bool is_optional = type->kind() == TypeKind::Optional;
            const TypePtr contained = is_optional ? as<WrapperType>(*type).type : type;
            others.push_back(contained ? contained : any());
        }
        return optional(create(std::move(others)))->normalize();
    }
    list = variant_type_flatten(list);
    merge_not_undefs(list);
    merge_enums(list);
    merge_patterns(list);
    merge_ranges<RangeType>(list, TypeKind::Integer);
    merge_ranges<FloatType>(list, TypeKind::Float);
    merge_ranges<RangeType>(list, TypeKind::Timespan);
    merge_ranges<RangeType>(list, TypeKind::Timestamp);
    return create(std::move(list));
}

void VariantType::print(std::string& out, const PrintOptions& options) const {
    out += "Variant";
    for (std::size_t i = 0; i < types.size(); ++i) {
        out += i == 0 ? "[" : ", ";
        types[i]->print_inside(out, options);
    }
    if (!types.empty()) out += "]";
}

void VariantType::for_each_contained(const std::function<void(const Type&)>& visit) const {
    for (const TypePtr& type : types) visit(*type);
}

bool VariantType::is_callable(bool optional_too) const {
    return std::all_of(types.begin(), types.end(),
                       [&](const TypePtr& type) { return type->is_callable(optional_too); });
}

std::size_t VariantType::hash() const {
    std::size_t result = Type::hash();
    for (const TypePtr& type : types) result += type->hash();
    return result;
}

bool VariantType::same(const Type& other) const { return same_members(types, as<VariantType>(other).types); }

TypePtr variant(Choices choices) { return VariantType::create(std::move(choices)); }

}  // namespace volley::types
