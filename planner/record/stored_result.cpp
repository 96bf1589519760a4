#include "planner/record/stored_result.hpp"

#include <nlohmann/json.hpp>

#include "support/text.hpp"

namespace volley::planner {
namespace {

constexpr std::string_view output_key = "output";

int number_of(transports::Stream stream) { return stream == transports::Stream::Out ? 1 : 2; }

/// A value is not longer than this as text; to know it costs less than to make the text.
std::size_t most_bytes(const Json& value) {
    constexpr std::size_t longest_escape = 6;
    constexpr std::size_t longest_scalar = 32;
    if (value.is_string())
        return longest_escape * value.get_ref<const std::string&>().size() + longest_scalar;
    std::size_t bytes = longest_scalar;
    if (value.is_object()) {
        for (const auto& [name, item] : value.items())
            bytes += longest_escape * name.size() + longest_scalar + most_bytes(item);
    } else if (value.is_array()) {
        for (const Json& item : value) bytes += longest_scalar + most_bytes(item);
    }
    return bytes;
}

Json status_of(const transports::Output& output) {
    Json stored{{std::string(output_key), Json::array()}, {"code", output.status.code}};
    if (!output.status.signal.empty()) stored["signal"] = output.status.signal;
    return stored;
}

Json stored_output(const transports::Output& output) {
    Json stored = status_of(output);
    output.captured.visit([&](transports::Stream stream, std::string_view bytes) {
        stored["output"].push_back(Json::array({number_of(stream), scrub_utf8(bytes)}));
    });
    return stored;
}

}  // namespace

std::optional<Json> stored_value(const Result& result) {
    if (const transports::Output* output = result.output()) return stored_output(*output);
    Json stored = Json::object();
    Json value = result.full_value();
    if (value.is_object() && value.contains("_sensitive")) {
        // That of an apply is its catalog, which is made anew and too big to keep.
        if (result.action() != "apply") return std::nullopt;
        value.erase("_sensitive");
    }
    stored["value"] = std::move(value);
    if (result.object()) stored["object"] = scrub_utf8(*result.object());
    return stored;
}

RecordedResult::RecordedResult(const Result& result, std::size_t longest_output)
    : content_(std::make_unique<Json>(Json::object())) {
    if (const transports::Output* output = result.output()) {
        *content_ = status_of(*output);
        cut(*output, longest_output);
        return;
    }
    if (auto stored = stored_value(result)) {
        *content_ = *std::move(stored);
    } else {
        whole_ = false;
        *content_ = Json{{"value", result.value()}};
        if (result.object()) (*content_)["object"] = scrub_utf8(*result.object());
    }
    shorten_value(longest_output);
}
RecordedResult::~RecordedResult() = default;

void RecordedResult::cut(const transports::Output& output, std::size_t longest) {
    const std::size_t total = output.captured.merged().size();
    const std::size_t half = longest / 2;
    std::size_t at = 0;
    const auto keep = [this](transports::Stream stream, std::string_view bytes) {
        if (!bytes.empty()) output_.push_back({stream, bytes});
    };
    output.captured.visit([&](transports::Stream stream, std::string_view bytes) {
        const std::size_t begin = at;
        at += bytes.size();
        if (total <= longest) return keep(stream, bytes);
        if (begin < half) keep(stream, bytes.substr(0, half - begin));
        if (at > half && whole_) {
            whole_ = false;
            own_.push_back(std::make_unique<const std::string>("\n[" + std::to_string(total - 2 * half) +
                                                               " bytes are not in the record]\n"));
            keep(stream, *own_.back());
        }
        const std::size_t tail = total - half;
        if (at > tail) keep(stream, bytes.substr(begin < tail ? tail - begin : 0));
    });
}

void RecordedResult::shorten_value(std::size_t longest) {
    const Json& value = (*content_)["value"];
    if (most_bytes(value) <= longest ||
        value.dump(-1, ' ', false, Json::error_handler_t::replace).size() <= longest)
        return;
    whole_ = false;
    Json shortened = Json::object();
    if (value.is_object() && value.contains("_error"))
        shortened["_error"] =
            Json{{"kind", ""}, {"msg", value["_error"].value("msg", "")}, {"details", Json::object()}};
    shortened["_output"] = "[the value is too long for the record]";
    (*content_)["value"] = std::move(shortened);
}

void RecordedResult::mask(const KnownSecrets& secrets) {
    if (secrets.mask(*content_)) whole_ = false;
    for (Stretch& one : output_) {
        if (!secrets.found_in(one.bytes)) continue;
        whole_ = false;
        own_.push_back(std::make_unique<const std::string>(secrets.masked(std::string(one.bytes))));
        one.bytes = *own_.back();
    }
}

Json RecordedResult::take_content() {
    if (const auto lengths = content_->find(output_key); lengths != content_->end()) {
        for (const Stretch& one : output_)
            lengths->push_back(Json::array({number_of(one.stream), one.bytes.size()}));
    }
    return std::move(*content_);
}

std::vector<std::string_view> RecordedResult::output() const {
    std::vector<std::string_view> pieces;
    pieces.reserve(output_.size());
    for (const Stretch& one : output_) pieces.push_back(one.bytes);
    return pieces;
}

std::optional<Result> stored_result(const std::string& target, const std::string& action,
                                    std::optional<std::string> object, const Json& stored) {
    if (const auto pieces = stored.find("output"); pieces != stored.end() && pieces->is_array()) {
        transports::Output output;
        for (const Json& piece : *pieces) {
            if (!piece.is_array() || piece.size() != 2 || !piece[0].is_number() || !piece[1].is_string())
                return std::nullopt;
            output.captured.append(piece[0] == 1 ? transports::Stream::Out : transports::Stream::Err,
                                   piece[1].get_ref<const std::string&>());
        }
        if (const auto code = stored.find("code"); code != stored.end() && code->is_number_integer())
            output.status.code = code->get<int>();
        if (const auto signal = stored.find("signal"); signal != stored.end() && signal->is_string())
            output.status.signal = signal->get<std::string>();
        return Result::of_command(target, action, object.value_or(""), std::move(output));
    }
    const auto value = stored.find("value");
    if (value == stored.end() || !value->is_object()) return std::nullopt;
    return Result::of_value(target, action, std::move(object), *value);
}

}  // namespace volley::planner
