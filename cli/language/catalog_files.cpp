#include "cli/language/catalog_files.hpp"

#include <unistd.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "support/error.hpp"
#include "support/files.hpp"

namespace volley::cli {
namespace {

std::string catalog_from_standard_input() {
    std::string text;
    char buffer[65536];
    for (;;) {
        const ssize_t count = ::read(STDIN_FILENO, buffer, sizeof buffer);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return text;
        text.append(buffer, static_cast<std::size_t>(count));
    }
}

}  // namespace

Json read_catalog(const std::filesystem::path& file) {
    const std::string text = file == "-" ? catalog_from_standard_input() : read_file(file, "catalog");
    Json catalog = Json::parse(text, nullptr, false);
    if (catalog.is_discarded()) throw Error("volley/no-catalog", "The catalog " + file.string() + " is no JSON");
    if (catalog.is_object() && catalog.contains("catalog") && catalog["catalog"].is_object())
        return catalog["catalog"];
    return catalog;
}

std::vector<std::filesystem::path> catalog_files(const std::filesystem::path& folder) {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        if (entry.path().extension() == ".json") files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    return files;
}

int run_catalog_tool(const Verb& verb, std::span<const std::string> words, Console& console,
                     const inventory::Surroundings& surroundings, LanguageAction action) {
    try {
        return run_language_verb(verb, words, console, surroundings, action);
    } catch (const Error& error) {
        const std::string line = std::string(error.what()) + "\n";
        [[maybe_unused]] const ssize_t ignored = ::write(STDERR_FILENO, line.data(), line.size());
        return 2;
    }
}

}  // namespace volley::cli
