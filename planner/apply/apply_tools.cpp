#include "planner/apply/apply_tools.hpp"

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

#include "apply/catalog/catalog.hpp"
#include "apply/catalog/cycles.hpp"
#include "apply/compiler/definition_cache.hpp"
#include "apply/types/type_spec.hpp"
#include "inventory/project/project_trust.hpp"
#include "language/lookup/data/yaml_value.hpp"
#include "language/serialization/json.hpp"
#include "language/text/text.hpp"
#include "planner/apply/agentless/agentless.hpp"
#include "planner/apply/puppet_agent.hpp"
#include "support/error.hpp"
#include "support/files.hpp"
#include "support/text.hpp"

namespace volley::planner {
namespace {

/// APL-020: a missing or empty file is none.
std::filesystem::path usable_hiera_config(const std::filesystem::path& file) {
    std::error_code ignored;
    if (file.empty() || !std::filesystem::is_regular_file(file, ignored)) return {};
    const Value data = lookup::yaml_value(read_file(file, "Hiera configuration"), file.string());
    if (!data.is_hash()) return {};
    const Value* version = data.as_hash().find("version");
    if (version && version->is(Kind::Integer) && version->as_integer() == 5) return file;
    throw Error("bolt/parse-error", "Hiera v5 is required, found v" + (version ? to_text(*version) : "3") +
                                        " in " + file.string());
}

std::shared_ptr<const DiskEnvironment> catalog_environment(const inventory::Config& config,
                                                           const tasks::Library& library) {
    DiskEnvironmentOptions options;
    options.name = "bolt_catalog";
    for (const std::filesystem::path& folder : config.modulepath)
        inventory::check_content_trust(config.project, folder);
    options.modulepath = library.modulepath();
    options.hiera_config = usable_hiera_config(config.hiera_config);
    if (config.project.name) options.modules.push_back({*config.project.name, config.project.path.string()});
    return std::make_shared<const DiskEnvironment>(std::move(options));
}

std::vector<LanguageHost::Module> modules_of_user(const DiskEnvironment& environment) {
    std::vector<LanguageHost::Module> modules = environment.modules();
    std::erase_if(modules, [](const LanguageHost::Module& module) {
        return std::filesystem::path(module.path).parent_path() == tasks::bundled_modules_folder();
    });
    return modules;
}

/// What the command line says of catalogs, and what `apply-settings` says, without what is not a setting of
/// it: a warning named that (CFG-021).
std::shared_ptr<const Json> agent_settings(const inventory::Config& config) {
    auto settings = std::make_shared<Json>(config.applied_part ? *config.applied_part : Json::object());
    if (!config.raw || !config.raw->contains("apply-settings")) return settings;
    const Json& given = (*config.raw)["apply-settings"];
    for (const char* name : {"evaltrace", "lock_wait", "log_level", "show_diff", "trace"}) {
        if (given.contains(name)) (*settings)[name] = given[name];
    }
    return settings;
}

/// Without the setting that Puppet does not have: the puppet-agent would refuse it.
std::shared_ptr<const Json> puppet_settings(const Json& all) {
    auto settings = std::make_shared<Json>(all);
    settings->erase("lock_wait");
    return settings;
}

/// What a hiera.yaml calls a datadir, up to where that depends on the target; `data` where it calls none.
void add_data_folders(const Value& hiera, const std::filesystem::path& here,
                      std::vector<std::filesystem::path>& found) {
    found.push_back(here / "data");
    const auto add = [&](const Value* level) {
        const Value* folder = level && level->is_hash() ? level->as_hash().find("datadir") : nullptr;
        if (!folder || !folder->is_string()) return;
        const std::string& text = folder->as_string();
        found.push_back(here / text.substr(0, text.find("%{")));
    };
    add(hiera.as_hash().find("defaults"));
    for (const char* name : {"hierarchy", "plan_hierarchy"}) {
        const Value* levels = hiera.as_hash().find(name);
        if (!levels || !levels->is_array()) continue;
        for (const Value& level : levels->as_array()) add(&level);
    }
}

/// What a thread hands over.
struct CompiledWithLogs {
    std::shared_ptr<const CompiledCatalog> catalog;
    std::vector<LogEntry> logs;
};

bool is_all_utf8(const Json& value) {
    if (value.is_string()) return is_utf8(value.get_ref<const std::string&>());
    if (!value.is_structured()) return true;
    return std::all_of(value.begin(), value.end(), is_all_utf8);
}

/// Agents read catalogs as JSON, which holds no other bytes.
void check_text_of_catalog(const Json& document, const std::string& target) {
    for (const Json& resource : document["resources"]) {
        const auto parameters = resource.find("parameters");
        if (parameters == resource.end()) continue;
        for (const auto& [name, value] : parameters->items()) {
            if (is_all_utf8(value)) continue;
            throw Error(
                "bolt/apply-error",
                "Apply failed to compile for " + target + ": The parameter '" + name + "' of " +
                    resource["type"].get<std::string>() + "[" + resource["title"].get<std::string>() +
                    "] holds bytes that are not UTF-8: use 'source', or binary_file() for its content");
        }
    }
}

CompiledWithLogs compile_everything(const AppliedCode& code, const ModuleFiles& files,
                                    const CatalogNode& node,
                                    const std::shared_ptr<const DiskEnvironment>& environment,
                                    const std::shared_ptr<DefinitionCache>& cache, bool resolve_deferred) {
    CompiledWithLogs made;
    const Catalog catalog = compile_for(code, environment, node, made.logs, cache, resolve_deferred);
    const std::string cycle = dependency_cycle_message(catalog);
    if (!cycle.empty()) made.logs.push_back({Severity::Warning, cycle, "", {}});
    auto compiled = std::make_shared<CompiledCatalog>();
    compiled->document = std::make_shared<const Json>(catalog_to_json(catalog));
    check_text_of_catalog(*compiled->document, node.name);
    compiled->files = files.code(true);
    for (DeliveredFile& file : files.named_by(catalog)) compiled->files.push_back(std::move(file));
    made.catalog = std::move(compiled);
    return made;
}

std::shared_ptr<const CompiledCatalog> catalog_of_one(const ResourceStatement& statement,
                                                      const ModuleFiles& files) {
    auto type = std::make_shared<const std::string>(capitalized_type(statement.type));
    Catalog catalog;
    catalog.environment = "production";
    CatalogResource& resource = catalog.resources.emplace_back();
    resource.type = *type;
    resource.title = statement.title;
    resource.kind = CatalogResource::Kind::Native;
    const std::string tag = lower(statement.type);
    resource.tags.push_back(tag);
    for (const auto& [name, value] : statement.attributes) {
        resource.parameters.emplace_back(name, from_json(value));
        if (name == "password") resource.sensitive_parameters.push_back(name);
    }
    auto compiled = std::make_shared<CompiledCatalog>();
    compiled->document = std::make_shared<const Json>(catalog_to_json(catalog, {.settings_class = false}));
    compiled->files = files.code(true);
    for (DeliveredFile& file : files.named_by(catalog)) compiled->files.push_back(std::move(file));
    return compiled;
}

template <class Work>
transports::Task<std::invoke_result_t<Work>> compile_job(Work work) {
    co_return work();
}

template <class Work>
transports::Task<std::invoke_result_t<Work>> on_thread(boost::asio::thread_pool& threads, Work work) {
    auto running = compile_job(std::move(work));
    co_return co_await boost::asio::co_spawn(threads, std::move(running), boost::asio::use_awaitable);
}

}  // namespace

std::string capitalized_type(std::string_view type) {
    std::string name = lower(type);
    for (std::size_t at = 0; at < name.size(); ++at) {
        const bool begins = at == 0 || name[at - 1] == ':';
        if (begins && name[at] >= 'a' && name[at] <= 'z') name[at] = static_cast<char>(name[at] - 'a' + 'A');
    }
    return name;
}

ApplyTools::ApplyTools(const inventory::Config& config, const tasks::Library& library,
                       transports::Runtime& runtime, inventory::Inventory* inventory)
    : environment_(catalog_environment(config, library)),
      hiera_config_(config.hiera_config),
      cache_(std::make_shared<DefinitionCache>()),
      compilers_(static_cast<std::size_t>(std::max(1L, config.compile_concurrency))) {
    user_modules_ = modules_of_user(*environment_);
    if (inventory) databases_ = std::make_shared<PuppetDbAccess>(runtime.loop(), *inventory);
    const std::shared_ptr<const Json> settings = agent_settings(config);
    if (config.raw && config.raw->contains("trusted-external-command"))
        external_command_ = (*config.raw)["trusted-external-command"].get<std::string>();
    applier_ = std::make_unique<AgentlessApplier>(
        runtime, apply_method(config.apply_method),
        std::make_unique<PuppetAgentApplier>(runtime, puppet_settings(*settings)), settings);
}

const Applier& ApplyTools::applier() const noexcept { return *applier_; }

ApplyTools::~ApplyTools() {
    if (databases_) databases_->close();
    compilers_.join();
}

std::shared_ptr<const ModuleFiles> ApplyTools::module_files(const std::vector<std::string>& only) {
    if (!only.empty()) return std::make_shared<const ModuleFiles>(user_modules_, only);
    if (!all_files_) all_files_ = std::make_shared<const ModuleFiles>(user_modules_, only);
    return all_files_;
}

std::vector<std::filesystem::path> ApplyTools::code_and_data() const {
    std::vector<std::filesystem::path> found;
    for (const LanguageHost::Module& module : user_modules_) {
        for (const char* part : {"manifests", "functions", "types", "lib", "facts.d", "templates", "files",
                                 "scripts", "data", "hiera.yaml"}) {
            found.push_back(std::filesystem::path(module.path) / part);
        }
    }
    if (usable_hiera_config(hiera_config_).empty()) return found;
    found.push_back(hiera_config_);
    const Value hiera =
        lookup::yaml_value(read_file(hiera_config_, "Hiera configuration"), hiera_config_.string());
    add_data_folders(hiera, hiera_config_.parent_path(), found);
    return found;
}

transports::Task<std::shared_ptr<const CompiledCatalog>> ApplyTools::compile(
    std::shared_ptr<const AppliedCode> code, std::shared_ptr<const ModuleFiles> files, CatalogNode node) {
    const std::string name = node.name;
    auto work = [code, files, node = std::move(node), environment = environment_, cache = cache_,
                 resolve = applier_->wants_resolved_values()] {
        return compile_everything(*code, *files, node, environment, cache, resolve);
    };
    auto compiling = on_thread(compilers_, std::move(work));
    const CompiledWithLogs made = co_await std::move(compiling);
    tell_compile_logs(name, made.logs);
    co_return made.catalog;
}

bool ApplyTools::has_type(const std::string& name) const {
    return find_core_type(name) != nullptr ||
           environment_->ruby_file(DiskEnvironment::RubyFile::Type, name) != nullptr;
}

transports::Task<std::shared_ptr<const CompiledCatalog>> ApplyTools::single(ResourceStatement resource) {
    auto work = [files = module_files({}), resource = std::move(resource)] {
        return catalog_of_one(resource, *files);
    };
    auto making = on_thread(compilers_, std::move(work));
    co_return co_await std::move(making);
}

transports::Task<std::vector<DeliveredFile>> ApplyTools::code_files(std::shared_ptr<const ModuleFiles> files,
                                                                    bool for_catalogs) {
    auto work = [files, for_catalogs] { return files->code(for_catalogs); };
    auto reading = on_thread(compilers_, std::move(work));
    co_return co_await std::move(reading);
}

}  // namespace volley::planner
