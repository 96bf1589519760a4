#include "inventory/plugins/cache.hpp"

#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>

#include "support/crypto/digest.hpp"
#include "support/error.hpp"
#include "support/files.hpp"
#include "support/json/json_reader.hpp"
#include "support/log.hpp"

namespace volley::inventory {
namespace {

/// With keys in order, so that two spellings of one reference are one entry.
Json sorted(const Json& value) {
    if (!value.is_structured()) return value;
    Json copy = value.is_array() ? Json::array() : Json::object();
    if (value.is_array()) {
        for (const Json& item : value) copy.push_back(sorted(item));
        return copy;
    }
    std::map<std::string_view, const Json*> members;
    for (auto it = value.begin(); it != value.end(); ++it) members.emplace(it.key(), &*it);
    for (const auto& [key, item] : members) copy[key] = sorted(*item);
    return copy;
}

}  // namespace

double PluginCache::lifetime(const Json& reference, const Json& standard) {
    const auto own = reference.find("_cache");
    const bool given = own != reference.end() && !own->is_null();
    if (given && !own->is_object())
        throw Error("bolt/validation-error", "_cache must be a Hash, received " + own->dump());
    const Json& rule = given ? *own : standard;
    if (!given && !standard.is_object()) return 0;
    const auto ttl = rule.find("ttl");
    if (ttl == rule.end()) {
        if (!given) return 0;
        throw Error("bolt/validation-error", "_cache must set 'ttl' key.");
    }
    if (!ttl->is_number() || ttl->get<double>() < 0)
        throw Error("bolt/validation-error", "'ttl' key under '_cache' must be a minimum of 0.");
    return ttl->get<double>();
}

/// The digest, and not the reference: it may hold secrets.
std::string PluginCache::id_of(const Json& reference) {
    Json rest = reference;
    rest.erase("_cache");
    return sha256_hex(sorted(rest).dump()).substr(0, 32);
}

Json PluginCache::read() const {
    std::error_code ignored;
    if (!std::filesystem::exists(file_, ignored)) return Json::object();
    Json all = try_parse_json(read_file(file_, "plugin cache"), wrapped_value_json_limits);
    if (!all.is_object()) return Json::object();
    Json good = Json::object();
    for (const auto& [id, entry] : all.items()) {
        const bool whole = entry.is_object() && entry.contains("result") &&
                           entry.value("written", Json()).is_number() &&
                           entry.value("ttl", Json()).is_number();
        if (whole && now_() - entry["written"].get<double>() < entry["ttl"].get<double>()) good[id] = entry;
    }
    return good;
}

std::optional<Json> PluginCache::find(const Json& reference) {
    const Json all = read();
    const auto entry = all.find(id_of(reference));
    return entry == all.end() ? std::nullopt : std::optional(Json((*entry)["result"]));
}

void PluginCache::store(const Json& reference, const Json& answer, double lifetime) {
    Json all = read();
    all[id_of(reference)] = Json{{"result", answer}, {"written", now_()}, {"ttl", lifetime}};
    try {
        write_file_atomically(file_, all.dump() + "\n", 0600);
    } catch (const Error& error) {
        log_warning("unwriteable_file", "inventory",
                    std::string("The plugin cache cannot be written: ") + error.what());
    }
}

}  // namespace volley::inventory
