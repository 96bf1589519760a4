#include "apply/agent/transaction/state.hpp"

#include <sys/stat.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "apply/agent/machine/files.hpp"
#include "apply/agent/values/errors.hpp"
#include "support/json_reader.hpp"

namespace volley::agent {
namespace {

Json values_json(const std::map<std::string, Value, std::less<>>& values) {
    Json object = Json::object();
    for (const auto& [name, value] : values) object[name] = value_to_json(value);
    return object;
}

void read_values(const Json& entry, const char* key, std::map<std::string, Value, std::less<>>& values) {
    const auto found = entry.find(key);
    if (found == entry.end() || !found->is_object()) return;
    bool sensitive = false;
    for (const auto& [name, item] : found->items()) values[name] = value_from_json(item, sensitive);
}

std::int64_t number_in(const Json& entry, const char* key) {
    const auto found = entry.find(key);
    return found != entry.end() && found->is_number_integer() ? found->get<std::int64_t>() : 0;
}

}  // namespace

State::State(std::string folder) : folder_(std::move(folder)) {
    if (folder_.empty()) return;
    const std::string path = folder_ + "/state.json";
    try {
        if (!file_stat(path, false)) return;
        const Json document = parse_json(read_whole(path, 256U << 20U), {.depth = 100, .values = 5'000'000});
        if (!document.is_object()) throw ApplyError("it is not an object");
        for (const auto& [reference, entry] : document.items()) {
            if (!entry.is_object()) continue;
            Entry& made = entries_[reference];
            made.checked = number_in(entry, "checked");
            made.synced = number_in(entry, "synced");
            read_values(entry, "audited", made.audited);
            read_values(entry, "values", made.brought_to);
        }
    } catch (const std::exception& error) {
        entries_.clear();
        complaint_ =
            "The state in " + path + " cannot be read (" + error.what() + "); it is kept as " + path + ".bad";
        std::rename(path.c_str(), (path + ".bad").c_str());
    }
}

std::int64_t State::checked(const std::string& reference) const {
    const auto found = entries_.find(reference);
    return found == entries_.end() ? 0 : found->second.checked;
}
void State::set_checked(const std::string& reference, std::int64_t when) {
    entries_[reference].checked = when;
}
void State::set_synced(const std::string& reference, std::int64_t when) { entries_[reference].synced = when; }

const Value* State::audited(const std::string& reference, std::string_view property) const {
    const auto entry = entries_.find(reference);
    if (entry == entries_.end()) return nullptr;
    const auto found = entry->second.audited.find(property);
    return found == entry->second.audited.end() ? nullptr : &found->second;
}
void State::set_audited(const std::string& reference, std::string_view property, Value value) {
    entries_[reference].audited[std::string(property)] = std::move(value);
}

const Value* State::brought_to(const std::string& reference, std::string_view property) const {
    const auto entry = entries_.find(reference);
    if (entry == entries_.end()) return nullptr;
    const auto found = entry->second.brought_to.find(property);
    return found == entry->second.brought_to.end() ? nullptr : &found->second;
}
void State::set_brought_to(const std::string& reference, std::string_view property, Value value) {
    entries_[reference].brought_to[std::string(property)] = std::move(value);
}

void State::save() const {
    if (folder_.empty()) return;
    make_folders(folder_, 0700);
    Json document = Json::object();
    for (const auto& [reference, entry] : entries_) {
        Json made{{"checked", entry.checked}};
        if (entry.synced != 0) made["synced"] = entry.synced;
        if (!entry.audited.empty()) made["audited"] = values_json(entry.audited);
        if (!entry.brought_to.empty()) made["values"] = values_json(entry.brought_to);
        document[reference] = std::move(made);
    }
    const std::string path = folder_ + "/state.json";
    replace_content(path, document.dump(-1, ' ', false, Json::error_handler_t::replace), 0600);
}

}  // namespace volley::agent
