#include "inventory/puppetdb/puppetdb.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "inventory/puppetdb/puppetdb_settings.hpp"
#include "support/error.hpp"
#include "support/json/json_reader.hpp"
#include "support/log.hpp"
#include "support/text.hpp"

namespace volley::inventory {
namespace {

[[noreturn]] void throw_puppetdb(const std::string& problem) { throw Error("bolt/puppetdb-error", problem); }

Json parsed(const HttpResponse& response) {
    std::string fault;
    Json answer = try_parse_json(response.body, fault);
    if (answer.is_discarded())
        throw_puppetdb("Unable to parse response as JSON: " + fault + ": " +
                       scrub_utf8(response.body.substr(0, 200)));
    return answer;
}

}  // namespace

PuppetDb::PuppetDb(const Json& config, const std::string& instance, const ProcessContext& process,
                   const std::filesystem::path& project) {
    PuppetDbSettings settings = read_puppetdb_settings(config, instance, process, project);
    servers_ = std::move(settings.servers);
    model_.method = "POST";
    model_.ca_file = std::move(settings.ca_file);
    model_.certificate = std::move(settings.certificate);
    model_.key = std::move(settings.key);
    // PDB-008: the configured ones may replace the type, the token replaces them.
    model_.headers = std::move(settings.headers);
    const bool has_type = std::ranges::any_of(
        model_.headers, [](const std::string& line) { return line.starts_with("Content-Type:"); });
    if (!has_type) model_.headers.insert(model_.headers.begin(), "Content-Type: application/json");
    if (!settings.token.empty()) {
        std::erase_if(model_.headers,
                      [](const std::string& line) { return line.starts_with("X-Authentication:"); });
        model_.headers.push_back("X-Authentication: " + settings.token);
    }
    model_.connect_timeout = settings.connect_timeout;
    model_.timeout = settings.read_timeout;
}

/// One server: an answer of any status, or an Error of the connection.
HttpResponse PuppetDb::ask(const std::string& server, const std::string& path, const std::string& body,
                           const std::string& doing) const {
    HttpRequest request = model_;
    request.url = server + path;
    request.body = body;
    log(LogLevel::Debug, "puppetdb", "Sending PuppetDB " + doing + " to " + server);
    HttpResponse response = http_send(request);
    log(LogLevel::Debug, "puppetdb",
        "Got response code " + std::to_string(response.status) + " from PuppetDB");
    return response;
}

/// Servers in turn (PDB-003). A query that PuppetDB calls wrong is wrong everywhere; so is any refused
/// command.
HttpResponse PuppetDb::send(const std::string& path, const std::string& body, const std::string& doing) {
    const bool query = doing == "query";
    for (std::size_t at = next_; at < servers_.size(); at = next_) {
        std::string problem;
        try {
            HttpResponse response = ask(servers_[at], path, body, doing);
            if (response.status == 200) return response;
            problem = std::string("Failed to ") + (query ? "query PuppetDB: " : "invoke PuppetDB command: ") +
                      response.body;
            if (!query || response.status == 400) throw_puppetdb(problem);
        } catch (const Error& error) {
            if (error.info().kind() == "bolt/puppetdb-error") throw;
            problem = error.what();
        }
        log(LogLevel::Error, "puppetdb",
            "Request to puppetdb at " + servers_[at] + " failed with " + problem + ".");
        next_.compare_exchange_strong(at, at + 1);  // unless another thread has passed it over already
    }
    throw_puppetdb("Failed to connect to all PuppetDB server_urls: " + join(servers_, ", ") + ".");
}

Json PuppetDb::query(const Json& query, const std::string& path) {
    return parsed(
        send("/pdb/query/v4" + (path.empty() ? path : "/" + path), Json{{"query", query}}.dump(), "query"));
}

Json PuppetDb::command(const std::string& command, int version, const Json& payload) {
    const auto certname = payload.find("certname");
    if (certname == payload.end() || !certname->is_string())
        throw Error("bolt/pdb-command", "Payload must include 'certname', unable to invoke command.");
    const std::string words = "?command=" + url_escape(command) + "&version=" + std::to_string(version) +
                              "&certname=" + url_escape(certname->get<std::string>());
    const Json answer = parsed(send("/pdb/cmd/v1" + words, payload.dump(), "command '" + command + "'"));
    return answer.is_object() && answer.contains("uuid") ? answer["uuid"] : Json();
}

std::vector<std::string> PuppetDb::certnames(const Json& query) {
    std::vector<std::string> names;
    const Json answer = this->query(query);
    if (!answer.is_array()) throw_puppetdb("Query results are not a list");
    for (const Json& row : answer) {
        if (!row.is_object() || !row.contains("certname") || !row["certname"].is_string()) {
            std::vector<std::string> fields;
            for (const auto& [field, value] : row.items()) fields.push_back(field);
            throw_puppetdb("Query results did not contain a 'certname' field: got " + join(fields, ", "));
        }
        std::string name = row["certname"].get<std::string>();
        if (std::ranges::find(names, name) == names.end()) names.push_back(std::move(name));
    }
    return names;
}

Json PuppetDb::facts(const std::vector<std::string>& certnames) {
    Json facts = Json::object();
    if (certnames.empty()) return facts;
    Json names = Json::array({"or"});
    for (const std::string& name : certnames) names.push_back(Json::array({"=", "certname", name}));
    for (const Json& row : query(names, "inventory"))
        facts[row.value("certname", "")] = row.value("facts", Json());
    return facts;
}

}  // namespace volley::inventory
