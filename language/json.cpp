#include "language/json.hpp"

#include <limits>
#include <nlohmann/json.hpp>

#include "language/errors.hpp"
#include "language/text.hpp"

namespace volley {

Value from_json(const Json& json) {
    const NestingGuard guard;
    switch (json.type()) {
        case Json::value_t::boolean:
            return json.get<bool>();
        case Json::value_t::number_integer:
            return json.get<std::int64_t>();
        case Json::value_t::number_unsigned: {
            const auto number = json.get<std::uint64_t>();
            if (number > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
                throw EvalError("NUMERIC_OVERFLOW",
                                "The number " + std::to_string(number) + " is too large for an Integer");
            }
            return static_cast<std::int64_t>(number);
        }
        case Json::value_t::number_float:
            return json.get<double>();
        case Json::value_t::string:
            return json.get_ref<const std::string&>();
        case Json::value_t::array: {
            std::vector<Value> items;
            items.reserve(json.size());
            for (const Json& item : json) items.push_back(from_json(item));
            return items;
        }
        case Json::value_t::object: {
            HashBuilder hash;
            for (const auto& [key, item] : json.items()) hash.set(key, from_json(item));
            return hash.build();
        }
        default:
            return {};
    }
}

Json to_json(const Value& value) {
    const NestingGuard guard;
    switch (value.kind()) {
        case Kind::Undef:
            return nullptr;
        case Kind::Boolean:
            return value.as_boolean();
        case Kind::Integer:
            return value.as_integer();
        case Kind::Float:
            return value.as_float();
        case Kind::String:
            return value.as_string();
        case Kind::Array: {
            Json items = Json::array();
            for (const Value& item : value.as_array()) items.push_back(to_json(item));
            return items;
        }
        case Kind::Hash: {
            Json object = Json::object();
            for (const auto& entry : value.as_hash()) object[to_text(entry.key)] = to_json(entry.value);
            return object;
        }
        default:
            return to_text(value);
    }
}

}  // namespace volley
