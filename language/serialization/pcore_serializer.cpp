#include <unordered_map>

#include "language/binary.hpp"
#include "language/errors.hpp"
#include "language/serialization/pcore_packers.hpp"
#include "language/text/regexp.hpp"
#include "language/text/text.hpp"
#include "support/text.hpp"

namespace volley {
namespace {

using Payload = PcorePacker::Payload;

class StreamWriter {
public:
    explicit StreamWriter(PcorePacker& packer) : packer_(packer) {}

    void write(const Value& value) {
        const NestingGuard guard;
        switch (value.kind()) {
            case Kind::Undef:
                packer_.null();
                break;
            case Kind::Boolean:
                packer_.boolean(value.as_boolean());
                break;
            case Kind::Integer:
                packer_.integer(value.as_integer());
                break;
            case Kind::Float:
                packer_.real(value.as_float());
                break;
            case Kind::String:
                if (!is_inner_known("s" + value.as_string())) packer_.string(value.as_string());
                break;
            case Kind::Default:
                packer_.extension(PcoreExtension::Default, {});
                break;
            case Kind::Sensitive:
                packer_.extension(PcoreExtension::SensitiveStart, {});
                write(value.unwrap_sensitive());
                break;
            default:
                if (!is_known(value)) write_first(value);
        }
    }

private:
    static Value count(std::size_t number) { return Value(static_cast<std::int64_t>(number)); }

    /// Text that was written before is an index from then on.
    bool is_inner_known(const std::string& key) {
        const auto [found, first] = inner_.try_emplace(key, inner_.size());
        if (!first) packer_.extension(PcoreExtension::InnerTabulation, {{count(found->second)}});
        return !first;
    }
    /// The same for whole values. Times and the like are found by content, everything else by identity.
    bool is_known(const Value& value) {
        if (!value.shared()) {
            ++values_;
            return false;
        }
        const auto [found, first] = written_.try_emplace(value.shared(), values_);
        if (first) {
            ++values_;
            kept_.push_back(value);
            return false;
        }
        packer_.extension(PcoreExtension::Tabulation, {{count(found->second)}});
        return true;
    }

    void write_first(const Value& value) {
        if (value.is_array()) {
            const Array& list = value.as_array();
            packer_.extension(PcoreExtension::ArrayStart, {{count(list.size())}, list.size()});
            for (const Value& item : list) write(item);
        } else if (value.is_hash()) {
            const Hash& hash = value.as_hash();
            packer_.extension(PcoreExtension::MapStart, {{count(hash.size())}, hash.size() * 2});
            for (const auto& entry : hash) {
                write(entry.key);
                write(entry.value);
            }
        } else if (const auto text = as_typed_text(value)) {
            write_text(value, text->second);
        } else {
            write_object(value);
        }
    }
    void write_text(const Value& value, const std::string& text) {
        if (is_inner_known(std::string(kind_name(value.kind())) + text)) return;
        switch (value.kind()) {
            case Kind::Timestamp:
            case Kind::Timespan: {
                const std::int64_t second = 1'000'000'000;
                std::int64_t seconds = value.as_integer() / second;
                std::int64_t rest = value.as_integer() % second;
                if (rest < 0) {
                    --seconds;
                    rest += second;
                }
                packer_.extension(value.is(Kind::Timespan) ? PcoreExtension::Timespan : PcoreExtension::Time,
                                  {{Value(seconds), Value(rest)}});
                break;
            }
            case Kind::Binary:
                if (packer_.supports_binary())
                    packer_.extension(PcoreExtension::Binary, {{Value(value.as<Binary>().bytes)}, 0, true});
                else
                    packer_.extension(PcoreExtension::Base64, {{Value(text)}});
                break;
            default:
                packer_.extension(value.is(Kind::Regexp)        ? PcoreExtension::Regexp
                                  : value.is(Kind::SemVer)      ? PcoreExtension::Version
                                  : value.is(Kind::SemVerRange) ? PcoreExtension::VersionRange
                                                                : PcoreExtension::Uri,
                                  {{Value(text)}});
        }
    }
    void write_object(const Value& value) {
        if (value.is(Kind::Callable) || value.is(Kind::Iterator))
            throw EvalError("", "A " + std::string(kind_name(value.kind())) + " cannot be serialized");
        const auto object = describe_object(value);
        if (!object)
            throw EvalError("", "A " + std::string(kind_name(value.kind())) + " cannot be serialized");
        if (object->type == "Pcore::TypeReferenceType") {
            const std::string text = object->attributes[0].second.as_string();
            if (!is_inner_known("reference" + text))
                packer_.extension(PcoreExtension::TypeReference, {{Value(text)}});
            return;
        }
        const std::vector<Value> attributes = attributes_by_position(value, *object);
        start_object(object->type, attributes.size());
        for (const Value& attribute : attributes) write(attribute);
    }
    /// Its name is written in parts, which are tabulated like all text; then so is the start as a whole.
    void start_object(const std::string& type, std::size_t attributes) {
        const std::string key = "object" + type + " " + std::to_string(attributes);
        if (const auto known = inner_.find(key); known != inner_.end()) {
            packer_.extension(PcoreExtension::InnerTabulation, {{count(known->second)}});
            return;
        }
        std::vector<Value> items;
        std::size_t parts = 0;
        for (std::size_t at = 0; at <= type.size(); ++parts) {
            const std::size_t end = std::min(type.find("::", at), type.size());
            const std::string part = type.substr(at, end - at);
            const auto [found, first] = inner_.try_emplace("s" + part, inner_.size());
            items.push_back(first ? Value(part) : count(found->second));
            at = end + 2;
        }
        items.insert(items.begin(), count(parts));
        items.push_back(count(attributes));
        packer_.extension(PcoreExtension::PcoreObjectStart, {std::move(items), attributes});
        inner_.emplace(key, inner_.size());
    }

    PcorePacker& packer_;
    std::unordered_map<std::string, std::size_t> inner_;
    std::unordered_map<const Shared*, std::size_t> written_;
    std::size_t values_ = 0;
    std::vector<Value> kept_;
};

}  // namespace

std::string serialize(const Value& value, PcoreFormat format) {
    const auto packer = make_packer(format);
    StreamWriter(*packer).write(value);
    return packer->finish();
}

}  // namespace volley
