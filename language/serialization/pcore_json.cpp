#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "language/errors.hpp"
#include "language/serialization/json.hpp"
#include "language/serialization/pcore_packers.hpp"
#include "language/text/text.hpp"
#include "support/json/json_reader.hpp"
#include "support/text.hpp"

namespace volley {
namespace {

/// A JSON array. An extension is an array that begins with its number; what belongs to it stands inside as
/// far as the writer knows, and the reader does not mind.
class JsonPacker final : public PcorePacker {
public:
    void null() override { scalar("null"); }
    void boolean(bool value) override { scalar(value ? "true" : "false"); }
    void integer(std::int64_t value) override { scalar(std::to_string(value)); }
    void real(double value) override {
        if (!std::isfinite(value))
            throw EvalError("", "The Float " + float_text(value) + " cannot be written as JSON");
        scalar(Json(value).dump());
    }
    void string(const std::string& value) override {
        if (!is_utf8(value)) throw EvalError("", "A String that is not UTF-8 cannot be written as JSON");
        scalar(Json(value).dump());
    }
    void extension(PcoreExtension number, const Payload& payload) override {
        out_ += '[' + std::to_string(static_cast<int>(number)) + ',';
        open_.push_back(std::nullopt);
        for (const Value& item : payload.items) {
            if (item.is(Kind::Integer))
                integer(item.as_integer());
            else
                string(item.as_string());
        }
        open_.pop_back();
        if (payload.sequence > 0) {
            open_.emplace_back(payload.sequence);
            return;
        }
        out_.back() = ']';
        delimit();
    }
    bool supports_binary() const override { return false; }
    std::string finish() override {
        if (out_.size() > 1) out_.pop_back();
        return std::move(out_) + ']';
    }

private:
    void scalar(const std::string& text) {
        out_ += text;
        delimit();
    }
    void delimit() {
        while (!open_.empty() && open_.back() == std::size_t{1}) {
            out_ += ']';
            open_.pop_back();
        }
        if (!open_.empty() && open_.back()) --*open_.back();
        out_ += ',';
    }
    std::string out_ = "[";
    std::vector<std::optional<std::size_t>> open_;  // how many values an open extension still takes
};

Json stream_document(std::string_view bytes) {
    try {
        return parse_json(bytes, {.depth = 1000});
    } catch (const JsonError& error) {
        throw EvalError("", std::string("The JSON stream is not valid: ") + error.what());
    }
}

class JsonUnpacker final : public PcoreUnpacker {
public:
    explicit JsonUnpacker(std::string_view bytes) : root_(stream_document(bytes)) {
        if (!root_.is_array()) throw EvalError("", "A JSON stream is not an array");
        open_.push_back({&root_, 0});
    }
    Item read() override {
        const Json& item = next();
        if (!item.is_array()) {
            if (item.is_object()) throw EvalError("", "A JSON stream has an object in it");
            return {false, PcoreExtension::Default, from_json(item)};
        }
        open_.push_back({&item, 0});
        const Json& number = next();
        if (!number.is_number_integer() || number < 0 || number > 127)
            throw EvalError("", "Invalid input. " + number.dump() + " is not a valid extension number");
        return {true, static_cast<PcoreExtension>(number.get<int>()), {}};
    }
    Value read_payload() override {
        Item item = read();
        if (item.is_extension) throw EvalError("", "A JSON stream has an extension inside of another one");
        return std::move(item.value);
    }

private:
    struct Place {
        const Json* list;
        std::size_t index;
    };
    const Json& next() {
        while (!open_.empty() && open_.back().index >= open_.back().list->size()) open_.pop_back();
        if (open_.empty()) throw EvalError("", "Unexpected end of input");
        Place& place = open_.back();
        return (*place.list)[place.index++];
    }
    const Json root_;
    std::vector<Place> open_;
};

}  // namespace

std::unique_ptr<PcorePacker> make_json_packer() { return std::make_unique<JsonPacker>(); }
std::unique_ptr<PcoreUnpacker> make_json_unpacker(std::string_view bytes) {
    return std::make_unique<JsonUnpacker>(bytes);
}

}  // namespace volley
