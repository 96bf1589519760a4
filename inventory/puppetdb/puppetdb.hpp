#pragma once

#include <atomic>
#include <filesystem>
#include <string>
#include <vector>

#include "inventory/project/project.hpp"
#include "support/http/client.hpp"
#include "support/json/json.hpp"

namespace volley::inventory {

/// Asks PuppetDB, one server after the other until one answers. A server that has failed is not asked again.
/// Blocks; several threads may ask at once.
class PuppetDb {
public:
    /// `config` and `instance` as read_puppetdb_settings has them. Throws Error bolt/puppetdb-error.
    PuppetDb(const Json& config, const std::string& instance, const ProcessContext& process,
             const std::filesystem::path& project);

    /// `query`: PQL text, or an AST list. `path`: the endpoint below /pdb/query/v4, or empty (PDB-005).
    /// Throws Error bolt/puppetdb-error.
    Json query(const Json& query, const std::string& path = {});
    /// Sends a command and returns its uuid, or null (PDB-007).
    Json command(const std::string& command, int version, const Json& payload);
    /// The certnames that a query returns, each once (PDB-006).
    std::vector<std::string> certnames(const Json& query);
    /// The facts of nodes, by certname; nodes that it does not know are left out.
    Json facts(const std::vector<std::string>& certnames);

private:
    HttpResponse ask(const std::string& server, const std::string& path, const std::string& body,
                     const std::string& doing) const;
    HttpResponse send(const std::string& path, const std::string& body, const std::string& doing);

    std::vector<std::string> servers_;
    std::atomic<std::size_t> next_ = 0;  // those before it have failed
    HttpRequest model_;
};

}  // namespace volley::inventory
