#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "language/evaluator/environment.hpp"
#include "language/loaders/disk_environment.hpp"

namespace volley {

/// The world of one compilation or script: code and files from an environment on the disk, the machine's
/// clock, and a log that somebody listens to. A template is taken from the disk once, unless a program was
/// run meanwhile. Used by one thread; its environment may be shared.
class DiskHost : public LanguageHost {
public:
    using LogSink = std::function<void(const LogEntry&)>;

    /// `settings`: those of the Environment that uses it. Logs at once what is wrong with the modules.
    DiskHost(std::shared_ptr<const DiskEnvironment> environment, LanguageSettings settings, LogSink sink);

    const DiskEnvironment& disk() const noexcept { return *environment_; }
    /// For a host that lives longer than one program: takes templates from the disk again.
    void forget_templates() { templates_.clear(); }
    void log(const LogEntry& entry) override { sink_(entry); }
    std::optional<SourceFile> function_source(std::string_view name) override;
    std::optional<SourceFile> type_source(std::string_view name) override;
    std::optional<SourceFile> plan_source(std::string_view name) override;
    std::optional<SourceFile> manifest_source(std::string_view name) override;
    std::optional<SourceFile> resource_type_source(std::string_view name) override;
    std::optional<SourceFile> module_file(std::string_view kind, std::string_view name) override;
    std::optional<std::string> module_file_path(std::string_view kind, std::string_view name) override;
    std::optional<std::string> module_path(std::string_view name) override;
    std::optional<RubySource> ruby_function_source(std::string_view name) override;
    bool has_providers(std::string_view type) override {
        return environment_->ruby_file(DiskEnvironment::RubyFile::Providers, type) != nullptr;
    }
    std::vector<Module> modules() override { return environment_->modules(); }
    ProgramResult run_program(const std::vector<std::string>& argv, const std::string& directory) override;
    HieraSettings hiera() override;
    std::int64_t now() override;

private:
    /// The file as a program, after its warnings have been logged; nullopt when there is no such file.
    std::optional<SourceFile> program(std::string path);
    std::optional<SourceFile> program_of(Loadable kind, std::string_view name);
    /// STEM.pp, and for plans STEM.yaml.
    std::optional<SourceFile> program_at(const std::string& stem, Loadable kind);

    std::shared_ptr<const DiskEnvironment> environment_;
    LanguageSettings settings_;
    LogSink sink_;
    struct Template {
        std::string path;
        std::shared_ptr<const std::string> text;
    };
    std::map<std::string, Template, std::less<>> templates_;  // by name
};

}  // namespace volley
