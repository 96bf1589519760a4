#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "language/evaluator/environment.hpp"
#include "language/ruby/ruby.hpp"
#include "support/log.hpp"
#include "tasks/library.hpp"

namespace volley::planner {

class PlanRun;

/// The world of plans as the language sees it: code and files of the project's modules, the log, the clock.
class PlanHost final : public LanguageHost, public InputWaiter, public PlanForRuby {
public:
    /// `run` is null when plans are only shown. Both must outlive it.
    PlanHost(const tasks::Library& library, PlanRun* run) : library_(library), run_(run) {}

    PlanRun* run() const noexcept { return run_; }
    void log(const LogEntry& entry) override;
    std::optional<SourceFile> function_source(std::string_view name) override;
    std::optional<SourceFile> type_source(std::string_view name) override;
    std::optional<SourceFile> resource_type_source(std::string_view name) override;
    std::optional<SourceFile> module_file(std::string_view kind, std::string_view name) override;
    std::optional<std::string> module_path(std::string_view name) override;
    std::vector<Module> modules() override;
    std::optional<RubySource> ruby_function_source(std::string_view name) override;
    void wait_for_input(int descriptor, std::chrono::steady_clock::time_point deadline) override;
    HieraSettings hiera() override;
    std::int64_t now() override;
    Value error_value(const Error& error) override;
    std::optional<Project> project() override;

private:
    std::optional<SourceFile> definition(std::string_view name, const char* folder) const;

    const tasks::Library& library_;
    PlanRun* run_;
    std::optional<std::vector<Module>> modules_;  // read when first asked for
};

/// Messages of Puppet are logged one level lower: its notice is info here, its info debug (LOG-010).
LogLevel log_level_of(Severity severity) noexcept;
/// The types of plans and their aliases for an environment (PLN-008).
void add_plan_types(Environment& environment);
/// The settings of the language in plans (PLN-001).
LanguageSettings plan_language_settings();
/// The types and functions of plans for an environment (PLN-008).
void add_plan_language(Environment& environment);

}  // namespace volley::planner
