#include "planner/record/stored_result.hpp"

#include <nlohmann/json.hpp>

#include "support/text.hpp"

namespace volley::planner {
namespace {

Json output_pieces(const transports::Output& output, std::size_t longest, bool& whole) {
    Json pieces = Json::array();
    const std::size_t total = output.captured.merged().size();
    const std::size_t half = longest / 2;
    std::size_t at = 0;
    const auto keep = [&pieces](transports::Stream stream, std::string_view bytes) {
        if (!bytes.empty())
            pieces.push_back(Json::array({stream == transports::Stream::Out ? 1 : 2, scrub_utf8(bytes)}));
    };
    bool cut = false;
    output.captured.visit([&](transports::Stream stream, std::string_view bytes) {
        const std::size_t begin = at;
        at += bytes.size();
        if (total <= longest) return keep(stream, bytes);
        if (begin < half) keep(stream, bytes.substr(0, half - begin));
        if (at > half && !cut) {
            cut = true;
            keep(stream, "\n[" + std::to_string(total - 2 * half) + " bytes are not in the record]\n");
        }
        const std::size_t tail = total - half;
        if (at > tail) keep(stream, bytes.substr(begin < tail ? tail - begin : 0));
    });
    whole = whole && !cut;
    return pieces;
}

Json stored_output(const transports::Output& output, std::size_t longest, bool& whole) {
    Json stored{{"output", output_pieces(output, longest, whole)}, {"code", output.status.code}};
    if (!output.status.signal.empty()) stored["signal"] = output.status.signal;
    return stored;
}

}  // namespace

RecordedResult::RecordedResult() : content(std::make_unique<Json>(Json::object())) {}
RecordedResult::~RecordedResult() = default;
RecordedResult::RecordedResult(RecordedResult&&) noexcept = default;

std::optional<Json> stored_value(const Result& result) {
    bool whole = true;
    if (const transports::Output* output = result.output())
        return stored_output(*output, output->captured.merged().size(), whole);
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

RecordedResult recorded_result(const Result& result, std::size_t longest_output) {
    RecordedResult recorded;
    if (const transports::Output* output = result.output()) {
        *recorded.content = stored_output(*output, longest_output, recorded.whole);
        return recorded;
    }
    if (auto stored = stored_value(result)) {
        *recorded.content = *std::move(stored);
    } else {
        recorded.whole = false;
        *recorded.content = Json{{"value", result.value()}};
        if (result.object()) (*recorded.content)["object"] = scrub_utf8(*result.object());
    }
    const Json& value = (*recorded.content)["value"];
    if (value.dump(-1, ' ', false, Json::error_handler_t::replace).size() <= longest_output) return recorded;
    recorded.whole = false;
    Json shortened = Json::object();
    if (value.is_object() && value.contains("_error"))
        shortened["_error"] =
            Json{{"kind", ""}, {"msg", value["_error"].value("msg", "")}, {"details", Json::object()}};
    shortened["_output"] = "[the value is too long for the record]";
    (*recorded.content)["value"] = std::move(shortened);
    return recorded;
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
