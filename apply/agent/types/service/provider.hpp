#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "apply/agent/machine/os_release.hpp"
#include "apply/agent/types/tool.hpp"

namespace volley::agent {

/// One service, by what starts services on a machine. This class is what all have in common, and for itself
/// the provider `base`: a binary, and a pattern that is looked for in the process table. Everything throws
/// ApplyError when it could not be done.
class ServiceProvider {
public:
    ServiceProvider(Resource& resource, Run& run) : resource_(resource), run_(run) {}
    virtual ~ServiceProvider() = default;
    ServiceProvider(const ServiceProvider&) = delete;
    ServiceProvider& operator=(const ServiceProvider&) = delete;

    /// The services that there are; none where that cannot be known.
    virtual std::vector<std::string> names() { return {}; }
    virtual bool is_running();
    virtual void start();
    virtual void stop();
    virtual void restart();

    /// true, false or mask, as a symbol: whether it starts at boot.
    virtual Value enabled() { return Value::symbol("false"); }
    /// `current` is what enabled() has just returned.
    virtual bool enable_in_sync(const std::string& wanted, const Value& current) {
        return current == Value::symbol(wanted);
    }
    virtual void enable() {}
    virtual void disable() {}
    virtual void mask() {}

protected:
    std::string name() const { return resource_.text("name", resource_.title); }
    bool is_set(std::string_view attribute, bool fallback) const;
    /// Of `path`, else `fallback`.
    std::vector<std::string> search_folders(std::string_view fallback) const;
    /// The command that an attribute is: a line of a shell, or a list of words; empty when it is not given.
    std::vector<std::string> own_command(std::string_view attribute) const;
    bool has_own(std::string_view attribute) const;
    /// Runs the attribute of the same name, or the command when it is not given; throws when that fails.
    void perform(const std::string& what, std::vector<std::string> command);
    std::string tool(std::vector<std::string> words) { return run_tool(run_, Command(std::move(words))); }
    Finished attempt(std::vector<std::string> words) { return try_tool(run_, Command(std::move(words))); }

    // Empty where there is none, or where it is an attribute of the resource.
    virtual std::vector<std::string> start_command();
    virtual std::vector<std::string> stop_command() { return {}; }
    virtual std::vector<std::string> restart_command() { return {}; }
    virtual std::vector<std::string> status_command() { return {}; }

    Resource& resource_;
    Run& run_;

private:
    std::string find_process();
};

struct ServiceProviderSpec {
    std::string_view name;
    std::string_view doc;
    bool can_enable = false, can_mask = false;
    bool (*suitable)() = nullptr;
    /// How well it fits a machine where nothing else is said: the highest is taken; 0: not at all.
    int (*rank)(const OsRelease&) = nullptr;
    std::unique_ptr<ServiceProvider> (*make)(Resource& resource, Run& run) = nullptr;
};

template <class T>
std::unique_ptr<ServiceProvider> make_services_of(Resource& resource, Run& run) {
    return std::make_unique<T>(resource, run);
}

std::vector<const ServiceProviderSpec*> all_service_providers();
const ServiceProviderSpec& default_service_provider(const OsRelease& system);

bool is_booted_with_systemd();
/// Whether an init script of Debian starts at boot, as invoke-rc.d says and the links in /etc/rc?.d.
bool debian_starts_at_boot(Run& run, const std::string& name);
/// Lines of the process table as `ps -ef` shows them, without the agent itself.
std::vector<std::pair<std::string, std::string>> process_table();  ///< PID, line

}  // namespace volley::agent
