#include "tasks/type_aliases.hpp"

#include <array>
#include <utility>

#include "support/files.hpp"

namespace volley::tasks {
namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 2> everywhere{{
    {"targetspec",
     "# @summary a target, its name, or a list of them\n"
     "type TargetSpec = Variant[String[1], Target, Array[TargetSpec]]"},
    {"boltlib::targetspec",
     "# @summary a target, its name, or a list of them\n"
     "type Boltlib::TargetSpec = Variant[String[1], Target, Array[Boltlib::TargetSpec]]"},
}};

}  // namespace

AliasResolver type_aliases(const Library& library) {
    return [&library](std::string_view name) -> std::optional<std::string> {
        for (const auto& [known, text] : everywhere) {
            if (known == name) return std::string(text);
        }
        const auto file = library.definition_file(name, "types");
        if (!file) return std::nullopt;
        return read_file(*file, "type alias");
    };
}

}  // namespace volley::tasks
