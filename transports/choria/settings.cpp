// Who a client of Choria is and which brokers it asks: the target's options over the client's configuration.
#include "transports/choria/settings.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <nlohmann/json.hpp>
#include <utility>

#include "support/files.hpp"
#include "support/json/json_text.hpp"
#include "support/process/environment.hpp"
#include "support/text.hpp"
#include "transports/controller_user.hpp"
#include "transports/errors.hpp"

namespace volley::transports::choria {
namespace {

constexpr std::string_view default_port = "4222";

TransportError config_failed(const std::string& why) {
    return TransportError("bolt/choria-config-failed", "Choria client configuration failed: " + why);
}

std::string machine_name() {
    std::array<char, 256> name{};
    return ::gethostname(name.data(), name.size() - 1) == 0 ? std::string(name.data()) : std::string();
}

/// Where Choria's clients look, in their order.
std::vector<std::string> usual_files() {
    std::vector<std::string> files;
    const std::string home = environment_variable("HOME");
    if (!home.empty()) {
        files.push_back(home + "/.choriarc");
        files.push_back(home + "/.mcollective");
    }
    for (const char* file : {"/etc/choria/client.conf", "/usr/local/etc/choria/client.conf",
                             "/etc/puppetlabs/mcollective/client.cfg"})
        files.emplace_back(file);
    return files;
}

bool is_readable(const std::string& file) { return ::access(file.c_str(), R_OK) == 0; }

/// "file" empty: nothing was found, which the caller may do without.
std::pair<std::string, ClientConfig> find_config(const Json& options) {
    const std::string named = text_in(options, "config-file");
    if (!named.empty()) {
        if (!is_readable(named))
            throw TransportError("bolt/choria-config-not-found",
                                 fmt::format("Choria config file not found or not readable: {}", named));
        return {named, ClientConfig(read_file(named, "configuration of Choria"), named)};
    }
    for (const std::string& file : usual_files()) {
        if (is_readable(file)) return {file, ClientConfig(read_file(file, "configuration of Choria"), file)};
    }
    return {};
}

std::vector<std::string> broker_list(const Json& options, const ClientConfig& config) {
    std::vector<std::string> given;
    const auto found = options.find("brokers");
    if (found != options.end() && found->is_string()) given = split(found->get<std::string>(), ',');
    if (found != options.end() && found->is_array()) given = found->get<std::vector<std::string>>();
    if (given.empty()) given = split(config.get("plugin.choria.middleware_hosts"), ',');
    std::vector<std::string> brokers;
    for (const std::string& each : given) {
        std::string broker(trim(each));
        if (broker.empty()) continue;
        if (broker.rfind(':') == std::string::npos || broker.ends_with(']'))
            broker += fmt::format(":{}", default_port);
        brokers.push_back(std::move(broker));
    }
    return brokers;
}

void choose_files(Settings& settings, const Json& options, const ClientConfig& config) {
    settings.ca = text_in(options, "ssl-ca");
    settings.certificate = text_in(options, "ssl-cert");
    settings.key = text_in(options, "ssl-key");
    const bool given = !settings.ca.empty();
    if (!given && config.get("plugin.security.provider") == "file") {
        settings.ca = config.get("plugin.security.file.ca");
        settings.certificate = config.get("plugin.security.file.certificate");
        settings.key = config.get("plugin.security.file.key");
    } else if (!given) {
        std::string folder = config.get("plugin.choria.ssldir");
        if (folder.empty())
            folder = ::geteuid() == 0 ? std::string("/etc/puppetlabs/puppet/ssl")
                                      : environment_variable("HOME") + "/.puppetlabs/etc/puppet/ssl";
        settings.ca = folder + "/certs/ca.pem";
        settings.certificate = fmt::format("{}/certs/{}.pem", folder, settings.certname);
        settings.key = fmt::format("{}/private_keys/{}.pem", folder, settings.certname);
    }
    const std::array<std::pair<const char*, const std::string*>, 3> files{
        {{"ssl-ca", &settings.ca}, {"ssl-cert", &settings.certificate}, {"ssl-key", &settings.key}}};
    for (const auto& [option, file] : files) {
        if (!is_readable(*file))
            throw config_failed(fmt::format("File for {} is not readable: {}", option, *file));
    }
}

}  // namespace

ClientConfig::ClientConfig(std::string_view text, const std::string& file) {
    std::size_t number = 0;
    for (const std::string& raw : split(std::string(text), '\n')) {
        ++number;
        const std::string_view line = trim(raw);
        if (line.empty() || line.front() == '#') continue;
        const std::size_t equals = line.find('=');
        if (equals == std::string_view::npos)
            throw config_failed(fmt::format("{}:{}: expected `key = value`", file, number));
        values_.emplace_back(trim(line.substr(0, equals)), trim(line.substr(equals + 1)));
    }
}

std::string ClientConfig::get(std::string_view key) const {
    std::string value;
    for (const auto& [name, text] : values_) {
        if (name == key) value = text;
    }
    return value;
}

Settings read_settings(const TargetConfig& target) {
    static const Json none = Json::object();
    const Json& options = target.options ? *target.options : none;
    const auto [file, config] = find_config(options);
    Settings settings;
    settings.brokers = broker_list(options, config);
    if (file.empty() && settings.brokers.empty()) {
        std::string searched;
        for (const std::string& each : usual_files()) searched += (searched.empty() ? "" : ", ") + each;
        throw TransportError(
            "bolt/choria-config-not-found",
            fmt::format("Could not find a readable Choria client config file. Searched: {}. Set the "
                        "'config-file' option, or 'brokers', in the Choria transport configuration.",
                        searched));
    }
    if (settings.brokers.empty()) settings.brokers.emplace_back(fmt::format("puppet:{}", default_port));
    settings.identity = config.get("identity");
    if (settings.identity.empty()) settings.identity = machine_name();
    settings.certname = text_in(options, "mcollective-certname");
    if (settings.certname.empty()) settings.certname = environment_variable("MCOLLECTIVE_CERTNAME");
    if (settings.certname.empty())
        settings.certname = ::geteuid() == 0 ? settings.identity : controller_user() + ".mcollective";
    settings.collective = text_in(options, "collective");
    if (settings.collective.empty()) settings.collective = config.get("main_collective");
    if (settings.collective.empty())
        settings.collective = std::string(trim(split(config.get("collectives") + ",", ',').front()));
    if (settings.collective.empty()) settings.collective = "mcollective";
    settings.user = config.get("plugin.nats.user");
    settings.password = config.get("plugin.nats.pass");
    settings.broker_timeout = std::chrono::seconds(options.value("broker-timeout", Json(30)).get<int>());
    choose_files(settings, options, config);
    return settings;
}

}  // namespace volley::transports::choria
