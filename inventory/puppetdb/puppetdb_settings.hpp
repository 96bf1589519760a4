#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "inventory/project/project.hpp"
#include "support/json/json.hpp"

namespace volley::inventory {

/// How to reach one PuppetDB.
struct PuppetDbSettings {
    std::vector<std::string> servers;  ///< in the order of trying, each with its port
    std::string ca_file;               ///< empty: plain http only
    std::string certificate;           ///< and `key`: both or neither
    std::string key;
    std::string token;                 ///< empty: none, or a certificate takes its place
    std::vector<std::string> headers;  ///< "Name: value"
    double connect_timeout = 60;       ///< seconds
    double read_timeout = 120;         ///< seconds
};

/// Reads what `config` says for an instance (PDB-001 to PDB-004). `config`: the option puppetdb, with
/// `instances` (the option puppetdb-instances) and `default` (the name of --puppetdb) among its keys.
/// `instance`: one of the instances; empty: the default one. That is the section itself, on top of the
/// puppetdb.conf of Puppet's client tools, unless `default` names another.
/// Throws Error bolt/puppetdb-error.
PuppetDbSettings read_puppetdb_settings(const Json& config, const std::string& instance,
                                        const ProcessContext& process, const std::filesystem::path& project);

}  // namespace volley::inventory
