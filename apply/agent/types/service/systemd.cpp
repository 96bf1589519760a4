#include "apply/agent/types/service/systemd.hpp"

#include <algorithm>
#include <array>

#include "apply/agent/machine/files.hpp"
#include "apply/agent/types/service/provider.hpp"
#include "apply/agent/types/tables/table_text.hpp"
#include "support/text.hpp"

namespace volley::agent {
namespace {

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
class Systemd final : public ServiceProvider {
public:
    using ServiceProvider::ServiceProvider;

    std::vector<std::string> names() override;
    bool is_running() override;
    void start() override { act("start"); }
    void stop() override { act("stop"); }
    void restart() override { act("restart"); }
    Value enabled() override;
    bool enable_in_sync(const std::string& wanted, const Value& current) override;
    void enable() override;
    void disable() override { change_enabled("disable"); }
    void mask() override;

private:
    Finished systemctl(std::vector<std::string> words);
    const KnownUnits::State* known();
    std::string enabled_word();
    void change_enabled(const std::string& action);
    bool performs(const std::string& action);
    void act(const std::string& action);
    void reload_if_needed();

    std::string enabled_word_;  // of is-enabled, as it was last seen
};

Finished Systemd::systemctl(std::vector<std::string> words) {
    words.insert(words.begin(), "systemctl");
    return try_tool(run_, Command(std::move(words)));
}

const KnownUnits::State* Systemd::known() {
    if (!run_.is_untouched()) return nullptr;
    auto& units = run_.shared<KnownUnits>();
    if (!units.asked) {
        units.asked = true;
        Command show({"systemctl", "show", "--property=Names,ActiveState,UnitFileState", "--"});
        for (const auto& resource : run_.catalog.resources()) {
            if (resource->type != "Service") continue;
            const std::string name = resource->text("name", resource->title);
            // A template is not a unit that could be shown.
            if (name.find_first_of("*?[") == std::string::npos && name.find("@.") == std::string::npos)
                show.argv.push_back(name);
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
    const std::string unit = name().find('.') == std::string::npos ? name() + ".service" : name();
    const auto found = units.states.find(unit);
    return found == units.states.end() ? nullptr : &found->second;
}

std::vector<std::string> Systemd::names() {
    return parse_unit_files(
        systemctl({"list-unit-files", "--type", "service", "--full", "--all", "--no-pager"}).output);
}

bool Systemd::is_running() {
    if (auto own = own_command("status"); !own.empty()) {
        Command status(std::move(own));
        status.c_locale = false;
        return run(status).exit_code == 0;
    }
    if (const auto* state = known()) return state->active == "active" || state->active == "reloading";
    return systemctl({"is-active", "--", name()}).exit_code == 0;
}

std::string Systemd::enabled_word() {
    // What is not a unit file of its own is left to systemctl, which asks the init script.
    const auto* state = known();
    if (state != nullptr && !state->enabled.empty() && state->enabled != "generated") return state->enabled;
    Command command({"systemctl", "is-enabled", "--", name()});
    command.errors =
        Command::Errors::Dropped;  // what it says of init scripts, and of what it does not find, is elsewhere
    const Finished done = try_tool(run_, std::move(command));
    return done.exit_code == 0 && done.output.empty() ? "enabled" : done.output;
}

Value Systemd::enabled() {
    enabled_word_ = enabled_word();
    if (resource_.text("enable") == "mask" && enabled_word_ == "masked") return Value::symbol("mask");
    for (const char* word :
         {"enabled", "enabled-runtime", "static", "alias", "generated", "linked", "transient"}) {
        if (enabled_word_ == word)
            return Value::symbol(std::string_view(word).starts_with("li") ? "false" : "true");
    }
    if (enabled_word_.empty() && file_exists("/etc/debian_version") && debian_starts_at_boot(run_, name()))
        return Value::symbol("true");
    return Value::symbol("false");
}

/// systemd starts static and indirect units when something else needs them.
bool Systemd::enable_in_sync(const std::string& wanted, const Value& current) {
    if (enabled_word_ == "indirect" || (enabled_word_ == "static" && wanted != "mask")) return true;
    return current == Value::symbol(wanted);
}

void Systemd::change_enabled(const std::string& action) {
    const Finished done = systemctl({action, "--", name()});
    // Compatibility: the reason is left to the journal.
    if (done.exit_code != 0) throw ApplyError("Could not " + action + " " + name() + ": ");
}

void Systemd::enable() {
    change_enabled("unmask");
    change_enabled("enable");
}

void Systemd::mask() {
    if (systemctl({"cat", "--", name()}).exit_code == 0) change_enabled("disable");
    change_enabled("mask");
}

void Systemd::reload_if_needed() {
    const Finished done = systemctl({"show", "--property=NeedDaemonReload", "--", name()});
    if (done.output.ends_with("=yes")) systemctl({"daemon-reload"});
}

/// Whether it could be done.
bool Systemd::performs(const std::string& action) {
    auto words = own_command(action);
    if (words.empty()) {
        if (action == "start" && systemctl({"unmask", "--", name()}).exit_code != 0) return false;
        words = {"systemctl", action, "--", name()};
    }
    Command command(std::move(words));
    command.c_locale = false;
    return try_tool(run_, std::move(command)).exit_code == 0;
}

/// start, stop or restart.
void Systemd::act(const std::string& action) {
    if (action != "stop") reload_if_needed();
    if (performs(action)) return;
    const Finished journal = try_tool(
        run_, Command({"journalctl", "-n", "50", "--since", "5 minutes ago", "-u", name(), "--no-pager"}));
    throw ApplyError("Systemd " + action + " for " + name() + " failed!\njournalctl log for " + name() +
                     ":\n" + journal.output + (journal.output.empty() ? "" : "\n"));
}

}  // namespace

std::vector<std::string> parse_unit_files(std::string_view output) {
    static constexpr std::array<std::string_view, 6> states = {"disabled", "enabled", "masked",
                                                               "indirect", "bad",     "static"};
    std::vector<std::string> names;
    for (const std::string& line : split(output, '\n')) {
        const auto words = blank_words(line);
        if (words.size() < 2 || words.size() > 3 || is_blank(line[0])) continue;
        // Compatibility: a unit without a preset ("-") is not listed.
        if (words.size() == 3 && words[2].starts_with('-')) continue;
        if (std::find(states.begin(), states.end(), lower(words[1])) != states.end())
            names.push_back(words[0]);
    }
    return names;
}

const ServiceProviderSpec& systemd_services() {
    static const ServiceProviderSpec spec{"systemd",
                                          "Units of systemd.",
                                          true,
                                          true,
                                          [] { return is_booted_with_systemd() && has_tool("systemctl"); },
                                          [](const OsRelease&) { return 90; },
                                          make_services_of<Systemd>};
    return spec;
}

}  // namespace volley::agent
