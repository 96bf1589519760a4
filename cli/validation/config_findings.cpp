#include "cli/validation/config_findings.hpp"

#include "cli/outputters/outputter.hpp"
#include "cli/validation/data_findings.hpp"
#include "inventory/config/config_schema.hpp"
#include "inventory/config/inventory_schema.hpp"
#include "support/error.hpp"
#include "support/yaml/document.hpp"

namespace volley::cli {
namespace {

inventory::Schema schema_of(FileKind kind) {
    if (kind == FileKind::Inventory) return inventory::inventory_schema();
    return kind == FileKind::ProjectFile ? inventory::project_schema(output_formats())
                                         : inventory::defaults_schema(output_formats());
}

/// Messages of schemas have the place inside, " (FILE:1:2)" or " at FILE:1:2".
std::string without_where(std::string message, const std::string& where) {
    for (const std::string& place : {" (" + where + ")", " at " + where}) {
        const std::size_t found = message.find(place);
        if (found != std::string::npos) message.erase(found, place.size());
    }
    return message;
}

Finding finding_of_schema(const inventory::Finding& one, const std::string& file, Severity severity) {
    const yaml::Position at = one.at.position();
    return {severity,
            {},
            without_where(one.message, one.at.where()),
            {file, static_cast<int>(at.line), static_cast<int>(at.column)}};
}

}  // namespace

std::vector<Finding> validate_configuration(const std::string& text, const std::string& file, FileKind kind) {
    std::vector<Finding> findings;
    try {
        const auto document = yaml::Document::parse(text, {.name = file, .what = "configuration"});
        const yaml::Node root = document->root();
        if (root.is_null()) return findings;
        const inventory::Findings found = inventory::check(root, schema_of(kind));
        for (const auto& one : found.faults) findings.push_back(finding_of_schema(one, file, Severity::Err));
        for (const auto& one : found.warnings)
            findings.push_back(finding_of_schema(one, file, Severity::Warning));
        for (const auto& one : document->repeated_keys())
            findings.push_back({Severity::Warning,
                                {},
                                repeated_key_message(one.key, one.first.line),
                                {file, static_cast<int>(one.last.line), static_cast<int>(one.last.column)}});
        const yaml::Node version = kind == FileKind::Inventory ? root.find("version") : yaml::Node();
        if (version && version.text() != "2")
            findings.push_back(finding_at(file, version.position(),
                                          "Unsupported version " + std::string(version.text()) +
                                              " of the inventory; only version 2 is supported"));
    } catch (const Error& error) {
        findings.push_back(yaml_finding(error, file));
    }
    return findings;
}

}  // namespace volley::cli
