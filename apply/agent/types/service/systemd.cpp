#include "apply/agent/types/service/systemd.hpp"

#include <algorithm>
#include <array>

#include "apply/agent/machine/files.hpp"
#include "apply/agent/types/service/provider.hpp"
#include "apply/agent/types/tables/table_text.hpp"
#include "support/text.hpp"

namespace volley::agent {
namespace {

/// What systemd knows of all services of a catalog, from one call or two. It counts until something has
/// changed on the machine.
struct KnownUnits {
    struct State {
        std::string active, enabled;  ///< enabled: empty where nobody asked for it
    };
    bool asked = false;
    std::map<std::string, State> states;
};

/// Showing a unit means all of its properties to systemd, 1.5 to 2 ms; a list of all units takes as long as
/// showing some of them.
constexpr std::size_t worth_a_list = 8;

std::string unit_name(const std::string& service) {
    return service.find('.') == std::string::npos ? service + ".service" : service;
}

/// In the order of the catalog. A template is not a unit that could be shown.
std::vector<const Resource*> shown_services(const Catalog& catalog) {
    std::vector<const Resource*> services;
    for (const auto& resource : catalog.resources()) {
        if (resource->type != "Service") continue;
        const std::string name = resource->text("name", resource->title);
        if (name.find_first_of("*?[") == std::string::npos && name.find("@.") == std::string::npos)
            services.push_back(resource.get());
    }
    return services;
}

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
    void list_units(KnownUnits& units);
    void show_units(KnownUnits& units, const std::vector<std::string>& names);
    void ask_for_all(KnownUnits& units);
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

void Systemd::list_units(KnownUnits& units) {
    const Finished done =
        systemctl({"list-units", "--all", "--full", "--plain", "--no-legend", "--no-pager"});
    if (done.exit_code != 0) return;
    for (auto& [name, state] : parse_units(done.output)) units.states[name].active = state;
}

void Systemd::show_units(KnownUnits& units, const std::vector<std::string>& names) {
    Command show({"systemctl", "show", "--property=Names,ActiveState,UnitFileState", "--"});
    show.argv.insert(show.argv.end(), names.begin(), names.end());
    const Finished done = try_tool(run_, std::move(show));
    if (done.exit_code != 0) return;
    std::vector<std::string> shown;
    KnownUnits::State state;
    for (const std::string& line : split(done.output + "\n\n", '\n')) {
        if (line.starts_with("Names=")) {
            shown = split(line.substr(6), ' ');
        } else if (line.starts_with("ActiveState=")) {
            state.active = line.substr(12);
        } else if (line.starts_with("UnitFileState=")) {
            state.enabled = line.substr(14);
        } else if (line.empty()) {
            for (const std::string& name : shown) units.states[name] = state;
            shown.clear();
            state = {};
        }
    }
}

void Systemd::ask_for_all(KnownUnits& units) {
    const std::vector<const Resource*> services = shown_services(run_.catalog);
    const auto manages_enable = [](const Resource* one) { return one->find("enable") != nullptr; };
    const auto others = services.size() - static_cast<std::size_t>(std::count_if(
                                              services.begin(), services.end(), manages_enable));
    if (others >= worth_a_list) list_units(units);
    std::vector<std::string> names;
    for (const Resource* service : services) {
        const std::string name = service->text("name", service->title);
        if (manages_enable(service) || !units.states.contains(unit_name(name))) names.push_back(name);
    }
    if (names.size() > 1) show_units(units, names);
}

const KnownUnits::State* Systemd::known() {
    if (!run_.is_untouched()) return nullptr;
    auto& units = run_.shared<KnownUnits>();
    if (!units.asked) {
        units.asked = true;
        ask_for_all(units);
    }
    const auto found = units.states.find(unit_name(name()));
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

std::vector<std::pair<std::string, std::string>> parse_units(std::string_view output) {
    std::vector<std::pair<std::string, std::string>> units;
    for (const std::string& line : split(output, '\n')) {
        const auto words = blank_words(line);
        // Some versions put a dot before what is not well.
        const std::size_t unit = !words.empty() && words[0].find('.') == std::string::npos ? 1 : 0;
        if (words.size() >= unit + 4 && words[unit].find('.') != std::string::npos)
            units.emplace_back(words[unit], words[unit + 2]);
    }
    return units;
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
