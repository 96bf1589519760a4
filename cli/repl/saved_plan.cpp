#include "cli/repl/saved_plan.hpp"

#include <algorithm>

#include "support/error.hpp"
#include "tasks/metadata.hpp"

namespace volley::cli {

namespace fs = std::filesystem;

std::string plan_name_of_file(const fs::path& file, const inventory::Project& project) {
    if (file.extension() != ".pp")
        throw Error("bolt/validation-error", "A plan is saved to a file that ends in .pp, such as deploy.pp");
    std::vector<std::string> segments;
    const fs::path below =
        file.lexically_normal().lexically_relative((project.path / "plans").lexically_normal());
    const bool in_project = project.name && !below.empty() && *below.begin() != "..";
    if (in_project) {
        segments.push_back(*project.name);
        for (const fs::path& part : below.parent_path()) segments.push_back(part.string());
    }
    if (!in_project || below != "init.pp") segments.push_back(file.stem().string());
    std::string name;
    for (const std::string& segment : segments) name += (name.empty() ? "" : "::") + segment;
    if (!std::ranges::all_of(segments, tasks::is_plain_name))
        throw Error("bolt/validation-error",
                    "'" + name +
                        "' is not a plan's name: it has lowercase letters, digits and underscores, and "
                        "begins with a letter");
    return name;
}

std::string plan_text(const std::string& name, const std::vector<std::string>& inputs) {
    const bool uses_targets = std::ranges::any_of(
        inputs, [](const std::string& input) { return input.find("$targets") != std::string::npos; });
    std::string text = "# Saved from volley console.\nplan " + name + "(";
    // With that name it takes the targets of the command line, too.
    text += uses_targets ? "TargetSpec $nodes) {\n  $targets = get_targets($nodes)\n" : ") {\n";
    // Only the first line of an input is indented: further ones may be a text's.
    for (const std::string& input : inputs) text += "  " + input + "\n";
    return text + "}\n";
}

}  // namespace volley::cli
