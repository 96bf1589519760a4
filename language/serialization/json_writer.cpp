#include "language/serialization/json_writer.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "language/errors.hpp"
#include "support/text.hpp"

namespace volley {

Json JsonWriter::write(const Value& value) {
    const NestingGuard guard;
    switch (value.kind()) {
        case Kind::Undef:
            return nullptr;
        case Kind::Boolean:
            return value.as_boolean();
        case Kind::Integer:
            return value.as_integer();
        case Kind::Float:
            if (!std::isfinite(value.as_float())) return odd_float(value.as_float());
            return value.as_float();
        case Kind::String:
            if (!is_utf8(value.as_string())) return bytes(value.as_string());
            return value.as_string();
        case Kind::Array:
        case Kind::Hash:
        case Kind::Sensitive:
            return container(value);
        default:
            return rich(value);
    }
}

Json JsonWriter::element(const Value&, const Value& value) { return write(value); }

Json JsonWriter::list(const Array& array) {
    Json result = Json::array();
    std::int64_t index = 0;
    for (const Value& item : array) result.push_back(element(Value(index++), item));
    return result;
}

Json RichJsonWriter::tagged(std::string_view type, Json content) {
    return Json{{"__ptype", type}, {"__pvalue", std::move(content)}};
}

Json RichJsonWriter::bytes(const std::string& text) { return tagged("Binary", base64_encode(text)); }

Json RichJsonWriter::container(const Value& value) {
    if (value.is(Kind::Sensitive)) return tagged("Sensitive", write(value.unwrap_sensitive()));
    return value.is_array() ? list(value.as_array()) : hash(value.as_hash());
}

Json RichJsonWriter::rich(const Value& value) {
    return value.is(Kind::Default) ? Json{{"__ptype", "Default"}} : object(value);
}

bool RichJsonWriter::is_plain_key(const Value& key) const {
    return key.is_string() && key.as_string() != "__ptype" && is_utf8(key.as_string());
}

Json RichJsonWriter::hash(const Hash& hash) {
    const bool named = std::all_of(hash.begin(), hash.end(),
                                   [this](const Hash::Entry& entry) { return is_plain_key(entry.key); });
    Json result = named ? Json::object() : Json::array();
    for (const Hash::Entry& entry : hash) {
        if (named) {
            result[entry.key.as_string()] = element(entry.key, entry.value);
            continue;
        }
        result.push_back(write(entry.key));
        result.push_back(element(entry.key, entry.value));
    }
    return named ? result : tagged("Hash", std::move(result));
}

}  // namespace volley
