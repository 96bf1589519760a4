#include "apply/agent/types/ini/found_settings.hpp"

#include "apply/agent/types/ini/ini_file.hpp"
#include "apply/agent/types/ini/listed_settings.hpp"
#include "apply/agent/types/instance.hpp"

namespace volley::agent {

std::vector<std::unique_ptr<Resource>> found_settings(const std::string& type,
                                                      const std::shared_ptr<const ModuleType>& module_type) {
    const auto fact = [&](const char* name) {
        const auto found = module_type->facts.find(name);
        return found == module_type->facts.end() ? std::string() : found->second;
    };
    IniStyle style;
    style.separator = "=";
    const auto settings =
        fact("lists") == "true" ? ListedSettings(fact("path")).names() : IniFile(fact("path"), style).names();
    std::vector<std::unique_ptr<Resource>> found;
    for (const auto& [section, setting] : settings) {
        // Compatibility: with the section even where the titles of a type have none; those are not found
        // again.
        found.push_back(found_resource(type, section + "/" + setting));
        found.back()->module_type = module_type;
    }
    return found;
}

}  // namespace volley::agent
