// Prints as JSON who applies the resource types of a modulepath and the catalogs of a folder, Volley's agent
// or the puppet-agent, by the rule that `volley apply` has for it (run.py makes a page of that).

#include <cstdio>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "apply/content/module_files.hpp"
#include "apply/types/type_spec.hpp"
#include "language/loaders/disk_environment.hpp"
#include "planner/apply/agentless/agentless.hpp"
#include "planner/apply/agentless/config_types.hpp"
#include "support/files.hpp"
#include "support/json/json_reader.hpp"

namespace {

using volley::Json;
using volley::planner::CompiledCatalog;

class Judge {
public:
    explicit Judge(const std::string& modulepath) {
        volley::DiskEnvironmentOptions options;
        options.modulepath = volley::split_search_path(modulepath, std::filesystem::current_path());
        environment_ = std::make_shared<volley::DiskEnvironment>(options);
        code_ = volley::ModuleFiles(environment_->modules(), {}).code(true);
    }

    /// By name of the type: {"module", "by"}; by: "agent", "settings" (the agent, which has the file and the
    /// form of its settings from the module's Ruby) or "puppet-agent".
    Json types() const {
        Json found = Json::object();
        for (const volley::TypeSpec* spec : volley::core_types()) {
            const std::string name(spec->name);
            found[name] = {{"module", std::string(spec->module)}, {"by", who_applies(name)}};
        }
        for (const auto& module : environment_->modules()) {
            std::error_code none;
            const std::filesystem::directory_iterator files(module.path + "/lib/puppet/type", none);
            for (const auto& file : files) {
                const std::string name = file.path().stem().string();
                if (file.path().extension() != ".rb") continue;
                found[name] = {{"module", module.name}, {"by", who_applies(name)}};
            }
        }
        return found;
    }

    /// By name of the file: {"lacking": text, "types": {name: resources}}; an empty text: the agent applies
    /// it.
    Json catalogs(const std::filesystem::path& folder) const {
        Json found = Json::object();
        for (const auto& file : std::filesystem::directory_iterator(folder)) {
            auto document =
                std::make_shared<const Json>(volley::parse_json(volley::read_file(file.path(), "catalog")));
            Json counts = Json::object();
            for (const Json& resource : document->at("resources")) {
                if (resource.at("kind") != "compilable_type" || resource.at("type") == "Stage") continue;
                const std::string type = resource.at("type").get<std::string>();
                counts[type] = counts.value(type, 0) + 1;
            }
            found[file.path().stem().string()] = {{"lacking", lacking(std::move(document))},
                                                  {"types", std::move(counts)}};
        }
        return found;
    }

private:
    std::shared_ptr<const CompiledCatalog> extended(std::shared_ptr<const Json> document) const {
        auto catalog = std::make_shared<CompiledCatalog>();
        catalog->document = std::move(document);
        catalog->files = code_;
        return volley::planner::with_config_types(std::move(catalog));
    }
    std::string lacking(std::shared_ptr<const Json> document) const {
        return volley::planner::not_for_agent(*extended(std::move(document)));
    }
    std::string who_applies(const std::string& type) const {
        const Json resource = {
            {"type", type}, {"title", "x"}, {"kind", "compilable_type"}, {"parameters", Json::object()}};
        const auto catalog =
            extended(std::make_shared<const Json>(Json{{"resources", Json::array({resource})}}));
        if (!volley::planner::not_for_agent(*catalog).empty()) return "puppet-agent";
        return catalog->document->contains("module_types") ? "settings" : "agent";
    }

    std::shared_ptr<const volley::DiskEnvironment> environment_;
    std::vector<volley::DeliveredFile> code_;
};

}  // namespace

int main(int count, char** words) {
    if (count != 3) {
        std::fputs("usage: native_types_judge MODULEPATH FOLDER_OF_CATALOGS\n", stderr);
        return 1;
    }
    const Judge judge(words[1]);
    const Json result = {{"types", judge.types()}, {"catalogs", judge.catalogs(words[2])}};
    std::puts(result.dump().c_str());
    return 0;
}
