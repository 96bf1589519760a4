#include "language/rich_data.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "language/callable.hpp"
#include "language/errors.hpp"
#include "language/regexp.hpp"
#include "language/serialization/pcore_data.hpp"
#include "language/text.hpp"
#include "language/types/types.hpp"
#include "support/text.hpp"

namespace volley {
namespace {

Json tagged(std::string_view type, Json value) {
    return Json{{"__ptype", type}, {"__pvalue", std::move(value)}};
}

std::string parameter_reference(const Type& type) {
    if (type.kind() != TypeKind::Resource && type.kind() != TypeKind::Class) return {};
    const auto& reference = as<types::CatalogType>(type);
    return reference.from_parameter ? types::reference_text(reference) : "";
}

Json hash_json(const Hash& hash) {
    const bool named =
        std::all_of(hash.begin(), hash.end(), [](const Hash::Entry& entry) { return entry.key.is_string(); });
    if (named) {
        Json object = Json::object();
        for (const auto& entry : hash) object[entry.key.as_string()] = to_rich_json(entry.value);
        return object;
    }
    Json list = Json::array();
    for (const auto& entry : hash) {
        list.push_back(to_rich_json(entry.key));
        list.push_back(to_rich_json(entry.value));
    }
    return tagged("Hash", std::move(list));
}

/// Attributes that have their default values are left out. Types among the attributes are objects too, as in
/// Puppet, and not texts.
Json object_json(const Value& value) {
    try {
        return to_pcore_data(value, {.local_references = false});
    } catch (const EvalError&) {
        // Something in it has no such form: then at least the attributes that have one.
    }
    const auto& object = value.as<ObjectBase>();
    const Value attributes = object.init_hash();
    if (!attributes.is_hash()) return Json{{"__ptype", "Unknown"}};
    const TypePtr type = object.type();
    Json result{{"__ptype", type->name()}};
    for (const auto& entry : attributes.as_hash()) result[entry.key.as_string()] = to_rich_json(entry.value);
    return result;
}

}  // namespace

Json to_rich_json(const Value& value) {
    const NestingGuard guard;
    switch (value.kind()) {
        case Kind::Undef:
            return nullptr;
        case Kind::Default:
            return Json{{"__ptype", "Default"}};
        case Kind::Boolean:
            return value.as_boolean();
        case Kind::Integer:
            return value.as_integer();
        case Kind::Float:
            if (!std::isfinite(value.as_float())) return tagged("Float", float_text(value.as_float()));
            return value.as_float();
        case Kind::String:
            // Bytes of a Ruby function: JSON has no place for them.
            if (!is_utf8(value.as_string())) return tagged("Binary", base64_encode(value.as_string()));
            return value.as_string();
        case Kind::Array: {
            Json list = Json::array();
            for (const Value& item : value.as_array()) list.push_back(to_rich_json(item));
            return list;
        }
        case Kind::Hash:
            return hash_json(value.as_hash());
        case Kind::Sensitive:
            return tagged("Sensitive", to_rich_json(value.unwrap_sensitive()));
        case Kind::Regexp:
            return tagged("Regexp", value.as_regexp().pattern());
        case Kind::Type:
            if (const std::string reference = parameter_reference(*value.as_type()); !reference.empty())
                return tagged("Resource", reference);
            return tagged("Type", to_display_string(*value.as_type()));
        case Kind::Object:
            return object_json(value);
        case Kind::Iterator:
            return tagged("Iterator",
                          "Iterator[" + to_string(*value.as<IteratorObject>().element_type()) + "]");
        case Kind::Timespan:
        case Kind::Timestamp:
        case Kind::Binary:
        case Kind::SemVer:
        case Kind::SemVerRange:
        case Kind::Uri:
            return tagged(kind_name(value.kind()), to_text(value));
        default:
            return Json{{"__ptype", "Unknown"}};
    }
}

}  // namespace volley
