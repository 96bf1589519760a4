#include <algorithm>

#include "language/errors.hpp"
#include "language/types/types.hpp"

namespace volley {

using namespace types;

namespace {

std::vector<std::string> united(std::vector<std::string> words, const std::vector<std::string>& more) {
    words.insert(words.end(), more.begin(), more.end());
    return words;
}

TypePtr enum_of(std::vector<std::string> words) {
    return make_shared_object<EnumType>(std::move(words), false);
}

TypePtr common_text(const Type& a, const Type& b) {
    const StringType* text_a = a.kind() == TypeKind::String ? &as<StringType>(a) : nullptr;
    const StringType* text_b = b.kind() == TypeKind::String ? &as<StringType>(b) : nullptr;
    if (text_a && text_b) {
        if (text_a->size && text_b->size)
            return make_shared_object<StringType>(common_type(text_a->size, text_b->size));
        return text_a->value && text_b->value ? enum_of({*text_a->value, *text_b->value})
                                              : default_of(TypeKind::String);
    }
    if (!text_a && !text_b) return enum_of(united(as<EnumType>(a).values, as<EnumType>(b).values));
    const StringType& text = text_a ? *text_a : *text_b;
    const EnumType& words = as<EnumType>(text_a ? b : a);
    return text.value ? enum_of(united(words.values, {*text.value})) : default_of(TypeKind::Enum);
}

TypePtr common_of_same_kind(const TypePtr& a, const TypePtr& b) {
    switch (a->kind()) {
        case TypeKind::Array:
            return array_of(common_type(as<CollectionType>(*a).value, as<CollectionType>(*b).value));
        case TypeKind::Hash:
            return hash_of(common_type(as<CollectionType>(*a).key, as<CollectionType>(*b).key),
                           common_type(as<CollectionType>(*a).value, as<CollectionType>(*b).value));
        case TypeKind::Class:
        case TypeKind::Regexp:
        case TypeKind::Callable:
            return default_of(a->kind());
        case TypeKind::Resource: {
            const auto& name = as<CatalogType>(*a).type_name;
            if (name != as<CatalogType>(*b).type_name) return default_of(TypeKind::Resource);
            return make_shared_object<CatalogType>(TypeKind::Resource, name, std::nullopt);
        }
        case TypeKind::Integer:
            return integer(std::min(range(*a).from, range(*b).from), std::max(range(*a).to, range(*b).to));
        case TypeKind::Float:
            return make_shared_object<FloatType>(std::min(as<FloatType>(*a).from, as<FloatType>(*b).from),
                                                 std::max(as<FloatType>(*a).to, as<FloatType>(*b).to));
        case TypeKind::Pattern: {
            auto patterns = as<PatternType>(*a).patterns;
            const auto& more = as<PatternType>(*b).patterns;
            patterns.insert(patterns.end(), more.begin(), more.end());
            return make_shared_object<PatternType>(std::move(patterns));
        }
        case TypeKind::Variant: {
            auto choices = as<VariantType>(*a).types;
            const auto& more = as<VariantType>(*b).types;
            choices.insert(choices.end(), more.begin(), more.end());
            return variant(std::move(choices));
        }
        default:
            return {};
    }
}

bool is_text(const Type& type) { return type.kind() == TypeKind::String || type.kind() == TypeKind::Enum; }

}  // namespace

TypePtr common_type(const TypePtr& a, const TypePtr& b) {
    const NestingGuard guard;
    if (!a || a->kind() == TypeKind::Undef) return b;
    if (!b || b->kind() == TypeKind::Undef) return a;
    if (a->kind() == TypeKind::Unit) return b;
    if (b->kind() == TypeKind::Unit) return a;
    if (is_assignable(*a, *b)) return a;
    if (is_assignable(*b, *a)) return b;
    if (a->kind() == b->kind() && !is_text(*a)) {
        if (TypePtr common = common_of_same_kind(a, b)) return common;
    }
    if (is_text(*a) && is_text(*b)) return common_text(*a, *b);
    for (const TypePtr& wide :
         {simple(TypeKind::Numeric), simple(TypeKind::ScalarData), simple(TypeKind::Scalar), data()}) {
        if (is_assignable(*wide, *a) && is_assignable(*wide, *b)) return wide;
    }
    if (a->kind() == TypeKind::Type && b->kind() == TypeKind::Type) {
        const TypePtr& inner_a = as<WrapperType>(*a).type;
        const TypePtr& inner_b = as<WrapperType>(*b).type;
        return wrap(TypeKind::Type, inner_a && inner_b ? common_type(inner_a, inner_b)
                                    : inner_a          ? inner_a
                                                       : inner_b);
    }
    const TypePtr rich = rich_data();
    return is_assignable(*rich, *a) && is_assignable(*rich, *b) ? rich : any();
}

}  // namespace volley
