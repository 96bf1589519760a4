#include <nlohmann/json.hpp>

#include "inventory/plugins/plugin.hpp"
#include "support/files.hpp"
#include "support/yaml/document.hpp"

namespace volley::inventory::plugins {
namespace {

/// The content of a YAML file, its path relative to the project (PLG-035).
Json read_yaml_file(const PluginContext& context, const Json& options) {
    const auto path = expand_path(required_text("yaml", options, "filepath"), context.project);
    return yaml::Document::read(path, "data file")->root().to_json();
}

}  // namespace

const PluginSpec& yaml_plugin() {
    static const PluginSpec spec{
        .name = "yaml",
        .abilities = {{Hook::ResolveReference, "Read values stored in YAML files.", read_yaml_file}},
        .options = {{"filepath"}}};
    return spec;
}

}  // namespace volley::inventory::plugins
