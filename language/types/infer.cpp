#include <algorithm>

#include "language/callable.hpp"
#include "language/errors.hpp"
#include "language/text/uri.hpp"
#include "language/text/version.hpp"
#include "language/types/types.hpp"

namespace volley {

using namespace types;

namespace {

TypePtr exact_size(std::size_t count) {
    return size_range(static_cast<std::int64_t>(count), static_cast<std::int64_t>(count));
}

TypePtr reduce(const TypePtr& so_far, const TypePtr& next) {
    return so_far ? common_type(so_far, next) : next;
}

/// Without the mark of a reference that went through a parameter.
TypePtr plain_reference(TypePtr type) {
    if (type->kind() != TypeKind::Resource && type->kind() != TypeKind::Class) return type;
    const auto& reference = as<CatalogType>(*type);
    if (!reference.from_parameter) return type;
    return make_shared_object<CatalogType>(type->kind(), reference.type_name, reference.title);
}

TypePtr infer_array(const Array& items) {
    if (items.empty()) return array_of(simple(TypeKind::Unit), size_range(0, 0));
    TypePtr element;
    for (const Value& item : items) element = reduce(element, infer(item));
    return array_of(element, exact_size(items.size()));
}

TypePtr infer_hash(const Hash& hash) {
    if (hash.empty()) return hash_of(simple(TypeKind::Unit), simple(TypeKind::Unit), size_range(0, 0));
    TypePtr key;
    TypePtr value;
    for (const auto& entry : hash) {
        key = reduce(key, infer(entry.key));
        value = reduce(value, infer(entry.value));
    }
    return hash_of(key, value, exact_size(hash.size()));
}

TypePtr infer_struct(const Hash& hash) {
    std::vector<StructType::Element> elements;
    for (const auto& entry : hash) {
        elements.push_back(
            {entry.key.as_string(), string_literal(entry.key.as_string()), infer_set(entry.value)});
    }
    return make_shared_object<StructType>(std::move(elements));
}

}  // namespace

TypePtr infer(const Value& value) {
    const NestingGuard guard;
    switch (value.kind()) {
        case Kind::Undef:
            return undef();
        case Kind::Default:
            return simple(TypeKind::Default);
        case Kind::Boolean:
            return make_shared_object<BooleanType>(value.as_boolean());
        case Kind::Integer:
            return integer(value.as_integer(), value.as_integer());
        case Kind::Float:
            return make_shared_object<FloatType>(value.as_float(), value.as_float());
        case Kind::Timespan:
            return make_shared_object<RangeType>(TypeKind::Timespan, value.as_integer(), value.as_integer());
        case Kind::Timestamp:
            return make_shared_object<RangeType>(TypeKind::Timestamp, value.as_integer(), value.as_integer());
        case Kind::String:
            return string_literal(value.as_string());
        case Kind::Array:
            return infer_array(value.as_array());
        case Kind::Hash:
            return infer_hash(value.as_hash());
        case Kind::Regexp:
            return make_shared_object<RegexpType>(Ref<const Regexp>(&value.as_regexp()));
        case Kind::Type:
            return wrap(TypeKind::Type, plain_reference(value.as_type()));
        case Kind::Sensitive:
            return wrap(TypeKind::Sensitive, infer(value.unwrap_sensitive()));
        case Kind::Binary:
            return simple(TypeKind::Binary);
        case Kind::SemVer:
            return simple(TypeKind::SemVer);
        case Kind::SemVerRange:
            return simple(TypeKind::SemVerRange);
        case Kind::Uri:
            return make_shared_object<UriType>(value.as<Uri>().as_type_parameters());
        case Kind::Iterator:
            return wrap(TypeKind::Iterator, value.as<IteratorObject>().element_type());
        case Kind::Object:
            return value.as<ObjectBase>().type();
        case Kind::Callable:
            return value.as<CallableObject>().type();
        case Kind::Opaque:
            return simple(TypeKind::Runtime);
    }
    return any();
}

TypePtr infer_set(const Value& value) {
    const NestingGuard guard;
    if (value.is(Kind::SemVer)) {
        const std::string text = value.as<Version>().text();
        return make_shared_object<TextType>(TypeKind::SemVer, std::vector{text + " - " + text});
    }
    if (value.is_array() && !value.as_array().empty()) {
        std::vector<TypePtr> elements;
        for (const Value& item : value.as_array()) elements.push_back(infer_set(item));
        return tuple(std::move(elements));
    }
    if (!value.is_hash() || value.as_hash().empty()) return infer(value);
    const Hash& hash = value.as_hash();
    const bool named = std::all_of(hash.begin(), hash.end(), [](const Hash::Entry& entry) {
        return entry.key.is_string() && !entry.key.as_string().empty();
    });
    if (named) return infer_struct(hash);
    std::vector<TypePtr> keys;
    std::vector<TypePtr> values;
    for (const auto& entry : hash) {
        keys.push_back(infer_set(entry.key));
        values.push_back(infer_set(entry.value));
    }
    return hash_of(variant(std::move(keys)), variant(std::move(values)), exact_size(hash.size()));
}

}  // namespace volley
