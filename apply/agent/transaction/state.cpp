#include "apply/agent/transaction/state.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <nlohmann/json.hpp>

#include "apply/agent/machine/files.hpp"
#include "apply/agent/values/errors.hpp"
#include "support/json/json_reader.hpp"
#include "support/json/json_text.hpp"

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

}  // namespace

Json State::json_of(const Values& values) {
    Json object = Json::object();
    for (const auto& [name, value] : values) object[name.text()] = value_to_json(value);
    return object;
}

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
            take_all("{" + text.substr(at, stop - at - comma) + "}");
            at = stop + 1;
        }
    } catch (const JsonError&) {
        entries_.clear();
        take_all(text);  // somebody may have written it differently; else this says where it is wrong
    }
}

void State::take(const std::string& reference, const Json& json) {
    if (!json.is_object()) return;
    Entry& made = entries_[reference];
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

const Value* State::find(const std::string& reference, Values Entry::*values,
                         std::string_view property) const {
    const auto entry = entries_.find(reference);
    if (entry == entries_.end()) return nullptr;
    for (const auto& [name, value] : entry->second.*values) {
        if (name == property) return &value;
    }
    return nullptr;
}

void State::set(const std::string& reference, Values Entry::*values, std::string_view property, Value value) {
    Values& known = entries_[reference].*values;
    for (auto& [name, old] : known) {
        if (name == property) {
            old = std::move(value);
            return;
        }
    }
    known.reserve(known.size() + 1);  // there are thousands of lists, each of a few values
    known.emplace_back(property, std::move(value));
}

const Value* State::audited(const std::string& reference, std::string_view property) const {
    return find(reference, &Entry::audited, property);
}
void State::set_audited(const std::string& reference, std::string_view property, Value value) {
    set(reference, &Entry::audited, property, std::move(value));
}

const Value* State::brought_to(const std::string& reference, std::string_view property) const {
    return find(reference, &Entry::brought_to, property);
}
void State::set_brought_to(const std::string& reference, std::string_view property, Value value) {
    set(reference, &Entry::brought_to, property, std::move(value));
}

void State::save() const {
    if (folder_.empty()) return;
    make_folders(folder_, 0700);
    ReplacedFile file(folder_ + "/state.json", "", 0600);
    const std::int64_t oldest = static_cast<std::int64_t>(::time(nullptr)) - seconds_remembered;
    std::string waiting = first_line;
    bool first = true;
    for (const auto& [reference, entry] : entries_) {
        const std::int64_t seen = std::max(entry.checked, entry.synced);
        if (seen != 0 && seen < oldest) continue;
        Json made{{"checked", entry.checked}};
        if (entry.synced != 0) made["synced"] = entry.synced;
        if (!entry.audited.empty()) made["audited"] = json_of(entry.audited);
        if (!entry.brought_to.empty()) made["values"] = json_of(entry.brought_to);
        waiting += (first ? "" : ",\n") + compact_json(reference) + ":" + compact_json(made);
        first = false;
        if (waiting.size() < piece_bytes) continue;
        file.write(waiting);
        waiting.clear();
    }
    file.write(waiting + last_line);
    file.complete(ReplacedFile::Waits::Never);
    file.put_into_place();
}

}  // namespace volley::agent
