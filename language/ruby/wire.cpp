#include "language/ruby/wire.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "language/binary.hpp"
#include "language/callable.hpp"
#include "language/conversion/times.hpp"
#include "language/errors.hpp"
#include "language/evaluator/evaluator.hpp"
#include "language/lookup/context.hpp"
#include "language/lookup/invocation.hpp"
#include "language/lookup/symbol.hpp"
#include "language/regexp.hpp"
#include "language/ruby/ruby_objects.hpp"
#include "language/text.hpp"
#include "language/types/types.hpp"
#include "language/uri.hpp"
#include "language/version.hpp"
#include "support/text.hpp"

namespace volley {
namespace {

Json wire_tagged(std::string_view kind, Json content) {
    return Json{{"__ptype", kind}, {"__pvalue", std::move(content)}};
}

Json wire_type(const Type& type) {
    Json result = wire_tagged("Type", to_string(type));
    if (type.kind() == TypeKind::Class) {
        const auto& reference = as<types::CatalogType>(type);
        if (reference.type_name) result["reference"] = {"Class", *reference.type_name};
    }
    if (type.kind() == TypeKind::Resource) {
        const auto& reference = as<types::CatalogType>(type);
        if (reference.type_name && reference.title)
            result["reference"] = {*reference.type_name, *reference.title};
    }
    return result;
}

Json wire_hash(const Hash& hash, WireObjects* objects) {
    const bool named = std::all_of(hash.begin(), hash.end(), [](const Hash::Entry& entry) {
        return entry.key.is_string() && entry.key.as_string() != "__ptype" && is_utf8(entry.key.as_string());
    });
    if (named) {
        Json object = Json::object();
        for (const auto& entry : hash) object[entry.key.as_string()] = to_wire(entry.value, objects);
        return object;
    }
    Json list = Json::array();
    for (const auto& entry : hash) {
        list.push_back(to_wire(entry.key, objects));
        list.push_back(to_wire(entry.value, objects));
    }
    return wire_tagged("Hash", std::move(list));
}

/// A context of a lookup, which the worker keeps a cache for.
Json wire_context(const lookup::LookupContext& context) {
    Json result{{"__ptype", "Puppet::LookupContext"}, {"memory", context.memory().number()}};
    const std::string& module = context.memory().module_name;
    result["module"] = module.empty() ? Json() : Json(module);
    const auto environment = context.attribute("environment_name");
    const std::string* name = environment ? lookup::Symbol::name_of(*environment) : nullptr;
    result["environment"] = name ? *name : "";
    return result;
}

/// Objects that hold more than their attributes say are asked when Ruby code wants to know something.
Json wire_object(const Value& value, WireObjects* objects) {
    if (const std::string* name = lookup::Symbol::name_of(value)) return wire_tagged("Symbol", *name);
    const auto& object = value.as<ObjectBase>();
    if (const auto* own = dynamic_cast<const RubyValue*>(&object))
        return Json{{"__ptype", "RubyValue"}, {"__pvalue", own->number()}, {"text", own->text()}};
    Json result;
    if (const auto* context = dynamic_cast<const lookup::LookupContext*>(&object)) {
        result = wire_context(*context);
    } else {
        const Value attributes = object.init_hash();
        if (!attributes.is_hash() && !objects) return wire_tagged("Object", object.text());
        result = Json{{"__ptype", object.type()->name()}};
        if (attributes.is_hash()) {
            Json content = Json::object();
            for (const auto& entry : attributes.as_hash())
                content[to_text(entry.key)] = to_wire(entry.value, objects);
            result["__attributes"] = std::move(content);
        } else {
            result["__text"] = to_wire(Value(object.text()));
        }
        result["__type"] = to_string(*object.type());
    }
    if (objects) result["__number"] = objects->keep(value);
    return result;
}

Value wire_tagged_value(const Json& data, TypeLoader& types, WireObjects* objects) {
    const auto& kind = data["__ptype"].get_ref<const std::string&>();
    const Json content = data.value("__pvalue", Json());
    const auto text = [&content] { return content.is_string() ? content.get<std::string>() : std::string(); };
    if (kind == "Default") return Value::make_default();
    if (kind == "Hash") {
        HashBuilder hash;
        for (std::size_t i = 0; i + 1 < content.size(); i += 2)
            hash.set(from_wire(content[i], types, objects), from_wire(content[i + 1], types, objects));
        return hash.build();
    }
    if (kind == "Sensitive") return Value::sensitive(from_wire(content, types, objects));
    if (kind == "Regexp") return Regexp::compile(text(), data.value("options", 0U) & 7U);
    if (kind == "Type") return parse_type(text(), types);
    if (kind == "Bytes") return base64_decode(text()).value_or("");
    if (kind == "Binary") return Binary::make(base64_decode(text()).value_or(""));
    if (kind == "Float")
        return text() == "NaN" ? std::nan("") : std::copysign(INFINITY, text().starts_with('-') ? -1.0 : 1.0);
    if (kind == "SemVer") return Version::parse(text()).value_or(Value(text()));
    if (kind == "SemVerRange") return VersionRange::parse(text());
    if (kind == "Timespan") return timespan_from(Value(text()));
    if (kind == "Timestamp") return timestamp_from(Value(text()));
    if (kind == "Symbol") return lookup::Symbol::make(text());
    if (kind == "URI") return Uri::parse(text());
    if (kind == "RubyValue")
        return Value(Kind::Object,
                     make_shared_object<RubyValue>(data.value("class", "Object"), data.value("text", ""),
                                                   content.get<std::uint64_t>()));
    if (kind == "Reference" && objects) return objects->kept(content.get<std::uint64_t>());
    if (kind == "Call" && objects) {
        std::vector<Value> arguments;
        for (const Json& one : content) arguments.push_back(from_wire(one, types, objects));
        return objects->made_by(data.value("function", ""), std::move(arguments));
    }
    HashBuilder object;
    for (const auto& [key, item] : data.items()) object.set(key, from_wire(item, types, objects));
    return object.build();
}

}  // namespace

Json to_wire(const Value& value, WireObjects* objects) {
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
            if (std::isfinite(value.as_float())) return value.as_float();
            return wire_tagged("Float", float_text(value.as_float()));
        case Kind::String:
            if (is_utf8(value.as_string())) return value.as_string();
            return wire_tagged("Bytes", base64_encode(value.as_string()));
        case Kind::Array: {
            Json list = Json::array();
            for (const Value& item : value.as_array()) list.push_back(to_wire(item, objects));
            return list;
        }
        case Kind::Hash:
            return wire_hash(value.as_hash(), objects);
        case Kind::Sensitive:
            return wire_tagged("Sensitive", to_wire(value.unwrap_sensitive(), objects));
        case Kind::Regexp: {
            Json result = wire_tagged("Regexp", value.as_regexp().source());
            result["options"] = value.as_regexp().options();
            return result;
        }
        case Kind::Type:
            return wire_type(*value.as_type());
        case Kind::Binary:
            return wire_tagged("Binary", base64_encode(value.as<Binary>().bytes));
        case Kind::Object:
            return wire_object(value, objects);
        case Kind::Callable:
            throw EvalError("", "A lambda cannot be given to a Ruby function as a value");
        default:
            return wire_tagged(kind_name(value.kind()), to_text(value));
    }
}

Value from_wire(const Json& data, TypeLoader& types, WireObjects* objects) {
    const NestingGuard guard;
    switch (data.type()) {
        case Json::value_t::null:
            return {};
        case Json::value_t::boolean:
            return data.get<bool>();
        case Json::value_t::number_integer:
            return data.get<std::int64_t>();
        case Json::value_t::number_unsigned:
            if (data.get<std::uint64_t>() >
                static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
                throw EvalError(
                    "NUMERIC_OVERFLOW",
                    "Use of a Ruby Integer outside of Puppet Integer max range, got '" + data.dump() + "'");
            return data.get<std::int64_t>();
        case Json::value_t::number_float:
            return data.get<double>();
        case Json::value_t::string:
            return data.get_ref<const std::string&>();
        case Json::value_t::array: {
            std::vector<Value> items;
            items.reserve(data.size());
            for (const Json& item : data) items.push_back(from_wire(item, types, objects));
            return items;
        }
        case Json::value_t::object: {
            const auto kind = data.find("__ptype");
            if (kind != data.end() && kind->is_string()) return wire_tagged_value(data, types, objects);
            HashBuilder hash;
            for (const auto& [key, item] : data.items()) hash.set(key, from_wire(item, types, objects));
            return hash.build();
        }
        default:
            return {};
    }
}

}  // namespace volley
