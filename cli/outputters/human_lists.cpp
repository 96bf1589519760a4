#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/outputters/human.hpp"
#include "cli/outputters/listing.hpp"
#include "cli/outputters/text.hpp"
#include "support/text.hpp"
#include "support/unicode/printable.hpp"
#include "support/yaml/writer.hpp"

namespace volley::cli {
namespace {

constexpr std::size_t description_width = 72;

/// Compatibility (OUT-021): optional is what has a type named Optional, or a default.
bool is_optional(const tasks::Parameter& parameter) {
    return parameter.default_value != nullptr || parameter.type.value_or("").starts_with("Optional");
}

/// A default value as Ruby's inspect shows it: nil, and => in hashes.
std::string inspect(const Json& value) {
    if (value.is_null()) return "nil";
    std::vector<std::string> parts;
    if (value.is_array()) {
        for (const Json& entry : value) parts.push_back(inspect(entry));
        return "[" + join(parts, ", ") + "]";
    }
    if (value.is_object()) {
        for (const auto& [key, entry] : value.items())
            parts.push_back(Json(key).dump() + "=>" + inspect(entry));
        return "{" + join(parts, ", ") + "}";
    }
    return compact(value);
}

}  // namespace

void HumanOutputter::heading(std::string& out, std::string_view text) {
    out += colorize(Color::Cyan, text) + "\n";
}

void HumanOutputter::print_content_list(const ContentLabels& words,
                                        std::vector<std::pair<std::string, std::string>> rows,
                                        const std::vector<std::filesystem::path>& modulepath) {
    for (auto& [name, description] : rows) description = truncate(description, description_width);
    std::string out;
    heading(out, words.title);
    out += rows.empty() ? fmt::format("  No available {}s\n", words.one) : table(rows, 2, 5);
    out += "\n";
    heading(out, "Modulepath");
    out += "  " + modulepath_text(modulepath) + "\n\n";
    heading(out, "Additional information");
    out +=
        fmt::format("  Use 'volley {0} show <{1} NAME>' to view details and parameters for a specific {0}.\n",
                    words.one, words.placeholder);
    console_.write(out);
    console_.flush();
}

void HumanOutputter::print_tasks(const TaskListing& listing) {
    print_content_list({"task", "Tasks", "TASK"}, listing_rows(listing.tasks), listing.modulepath);
}

void HumanOutputter::print_task(const tasks::TaskDefinition& task) {
    std::vector<tasks::Parameter> parameters = task.parameters.value_or(std::vector<tasks::Parameter>());
    std::sort(parameters.begin(), parameters.end(),
              [](const auto& a, const auto& b) { return a.name < b.name; });

    std::string out;
    heading(out, task.name);
    std::string description = task.description.value_or("No description available.");
    if (description.ends_with('\n')) description.pop_back();
    out += indent(2, description) + "\n\n";

    std::string usage = "volley task run " + task.name + " --targets <targets>";
    if (task.supports_noop) usage += " [--noop]";
    for (const tasks::Parameter& parameter : parameters) {
        const std::string word = parameter.name + "=<value>";
        usage += is_optional(parameter) ? " [" + word + "]" : " " + word;
    }
    heading(out, "Usage");
    out += indent(2, wrap(usage)) + "\n";

    if (!parameters.empty()) heading(out, "Parameters");
    for (const tasks::Parameter& parameter : parameters) {
        out += "  " + colorize(Color::Yellow, parameter.name) + "  " +
               colorize(Color::Dim,
                        parameter.type.value_or("Any") + (parameter.sensitive ? ", sensitive" : "")) +
               "\n";
        if (parameter.description) out += indent(4, wrap(*parameter.description));
        if (parameter.default_value) out += "    Default: " + inspect(*parameter.default_value) + "\n";
        out += "\n";
    }
    heading(out, "Module");
    out += "  " + module_location(task);
    console_.write_line(out);
    console_.flush();
}

std::string HumanOutputter::inventory_source(const std::string& source, bool exists,
                                             const std::string& default_file) {
    std::string out;
    heading(out, "Inventory source");
    if (exists) {
        out += "  " + source + "\n";
    } else {
        out +=
            indent(2, wrap("Tried to load inventory from " + default_file + ", but the file does not exist"));
    }
    return out + "\n";
}

std::string HumanOutputter::target_summary(const InventoryListing& listing) {
    const std::size_t known = listing.from_inventory.size();
    const std::size_t adhoc = listing.adhoc.size();
    std::string out;
    heading(out, "Target count");
    out += "  " + std::to_string(known + adhoc) + " total, " + std::to_string(known) + " from inventory, " +
           std::to_string(adhoc) + " adhoc\n";
    if (listing.targets_chosen && listing.detail) return out;
    out += "\n";
    heading(out, "Additional information");
    if (!listing.targets_chosen) {
        out += "  Use the '--targets', '--query', or '--rerun' option to view specific targets\n";
    }
    if (!listing.detail) out += "  Use the '--detail' option to view target configuration and data\n";
    return out;
}

/// "groups: web, eu; alias: first", for what a target is called beside its name.
static std::string place_of(const inventory::Target& target) {
    std::vector<std::string> groups = target.groups();
    std::erase(groups, "all");
    std::string text = groups.empty() ? "" : "groups: " + join(groups, ", ");
    const std::vector<std::string> aliases = target.aliases();
    if (!aliases.empty()) text += (text.empty() ? "alias: " : "; alias: ") + join(aliases, ", ");
    return text;
}

void HumanOutputter::print_inventory(const InventoryListing& listing) {
    std::string out;
    if (listing.detail) {
        std::vector<std::pair<inventory::Target, bool>> targets;
        for (const auto& target : listing.adhoc) targets.emplace_back(target, true);
        for (const auto& target : listing.from_inventory) targets.emplace_back(target, false);
        std::sort(targets.begin(), targets.end(),
                  [](const auto& a, const auto& b) { return a.first.name() < b.first.name(); });
        for (const auto& [target, adhoc] : targets) {
            out += colorize(Color::Cyan, printable(target.name()));
            if (adhoc) out += colorize(Color::Yellow, " (Not found in inventory file)");
            out += "\n" + indent(2, to_yaml(target.detail())) + "\n";
        }
    } else {
        std::vector<std::pair<std::string, std::string>> rows;
        for (const auto& target : listing.from_inventory)
            rows.emplace_back(printable(target.name()), place_of(target));
        const std::string mark = colorize(Color::Yellow, "(Not found in inventory file)");
        for (const auto& target : listing.adhoc) rows.emplace_back(printable(target.name()), mark);
        heading(out, "Targets");
        out += (rows.empty() ? "  No targets\n" : table(rows, 2, 4)) + "\n";
    }
    if (listing.detail && listing.adhoc.empty() && listing.from_inventory.empty()) {
        heading(out, "Targets");
        out += "  No targets\n\n";
    }
    out += inventory_source(listing.source, listing.source_exists, listing.default_file);
    console_.write_line(out + target_summary(listing));
    console_.flush();
}

void HumanOutputter::print_groups(const GroupListing& listing) {
    std::string out;
    heading(out, "Groups");
    out += indent(2, join(listing.groups, "\n")) + "\n\n";
    out += inventory_source(listing.source, listing.source_exists, listing.default_file);
    heading(out, "Group count");
    console_.write_line(out + "  " + std::to_string(listing.groups.size()) + " total");
    console_.flush();
}

/// The plugins of each hook but validate, then the modulepath (OUT-028).
void HumanOutputter::print_plugins(const PluginListing& listing) {
    std::size_t widest = 0;
    for (const auto& [hook, plugins] : listing.hooks) {
        for (const auto& [name, description] : plugins) widest = std::max(widest, name.size());
    }
    std::string out;
    for (const auto& [hook, plugins] : listing.hooks) {
        if (plugins.empty()) continue;
        heading(out, hook);
        for (const auto& [name, description] : plugins) {
            out += fmt::format("  {:<{}}{}\n", name, widest + 4, truncate(description, 80 - widest - 4));
        }
        out += "\n";
    }
    heading(out, "Modulepath");
    out += "  " + modulepath_text(listing.modulepath) + "\n\n";
    heading(out, "Additional information");
    console_.write_line(out + "  Plugins are configured under 'plugins' in bolt-project.yaml.");
    console_.flush();
}

void HumanOutputter::print_guides(const std::vector<std::string>& topics) {
    std::string out;
    heading(out, "Topics");
    out += indent(2, join(topics, "\n")) + "\n\n";
    heading(out, "Additional information");
    console_.write_line(out + "  Use 'volley guide <TOPIC>' to view a specific guide.");
    console_.flush();
}

void HumanOutputter::print_guide(const Guide& guide) {
    std::string out;
    heading(out, guide.topic);
    out += indent(2, guide.text);
    if (!guide.documentation.empty()) {
        out += "\n";
        heading(out, "Documentation");
        out += "  " + std::string(guide.documentation);
    }
    console_.write_line(out);
    console_.flush();
}

}  // namespace volley::cli
