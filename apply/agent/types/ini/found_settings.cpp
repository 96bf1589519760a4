#include "apply/agent/types/ini/found_settings.hpp"

#include <set>
#include <utility>

#include "apply/agent/types/ini/ini_file.hpp"
#include "apply/agent/types/ini/listed_settings.hpp"
#include "apply/agent/types/instance.hpp"

namespace volley::agent {

std::vector<std::unique_ptr<Resource>> found_settings(const std::string& type,
                                                      const std::shared_ptr<const ModuleType>& module_type) {
    IniStyle style;
    style.separator = "=";  // compatibility: whatever separator the type writes
    const std::string path = module_type->fact("path");
    const auto settings =
        module_type->fact("lists") == "true" ? ListedSettings(path).names() : IniFile(path, style).names();
    std::set<std::pair<std::string, std::string>> seen;
    std::vector<std::unique_ptr<Resource>> found;
    for (const auto& name : settings) {
        if (!seen.insert(name).second) continue;
        const auto& [section, setting] = name;
        // Compatibility: with the section even where the titles of a type have none; those are not found
        // again.
        found.push_back(found_resource(type, section + "/" + setting));
        found.back()->module_type = module_type;
    }
    return found;
}

}  // namespace volley::agent
