#include "inventory/puppetdb/puppetdb.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "inventory/plugins/plugin.hpp"
#include "support/error.hpp"
#include "support/log.hpp"
#include "support/text.hpp"

namespace volley::inventory::plugins {
namespace {

constexpr std::string_view puppetdb_template[] = {"alias", "config", "facts", "features",
                                                  "name",  "uri",    "vars"};

/// "facts.os.family" as PuppetDB has it: ["os", "family"]; whole numbers are positions.
Json fact_path(const std::string& text) {
    Json path = Json::array();
    for (const std::string& part : split(text, '.')) {
        const bool number =
            !part.empty() && part.size() < 10 && part.find_first_not_of("0123456789") == std::string::npos;
        path.push_back(number ? Json(std::stol(part)) : Json(part));
    }
    if (path.at(0) != "facts") {
        throw Error(
            "bolt.plugin/fact-lookup-error",
            fmt::format(
                "Fact lookup '{}' contains an invalid factname: fact lookups must start with 'facts.'",
                text));
    }
    path.erase(0);
    return path;
}

void collect_facts(const Json& mapping, std::set<Json>& paths) {
    if (mapping.is_string() && mapping != "certname") paths.insert(fact_path(mapping.get<std::string>()));
    if (!mapping.is_object() && !mapping.is_array()) return;
    for (const Json& part : mapping) collect_facts(part, paths);
}

using FactValues = std::map<Json, Json>;  // path to value

Json fill_mapping(const Json& mapping, const std::string& certname, const FactValues& facts) {
    if (mapping.is_object() || mapping.is_array()) {
        Json out = mapping;
        for (Json& part : out) part = fill_mapping(part, certname, facts);
        return out;
    }
    if (!mapping.is_string()) {
        throw Error(
            "bolt.plugin/fact-lookup-error",
            fmt::format("Fact lookup '{}' contains an invalid factname: fact lookups must be a string",
                        mapping.dump()));
    }
    if (mapping == "certname") return certname;
    const auto found = facts.find(fact_path(mapping.get<std::string>()));
    if (found != facts.end()) return found->second;
    log_warning("puppetdb_missing_fact", "inventory",
                fmt::format("Could not find fact {} for node {}", mapping.get<std::string>(), certname));
    return nullptr;
}

std::map<std::string, FactValues> ask_facts(PuppetDb& database, const std::vector<std::string>& certnames,
                                            const std::set<Json>& paths) {
    std::map<std::string, FactValues> all;
    if (certnames.empty() || paths.empty()) return all;
    Json names = Json::array({"or"});
    for (std::size_t i = 0; i < certnames.size(); i += 100) {
        Json slice = Json::array();
        for (std::size_t j = i; j < std::min(i + 100, certnames.size()); ++j) slice.push_back(certnames[j]);
        names.push_back(Json::array({"in", "certname", Json::array({"array", slice})}));
    }
    Json wanted = Json::array({"or"});
    for (const Json& path : paths) wanted.push_back(Json::array({"=", "path", path}));
    for (const Json& row : database.query(Json::array({"and", names, wanted}), "fact-contents"))
        all[row.value("certname", "")].emplace(row.value("path", Json()), row.value("value", Json()));
    return all;
}

/// Targets for the nodes of a query, their data from facts (PLG-032).
Json puppetdb_targets(const PluginContext& context, const Json& options) {
    for (const std::string_view key : puppetdb_template) {
        if (options.contains(key))
            throw Error(
                "bolt/validation-error",
                fmt::format("PuppetDB plugin expects keys [\"{}\"] to be set under 'target_mapping'", key));
    }
    const Json mapping = is_given(options, "target_mapping") ? options["target_mapping"] : Json::object();
    std::set<Json> paths;
    collect_facts(mapping, paths);
    PuppetDb database(options, plugin_text(options, "instance"), context.process, context.project);
    const std::vector<std::string> certnames =
        options.contains("query") ? database.certnames(options["query"]) : std::vector<std::string>();
    const auto facts = ask_facts(database, certnames, paths);
    Json targets = Json::array();
    for (const std::string& certname : certnames) {
        const auto known = facts.find(certname);
        Json target = fill_mapping(mapping, certname, known == facts.end() ? FactValues() : known->second);
        if (!is_given(target, "uri") && !is_given(target, "name")) target["uri"] = certname;
        targets.push_back(std::move(target));
    }
    return targets;
}

}  // namespace

const PluginSpec& puppetdb_plugin() {
    using Type = PluginSpec::Option::Type;
    static const PluginSpec spec = [] {
        PluginSpec made{.name = "puppetdb",
                        .abilities = {{Hook::ResolveReference, "Query PuppetDB for a group of targets.",
                                       puppetdb_targets}},
                        .answers = Answers::OfMachines,
                        .reference_options = {
                            {"query", Type::Any}, {"target_mapping", Type::Any}, {"instance", Type::Any}}};
        // Those of a target belong into target_mapping: puppetdb_targets() reports it.
        for (const std::string_view key : puppetdb_template)
            made.reference_options.push_back({key, Type::Any});
        return made;
    }();
    return spec;
}

}  // namespace volley::inventory::plugins
