#include "planner/record/stored_result.hpp"

#include <nlohmann/json.hpp>

#include "journal/frame.hpp"
#include "planner/results/result_text.hpp"
#include "support/json/json_text.hpp"
#include "support/text.hpp"

namespace volley::planner {
namespace {

int number_of(transports::Stream stream) { return stream == transports::Stream::Out ? 1 : 2; }

Json stored_output(const transports::Output& output) {
    Json stored{{"output", Json::array()}, {"code", output.status.code}};
    if (!output.status.signal.empty()) stored["signal"] = output.status.signal;
    output.captured.visit([&](transports::Stream stream, std::string_view bytes) {
        stored["output"].push_back(Json::array({number_of(stream), scrub_utf8(bytes)}));
    });
    return stored;
}

/// What is kept of a value that is too long for the record.
Json shortened(const Json& value) {
    Json kept = Json::object();
    if (value.is_object() && value.contains("_error"))
        kept["_error"] =
            Json{{"kind", ""}, {"msg", value["_error"].value("msg", "")}, {"details", Json::object()}};
    kept["_output"] = "[the value is too long for the record]";
    return kept;
}

/// That of an apply is its catalog, which is made anew and too big to keep.
bool is_stored(const Result& result) { return !result.has_sensitive() || result.action() == "apply"; }

}  // namespace

std::optional<Json> stored_value(const Result& result) {
    if (const transports::Output* output = result.output()) return stored_output(*output);
    if (!is_stored(result)) return std::nullopt;
    Json stored = Json::object();
    stored["value"] = *result.shared_value();
    if (result.has_sensitive()) stored["value"].erase("_sensitive");
    if (result.object()) stored["object"] = scrub_utf8(*result.object());
    return stored;
}

RecordedResult::RecordedResult(const Result& result, std::size_t longest_output) : result_(result) {
    if (const transports::Output* output = result.output()) {
        status_ = &output->status;
        cut(*output, longest_output);
        return;
    }
    if (!json_text_fits(*result.shared_value(), longest_output)) {
        whole_ = false;
        content_ = std::make_unique<Json>(Json{{"value", shortened(*result.shared_value())}});
    } else if (is_stored(result)) {
        value_ = result.shared_value();
        return;
    } else {
        whole_ = false;
        content_ = std::make_unique<Json>(Json{{"value", result.value()}});
    }
    if (result.object()) (*content_)["object"] = scrub_utf8(*result.object());
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

void RecordedResult::copy_value() {
    content_ = std::make_unique<Json>(*stored_value(result_));
    value_ = nullptr;
}

/// As content_text() writes what copy_value() makes: the reports of an apply are not copied.
std::string RecordedResult::text_of_value() const {
    std::string text = "{\"value\":";
    if (!result_.has_sensitive()) {
        text += journal::content_text(*value_);
    } else {
        text += '{';
        for (const auto& [name, item] : value_->items()) {
            if (name == "_sensitive") continue;
            if (text.back() != '{') text += ',';
            text += json_string(name);
            text += ':';
            text += journal::content_text(item);
        }
        text += '}';
    }
    if (result_.object()) text += ",\"object\":" + json_string(*result_.object());
    return text + '}';
}

void RecordedResult::mask(const KnownSecrets& secrets) {
    if (value_ && !secrets.empty()) copy_value();
    if (content_ && secrets.mask(*content_)) whole_ = false;
    for (Stretch& one : output_) {
        if (!secrets.found_in(one.bytes)) continue;
        whole_ = false;
        own_.push_back(std::make_unique<const std::string>(secrets.masked(std::string(one.bytes))));
        one.bytes = *own_.back();
    }
}

void RecordedResult::append_content(std::string& text) {
    if (value_ && !journal::has_long_text(*value_)) {
        text += text_of_value();
        return;
    }
    if (value_) copy_value();
    if (status_ == nullptr) {
        texts_ = journal::detach_long_texts(*content_);
        text += journal::content_text(*content_);
        return;
    }
    // Made as text at once: there is one of these for each target of each step.
    text += "{\"output\":[";
    for (const Stretch& one : output_) {
        if (&one != &output_.front()) text += ',';
        text += '[';
        text += std::to_string(number_of(one.stream));
        text += ',';
        text += std::to_string(one.bytes.size());
        text += ']';
    }
    text += "],\"code\":";
    text += std::to_string(status_->code);
    if (!status_->signal.empty()) text += ",\"signal\":" + json_string(status_->signal);
    text += '}';
}

std::vector<std::string_view> RecordedResult::output() const {
    std::vector<std::string_view> pieces;
    pieces.reserve(output_.size() + texts_.size());
    for (const Stretch& one : output_) pieces.push_back(one.bytes);
    pieces.insert(pieces.end(), texts_.begin(), texts_.end());
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
