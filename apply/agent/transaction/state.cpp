#include "apply/agent/transaction/state.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <ctime>
#include <nlohmann/json.hpp>
#include <utility>

#include "apply/agent/machine/files.hpp"
#include "apply/agent/values/errors.hpp"
#include "support/json/json_reader.hpp"
#include "support/json/json_text_writer.hpp"
#include "support/text.hpp"

namespace volley::agent {
namespace {

constexpr std::int64_t seconds_remembered = 32 * 86400;  // Puppet's statettl
constexpr std::uint64_t most_bytes = 256U << 20U;
constexpr std::size_t piece_bytes = 65536;
constexpr const char* first_line = "{\n";
constexpr const char* last_line = "\n}";

std::int64_t number_in(const Json& entry, const char* key) {
    const auto found = entry.find(key);
    return found != entry.end() && found->is_number_integer() ? found->get<std::int64_t>() : 0;
}

/// For whoever wants to know only whether a text is JSON.
class NoEvents final : public nlohmann::json_sax<Json> {
public:
    bool null() override { return true; }
    bool boolean(bool) override { return true; }
    bool number_integer(number_integer_t) override { return true; }
    bool number_unsigned(number_unsigned_t) override { return true; }
    bool number_float(number_float_t, const string_t&) override { return true; }
    bool string(string_t&) override { return true; }
    bool binary(binary_t&) override { return true; }
    bool start_object(std::size_t) override { return true; }
    bool end_object() override { return true; }
    bool start_array(std::size_t) override { return true; }
    bool end_array() override { return true; }
    bool key(string_t&) override { return true; }
    bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) override {
        return false;
    }
};

/// Takes `word` and the number after it off the front.
std::optional<std::int64_t> take_number(std::string_view& text, std::string_view word) {
    if (!text.starts_with(word)) return std::nullopt;
    const char* const begin = text.data() + word.size();
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(begin, text.data() + text.size(), number);
    if (error != std::errc()) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return number;
}

/// Printable ASCII that stands in JSON as it is.
bool is_plain(std::string_view text) {
    return std::all_of(text.begin(), text.end(),
                       [](char c) { return c >= ' ' && c <= '~' && c != '"' && c != '\\'; });
}

void write_text(JsonTextWriter& out, std::string_view text) {
    is_utf8(text) ? out.text(text) : out.text(scrub_utf8(text));
}

constexpr std::string_view brought_to_name = "values";

const Value& value_of(const Value& value) { return value; }
const Value& value_of(const Value* value) { return *value; }

template <class Values>
void write_values(JsonTextWriter& out, std::string_view member, const Values& values) {
    out.key(member);
    out.begin_object();
    for (const auto& [name, given] : values) {
        out.key(name);
        const Value& value = value_of(given);
        value.is(Value::Kind::String) ? write_text(out, value.text()) : out.json(value_to_json(value));
    }
    out.end_object();
}

}  // namespace

State::Values State::values_in(const Json& entry, const char* key) {
    Values values;
    const auto found = entry.find(key);
    if (found == entry.end() || !found->is_object()) return values;
    bool sensitive = false;
    values.reserve(found->size());
    for (const auto& [name, item] : found->items())
        values.emplace_back(name, value_from_json(item, sensitive));
    return values;
}

State::State(std::string folder) : folder_(std::move(folder)) {
    if (folder_.empty()) return;
    const std::string path = folder_ + "/state.json";
    try {
        if (file_stat(path, false)) load(path);
    } catch (const std::exception& error) {
        entries_.clear();
        complaint_ =
            "The state in " + path + " cannot be read (" + error.what() + "); it is kept as " + path + ".bad";
        std::rename(path.c_str(), (path + ".bad").c_str());
    }
}

/// This program writes a line for each resource, so that only one of them is in memory as JSON.
void State::load(const std::string& path) {
    const std::string text = read_whole(path, most_bytes);
    const auto take_all = [this](std::string_view document) {
        const Json json = parse_json(document, {.depth = 100, .values = 5'000'000});
        if (!json.is_object()) throw ApplyError("it is not an object");
        for (const auto& [reference, entry] : json.items()) take(reference, entry);
    };
    try {
        if (!text.starts_with(first_line) || !text.ends_with(last_line)) return take_all(text);
        const std::size_t end = text.size() - std::string_view(last_line).size();
        for (std::size_t at = std::string_view(first_line).size(); at < end;) {
            const std::size_t stop = std::min(text.find('\n', at), end);
            const std::size_t comma = stop < end && text[stop - 1] == ',' ? 1 : 0;
            if (!take_packed(std::string_view(text).substr(at, stop - at - comma)))
                take_all("{" + text.substr(at, stop - at - comma) + "}");
            at = stop + 1;
        }
    } catch (const JsonError&) {
        entries_.clear();
        take_all(text);  // somebody may have written it differently; else this says where it is wrong
    }
}

/// A line of save() without escapes. On a machine that is as it shall be nobody asks for more than the times,
/// and the rest is written again as it is.
bool State::take_packed(std::string_view line) {
    if (line.empty() || line.front() != '"') return false;
    const std::string_view reference = line.substr(1, std::min(line.find('"', 1), line.size()) - 1);
    if (!is_plain(reference) || line.size() < reference.size() + 2) return false;
    line.remove_prefix(reference.size() + 2);
    const auto checked = take_number(line, ":{\"checked\":");
    const auto synced = take_number(line, ",\"synced\":");
    if (!checked || line.empty() || line.back() != '}') return false;
    line.remove_suffix(1);
    std::string packed;
    if (!line.empty()) {
        if (line.front() != ',' || line.size() == 1) return false;
        packed = line.substr(1);
        NoEvents nothing;
        read_json_events("{" + packed + "}", nothing);
    }
    Entry& made = entries_.insert_or_assign(entries_.end(), std::string(reference), Entry())->second;
    made.checked = *checked;
    made.synced = synced.value_or(0);
    made.packed = std::move(packed);
    return true;
}

void State::take(const std::string& reference, const Json& json) {
    if (!json.is_object()) return;
    Entry& made = entries_[reference];
    made.packed.clear();
    made.checked = number_in(json, "checked");
    made.synced = number_in(json, "synced");
    made.audited = values_in(json, "audited");
    made.brought_to = values_in(json, "values");
}

std::int64_t State::checked(const std::string& reference) const {
    const auto found = entries_.find(reference);
    return found == entries_.end() ? 0 : found->second.checked;
}
void State::set_checked(const std::string& reference, std::int64_t when) {
    entries_[reference].checked = when;
}
void State::set_synced(const std::string& reference, std::int64_t when) { entries_[reference].synced = when; }

void State::unpack(Entry& entry) {
    if (entry.packed.empty()) return;
    const Json json = parse_json("{" + std::exchange(entry.packed, {}) + "}");
    entry.audited = values_in(json, "audited");
    entry.brought_to = values_in(json, "values");
}

const Value* State::find(const std::string& reference, Values Entry::*values, std::string_view property) {
    const auto entry = entries_.find(reference);
    if (entry == entries_.end()) return nullptr;
    unpack(entry->second);
    for (const auto& [name, value] : entry->second.*values) {
        if (name == property) return &value;
    }
    return nullptr;
}

void State::set(Values& known, std::string_view property, Value value) {
    for (auto& [name, old] : known) {
        if (name == property) {
            old = std::move(value);
            return;
        }
    }
    known.reserve(known.size() + 1);  // there are thousands of lists, each of a few values
    known.emplace_back(property, std::move(value));
}

const Value* State::audited(const std::string& reference, std::string_view property) {
    return find(reference, &Entry::audited, property);
}
void State::set_audited(const std::string& reference, std::string_view property, Value value) {
    Entry& entry = entries_[reference];
    unpack(entry);
    set(entry.audited, property, std::move(value));
}

const Value* State::brought_to(const std::string& reference, std::string_view property) {
    return find(reference, &Entry::brought_to, property);
}
void State::set_brought_to(const std::string& reference,
                           const std::vector<std::pair<Word, const Value*>>& values) {
    if (values.empty()) return;
    Entry& entry = entries_[reference];
    if (!entry.packed.empty()) {
        scratch_.clear();
        scratch_.begin_object();
        write_values(scratch_, brought_to_name, values);
        scratch_.end_object();
        const std::string_view same = scratch_.written();
        if (same.substr(1, same.size() - 2) == entry.packed) return;
    }
    unpack(entry);
    for (const auto& [property, value] : values) set(entry.brought_to, property, *value);
}

void State::write(JsonTextWriter& out, const Entry& entry) {
    out.begin_object();
    out.key("checked");
    out.number(entry.checked);
    if (entry.synced != 0) {
        out.key("synced");
        out.number(entry.synced);
    }
    if (!entry.packed.empty()) {
        out.raw(",");
        out.raw(entry.packed);
    }
    if (!entry.audited.empty()) write_values(out, "audited", entry.audited);
    if (!entry.brought_to.empty()) write_values(out, brought_to_name, entry.brought_to);
    out.end_object();
}

void State::save() const {
    if (folder_.empty()) return;
    make_folders(folder_, 0700);
    ReplacedFile file(folder_ + "/state.json", "", 0600);
    const std::int64_t oldest = static_cast<std::int64_t>(::time(nullptr)) - seconds_remembered;
    JsonTextWriter out;
    bool first = true;
    for (const auto& [reference, entry] : entries_) {
        const std::int64_t seen = std::max(entry.checked, entry.synced);
        if (seen != 0 && seen < oldest) continue;
        out.raw(first ? first_line : ",\n");
        first = false;
        write_text(out, reference);
        out.raw(":");
        write(out, entry);
        if (out.written().size() < piece_bytes) continue;
        file.write(out.written());
        out.clear();
    }
    if (first) out.raw(first_line);
    out.raw(last_line);
    file.write(out.written());
    file.complete(ReplacedFile::Waits::Never);
    file.put_into_place();
}

}  // namespace volley::agent
