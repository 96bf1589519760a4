#include "apply/compiler/resources/references.hpp"

#include <algorithm>

#include "apply/compiler/resources/resource.hpp"
#include "language/errors.hpp"
#include "language/text/text.hpp"
#include "support/text.hpp"

namespace volley {
namespace {

void collect_flat(const Value& value, std::vector<Value>& result) {
    if (!value.is_array()) {
        if (!value.is_undef()) result.push_back(value);
        return;
    }
    const NestingGuard guard;
    for (const Value& item : value.as_array()) collect_flat(item, result);
}

/// Whether keeping the value changes it: it holds references or iterators.
bool needs_conversion(const Value& value) {
    switch (value.kind()) {
        case Kind::Type: {
            const TypeKind kind = value.as_type()->kind();
            return kind == TypeKind::Resource || kind == TypeKind::Class;
        }
        case Kind::Iterator:
            return true;
        case Kind::Array: {
            const NestingGuard guard;
            return std::any_of(value.as_array().begin(), value.as_array().end(), needs_conversion);
        }
        case Kind::Hash: {
            const NestingGuard guard;
            return std::any_of(value.as_hash().begin(), value.as_hash().end(), [](const Hash::Entry& entry) {
                return needs_conversion(entry.key) || needs_conversion(entry.value);
            });
        }
        default:
            return false;
    }
}

Value converted(const Value& value) {
    switch (value.kind()) {
        case Kind::Type: {
            const TypePtr type = value.as_type();
            const bool is_class = type->kind() == TypeKind::Class;
            if (!is_class && type->kind() != TypeKind::Resource) return value;
            const auto& reference = as<types::CatalogType>(*type);
            if (reference.from_parameter) return value;
            if (!reference.type_name) {
                throw EvalError("", std::string("No title provided and ") + (is_class ? "\"class\"" : "nil") +
                                        " is not a valid resource reference");
            }
            if (is_class || lower(*reference.type_name) == "class") {
                if (!is_class && !reference.title)
                    throw EvalError("", "No title provided and \"class\" is not a valid resource reference");
                const ResourceKey key =
                    make_resource_key("class", is_class ? *reference.type_name : *reference.title);
                return TypePtr(
                    make_shared_object<types::CatalogType>(TypeKind::Resource, key.type, key.title, true));
            }
            return TypePtr(make_shared_object<types::CatalogType>(TypeKind::Resource, reference.type_name,
                                                                  reference.title.value_or(""), true));
        }
        case Kind::Iterator:
            throw EvalError("", "Use of an Iterator is not supported here");
        case Kind::Array: {
            std::vector<Value> items;
            for (const Value& item : value.as_array()) items.push_back(converted(item));
            return items;
        }
        case Kind::Hash: {
            HashBuilder builder;
            for (const auto& entry : value.as_hash())
                builder.set(converted(entry.key), converted(entry.value));
            return builder.build();
        }
        default:
            return value;
    }
}

}  // namespace

std::vector<Value> flat_values(const Value& value) {
    std::vector<Value> result;
    collect_flat(value, result);
    return result;
}

const types::CatalogType* as_reference(const Value& value) {
    if (!value.is(Kind::Type)) return nullptr;
    const TypePtr type = value.as_type();  // the value keeps it alive
    if (type->kind() == TypeKind::Class) {
        const auto& reference = as<types::CatalogType>(*type);
        return reference.type_name ? &reference : nullptr;
    }
    if (type->kind() != TypeKind::Resource) return nullptr;
    const auto& reference = as<types::CatalogType>(*type);
    return reference.type_name && reference.title ? &reference : nullptr;
}

Value to_parameter_value(const Value& value) { return needs_conversion(value) ? converted(value) : value; }

Value to_parameter_value(std::string_view name, const Value& value) {
    const bool grows = value.is_array() && (name == "before" || name == "notify");
    if (!grows || needs_conversion(value)) return to_parameter_value(value);
    return std::vector<Value>(value.as_array().items());
}

std::vector<Value> flat_items(const Value& value) {
    std::vector<Value> result;
    const auto add = [&result](const Value& one, const auto& again) -> void {
        if (!one.is_array()) {
            result.push_back(one);
            return;
        }
        const NestingGuard guard;
        for (const Value& item : one.as_array()) again(item, again);
    };
    add(value, add);
    return result;
}

bool nests_references(const Value& value) {
    if (!value.is_array()) return false;
    bool nests = false;
    bool refers = false;
    const auto look = [&](const Value& list, const auto& again) -> void {
        for (const Value& item : list.as_array()) {
            if (item.is_array()) {
                const NestingGuard guard;
                nests = true;
                again(item, again);
            } else if (const types::CatalogType* reference = as_reference(item)) {
                refers = refers || reference->from_parameter;
            }
            if (nests && refers) return;
        }
    };
    look(value, look);
    return nests && refers;
}

Value make_reference(const std::string& type, const std::string& title) {
    return TypePtr(make_shared_object<types::CatalogType>(TypeKind::Resource, type, title));
}

}  // namespace volley
