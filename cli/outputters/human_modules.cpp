#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/outputters/human.hpp"
#include "cli/outputters/listing.hpp"
#include "cli/outputters/text.hpp"
#include "support/json/json_text.hpp"
#include "support/text.hpp"

namespace volley::cli {
namespace {

using ModuleRows = std::vector<std::pair<std::string, std::string>>;

constexpr std::size_t module_text_width = 76;

template <class Summary>
ModuleRows described_rows(const std::vector<Summary>& summaries) {
    ModuleRows rows = listing_rows(summaries);
    std::size_t widest = 0;
    for (const auto& [name, description] : rows) widest = std::max(widest, name.size());
    for (auto& [name, description] : rows)
        description = truncate(description, module_text_width - std::min(widest, module_text_width - 10));
    return rows;
}

/// The rows of a list of objects in metadata.json; a list of versions becomes "a, b".
ModuleRows metadata_rows(const Json& metadata, const char* list, const char* name, const char* versions) {
    ModuleRows rows;
    const auto found = metadata.find(list);
    if (found == metadata.end() || !found->is_array()) return rows;
    for (const Json& entry : *found) {
        std::string text = text_in(entry, versions);
        if (entry.is_object() && entry.contains(versions) && entry[versions].is_array()) {
            std::vector<std::string> parts;
            for (const Json& part : entry[versions])
                parts.push_back(part.is_string() ? part.get<std::string>() : compact(part));
            text = join(parts, ", ");
        }
        rows.emplace_back(text_in(entry, name), text);
    }
    return rows;
}

/// "  → " before the first line and as many spaces before the others; an empty line at the end.
std::string arrow_lines(std::string_view text) {
    const std::string lines = wrap(text, module_text_width);
    const std::size_t first = lines.find('\n') + 1;
    return "  → " + lines.substr(0, first) + (first < lines.size() ? indent(4, lines.substr(first)) : "") +
           "\n";
}

}  // namespace

void HumanOutputter::section(std::string& out, std::string_view title, const ModuleRows& rows) {
    if (rows.empty()) return;
    heading(out, title);
    out += table(rows, 2, 5) + "\n";
}

/// Names and versions under a heading for each directory (OUT-023).
void HumanOutputter::print_modules(const ModuleListing& listing) {
    std::string out;
    for (const ModuleListing::Folder& folder : listing.folders) {
        heading(out, folder.group.empty() ? folder.path.string() : folder.group);
        ModuleRows rows;
        for (const ListedModule& module : folder.modules)
            rows.emplace_back(module.name,
                              module.version.value_or(folder.group.empty() ? "(no metadata)" : "(built-in)"));
        out += (rows.empty() ? "(no modules installed)\n" : table(rows, 2, 3)) + "\n";
    }
    heading(out, "Additional information");
    console_.write_line(out + "  Use 'volley module show <MODULE>' to view details for a specific module.");
    console_.flush();
}

/// Name and version, summary, tasks, plans, operating systems, dependencies, path (OUT-024).
void HumanOutputter::print_module(const ModuleInfo& module) {
    const Json& metadata = *module.metadata;
    std::string out = colorize(Color::Cyan, module.name);
    if (const std::string version = text_in(metadata, "version"); !version.empty())
        out += colorize(Color::Dim, " [" + version + "]");
    const std::string summary(trim(text_in(metadata, "summary")));
    out += "\n" +
           indent(2, summary.empty() ? "No description available.\n" : wrap(summary, module_text_width)) +
           "\n";
    section(out, "Tasks", described_rows(module.tasks));
    section(out, "Plans", described_rows(module.plans));
    section(out, "Operating system support",
            metadata_rows(metadata, "operatingsystem_support", "operatingsystem", "operatingsystemrelease"));
    section(out, "Dependencies", metadata_rows(metadata, "dependencies", "name", "version_requirement"));
    heading(out, "Path");
    console_.write_line(out + "  " + (module.built_in ? "built-in module" : module.path.string()));
    console_.flush();
}

void HumanOutputter::print_puppetfile_result(const std::filesystem::path& puppetfile,
                                             const std::filesystem::path& modules) {
    console_.write_line("Successfully synced modules from " + puppetfile.string() + " to " +
                        modules.string());
    console_.flush();
}

/// An arrow before the step, which is wrapped at 76 columns (OUT-030).
void HumanOutputter::print_action_step(std::string_view step) {
    console_.write_line(arrow_lines(step));
    console_.flush();
}

void HumanOutputter::print_action_error(std::string_view error) {
    console_.write_line(colorize(Color::Red, arrow_lines(error)));
    console_.flush();
}

}  // namespace volley::cli
