// How people are shown the inventory: its groups as a tree, and why a target has an option.
#include "cli/outputters/fold_names.hpp"
#include "cli/outputters/human.hpp"
#include "cli/outputters/text.hpp"
#include "support/text.hpp"
#include "support/unicode/printable.hpp"

namespace volley::cli {
namespace {

std::vector<std::string> printable_names(std::vector<std::string> names) {
    for (std::string& name : names) name = printable(name);
    return names;
}

/// Targets of a group come before the groups in it, folded into one line.
void add_branches(std::string& out, const inventory::GroupOutline& outline, const std::string& margin) {
    if (!outline.targets.empty()) {
        out += margin + (outline.groups.empty() ? "└── " : "├── ") +
               fold_names(printable_names(outline.targets)) + "\n";
    }
    for (const inventory::GroupOutline& group : outline.groups) {
        const bool last = &group == &outline.groups.back();
        out += margin + (last ? "└── " : "├── ") + group.name + " (" + std::to_string(group.size()) + ")\n";
        add_branches(out, group, margin + (last ? "    " : "│   "));
    }
}

}  // namespace

void HumanOutputter::print_outline(const inventory::GroupOutline& outline) {
    std::string out = outline.name + "\n";
    add_branches(out, outline, "");
    out.pop_back();
    console_.write_line(out);
    console_.flush();
}

void HumanOutputter::print_explanations(const ExplanationListing& listing) {
    for (const ExplanationListing::Group& group : listing.groups) {
        console_.write_line(colorize(Color::Cyan, name_list(printable_names(group.targets))));
        const auto& sources = group.explanation.sources;
        if (sources.empty()) console_.write_line("  " + listing.key + " is not set");
        for (const auto& source : sources) {
            const bool counts = &source == &sources.front();
            const std::string place = source.where.empty() ? "" : " at " + source.where;
            const std::string line = (counts ? "  " + listing.key + " is " : "  before ") +
                                     printable(source.value) + ": " + source.level + place;
            console_.write_line(colorize(counts ? Color::Plain : Color::Dim, line));
        }
    }
    if (listing.groups.empty()) console_.write_line("No targets");
    console_.flush();
}

}  // namespace volley::cli
