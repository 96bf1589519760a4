#include "language/serialization/json_reader.hpp"

#include <iterator>
#include <nlohmann/json.hpp>
#include <span>
#include <vector>

#include "language/serialization/json.hpp"

namespace volley {
namespace {

/// Makes values as the parser comes by. What belongs to a list or object that is still open waits in one row,
/// keys between their values.
class JsonValueReader final : public Json::json_sax_t {
public:
    Value take() { return std::move(waiting_.back()); }

    bool null() override { return add({}); }
    bool boolean(bool value) override { return add(value); }
    bool number_integer(std::int64_t value) override { return add(value); }
    bool number_unsigned(std::uint64_t value) override { return add(from_json(Json(value))); }
    bool number_float(double value, const std::string&) override { return add(value); }
    bool string(std::string& value) override { return add(std::move(value)); }
    bool binary(Json::binary_t&) override { return false; }  // no text holds any
    bool key(std::string& value) override { return add(std::move(value)); }
    bool start_object(std::size_t) override { return begin(); }
    bool start_array(std::size_t) override { return begin(); }

    bool end_object() override {
        const auto members = end();
        HashBuilder hash;
        for (std::size_t i = 0; i + 1 < members.size(); i += 2)
            hash.set(std::move(members[i]), std::move(members[i + 1]));
        return replace(members, hash.build());
    }

    bool end_array() override {
        const auto items = end();
        return replace(items, Value(std::vector<Value>(std::move_iterator(items.begin()),
                                                       std::move_iterator(items.end()))));
    }

    bool parse_error(std::size_t, const std::string&, const Json::exception&) override { return false; }

private:
    bool add(Value value) {
        waiting_.push_back(std::move(value));
        return true;
    }
    bool begin() {
        begins_.push_back(waiting_.size());
        return true;
    }
    std::span<Value> end() {
        const std::size_t first = begins_.back();
        begins_.pop_back();
        return std::span(waiting_).subspan(first);
    }
    bool replace(std::span<Value> parts, Value whole) {
        waiting_.resize(waiting_.size() - parts.size());
        return add(std::move(whole));
    }

    std::vector<Value> waiting_;
    std::vector<std::size_t> begins_;  // in waiting_, of each open list and object
};

}  // namespace

Value value_of_json(std::string_view text, const JsonLimits& limits) {
    JsonValueReader reader;
    read_json_events(text, reader, limits);
    return reader.take();
}

}  // namespace volley
