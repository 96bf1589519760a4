#include "planner/results/result_text.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "support/text.hpp"
#include "support/text/escapes.hpp"
#include "support/unicode/utf8.hpp"

namespace volley::planner {
namespace {

constexpr std::size_t piece_size = 32 * 1024;

void append_escaped(std::string& text, std::string_view bytes) {
    if (is_utf8(bytes))
        append_json_escaped(text, bytes);
    else
        append_json_escaped(text, scrub_utf8(bytes));
}

}  // namespace

JsonString::JsonString(const TextSink& sink) : sink_(sink) { sink_("\""); }

void JsonString::finish() {
    flush(true);
    sink_("\"");
}

void JsonString::add(std::string_view bytes) {
    while (!bytes.empty()) {
        const std::size_t space = std::min(bytes.size(), piece_size - waiting_.size());
        waiting_ += bytes.substr(0, space);
        bytes.remove_prefix(space);
        if (waiting_.size() == piece_size) flush(false);
    }
}

void JsonString::flush(bool everything) {
    const std::size_t kept = everything ? 0 : unfinished_utf8(waiting_);
    const std::string_view ready = std::string_view(waiting_).substr(0, waiting_.size() - kept);
    std::string text;
    text.reserve(ready.size() + 64);
    append_escaped(text, ready);
    sink_(text);
    waiting_.erase(0, ready.size());
}

void write_json_string(const TextSink& sink, std::string_view bytes) {
    JsonString text(sink);
    text.add(bytes);
    text.finish();
}

std::string json_string(std::string_view bytes) {
    std::string text;
    text.reserve(bytes.size() + 2);
    text += '"';
    append_escaped(text, bytes);
    text += '"';
    return text;
}

namespace {

bool is_clean(const Json& value) {
    if (value.is_string()) return is_utf8(value.get_ref<const std::string&>());
    if (value.is_array()) return std::all_of(value.begin(), value.end(), is_clean);
    if (!value.is_object()) return true;
    const auto& members = value.get_ref<const Json::object_t&>();
    return std::all_of(members.begin(), members.end(), [](const auto& member) {
        return is_utf8(member.first) && is_clean(member.second);
    });
}

}  // namespace

Json scrubbed(Json value) {
    if (is_clean(value)) return value;
    if (value.is_string()) {
        auto& text = value.get_ref<std::string&>();
        if (!is_utf8(text)) text = scrub_utf8(text);
    } else if (value.is_array()) {
        for (Json& item : value) item = scrubbed(std::move(item));
    } else if (value.is_object()) {
        Json clean = Json::object();
        for (auto& [key, item] : value.items()) {
            clean[is_utf8(key) ? key : scrub_utf8(key)] = scrubbed(std::move(item));
        }
        return clean;
    }
    return value;
}

}  // namespace volley::planner
