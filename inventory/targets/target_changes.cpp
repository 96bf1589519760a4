#include <nlohmann/json.hpp>
#include <utility>

#include "inventory/config/merge.hpp"
#include "inventory/targets/target_data.hpp"
#include "support/error.hpp"
#include "transports/transport.hpp"

namespace volley::inventory {

std::shared_ptr<Json> TargetData::own_copy(TargetId id, Section section) {
    const Data& said = own(id, section);
    return std::make_shared<Json>(said ? *said : Json::object());
}

void TargetData::set_own(TargetId id, Section section, std::shared_ptr<const Json> data) {
    live(id).own[static_cast<std::size_t>(section)] = std::move(data);
}

void TargetData::set_config(TargetId id, const std::vector<std::string>& path, Json value) {
    const auto config = own_copy(id, Section::Config);
    Json* place = config.get();
    for (const std::string& key : path) {
        if (place->is_null()) *place = Json::object();
        if (!place->is_object()) {
            throw Error("bolt/validation-error", "The configuration of target " + identity(id).safe_name +
                                                     " has no keys below '" + key + "'");
        }
        place = &(*place)[key];
    }
    *place = std::move(value);
    if (!config->is_object()) {
        throw Error("bolt/validation-error",
                    "The configuration of target " + identity(id).safe_name + " must be a Hash");
    }
    set_own(id, Section::Config, config);
    forget(id);
}

void TargetData::set_var(TargetId id, const std::string& name, Json value) {
    const auto vars = own_copy(id, Section::Vars);
    (*vars)[name] = std::move(value);
    set_own(id, Section::Vars, vars);
}

void TargetData::add_facts(TargetId id, const Json& facts) {
    const auto merged = own_copy(id, Section::Facts);
    deep_merge(*merged, facts);
    warn_of_dots(facts, identity(id).safe_name);
    set_own(id, Section::Facts, merged);
}

void TargetData::freeze(TargetId id) {
    for (std::size_t section = 0; section < section_count; ++section) own(id, static_cast<Section>(section));
}

void TargetData::forget(TargetId id) {
    Live& target = live(id);
    target.options = nullptr;
    target.transport.clear();
}

void TargetData::replace(TargetId id, const Json& data) {
    auto made = std::make_unique<Live>();
    Identity& identity = made->identity;
    const auto text = [&data](const char* key) -> std::optional<std::string> {
        const auto found = data.find(key);
        if (found == data.end() || !found->is_string()) return std::nullopt;
        return found->get<std::string>();
    };
    identity.uri_text = text("uri");
    if (identity.uri_text) identity.uri = parse_uri(*identity.uri_text);
    identity.safe_name = text("name").value_or(identity.uri.safe_text);
    const auto alias = data.find("target_alias");
    identity.alias =
        std::make_shared<const Json>(alias == data.end() || alias->is_null() ? Json::array() : *alias);
    for (std::size_t i = 0; i < section_count; ++i) {
        const auto section = static_cast<Section>(i);
        const auto found = data.find(key_of(section));
        const bool said = found != data.end() && !found->is_null();
        made->own[i] = said ? std::make_shared<const Json>(*found) : Data();
        if (said && section == Section::Facts) warn_of_dots(*found, identity.safe_name);
    }
    if (tree_.record(id).name ==
        "localhost") {  // runs on the controller unless it is configured otherwise (INV-058)
        Json config{{"transport", std::string(transports::controller_transport())}};
        if (const Data& said = *made->own[static_cast<std::size_t>(Section::Config)])
            deep_merge(config, *said);
        made->own[static_cast<std::size_t>(Section::Config)] =
            std::make_shared<const Json>(std::move(config));
    }
    live_[id] = std::move(made);
}

}  // namespace volley::inventory
