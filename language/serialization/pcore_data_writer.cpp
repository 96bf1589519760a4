#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <unordered_map>

#include "language/errors.hpp"
#include "language/serialization/pcore_data.hpp"
#include "language/text.hpp"
#include "support/text.hpp"

namespace volley {
namespace {

class DataWriter {
public:
    explicit DataWriter(const PcoreDataOptions& options) : options_(options) {}

    Json write(const Value& value) {
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
                if (!std::isfinite(value.as_float()))
                    throw EvalError(
                        "", "The Float " + float_text(value.as_float()) + " cannot be written as data");
                return value.as_float();
            case Kind::String:
                if (is_utf8(value.as_string())) return value.as_string();
                return tagged("Binary", base64_encode(value.as_string()));
            case Kind::Array:
            case Kind::Hash:
            case Kind::Sensitive:
                return once(value, [&] { return write_container(value); });
            default:
                return write_rich(value);
        }
    }

private:
    static Json tagged(const std::string& type, Json content) {
        return Json{{"__ptype", type}, {"__pvalue", std::move(content)}};
    }

    /// The content the first time, a reference to it later.
    template <class Write>
    Json once(const Value& value, const Write& content) {
        if (!options_.local_references) return content();
        const auto [known, first] = written_.try_emplace(value.shared(), path_);
        if (first) {
            kept_.push_back(value);  // the address must not be used again for another value
            return content();
        }
        return known->second ? tagged("LocalRef", *known->second) : content();
    }

    template <class Write>
    Json at(const Value& key, const Write& content) {
        const std::optional<std::string> outer = path_;
        const bool simple = !key.is_array() && !key.is_hash();
        if (path_ && simple)
            *path_ += pcore_path_segment(key);
        else
            path_.reset();
        Json result = content();
        path_ = outer;
        return result;
    }

    Json write_container(const Value& value) {
        if (value.is(Kind::Sensitive)) return tagged("Sensitive", write(value.unwrap_sensitive()));
        if (value.is_array()) {
            Json list = Json::array();
            std::int64_t index = 0;
            for (const Value& item : value.as_array())
                list.push_back(at(Value(index++), [&] { return write(item); }));
            return list;
        }
        const Hash& hash = value.as_hash();
        const bool named = std::all_of(hash.begin(), hash.end(), [](const Hash::Entry& entry) {
            return entry.key.is_string() && entry.key.as_string() != "__ptype" &&
                   is_utf8(entry.key.as_string());
        });
        Json result = named ? Json::object() : Json::array();
        for (const auto& entry : hash) {
            if (named) {
                result[entry.key.as_string()] = at(entry.key, [&] { return write(entry.value); });
                continue;
            }
            result.push_back(write(entry.key));
            result.push_back(at(entry.key, [&] { return write(entry.value); }));
        }
        return named ? result : tagged("Hash", std::move(result));
    }

    Json write_rich(const Value& value) {
        if (auto text = as_typed_text(value)) return tagged(text->first, std::move(text->second));
        if (value.is(Kind::Callable) || value.is(Kind::Iterator))
            throw EvalError("", "A " + std::string(kind_name(value.kind())) + " cannot be written as data");
        return once(value, [&] {
            const auto object = describe_object(value);
            if (!object)
                throw EvalError("",
                                "A " + std::string(kind_name(value.kind())) + " cannot be written as data");
            Json result{{"__ptype", object->type}};
            for (const auto& [name, attribute] : object->attributes)
                result[name] = at(Value(name), [&, &content = attribute] { return write(content); });
            return result;
        });
    }

    const PcoreDataOptions& options_;
    std::optional<std::string> path_ = "$";  // nullopt where no reference can lead to
    std::unordered_map<const Shared*, std::optional<std::string>> written_;
    std::vector<Value> kept_;
};

}  // namespace

Json to_pcore_data(const Value& value, const PcoreDataOptions& options) {
    return DataWriter(options).write(value);
}

}  // namespace volley
