#pragma once

#include <boost/asio/thread_pool.hpp>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "apply/content/module_files.hpp"
#include "inventory/config/config.hpp"
#include "language/loaders/disk_environment.hpp"
#include "planner/apply/applier.hpp"
#include "planner/apply/catalog_source.hpp"
#include "planner/apply/puppetdb_access.hpp"
#include "tasks/library.hpp"
#include "transports/runtime.hpp"

namespace volley::planner {

class AgentlessApplier;

/// One resource as a command line names it: "user", "bob", ensure=present.
struct ResourceStatement {
    std::string type;  ///< "user", or "User"
    std::string title;
    std::vector<std::pair<std::string, Json>> attributes;  ///< texts, or lists of texts
};
/// "User" of "user", "Foo::Bar" of "foo::bar".
std::string capitalized_type(std::string_view type);

/// What everything that applies, in one run, shares: the modules, the threads that compile, the way to apply.
/// Loop thread only; made when it is first needed.
class ApplyTools {
public:
    /// Reads the folders of modules. All must outlive it. Throws Error bolt/parse-error for a hiera.yaml that
    /// is not of version 5 (APL-020).
    /// `inventory`: whose PuppetDB code may ask; null: none.
    ApplyTools(const inventory::Config& config, const tasks::Library& library, transports::Runtime& runtime,
               inventory::Inventory* inventory = nullptr);
    ~ApplyTools();
    ApplyTools(const ApplyTools&) = delete;
    ApplyTools& operator=(const ApplyTools&) = delete;

    const Applier& applier() const noexcept;
    /// The agent, for what it does whatever way catalogs are applied.
    const AgentlessApplier& agent() const noexcept { return *applier_; }
    /// A catalog of one resource, with the files of modules that it names and the code that says what its
    /// type is. Made on a thread that compiles.
    transports::Task<std::shared_ptr<const CompiledCatalog>> single(ResourceStatement resource);
    /// Whether Puppet's core or a module of the project has a resource type of that name, in lower case.
    bool has_type(const std::string& name) const;
    /// What the project calls its trusted-external-command; empty: nothing.
    const std::filesystem::path& external_command() const noexcept { return external_command_; }
    const std::shared_ptr<PuppetDbAccess>& databases() const noexcept { return databases_; }
    const std::shared_ptr<const DiskEnvironment>& environment() const noexcept { return environment_; }
    /// What the project's modules have for targets; those that come with the program do not take part
    /// (APL-014). `only`: names, or empty for all.
    std::shared_ptr<const ModuleFiles> module_files(const std::vector<std::string>& only);

    /// Files and folders that catalogs are made of: what the user's modules have for them, and the Hiera
    /// data.
    std::vector<std::filesystem::path> code_and_data() const;

    /// Compiles on one of compile-concurrency threads, and logs what was logged there. Throws Error
    /// bolt/apply-error.
    transports::Task<std::shared_ptr<const CompiledCatalog>> compile(std::shared_ptr<const AppliedCode> code,
                                                                     std::shared_ptr<const ModuleFiles> files,
                                                                     CatalogNode node);
    /// ModuleFiles::code() on such a thread.
    transports::Task<std::vector<DeliveredFile>> code_files(std::shared_ptr<const ModuleFiles> files,
                                                            bool for_catalogs);

private:
    std::vector<LanguageHost::Module> user_modules_;
    std::shared_ptr<const DiskEnvironment> environment_;
    std::filesystem::path hiera_config_;
    std::shared_ptr<DefinitionCache> cache_;  // what all catalogs share
    std::filesystem::path external_command_;
    std::shared_ptr<PuppetDbAccess> databases_;
    std::shared_ptr<const ModuleFiles> all_files_;
    std::unique_ptr<AgentlessApplier> applier_;
    boost::asio::thread_pool compilers_;
};

}  // namespace volley::planner
