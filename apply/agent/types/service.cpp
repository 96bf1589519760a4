#include <array>

#include "apply/agent/machine/files.hpp"
#include "apply/agent/types/tool.hpp"
#include "support/text.hpp"

namespace volley::agent {
namespace {

using Kind = Attribute::Kind;

/// What systemd knows of all services of a catalog, from one call. It counts until something has changed on
/// the machine.
struct KnownUnits {
    struct State {
        std::string active, enabled;
    };
    bool asked = false;
    std::map<std::string, State> states;
};

/// A service of systemd.
class Service final : public Instance {
public:
    using Instance::Instance;

    void prepare() override;
    std::string_view provider() const override { return "systemd"; }
    bool suitable() override { return has_tool("systemctl"); }
    Current retrieve() override;
    std::vector<Wanted> wanted() override;
    bool in_sync(Wanted& wanted, const Value& current) override;
    void sync(Wanted& wanted, const Value& current) override;
    bool can_refresh() const override { return true; }
    void refresh() override;

private:
    Finished systemctl(std::vector<std::string> words);
    const KnownUnits::State* known();
    bool is_running();
    std::string enabled_word();
    bool debian_enabled();
    Value enabled();
    void change_enabled(const std::string& action);
    void set_enabled();
    void act(const std::string& action);
    void reload_if_needed();

    std::string name_;
    std::string ensure_, enable_;  // empty: not given
    std::string enabled_word_;     // of is-enabled, as it was last seen
};

void Service::prepare() {
    name_ = resource_.text("name", resource_.title);
    if (const std::string given = resource_.text("provider", "systemd"); given != "systemd")
        throw ApplyError(resource_.reference() + ": the agent has no provider '" + given +
                         "' for services, only systemd");
    ensure_ = resource_.text("ensure");
    if (ensure_ == "true") ensure_ = "running";
    if (ensure_ == "false") ensure_ = "stopped";
    if (!ensure_.empty() && ensure_ != "running" && ensure_ != "stopped")
        throw parameter_error(
            resource_, "ensure",
            "Invalid value " + Value(ensure_).inspected() + ". Valid values are stopped, running.");
    enable_ = resource_.text("enable");
    if (enable_ == "manual" || enable_ == "delayed")
        throw parameter_error(
            resource_, "enable",
            "Provider systemd must have features '" +
                std::string(enable_ == "manual" ? "manual_startable" : "delayed_startable") +
                "' to set 'enable' to '" + enable_ + "'");
    if (!enable_.empty() && enable_ != "true" && enable_ != "false" && enable_ != "mask")
        throw parameter_error(resource_, "enable",
                              "Invalid value " + Value(enable_).inspected() +
                                  ". Valid values are true, false, manual, mask, delayed.");
    for (const auto& [attribute, feature] :
         {std::pair("flags", "flaggable"), std::pair("logonaccount", "manages_logon_credentials"),
          std::pair("logonpassword", "manages_logon_credentials"),
          std::pair("timeout", "configurable_timeout")})
        leave_unmanaged(run_, resource_, provider(), feature, attribute);
}

Finished Service::systemctl(std::vector<std::string> words) {
    words.insert(words.begin(), "systemctl");
    return try_tool(run_, Command(std::move(words)));
}

const KnownUnits::State* Service::known() {
    if (!run_.is_untouched()) return nullptr;
    auto& units = run_.shared<KnownUnits>();
    if (!units.asked) {
        units.asked = true;
        Command show({"systemctl", "show", "--property=Names,ActiveState,UnitFileState", "--"});
        for (const auto& resource : run_.catalog.resources()) {
            if (resource->type != "Service") continue;
            const std::string name = resource->text("name", resource->title);
            if (name.find_first_of("*?[") == std::string::npos) show.argv.push_back(name);
        }
        if (show.argv.size() < 6) return nullptr;
        const Finished done = try_tool(run_, std::move(show));
        if (done.exit_code != 0) return nullptr;
        std::vector<std::string> names;
        KnownUnits::State state;
        for (const std::string& line : split(done.output + "\n\n", '\n')) {
            if (line.starts_with("Names=")) {
                names = split(line.substr(6), ' ');
            } else if (line.starts_with("ActiveState=")) {
                state.active = line.substr(12);
            } else if (line.starts_with("UnitFileState=")) {
                state.enabled = line.substr(14);
            } else if (line.empty()) {
                for (const std::string& name : names) units.states[name] = state;
                names.clear();
                state = {};
            }
        }
    }
    const std::string unit = name_.find('.') == std::string::npos ? name_ + ".service" : name_;
    const auto found = units.states.find(unit);
    return found == units.states.end() ? nullptr : &found->second;
}

bool Service::is_running() {
    if (const std::string command = resource_.text("status"); !command.empty()) {
        Command status(command_words(command));
        status.c_locale = false;
        return run(status).exit_code == 0;
    }
    if (const auto* state = known()) return state->active == "active" || state->active == "reloading";
    return systemctl({"is-active", "--", name_}).exit_code == 0;
}

bool Service::debian_enabled() {
    if (!file_exists("/usr/sbin/invoke-rc.d")) return false;
    const Finished done =
        try_tool(run_, Command({"/usr/sbin/invoke-rc.d", "--quiet", "--query", name_, "start"}));
    if (done.exit_code == 104 || done.exit_code == 106) return true;
    if (done.exit_code != 101 && done.exit_code != 105) return false;
    const std::string link =
        name_.find(".service") == std::string::npos ? name_ : name_.substr(0, name_.find('.'));
    int links = 0;
    for (const char level : std::string_view("0123456S")) {
        const std::string folder = std::string("/etc/rc") + level + ".d";
        if (!is_directory(folder)) continue;
        for (const std::string& name : names_in(folder)) {
            if (name.size() == link.size() + 3 && name[0] == 'S' && name.ends_with(link)) ++links;
        }
    }
    return links >= 4;
}

std::string Service::enabled_word() {
    // What is not a unit file of its own is left to systemctl, which asks the init script.
    const auto* state = known();
    if (state != nullptr && !state->enabled.empty() && state->enabled != "generated") return state->enabled;
    const Finished done = systemctl({"is-enabled", "--", name_});
    if (done.exit_code == 0 && done.output.empty()) return "enabled";
    const auto lines = split(done.output, '\n');
    // An init script is announced in lines of its own; only the exit code counts then.
    if (lines.size() > 1) return done.exit_code == 0 ? "enabled" : lines.back();
    if (done.exit_code == 0 || done.output == "masked" || done.output == "disabled" ||
        done.output == "indirect")
        return done.output;
    return "";
}

Value Service::enabled() {
    enabled_word_ = enabled_word();
    if (enable_ == "mask" && enabled_word_ == "masked") return Value::symbol("mask");
    for (const char* word :
         {"enabled", "enabled-runtime", "static", "alias", "generated", "linked", "transient"}) {
        if (enabled_word_ == word)
            return Value::symbol(std::string_view(word).starts_with("li") ? "false" : "true");
    }
    if (enabled_word_.empty() && file_exists("/etc/debian_version") && debian_enabled())
        return Value::symbol("true");
    return Value::symbol("false");
}

Current Service::retrieve() {
    Current current;
    if (!ensure_.empty()) current.set("ensure", Value::symbol(is_running() ? "running" : "stopped"));
    if (!enable_.empty()) current.set("enable", enabled());
    return current;
}

std::vector<Wanted> Service::wanted() {
    std::vector<Wanted> list;
    if (!enable_.empty())
        list.push_back(want("enable", Value::symbol(enable_), false,
                            enable_ == "true" ? "service_enabled" : "service_disabled"));
    if (!ensure_.empty()) {
        list.push_back(want("ensure", Value::symbol(ensure_), false,
                            ensure_ == "running" ? "service_started" : "service_stopped"));
        list.back().invalidates_refreshes = ensure_ == "running";
    }
    return list;
}

bool Service::in_sync(Wanted& wanted, const Value& current) {
    if (wanted.name == "enable") {
        // systemd starts these when something else needs them.
        if (enabled_word_ == "indirect" || (enabled_word_ == "static" && enable_ != "mask")) return true;
    }
    return current == wanted.value;
}

void Service::change_enabled(const std::string& action) {
    const Finished done = systemctl({action, "--", name_});
    // Compatibility: the reason is left to the journal.
    if (done.exit_code != 0) throw ApplyError("Could not " + action + " " + name_ + ": ");
}

void Service::set_enabled() {
    if (enable_ == "true") {
        change_enabled("unmask");
        change_enabled("enable");
    } else if (enable_ == "mask") {
        if (systemctl({"cat", "--", name_}).exit_code == 0) change_enabled("disable");
        change_enabled("mask");
    } else {
        change_enabled("disable");
    }
}

void Service::reload_if_needed() {
    const Finished done = systemctl({"show", "--property=NeedDaemonReload", "--", name_});
    if (done.output.ends_with("=yes")) systemctl({"daemon-reload"});
}

/// start, stop or restart.
void Service::act(const std::string& action) {
    if (action != "stop") reload_if_needed();
    const std::string own = resource_.text(action);
    if (own.empty() && action == "start") change_enabled("unmask");
    Command command(own.empty() ? std::vector<std::string>{"systemctl", action, "--", name_}
                                : command_words(own));
    command.c_locale = false;
    if (try_tool(run_, std::move(command)).exit_code == 0) return;
    const Finished journal = try_tool(
        run_, Command({"journalctl", "-n", "50", "--since", "5 minutes ago", "-u", name_, "--no-pager"}));
    throw ApplyError("Systemd " + action + " for " + name_ + " failed!\njournalctl log for " + name_ + ":\n" +
                     journal.output + (journal.output.empty() ? "" : "\n"));
}

void Service::sync(Wanted& wanted, const Value&) {
    if (wanted.name == "enable") return set_enabled();
    act(ensure_ == "running" ? "start" : "stop");
    if (enable_.empty()) return;
    // Compatibility: with its state a service gets its place at boot, without an event.
    run_.touch();
    Wanted enable = want("enable", Value::symbol(enable_));
    if (!in_sync(enable, enabled())) set_enabled();
}

void Service::refresh() {
    if (is_running())
        act("restart");
    else
        run_.log(Level::Debug, resource_, "Skipping restart; service is not running");
}

constexpr std::array<Attribute, 18> service_attributes = {
    {{"name", Kind::Namevar, "The name of the unit; .service may be left out."},
     {"ensure", Kind::Property, "running or stopped."},
     {"enable", Kind::Property, "Whether it starts at boot: true, false, mask."},
     {"start", Kind::Parameter, "A command that starts it."},
     {"stop", Kind::Parameter, "A command that stops it."},
     {"restart", Kind::Parameter, "A command that restarts it."},
     {"status", Kind::Parameter, "A command that succeeds when it runs."},
     {"hasstatus", Kind::Parameter, "Without meaning for systemd."},
     {"hasrestart", Kind::Parameter, "Without meaning for systemd."},
     {"pattern", Kind::Parameter, "Without meaning for systemd."},
     {"binary", Kind::Parameter, "Without meaning for systemd."},
     {"path", Kind::Parameter, "Without meaning for systemd."},
     {"control", Kind::Parameter, "Without meaning for systemd."},
     {"manifest", Kind::Parameter, "Without meaning for systemd."},
     {"timeout", Kind::Parameter, "Of Windows."},
     {"flags", Kind::Property, "Of OpenBSD."},
     {"logonaccount", Kind::Property, "Of Windows."},
     {"logonpassword", Kind::Parameter, "Of Windows."}}};

}  // namespace

const TypeSpec& service_type() {
    static const TypeSpec spec{"service", "A service of the machine, by systemd.", service_attributes,
                               make_instance_of<Service>};
    return spec;
}

}  // namespace volley::agent
