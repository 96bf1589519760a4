#include "language/serialization/json.hpp"

#include <limits>
#include <nlohmann/json.hpp>

#include "language/errors.hpp"
#include "language/serialization/json_writer.hpp"
#include "language/text/text.hpp"

namespace volley {
namespace {

class PlainJson final : public JsonWriter {
    Json odd_float(double number) override { return number; }
    Json bytes(const std::string& text) override { return text; }
    Json container(const Value& value) override {
        if (value.is_array()) return list(value.as_array());
        if (!value.is_hash()) return rich(value);
        Json object = Json::object();
        for (const auto& entry : value.as_hash()) object[to_text(entry.key)] = write(entry.value);
        return object;
    }
    Json rich(const Value& value) override { return to_text(value); }
};

}  // namespace

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

Json to_json(const Value& value) { return PlainJson().write(value); }

}  // namespace volley
