#include "language/ruby/worker_encoding.hpp"

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
#include "language/lookup/data/symbol.hpp"
#include "language/lookup/invocation.hpp"
#include "language/ruby/ruby_objects.hpp"
#include "language/serialization/json_writer.hpp"
#include "language/text/regexp.hpp"
#include "language/text/text.hpp"
#include "language/text/uri.hpp"
#include "language/text/version.hpp"
#include "language/types/types.hpp"
#include "support/text.hpp"

namespace volley {
namespace {

/// A context of a lookup, which the worker keeps a cache for.
Json encoded_context(const lookup::LookupContext& context) {
    Json result{{"__ptype", "Puppet::LookupContext"}, {"memory", context.memory().number()}};
    const std::string& module = context.memory().module_name;
    result["module"] = module.empty() ? Json() : Json(module);
    const auto environment = context.attribute("environment_name");
    const std::string* name = environment ? lookup::Symbol::name_of(*environment) : nullptr;
    result["environment"] = name ? *name : "";
    return result;
}

class WorkerValueWriter final : public RichJsonWriter {
public:
    explicit WorkerValueWriter(WorkerObjects* objects) : objects_(objects) {}

private:
    Json odd_float(double number) override { return tagged("Float", float_text(number)); }
    Json bytes(const std::string& text) override { return tagged("Bytes", base64_encode(text)); }

    Json object(const Value& value) override {
        switch (value.kind()) {
            case Kind::Regexp: {
                Json result = tagged("Regexp", value.as_regexp().source());
                result["options"] = value.as_regexp().options();
                return result;
            }
            case Kind::Type:
                return type_json(*value.as_type());
            case Kind::Binary:
                return tagged("Binary", base64_encode(value.as<Binary>().bytes));
            case Kind::Object:
                return instance(value);
            case Kind::Callable:
                throw EvalError("", "A lambda cannot be given to a Ruby function as a value");
            default:
                return tagged(kind_name(value.kind()), to_text(value));
        }
    }

    static Json type_json(const Type& type) {
        Json result = tagged("Type", to_string(type));
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

    /// Objects that hold more than their attributes say are asked when Ruby code wants to know something.
    Json instance(const Value& value) {
        if (const std::string* name = lookup::Symbol::name_of(value)) return tagged("Symbol", *name);
        const auto& object = value.as<ObjectBase>();
        if (const auto* own = dynamic_cast<const RubyValue*>(&object))
            return Json{{"__ptype", "RubyValue"}, {"__pvalue", own->number()}, {"text", own->text()}};
        Json result;
        if (const auto* context = dynamic_cast<const lookup::LookupContext*>(&object)) {
            result = encoded_context(*context);
        } else {
            const Value attributes = object.init_hash();
            if (!attributes.is_hash() && !objects_) return tagged("Object", object.text());
            result = Json{{"__ptype", object.type()->name()}};
            if (attributes.is_hash()) {
                Json content = Json::object();
                for (const auto& entry : attributes.as_hash())
                    content[to_text(entry.key)] = write(entry.value);
                result["__attributes"] = std::move(content);
            } else {
                result["__text"] = write(Value(object.text()));
            }
            result["__type"] = to_string(*object.type());
        }
        if (objects_) result["__number"] = objects_->keep(value);
        return result;
    }

    WorkerObjects* const objects_;
};

Value decode_tagged(const Json& data, TypeLoader& types, WorkerObjects* objects) {
    const auto& kind = data["__ptype"].get_ref<const std::string&>();
    const Json content = data.value("__pvalue", Json());
    const auto text = [&content] { return content.is_string() ? content.get<std::string>() : std::string(); };
    if (kind == "Default") return Value::make_default();
    if (kind == "Hash") {
        HashBuilder hash;
        for (std::size_t i = 0; i + 1 < content.size(); i += 2)
            hash.set(decode_from_worker(content[i], types, objects),
                     decode_from_worker(content[i + 1], types, objects));
        return hash.build();
    }
    if (kind == "Sensitive") return Value::sensitive(decode_from_worker(content, types, objects));
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
        for (const Json& one : content) arguments.push_back(decode_from_worker(one, types, objects));
        return objects->made_by(data.value("function", ""), std::move(arguments));
    }
    HashBuilder object;
    for (const auto& [key, item] : data.items()) object.set(key, decode_from_worker(item, types, objects));
    return object.build();
}

}  // namespace

Json encode_for_worker(const Value& value, WorkerObjects* objects) {
    return WorkerValueWriter(objects).write(value);
}

Value decode_from_worker(const Json& data, TypeLoader& types, WorkerObjects* objects) {
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
            for (const Json& item : data) items.push_back(decode_from_worker(item, types, objects));
            return items;
        }
        case Json::value_t::object: {
            const auto kind = data.find("__ptype");
            if (kind != data.end() && kind->is_string()) return decode_tagged(data, types, objects);
            HashBuilder hash;
            for (const auto& [key, item] : data.items())
                hash.set(key, decode_from_worker(item, types, objects));
            return hash.build();
        }
        default:
            return {};
    }
}

}  // namespace volley
