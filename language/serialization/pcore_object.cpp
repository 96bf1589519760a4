#include "language/serialization/pcore_object.hpp"

#include <algorithm>

#include "language/binary.hpp"
#include "language/callable.hpp"
#include "language/conversion/creators.hpp"
#include "language/conversion/times.hpp"
#include "language/errors.hpp"
#include "language/serialization/pcore_types.hpp"
#include "language/text/regexp.hpp"
#include "language/text/text.hpp"
#include "language/text/uri.hpp"
#include "language/text/version.hpp"
#include "language/types/native_type.hpp"
#include "language/types/object_instance.hpp"
#include "support/text.hpp"

namespace volley {
namespace {

bool pcore_needs_context(const types::ObjectType& type) {
    for (const types::ObjectType* one = &type; one; one = one->parent_object()) {
        if (one->native() && one->native()->create) return true;
    }
    return false;
}

Value pcore_instance(const types::ObjectType& type, const Hash& attributes, const PcoreWorld& world) {
    HashBuilder given(attributes);
    if (world.context) {
        const Value arguments[] = {given.build()};
        return create_object(*world.context, type, arguments);
    }
    if (pcore_needs_context(type))
        throw EvalError("", "An instance of " + type.name() + " can only be read where code is evaluated");
    std::vector<Value> values;
    for (const auto* parameter : type.init_parameters()) {
        const Value* value = attributes.find(parameter->name);
        if (!value && !parameter->has_default() && !is_instance(*parameter->type, Value()))
            throw EvalError("",
                            "The attribute '" + parameter->name + "' of a " + type.name() + " is missing");
        values.push_back(value ? *value : parameter->value.value_or(Value()));
        if (!is_instance(*parameter->type, values.back())) {
            throw EvalError("", describe_mismatch("attribute " + type.name() + "[" + parameter->name + "]",
                                                  parameter->type, infer_set(values.back())));
        }
    }
    return Value(Kind::Object,
                 make_shared_object<ObjectInstance>(Ref<const types::ObjectType>(&type), std::move(values)));
}

}  // namespace

std::optional<PcoreObject> describe_object(const Value& value) {
    if (value.is(Kind::Type)) return describe_type(*value.as_type());
    if (value.is(Kind::Opaque)) return describe_struct_element(value);
    if (!value.is(Kind::Object)) return std::nullopt;
    const auto& object = value.as<ObjectBase>();
    PcoreObject result{.type = object.type()->name(), .attributes = {}};
    const Value attributes = object.init_hash();
    if (!attributes.is_hash()) throw EvalError("", "A " + result.type + " cannot be written as data");
    for (const auto& entry : attributes.as_hash())
        result.attributes.emplace_back(to_text(entry.key), entry.value);
    return result;
}

std::vector<Value> attributes_by_position(const Value& value, const PcoreObject& object) {
    std::vector<Value> values;
    if (!value.is(Kind::Object)) {
        for (const auto& [name, attribute] : object.attributes) values.push_back(attribute);
        return values;
    }
    const types::ObjectType* type = types::object_type_of(*value.as<ObjectBase>().type());
    if (!type) throw EvalError("", "A " + object.type + " cannot be written as data");
    std::size_t count = 0;
    for (const auto* parameter : type->init_parameters()) {
        const auto given =
            std::find_if(object.attributes.begin(), object.attributes.end(),
                         [parameter](const auto& one) { return one.first == parameter->name; });
        const bool left_out = given == object.attributes.end();
        values.push_back(left_out ? parameter->value.value_or(Value()) : given->second);
        if (!left_out) count = values.size();
    }
    values.resize(count);
    return values;
}

Value make_object(const std::string& type, const Hash& attributes, const PcoreWorld& world) {
    if (auto made = make_type(type, attributes, world)) return *made;
    const TypePtr found = parse_type(type, world.types);
    const types::ObjectType* object = types::object_type_of(*found);
    if (!object) throw EvalError("", "No implementation mapping found for Puppet Type " + type);
    return pcore_instance(*object, attributes, world);
}

std::optional<std::pair<std::string, std::string>> as_typed_text(const Value& value) {
    switch (value.kind()) {
        case Kind::Regexp:
            return std::pair("Regexp", value.as_regexp().pattern());
        case Kind::Timespan:
        case Kind::Timestamp:
        case Kind::SemVer:
        case Kind::SemVerRange:
        case Kind::Binary:
        case Kind::Uri:
            return std::pair(value.is(Kind::Uri) ? "URI" : std::string(kind_name(value.kind())),
                             to_text(value));
        default:
            return std::nullopt;
    }
}

Value make_from_text(const std::string& type, const std::string& text, const PcoreWorld& world) {
    if (type == "Regexp") return Regexp::compile(text);
    if (type == "Timespan") return timespan_from(Value(text));
    if (type == "Timestamp") return timestamp_from(Value(text));
    if (type == "SemVerRange") return VersionRange::parse(text);
    if (type == "Binary") {
        const auto bytes = base64_decode(text);
        if (!bytes) throw EvalError("", "The content of a Binary is not base64");
        return Binary::make(*bytes);
    }
    if (type == "URI") return Uri::parse(text);
    if (type == "SemVer") {
        if (const auto version = Version::parse(text)) return *version;
        throw EvalError("", "The string '" + text + "' is not a valid SemVer");
    }
    if (type == "Type") return parse_type(text, world.types);
    throw EvalError("", "No implementation mapping found for Puppet Type " + type);
}

std::string pcore_path_segment(const Value& key) {
    return "[" + (key.is_undef() ? "null" : to_program_text(key)) + "]";
}

}  // namespace volley
