#include "inventory/puppetdb/puppetdb_settings.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "inventory/plugins/plugin.hpp"
#include "support/error.hpp"
#include "support/files.hpp"
#include "support/json/json_reader.hpp"
#include "support/log.hpp"
#include "support/paths/file_checks.hpp"
#include "support/text.hpp"

namespace volley::inventory {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void throw_settings(const std::string& problem) { throw Error("bolt/puppetdb-error", problem); }

/// PDB-001: what Puppet's client tools on this machine use; the user's file in place of the system's.
Json client_tools_config(const ProcessContext& process) {
    std::vector<fs::path> places;
    if (!process.home.empty()) places.push_back(process.home / ".puppetlabs/client-tools/puppetdb.conf");
    places.push_back(process.system_config.parent_path() / "client-tools/puppetdb.conf");
    for (const fs::path& path : places) {
        if (!path_exists(path)) continue;
        std::string fault;
        const Json data = try_parse_json(read_file(path, "PuppetDB configuration"), fault);
        if (data.is_object()) return data.value("puppetdb", Json::object());
        // Compatibility: the file of another tool is no reason to stop.
        log(LogLevel::Error, "puppetdb",
            "Could not load puppetdb.conf from " + path.string() + ": " +
                (fault.empty() ? "it is not a JSON object" : fault));
        return Json::object();
    }
    return Json::object();
}

Json section_of(const Json& config, std::string instance, const ProcessContext& process) {
    if (instance.empty()) instance = plugin_text(config, "default");
    if (!instance.empty()) {
        const auto instances = config.find("instances");
        if (instances == config.end() || !instances->contains(instance))
            throw_settings(
                fmt::format("PuppetDB instance '{}' has not been configured, unable to connect", instance));
        return (*instances)[instance];
    }
    Json section = client_tools_config(process);
    section.update(config);
    return section;
}

std::string with_port(std::string url) {
    while (url.ends_with('/')) url.pop_back();
    const std::size_t scheme = url.find("://");
    if (scheme == std::string::npos) return url + ":8081";
    const std::size_t bracket = url.rfind(']');  // the end of an IPv6 address
    const bool has_port =
        url.find(':', bracket == std::string::npos ? scheme + 3 : bracket) != std::string::npos;
    return has_port ? url : url + ":8081";
}

std::vector<std::string> server_list(const Json& section) {
    const Json urls = section.value("server_urls", Json());
    if (urls.is_null()) {
        throw_settings("server_urls must be specified: set it under 'puppetdb' in the configuration");
    }
    std::vector<std::string> servers;
    for (const Json& url : urls.is_array() ? urls : Json::array({urls})) {
        if (!url.is_string()) throw_settings("server_urls must be a string or array");
        servers.push_back(with_port(url.get<std::string>()));
    }
    if (servers.empty()) throw_settings("server_urls must be specified: the list under 'puppetdb' is empty");
    return servers;
}

std::string existing_file(const Json& section, const char* key, const fs::path& project) {
    const std::string given = plugin_text(section, key);
    if (given.empty()) return {};
    const fs::path path = expand_path(given, project);
    if (!path_exists(path)) throw_settings(fmt::format("{} file {} does not exist", key, path.string()));
    return path.string();
}

/// PDB-002. What names no file is the token itself, so that a plugin may return it.
std::string token_of(const Json& section, const ProcessContext& process, const fs::path& project) {
    fs::path path = process.home / ".puppetlabs/token";
    if (section.contains("token")) {
        std::string given = plugin_text(section, "token");
        if (given.empty()) return {};
        path = expand_path(given, project);
        if (!path_exists(path) && given.find('/') == std::string::npos) return given;
        if (!path_exists(path)) throw_settings(fmt::format("token file {} does not exist", path.string()));
    } else if (process.home.empty() || !path_exists(path)) {
        return {};
    }
    return std::string(trim(read_file(path, "PuppetDB token")));
}

std::vector<std::string> header_lines(const Json& section) {
    std::vector<std::string> lines;
    const Json headers = section.value("headers", Json());
    if (headers.is_null()) return lines;
    if (!headers.is_object()) throw_settings("headers must be a Hash");
    for (const auto& [name, value] : headers.items()) {
        lines.push_back(name + ": " + (value.is_string() ? value.get<std::string>() : value.dump()));
    }
    return lines;
}

double seconds_of(const Json& section, const char* key, double otherwise) {
    const Json value = section.value(key, Json());
    if (value.is_null()) return otherwise;
    if (!value.is_number_integer() || value.get<long>() <= 0) {
        throw_settings(fmt::format("{} must be a positive integer, received {}", key, value.dump()));
    }
    return value.get<double>();
}

/// PDB-004. A server that is asked over http needs no certificate of an authority.
void read_certificates(const Json& section, const fs::path& project, PuppetDbSettings& settings) {
    settings.ca_file = existing_file(section, "cacert", project);
    for (const std::string& server : settings.servers) {
        if (settings.ca_file.empty() && !server.starts_with("http://"))
            throw_settings("cacert must be specified");
    }
    if (is_given(section, "cert") != is_given(section, "key")) {
        throw_settings("cert and key must be specified together");
    }
    settings.certificate = existing_file(section, "cert", project);
    settings.key = existing_file(section, "key", project);
}

}  // namespace

PuppetDbSettings read_puppetdb_settings(const Json& config, const std::string& instance,
                                        const ProcessContext& process, const fs::path& project) {
    const Json section = section_of(config, instance, process);
    PuppetDbSettings settings;
    settings.servers = server_list(section);
    read_certificates(section, project, settings);
    settings.token = token_of(section, process, project);
    if (!settings.token.empty() && !settings.certificate.empty()) {
        log(LogLevel::Debug, "puppetdb", "Both cert and token based auth configured, using cert only");
        settings.token.clear();
    }
    settings.headers = header_lines(section);
    settings.connect_timeout = seconds_of(section, "connect_timeout", settings.connect_timeout);
    settings.read_timeout = seconds_of(section, "read_timeout", settings.read_timeout);
    return settings;
}

}  // namespace volley::inventory
