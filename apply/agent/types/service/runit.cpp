#include <poll.h>
#include <unistd.h>

#include <cerrno>

#include "apply/agent/machine/files.hpp"
#include "apply/agent/types/service/provider.hpp"
#include "support/text.hpp"

namespace volley::agent {
namespace {

constexpr const char* sv = "/usr/bin/sv";
/// runsvdir looks for new services that often.
constexpr int discovery_ms = 5000;
constexpr int look_ms = 100;

/// A service of runit: a folder, and a link to it where runsvdir looks.
class Runit final : public ServiceProvider {
public:
    using ServiceProvider::ServiceProvider;

    std::vector<std::string> names() override {
        std::vector<std::string> found;
        const std::string folder = services();
        if (!is_directory(folder)) return found;
        for (std::string& name : names_in(folder)) {
            if (!name.starts_with('.') && is_directory(folder + "/" + name)) found.push_back(std::move(name));
        }
        return found;
    }

    bool is_running() override {
        const Finished done = attempt({sv, "status", daemon()});
        if (done.exit_code == 0) return done.output.starts_with("run: ");
        if (done.output.find("warning: ") != std::string::npos || done.output.ends_with("runsv not running"))
            return false;
        throw ApplyError("Could not get status for service " + resource_.reference() + ": Execution of '" +
                         sv + " status " + daemon() + "' returned " + std::to_string(done.exit_code) + ": " +
                         done.output);
    }

    void start() override {
        if (!(enabled() == Value::symbol("true"))) {
            enable();
            run_.log(Level::Info, "Waiting 5 seconds for runsvdir to discover service " + link());
            for (int waited = 0; waited < discovery_ms && !file_exists(link() + "/supervise/ok");
                 waited += look_ms)
                ::poll(nullptr, 0, look_ms);
        }
        tool({sv, "start", link()});
    }
    void stop() override { tool({sv, "stop", link()}); }
    void restart() override { tool({sv, "restart", link()}); }

    Value enabled() override { return Value::symbol(is_running() || has_link() ? "true" : "false"); }

    void enable() override {
        if (!is_directory(daemon())) {
            run_.log(Level::Notice, "No daemon dir, calling setupservice for " + name());
            const std::string manifest = resource_.text("manifest");
            if (!manifest.empty()) {
                run_.log(Level::Notice, "Configuring " + name());
                attempt({manifest, name()});
            }
        }
        if (has_link()) return;
        run_.log(Level::Notice, "Enabling " + link() + ": linking " + daemon() + " -> " + link());
        if (::symlink(daemon().c_str(), link().c_str()) != 0) throw SystemError(errno, link());
    }
    void disable() override {
        if (has_link()) remove_file(link());
    }

private:
    std::string services() const {
        static constexpr const char* own = "/var/lib/service";
        return join(search_folders(is_directory(own) ? own : "/etc/sv"), "/");
    }
    std::string daemon() const { return services() + "/" + name(); }
    std::string link() const {
        for (const char* folder : {"/service", "/etc/service", "/var/service"}) {
            if (file_exists(folder)) return std::string(folder) + "/" + name();
        }
        throw ApplyError("Could not find service directory");
    }
    bool has_link() const {
        const auto found = file_stat(link(), false);
        return found && found->kind == FileKind::Link;
    }
};

}  // namespace

const ServiceProviderSpec& runit_services() {
    static const ServiceProviderSpec spec{"runit",
                                          "Services of runit.",
                                          true,
                                          false,
                                          [] { return has_tool(sv); },
                                          [](const OsRelease&) { return 4; },
                                          make_services_of<Runit>};
    return spec;
}

}  // namespace volley::agent
