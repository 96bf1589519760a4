#include "language/errors.hpp"
#include "language/types/object_type.hpp"
#include "language/types/type_kinds.hpp"
#include "language/types/type_set.hpp"
#include "language/types/types.hpp"

namespace volley::types {
namespace {

bool is_scalar_data_kind(TypeKind kind) {
    switch (kind) {
        case TypeKind::ScalarData:
        case TypeKind::Numeric:
        case TypeKind::Integer:
        case TypeKind::Float:
        case TypeKind::Boolean:
        case TypeKind::String:
        case TypeKind::Enum:
        case TypeKind::Pattern:
            return true;
        default:
            return false;
    }
}

bool is_scalar_kind(TypeKind kind) {
    switch (kind) {
        case TypeKind::Scalar:
        case TypeKind::Regexp:
        case TypeKind::SemVer:
        case TypeKind::SemVerRange:
        case TypeKind::Timespan:
        case TypeKind::Timestamp:
            return true;
        default:
            return is_scalar_data_kind(kind);
    }
}

bool is_scalar_data(Kind kind) {
    return kind == Kind::String || kind == Kind::Integer || kind == Kind::Float || kind == Kind::Boolean;
}

}  // namespace

bool SimpleType::instance(const Value& value, TypeGuard& guard) const {
    switch (kind()) {
        case TypeKind::Any:
        case TypeKind::Unit:
            return true;
        case TypeKind::Undef:
            return value.is_undef();
        case TypeKind::Default:
            return value.is(Kind::Default);
        case TypeKind::Numeric:
            return value.is_number();
        case TypeKind::ScalarData:
            return is_scalar_data(value.kind());
        case TypeKind::Scalar:
            return is_scalar_data(value.kind()) || value.is(Kind::Regexp) || value.is(Kind::SemVer) ||
                   value.is(Kind::SemVerRange) || value.is(Kind::Timespan) || value.is(Kind::Timestamp);
        case TypeKind::SemVerRange:
            return value.is(Kind::SemVerRange);
        case TypeKind::Binary:
            return value.is(Kind::Binary);
        default:
            return assignable(*infer(value), guard);
    }
}

bool SimpleType::assignable(const Type& other, TypeGuard& guard) const {
    return kind() == TypeKind::Unit || Type::assignable(other, guard);
}

bool SimpleType::accepts(const Type& other, TypeGuard&) const {
    switch (kind()) {
        case TypeKind::Any:
            return true;
        case TypeKind::Scalar:
            return is_scalar_kind(other.kind());
        case TypeKind::ScalarData:
            return is_scalar_data_kind(other.kind());
        case TypeKind::Numeric:
            return other.kind() == TypeKind::Numeric || other.kind() == TypeKind::Integer ||
                   other.kind() == TypeKind::Float;
        case TypeKind::CatalogEntry:
            return other.kind() == TypeKind::CatalogEntry || other.kind() == TypeKind::Class ||
                   other.kind() == TypeKind::Resource;
        default:
            return other.kind() == kind();
    }
}

TypePtr simple(TypeKind kind) { return default_of(kind); }
// Apart from the table of defaults, because making that needs them.
TypePtr any() {
    static const TypePtr type = make_shared_object<SimpleType>(TypeKind::Any);
    return type;
}
TypePtr undef() { return default_of(TypeKind::Undef); }

namespace {

TypePtr make_default(TypeKind kind) {
    if (is_wrapper(kind)) return make_shared_object<WrapperType>(kind, TypePtr());
    switch (kind) {
        case TypeKind::Integer:
        case TypeKind::Timespan:
        case TypeKind::Timestamp:
            return make_shared_object<RangeType>(kind, RangeType::lowest, RangeType::highest);
        case TypeKind::Float:
            return make_shared_object<FloatType>(-std::numeric_limits<double>::infinity(),
                                                 std::numeric_limits<double>::infinity());
        case TypeKind::Boolean:
            return make_shared_object<BooleanType>(std::nullopt);
        case TypeKind::String:
            return make_shared_object<StringType>();
        case TypeKind::Enum:
            return make_shared_object<EnumType>(std::vector<std::string>(), false);
        case TypeKind::Pattern:
            return make_shared_object<PatternType>(std::vector<Ref<const volley::Regexp>>());
        case TypeKind::Regexp:
            return make_shared_object<RegexpType>();
        case TypeKind::Collection:
        case TypeKind::Array:
        case TypeKind::Hash:
            return make_shared_object<CollectionType>(kind, TypePtr(), TypePtr(), TypePtr());
        case TypeKind::Tuple:
            return make_shared_object<TupleType>(std::vector<TypePtr>(), TypePtr());
        case TypeKind::Struct:
            return make_shared_object<StructType>(std::vector<StructType::Element>());
        case TypeKind::Variant:
            return make_shared_object<VariantType>(std::vector<TypePtr>());
        case TypeKind::Callable:
            return make_shared_object<CallableType>(TypePtr(), TypePtr(), TypePtr());
        case TypeKind::Class:
        case TypeKind::Resource:
            return make_shared_object<CatalogType>(kind, std::nullopt, std::nullopt);
        case TypeKind::SemVer:
        case TypeKind::Runtime:
            return make_shared_object<TextType>(kind, std::vector<std::string>());
        case TypeKind::Reference:
            return make_shared_object<TextType>(kind, std::vector<std::string>{"UnresolvedReference"});
        case TypeKind::Uri:
            return make_shared_object<UriType>();
        case TypeKind::Init:
            return make_shared_object<InitType>(TypePtr(), std::vector<Value>());
        case TypeKind::Alias:
            return make_shared_object<AliasType>("UnresolvedAlias", make_default(TypeKind::Reference));
        case TypeKind::TypeSet:
            return TypeSetType::make_default();
        case TypeKind::Object:
            return make_shared_object<ObjectType>(std::string());
        default:
            return make_shared_object<SimpleType>(kind);
    }
}

}  // namespace

TypePtr default_of(TypeKind kind) {
    static const std::vector<TypePtr> all = [] {
        std::vector<TypePtr> list;
        for (std::size_t i = 0; i <= static_cast<std::size_t>(TypeKind::TypeSet); ++i) {
            list.push_back(make_default(static_cast<TypeKind>(i)));
        }
        return list;
    }();
    return all[static_cast<std::size_t>(kind)];
}

bool BooleanType::instance(const Value& candidate, TypeGuard&) const {
    return candidate.is(Kind::Boolean) && (!value || *value == candidate.as_boolean());
}

TypePtr BooleanType::generalize() const { return default_of(TypeKind::Boolean); }

void BooleanType::print(std::string& out, const PrintOptions&) const {
    out += !value ? "Boolean" : *value ? "Boolean[true]" : "Boolean[false]";
}

bool BooleanType::accepts(const Type& other, TypeGuard&) const {
    return other.kind() == TypeKind::Boolean && (!value || value == as<BooleanType>(other).value);
}

bool BooleanType::same(const Type& other) const { return value == as<BooleanType>(other).value; }

bool equal_or_both_null(const TypePtr& a, const TypePtr& b) { return a && b ? a->equals(*b) : !a && !b; }

bool assignable_or_any(const TypePtr& to, const Type& from, TypeGuard& guard) {
    return !to || to->assignable(from, guard);
}

bool same_members(const std::vector<TypePtr>& a, const std::vector<TypePtr>& b) {
    if (a.size() != b.size()) return false;
    for (const TypePtr& type : a) {
        bool found = false;
        for (const TypePtr& candidate : b) found = found || type->equals(*candidate);
        if (!found) return false;
    }
    return true;
}

}  // namespace volley::types
