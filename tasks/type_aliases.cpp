#include "tasks/type_aliases.hpp"

#include <array>
#include <system_error>
#include <utility>

#include "support/files.hpp"
#include "tasks/metadata.hpp"

namespace volley::tasks {
namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 2> everywhere{{
    {"targetspec", "type TargetSpec = Variant[String[1], Target, Array[TargetSpec]]"},
    {"boltlib::targetspec",
     "type Boltlib::TargetSpec = Variant[String[1], Target, Array[Boltlib::TargetSpec]]"},
}};

/// "a::b::c" in module a is types/b/c.pp; nullopt for what is no such name.
std::optional<std::filesystem::path> alias_file(const Library& library, std::string_view name) {
    std::size_t colons = name.find("::");
    if (colons == std::string_view::npos) return std::nullopt;
    const Module* module = library.find_module(name.substr(0, colons));
    if (module == nullptr) return std::nullopt;
    std::filesystem::path file = module->path / "types";
    while (colons != std::string_view::npos) {
        name.remove_prefix(colons + 2);
        colons = name.find("::");
        const std::string_view part = name.substr(0, colons);
        if (!is_plain_name(part)) return std::nullopt;
        file /= std::string(part) + (colons == std::string_view::npos ? ".pp" : "");
    }
    return file;
}

}  // namespace

AliasResolver type_aliases(const Library& library) {
    return [&library](std::string_view name) -> std::optional<std::string> {
        for (const auto& [known, text] : everywhere) {
            if (known == name) return std::string(text);
        }
        const auto file = alias_file(library, name);
        std::error_code error;
        if (!file || !std::filesystem::is_regular_file(*file, error)) return std::nullopt;
        return read_file(*file, "type alias");
    };
}

}  // namespace volley::tasks
