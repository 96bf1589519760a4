// Prints as JSON what the compiler reads from the resource types of a modulepath (run.py compares it with
// Puppet).

#include <cstdio>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "apply/types/module_type.hpp"
#include "apply/types/resource_type.hpp"
#include "language/loaders/disk_environment.hpp"
#include "language/loaders/disk_host.hpp"

namespace {

nlohmann::json describe(const volley::ruby_source::TypeDescription& type) {
    nlohmann::json properties = nlohmann::json::array();
    nlohmann::json parameters = nlohmann::json::array();
    for (const auto& one : type.attributes) (one.property ? properties : parameters).push_back(one.name);
    if (type.has_providers) parameters.push_back("provider");
    nlohmann::json patterns;
    if (type.title_patterns) {
        patterns = nlohmann::json::array();
        for (const auto& one : *type.title_patterns)
            patterns.push_back(
                {{"source", one.source}, {"options", one.options}, {"attributes", one.attributes}});
    }
    return {{"properties", properties},
            {"parameters", parameters},
            {"patterns", patterns},
            {"complete", type.complete && type.patterns_known},
            {"isomorphic", type.isomorphic}};
}

nlohmann::json describe(const volley::TypeSpec& spec) {
    nlohmann::json properties = nlohmann::json::array();
    nlohmann::json parameters = nlohmann::json::array();
    for (const auto& one : spec.attributes)
        (one.role == volley::AttributeRole::Property ? properties : parameters).push_back(one.name);
    return {{"properties", properties},
            {"parameters", parameters},
            {"namevars", spec.namevars()},
            {"isomorphic", spec.isomorphic}};
}

}  // namespace

int main(int count, char** words) {
    if (count != 2) {
        std::fputs("usage: ruby_types_dump MODULEPATH\n", stderr);
        return 1;
    }
    volley::DiskEnvironmentOptions options;
    options.modulepath = volley::split_search_path(words[1], std::filesystem::current_path());
    const auto environment = std::make_shared<volley::DiskEnvironment>(options);
    volley::DiskHost host(environment, {}, [](const volley::LogEntry&) {});
    volley::ResourceTypes types(host);
    nlohmann::json result = {{"modules", nlohmann::json::object()}, {"core", nlohmann::json::object()}};
    for (const auto& module : environment->modules()) {
        std::error_code none;
        for (const auto& file : std::filesystem::directory_iterator(module.path + "/lib/puppet/type", none)) {
            const std::string name = file.path().stem().string();
            const auto source = host.resource_type_source(name);
            if (file.path().extension() != ".rb" || !source) continue;
            nlohmann::json one = describe(volley::describe_module_type(name, *source, host));
            const volley::ResourceType* type = types.find(name);
            one["namevars"] = type->namevars();
            result["modules"][name] = one;
        }
    }
    for (const volley::TypeSpec* spec : volley::core_types())
        result["core"][std::string(spec->name)] = describe(*spec);
    std::puts(result.dump(1).c_str());
    return 0;
}
