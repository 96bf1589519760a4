#include <nlohmann/json.hpp>
#include <unordered_map>

#include "language/errors.hpp"
#include "language/serialization/json_writer.hpp"
#include "language/serialization/pcore_data.hpp"
#include "language/text/text.hpp"

namespace volley {
namespace {

class DataWriter final : public RichJsonWriter {
public:
    explicit DataWriter(const PcoreDataOptions& options) : options_(options) {}

private:
    Json odd_float(double number) override {
        throw EvalError("", "The Float " + float_text(number) + " cannot be written as data");
    }
    Json container(const Value& value) override {
        return once(value, [&] { return RichJsonWriter::container(value); });
    }
    Json element(const Value& key, const Value& value) override {
        return at(key, [&] { return write(value); });
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

    Json object(const Value& value) override {
        if (auto text = as_typed_text(value)) return tagged(text->first, std::move(text->second));
        if (value.is(Kind::Callable) || value.is(Kind::Iterator))
            throw EvalError("", "A " + std::string(kind_name(value.kind())) + " cannot be written as data");
        return once(value, [&] {
            const auto described = describe_object(value);
            if (!described)
                throw EvalError("",
                                "A " + std::string(kind_name(value.kind())) + " cannot be written as data");
            Json result{{"__ptype", described->type}};
            for (const auto& [name, attribute] : described->attributes)
                result[name] = element(Value(name), attribute);
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
