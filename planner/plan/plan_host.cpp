#include "planner/plan/plan_host.hpp"

#include <fcntl.h>
#include <poll.h>

#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <chrono>
#include <filesystem>
#include <system_error>

#include "language/functions/catalog_operations.hpp"
#include "language/lookup/data/data_store.hpp"
#include "language/syntax/parser.hpp"
#include "planner/functions/registry.hpp"
#include "planner/plan/plan_error.hpp"
#include "planner/plan/plan_run.hpp"
#include "planner/types/plan_types.hpp"
#include "support/files.hpp"
#include "support/log.hpp"
#include "support/paths/file_checks.hpp"
#include "support/text.hpp"
#include "support/unique_fd.hpp"
#include "tasks/metadata.hpp"
#include "transports/coroutines/within.hpp"

namespace volley::planner {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view plan_aliases = R"(
# @summary a target, its name, or a list of them
type Boltlib::TargetSpec = Variant[String[1], Target, Array[Boltlib::TargetSpec]]
type Boltlib::PlanResult = Variant[Boolean, Numeric, String, Undef, Error, Result, ApplyResult, ResultSet, Target,
    ResourceInstance, ContainerResult, Future, Array[Boltlib::PlanResult], Hash[String, Boltlib::PlanResult]]
# @summary a target, its name, or a list of them
type TargetSpec = Boltlib::TargetSpec
type PlanResult = Boltlib::PlanResult
)";

transports::Task<void> readable(boost::asio::posix::stream_descriptor& input) {
    boost::system::error_code ended;
    co_await input.async_wait(boost::asio::posix::stream_descriptor::wait_read,
                              boost::asio::redirect_error(boost::asio::use_awaitable, ended));
}

transports::Task<void> plan_input_ready(boost::asio::io_context& loop, int descriptor,
                                        std::chrono::steady_clock::time_point deadline) {
    namespace asio = boost::asio;
    // A copy: the loop closes what it waits for.
    UniqueFd copy(::fcntl(descriptor, F_DUPFD_CLOEXEC, 0));
    if (!copy) co_return;
    asio::posix::stream_descriptor input(loop, copy.release());
    asio::steady_timer timer(loop, deadline);
    auto reading = readable(input);
    auto racing = transports::ends_in_time(loop.get_executor(), std::move(reading), timer);
    co_await std::move(racing);
}

}  // namespace

LogLevel log_level_of(Severity severity) noexcept {
    switch (severity) {
        case Severity::Debug:
            return LogLevel::Trace;
        case Severity::Info:
        case Severity::Notice:
            return severity == Severity::Info ? LogLevel::Debug : LogLevel::Info;
        case Severity::Warning:
            return LogLevel::Warn;
        case Severity::Err:
        case Severity::Alert:
            return LogLevel::Error;
        default:
            return LogLevel::Fatal;
    }
}

void PlanHost::log(const LogEntry& entry) {
    const LogLevel level = log_level_of(entry.severity);
    if (!log_enabled(level)) return;
    // Compatibility: what a function logs has a source, which is not shown, and no place.
    const bool place = entry.severity == Severity::Warning && entry.at.known() && entry.source.empty();
    volley::log(level, "Puppet",
                place ? LanguageError("", entry.message, entry.at).full_message() : entry.message);
}

std::optional<LanguageHost::SourceFile> PlanHost::definition(std::string_view name,
                                                             const char* folder) const {
    const auto file = library_.definition_file(name, folder);
    if (!file) return std::nullopt;
    return SourceFile{read_file(*file, "code"), file->string()};
}

std::optional<LanguageHost::SourceFile> PlanHost::function_source(std::string_view name) {
    return definition(name, "functions");
}

std::optional<LanguageHost::SourceFile> PlanHost::type_source(std::string_view name) {
    return definition(lower(name), "types");
}

/// LAY-010: a type that a module defines in Ruby, or that `module generate-types` wrote down, is a name of
/// its own.
std::optional<LanguageHost::SourceFile> PlanHost::resource_type_source(std::string_view given) {
    const std::string name(given);
    if (!tasks::is_plain_name(name)) return std::nullopt;
    fs::path file;
    if (run_) file = run_->config().project.path / ".resource_types" / (name + ".pp");
    if (file.empty() || !is_plain_file(file)) {
        file.clear();
        for (const Module& module : modules()) {
            const fs::path ruby = fs::path(module.path) / "lib/puppet/type" / (name + ".rb");
            if (file.empty() && is_plain_file(ruby)) file = ruby;
        }
    }
    if (file.empty()) return std::nullopt;
    return SourceFile{read_file(file, "resource type"), file.string()};
}

std::optional<LanguageHost::SourceFile> PlanHost::module_file(std::string_view kind, std::string_view name) {
    fs::path file(name);
    if (!file.is_absolute()) {
        const std::size_t slash = name.find('/');
        const tasks::Module* module =
            slash == std::string_view::npos ? nullptr : library_.find_module(name.substr(0, slash));
        if (module == nullptr) return std::nullopt;
        file = join_inside(module->path / std::string(kind), name.substr(slash + 1));
    }
    if (!is_plain_file(file)) return std::nullopt;
    return SourceFile{read_file(file, "file"), file.string()};
}

std::optional<std::string> PlanHost::module_path(std::string_view name) {
    const tasks::Module* module = library_.find_module(name);
    return module == nullptr ? std::nullopt : std::optional(module->path.string());
}

std::vector<LanguageHost::Module> PlanHost::modules() {
    if (!modules_) {
        modules_.emplace();
        for (const std::string& name : library_.module_names()) {
            if (const tasks::Module* module = library_.find_module(name))
                modules_->push_back({name, module->path.string()});
        }
    }
    return *modules_;
}

/// MOD-008: "mod::a::b" is lib/puppet/functions/mod/a/b.rb of the module; a name without a module may be in
/// any of them, there or among the functions of the older API.
std::optional<LanguageHost::RubySource> PlanHost::ruby_function_source(std::string_view name) {
    if (name.starts_with("::")) name.remove_prefix(2);
    const std::vector<std::string> parts = split(std::string(name), ':');
    fs::path file;
    for (std::size_t i = 0; i < parts.size(); i += 2) {
        if (!tasks::is_plain_name(parts[i]) || (i > 0 && !parts[i - 1].empty())) return std::nullopt;
        file /= parts[i];
    }
    file += ".rb";
    const bool qualified = parts.size() > 1;
    for (const char* folder : {"functions", "parser/functions"}) {
        const bool legacy = folder != std::string_view("functions");
        if (legacy && qualified) break;
        for (const Module& module : modules()) {
            if (qualified && module.name != parts[0]) continue;
            const fs::path path = fs::path(module.path) / "lib" / "puppet" / folder / file;
            if (is_plain_file(path)) return RubySource{path.string(), legacy};
        }
    }
    return std::nullopt;
}

/// Most calls are answered at once; for the others targets and other blocks go on.
void PlanHost::wait_for_input(int descriptor, std::chrono::steady_clock::time_point deadline) {
    if (run_ == nullptr || !run_->fibers().current()) return;
    pollfd ready{descriptor, POLLIN, 0};
    constexpr int at_once = 1;  // milliseconds
    if (::poll(&ready, 1, at_once) != 0) return;
    run_->fibers().await(plan_input_ready(run_->fibers().loop(), descriptor, deadline));
}

/// HIE-001: the project's hiera.yaml is the global layer; a plan has no environment.
HieraSettings PlanHost::hiera() {
    HieraSettings settings;
    if (run_ == nullptr) return settings;
    settings.store = lookup::disk_data_store();
    settings.global_config = run_->config().hiera_config;
    settings.in_plan = true;
    return settings;
}

std::int64_t PlanHost::now() {
    const auto since = std::chrono::system_clock::now().time_since_epoch();
    return std::chrono::duration_cast<std::chrono::nanoseconds>(since).count();
}

Value PlanHost::error_value(const Error& error) { return to_plan_error(error, {}).value(); }

std::optional<PlanForRuby::Project> PlanHost::project() {
    if (run_ == nullptr) return std::nullopt;
    const inventory::Project& project = run_->config().project;
    return Project{project.name.value_or(""), project.path.string()};
}

LanguageSettings plan_language_settings() {
    LanguageSettings settings;
    settings.tasks = true;
    settings.deprecations = true;
    settings.environment = "bolt";
    return settings;
}

void add_plan_types(Environment& environment) {
    environment.types.add(plan_types());
    environment.add_program(parse_program(std::string(plan_aliases), {.file = {}, .tasks = true}));
}

void add_plan_language(Environment& environment) {
    add_plan_types(environment);
    environment.types.know_resource_types([&environment](std::string_view name) {
        return environment.host.resource_type_source(name).has_value();
    });
    environment.add_builtins(plan_functions());
    environment.add_builtins(refused_catalog_operations());  // a plan has no catalog (PLN-003)
}

}  // namespace volley::planner
