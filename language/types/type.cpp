#include "language/types/type.hpp"

#include "language/errors.hpp"
#include "language/types/types.hpp"

namespace volley {
namespace {

using types::AliasType;
using types::VariantType;
using types::WrapperType;

/// An alias on the right is looked through; when both sides have come back to where they were, nothing on
/// the way spoke against it.
bool assignable_from_alias(const Type& to, const AliasType& from, TypeGuard& guard) {
    if (from.recursive() && (guard.state & TypeGuard::InThat) == 0 && guard.enter_that(&from)) {
        guard.state |= TypeGuard::InThat;
    }
    if (from.recursive() && guard.state == TypeGuard::InBoth) return true;
    return to.assignable(from.resolved(), guard);
}

bool assignable_from_variant(const Type& to, const VariantType& from, TypeGuard& guard) {
    if (to.kind() == TypeKind::Any) return true;
    if (from.types.empty() && to.kind() == TypeKind::NotUndef) {  // it takes anything but undef
        const TypePtr& contained = as<WrapperType>(to).type;
        return !contained || contained->assignable(from, guard);
    }
    for (const TypePtr& choice : from.types) {
        if (!to.assignable(*choice, guard)) return false;
    }
    return !from.types.empty();
}

}  // namespace

std::string Type::name() const {
    static constexpr std::string_view names[] = {
        "Any",      "Unit",         "Undef",         "Default",     "Scalar",   "ScalarData",
        "Numeric",  "Integer",      "Float",         "Boolean",     "String",   "Enum",
        "Pattern",  "Regexp",       "SemVer",        "SemVerRange", "Timespan", "Timestamp",
        "Binary",   "URI",          "Collection",    "Array",       "Hash",     "Tuple",
        "Struct",   "Variant",      "Optional",      "NotUndef",    "Type",     "Sensitive",
        "Callable", "CatalogEntry", "Class",         "Resource",    "Iterable", "Iterator",
        "Init",     "Runtime",      "TypeReference", "TypeAlias",   "Object",   "ObjectTypeExtension",
        "TypeSet"};
    return std::string(names[static_cast<std::size_t>(kind_)]);
}

void Type::print(std::string& out, const PrintOptions&) const { out += name(); }

void Type::print_inside(std::string& out, const PrintOptions& options) const {
    const NestingGuard nesting;
    check_text_size(out.size());
    print(out, options);
}

bool Type::equals(const Shared& other) const {
    const Type& that = static_cast<const Type&>(other);
    if (this == &that) return true;
    const NestingGuard nesting;
    return kind_ == that.kind_ && same(that);
}

bool Type::assignable(const Type& other, TypeGuard& guard) const {
    const NestingGuard nesting;
    switch (other.kind()) {
        case TypeKind::Unit:
            return true;
        case TypeKind::Alias:
            return assignable_from_alias(*this, as<AliasType>(other), guard);
        case TypeKind::Variant:
            return assignable_from_variant(*this, as<VariantType>(other), guard);
        case TypeKind::Optional: {
            const TypePtr& contained = as<WrapperType>(other).type;
            return assignable(*types::undef(), guard) && (!contained || assignable(*contained, guard));
        }
        case TypeKind::NotUndef: {
            const TypePtr& contained = as<WrapperType>(other).type;
            if (contained && !is_assignable(*contained, *types::undef()))
                return assignable(*contained, guard);
            return accepts(other, guard);
        }
        default:
            return accepts(other, guard);
    }
}

bool is_instance(const Type& type, const Value& value) {
    TypeGuard guard;
    return type.instance(value, guard);
}

bool is_assignable(const Type& to, const Type& from) {
    TypeGuard guard;
    return to.assignable(from, guard);
}

bool same_type(const Type& a, const Type& b) { return a.equals(b); }

std::string to_string(const Type& type) {
    std::string out;
    type.print(out, {});
    return out;
}

std::string to_display_string(const Type& type) {
    const TypeKind kind = type.kind();
    const bool named = kind == TypeKind::Alias || kind == TypeKind::Object || kind == TypeKind::TypeSet;
    return named ? to_expanded_string(type) : to_string(type);
}

std::string to_expanded_string(const Type& type) {
    std::string out;
    type.print(out, {.expand_aliases = true});
    return out;
}

}  // namespace volley
