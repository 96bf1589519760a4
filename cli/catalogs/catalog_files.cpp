#include "cli/catalogs/catalog_files.hpp"

#include <unistd.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/compile/json_input.hpp"
#include "support/error.hpp"
#include "support/files.hpp"
#include "support/standard_input.hpp"

namespace volley::cli {

Json read_catalog(const std::filesystem::path& file) {
    const std::string name = file == "-" ? "Standard input" : file.string();
    Json catalog = json_of_text(file == "-" ? read_standard_input() : read_file(file, "catalog"), name);
    if (catalog.is_object() && catalog.contains("catalog") && catalog["catalog"].is_object())
        catalog = Json(std::move(catalog["catalog"]));
    if (!catalog.is_object() || !catalog.contains("resources") || !catalog["resources"].is_array())
        throw Error("volley/no-catalog", name + " is not a catalog: it has no list of resources");
    return catalog;
}

std::vector<std::filesystem::path> json_files(const std::filesystem::path& folder) {
    std::vector<std::filesystem::path> files;
    std::error_code problem;
    std::filesystem::directory_iterator at(folder, problem);
    for (; !problem && at != std::filesystem::directory_iterator(); at.increment(problem)) {
        if (at->path().extension() == ".json") files.push_back(at->path());
    }
    if (problem)
        throw Error("bolt/file-error",
                    "Cannot read the folder " + folder.string() + ": " + problem.message());
    std::sort(files.begin(), files.end());
    return files;
}

int run_catalog_tool(const Verb& verb, std::span<const std::string> words, Console& console,
                     const inventory::ProcessContext& process, LanguageAction action) {
    try {
        return run_language_verb(verb, words, console, process, action);
    } catch (const Error& error) {
        const std::string line = std::string(error.what()) + "\n";
        [[maybe_unused]] const ssize_t ignored = ::write(STDERR_FILENO, line.data(), line.size());
        return 2;
    }
}

}  // namespace volley::cli
