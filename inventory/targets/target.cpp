#include "inventory/targets/target.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "inventory/config/transport_options.hpp"
#include "inventory/inventory.hpp"
#include "inventory/state.hpp"
#include "support/error.hpp"
#include "transports/transport.hpp"

namespace volley::inventory {
namespace {

std::optional<std::string> text_option(const Json& options, const char* key) {
    const auto found = options.find(key);
    if (found == options.end() || !found->is_string()) return std::nullopt;
    return found->get<std::string>();
}

}  // namespace

TargetData& Target::data() const { return inventory_->state_->data; }

const std::string& Target::name() const { return inventory_->state_->tree.record(id_).name; }

std::string Target::uri() const { return data().identity(id_).uri_text.value_or(std::string()); }

std::string Target::safe_name() const { return data().identity(id_).safe_name; }

std::vector<std::string> Target::aliases() const {
    const Json& alias = *data().identity(id_).alias;
    if (alias.is_string()) return {alias.get<std::string>()};
    return alias.get<std::vector<std::string>>();
}

std::string Target::host() const {
    const std::string& host = data().identity(id_).uri.host;
    // Compatibility (INV-054): the name of a target is never its host.
    return host.empty() ? text_option(*data().options(id_), "host").value_or(std::string()) : host;
}

std::optional<int> Target::port() const {
    if (const auto port = data().identity(id_).uri.port) return port;
    const auto options = data().options(id_);
    const auto found = options->find("port");
    if (found == options->end() || !found->is_number_integer()) return std::nullopt;
    return found->get<int>();
}

std::optional<std::string> Target::user() const {
    if (const auto& user = data().identity(id_).uri.user) return user;
    return text_option(*data().options(id_), "user");
}

std::optional<std::string> Target::password() const {
    if (const auto& password = data().identity(id_).uri.password) return password;
    return text_option(*data().options(id_), "password");
}

std::string Target::transport() const { return data().transport(id_); }

const transports::TransportSpec& Target::transport_spec() const {
    return *transports::find_transport(data().transport(id_));
}

std::string Target::protocol() const {
    const std::string transport = data().transport(id_);
    return transport_spec().uses_proxy_target ? data().identity(id_).uri.scheme.value_or(transport)
                                              : transport;
}

Json Target::config() const { return data().merged(id_, Section::Config); }
Json Target::vars() const { return data().merged(id_, Section::Vars); }
Json Target::facts() const { return data().merged(id_, Section::Facts); }
std::vector<std::string> Target::features() const { return data().features(id_); }
Json Target::plugin_hooks() const { return data().plugin_hooks(id_); }
Json Target::own_plugin_hooks() const { return data().own_plugin_hooks(id_); }
void Target::set_feature(const std::string& feature, bool present) {
    data().set_feature(id_, feature, present);
}

void Target::set_config(const std::vector<std::string>& path, Json value) {
    data().set_config(id_, path, std::move(value));
}
void Target::set_var(const std::string& name, Json value) { data().set_var(id_, name, std::move(value)); }
void Target::add_facts(const Json& facts) { data().add_facts(id_, facts); }
std::shared_ptr<const Json> Target::options() const { return data().options(id_); }

std::vector<std::string> Target::groups() const {
    std::vector<std::string> names;
    for (const Group* group : inventory_->state_->tree.groups_of(id_)) names.push_back(group->name);
    std::ranges::reverse(names);
    return names;
}

Json Target::detail() const {
    const TargetData::Identity& identity = data().identity(id_);
    const std::string name_of_transport = transport();
    const transports::TransportSpec& spec = transport_spec();
    Json config{{"transport", name_of_transport}};
    config[name_of_transport] = redact_options(*data().options(id_), spec);
    Json out{{"name", name()}, {"uri", nullptr}, {"alias", *identity.alias}};
    if (identity.uri_text) out["uri"] = *identity.uri_text;
    out["config"] = std::move(config);
    out["vars"] = vars();
    out["features"] = features();
    out["facts"] = facts();
    out["plugin_hooks"] = plugin_hooks();
    out["groups"] = groups();
    return out;
}

Json Target::to_task_data() const {
    Json out = *data().options(id_);
    out["name"] = name();
    const TargetData::Identity& identity = data().identity(id_);
    if (identity.uri_text) out["uri"] = *identity.uri_text;
    out["protocol"] = protocol();
    const auto put = [&out](const char* key, const auto& value) {
        if (value) {
            out[key] = *value;
        } else {
            out.erase(key);
        }
    };
    put("user", user());
    put("password", password());
    if (const std::string where = host(); !where.empty()) out["host"] = where;
    put("port", port());
    return out;
}

transports::TargetConfig Target::transport_config() const {
    transports::TargetConfig config;
    config.name = name();
    config.safe_name = safe_name();
    config.transport = transport();
    config.options = data().options(id_);
    config.host = host();
    config.port = port();
    config.user = user();
    config.password = password();
    const std::vector<std::string> known = features();
    const auto has = [&known](std::string_view feature) {
        return std::ranges::find(known, feature) != known.end();
    };
    config.runs_powershell = has("powershell") && !has("shell");
    return config;
}

}  // namespace volley::inventory
