#include "inventory/puppetdb.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "inventory/plugins/plugin.hpp"
#include "support/error.hpp"
#include "support/files.hpp"
#include "support/log.hpp"
#include "support/text.hpp"

namespace volley::inventory {
namespace {

[[noreturn]] void throw_puppetdb(const std::string& problem) { throw Error("bolt/puppetdb-error", problem); }

std::vector<std::string> server_list(const Json& config) {
    const auto urls = config.find("server_urls");
    if (urls == config.end()) return {};
    std::vector<std::string> servers;
    const auto add = [&servers](const Json& url) {
        if (!url.is_string()) return;
        std::string text = url.get<std::string>();
        while (text.ends_with('/')) text.pop_back();
        const std::size_t host = text.find("://");
        const bool has_port =
            host != std::string::npos &&
            text.find(':', text.rfind(']') == std::string::npos ? host + 3 : text.rfind(']')) !=
                std::string::npos;
        servers.push_back(has_port ? text : text + ":8081");
    };
    if (urls->is_array()) {
        for (const Json& url : *urls) add(url);
    } else {
        add(*urls);
    }
    return servers;
}

/// A token is a text, or stands in a file.
std::string token_of(const Json& config, const std::filesystem::path& project) {
    const std::string token = plugin_text(config, "token");
    if (token.empty()) return {};
    const std::filesystem::path path = expand_path(token, project);
    std::error_code ignored;
    return std::filesystem::exists(path, ignored) ? std::string(trim(read_file(path, "PuppetDB token")))
                                                  : token;
}

}  // namespace

PuppetDb::PuppetDb(const Json& config, const std::string& instance, const std::filesystem::path& project) {
    const Json* section = &config;
    if (!instance.empty()) {
        const auto instances = config.find("instances");
        if (instances == config.end() || !instances->contains(instance))
            throw_puppetdb("PuppetDB instance '" + instance + "' has not been configured, unable to connect");
        section = &(*instances)[instance];
    }
    servers_ = server_list(*section);
    if (servers_.empty())
        throw_puppetdb("PuppetDB has no server_urls: set them under 'puppetdb' in the configuration");
    const auto file = [&](const char* key) {
        const std::string path = plugin_text(*section, key);
        return path.empty() ? path : expand_path(path, project).string();
    };
    model_.method = "POST";
    model_.ca_file = file("cacert");
    model_.certificate = file("cert");
    model_.key = file("key");
    model_.headers = {"Content-Type: application/json"};
    const auto headers = section->find("headers");
    if (headers != section->end() && headers->is_object()) {
        for (const auto& [name, value] : headers->items()) {
            if (value.is_string()) model_.headers.push_back(name + ": " + value.get<std::string>());
        }
    }
    if (const std::string token = token_of(*section, project); !token.empty())
        model_.headers.push_back("X-Authentication: " + token);
    const auto seconds = [&](const char* key, double standard) {
        const auto value = section->find(key);
        return value != section->end() && value->is_number() ? value->get<double>() : standard;
    };
    model_.connect_timeout = seconds("connect_timeout", 60);
    model_.timeout = seconds("read_timeout", 120);
}

HttpResponse PuppetDb::send(const std::string& path, const std::string& body) const {
    std::string problem;
    for (const std::string& server : servers_) {
        HttpRequest request = model_;
        request.url = server + path;
        request.body = body;
        try {
            HttpResponse response = http_send(request);
            if (response.status == 200) return response;
            problem = "Failed to query PuppetDB: " + response.body;
            if (response.status == 400) throw_puppetdb(problem);
        } catch (const Error& error) {
            if (error.info().kind() == "bolt/puppetdb-error") throw;
            problem = error.what();
        }
        log(LogLevel::Error, "puppetdb", "Request to puppetdb at " + server + " failed with " + problem);
    }
    throw_puppetdb("Failed to connect to all PuppetDB server_urls: " + join(servers_, ", ") + ". " + problem);
}

Json PuppetDb::query(const Json& query, const std::string& path) const {
    const HttpResponse response =
        send("/pdb/query/v4" + (path.empty() ? path : "/" + path), Json{{"query", query}}.dump());
    Json answer = Json::parse(response.body, nullptr, false);
    if (answer.is_discarded())
        throw_puppetdb("Unable to parse response as JSON: " + response.body.substr(0, 200));
    return answer;
}

Json PuppetDb::command(const std::string& command, int version, const Json& payload) const {
    if (!payload.contains("certname"))
        throw Error("bolt/pdb-command", "Payload must include 'certname', unable to invoke command.");
    const std::string query = "?command=" + url_escape(command) + "&version=" + std::to_string(version) +
                              "&certname=" + url_escape(payload["certname"].get<std::string>());
    const Json answer = Json::parse(send("/pdb/cmd/v1" + query, payload.dump()).body, nullptr, false);
    return answer.is_object() && answer.contains("uuid") ? answer["uuid"] : Json();
}

std::vector<std::string> PuppetDb::certnames(const Json& query) const {
    std::vector<std::string> names;
    const Json answer = this->query(query);
    if (!answer.is_array()) throw_puppetdb("Query results are no list");
    for (const Json& row : answer) {
        if (!row.is_object() || !row.contains("certname")) {
            std::vector<std::string> fields;
            for (const auto& [field, value] : row.items()) fields.push_back(field);
            throw_puppetdb("Query results did not contain a 'certname' field: got " + join(fields, ", "));
        }
        std::string name = row["certname"].get<std::string>();
        if (std::ranges::find(names, name) == names.end()) names.push_back(std::move(name));
    }
    return names;
}

}  // namespace volley::inventory
