#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace volley::modules {

/// "owner/name" of a module; what comes from git may have no owner.
struct ModuleName {
    std::string owner;
    std::string name;  ///< what its folder is called

    /// Reads "owner/name" and "owner-name": letters and digits, then a lower-case letter and lower-case
    /// letters, digits or underscores. nullopt for anything else.
    static std::optional<ModuleName> parse(std::string_view text);
    /// Reads also a name without an owner.
    static std::optional<ModuleName> parse_with_optional_owner(std::string_view text);

    /// "owner/name", or "name" when there is no owner.
    std::string full() const { return owner.empty() ? name : owner + "/" + name; }
    /// "owner-name": how the Forge's URLs call it.
    std::string slug() const { return owner.empty() ? name : owner + "-" + name; }
    /// Owners differ by more than case.
    bool same_owner(const ModuleName& other) const;
};

}  // namespace volley::modules
