#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "inventory/http.hpp"
#include "support/json.hpp"

namespace volley::inventory {

/// Asks PuppetDB, one server after the other until one answers.
class PuppetDb {
public:
    /// `config`: the section puppetdb of the configuration: server_urls, cacert, cert, key, token, headers,
    /// connect_timeout, read_timeout, instances. `instance`: one of those; empty: the section itself.
    /// Throws Error bolt/puppetdb-error for an unknown instance or one without server_urls.
    PuppetDb(const Json& config, const std::string& instance, const std::filesystem::path& project);

    /// `query`: PQL text, or an AST list. `path`: the endpoint below /pdb/query/v4, or empty.
    /// Throws Error bolt/puppetdb-error.
    Json query(const Json& query, const std::string& path = {}) const;
    /// Sends a command and gives its uuid, or null.
    Json command(const std::string& command, int version, const Json& payload) const;
    /// The certnames that a query gives, each once.
    std::vector<std::string> certnames(const Json& query) const;

private:
    HttpResponse send(const std::string& path, const std::string& body) const;

    std::vector<std::string> servers_;
    HttpRequest model_;
};

}  // namespace volley::inventory
