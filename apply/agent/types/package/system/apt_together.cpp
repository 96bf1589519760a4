// Several packages in one run of apt-get. Only those that come directly one after the other are taken
// together, so that nothing of the catalog that stands between two packages is overtaken. What each resource
// reports is what it would have reported alone.
#include <algorithm>
#include <set>

#include "apply/agent/transaction/next_in_line.hpp"
#include "apply/agent/types/package/package.hpp"
#include "apply/agent/types/package/system/apt.hpp"
#include "support/text.hpp"

namespace volley::agent {
namespace {

/// Packages that were installed before their turn came.
struct InstalledAhead {
    struct Entry {
        PackageState before;
        bool installed = false;  ///< false: another one failed, and so this one has to try by itself
    };
    std::map<const Resource*, Entry> entries;
    bool allowed = true;  ///< false after something went wrong: then one after the other
};

std::string_view field(const std::string& line, std::string_view name) {
    return line.starts_with(name) ? trim(std::string_view(line).substr(name.size())) : std::string_view();
}

/// The names of "a (>= 1) | b:any, c".
std::vector<std::string> names_of(std::string_view list) {
    std::vector<std::string> names;
    for (const std::string& group : split(list, ',')) {
        for (const std::string& one : split(group, '|')) {
            const std::string_view text = trim(one);
            const std::string name(text.substr(0, text.find_first_of(" :(")));
            if (!name.empty()) names.push_back(name);
        }
    }
    return names;
}

}  // namespace

std::optional<std::vector<std::string>> parse_apt_simulation(std::string_view output) {
    std::vector<std::string> packages;
    for (const std::string& line : split(output, '\n')) {
        if (line.starts_with("Remv ") || line.starts_with("Purg ")) return std::nullopt;
        if (!line.starts_with("Inst ")) continue;
        const std::size_t end = line.find(' ', 5);
        const std::size_t open = line.find('(', 5);
        if (end == std::string::npos || open == std::string::npos) return std::nullopt;
        const std::string name = line.substr(5, line.find_first_of(" :", 5) - 5);
        packages.push_back(name + "=" + line.substr(open + 1, line.find_first_of(" )", open) - open - 1));
    }
    return packages;
}

std::vector<AptCandidate> parse_apt_show(std::string_view output) {
    std::vector<AptCandidate> list;
    for (const std::string& line : split(output, '\n')) {
        if (const auto name = field(line, "Package:"); !name.empty()) {
            list.emplace_back();
            list.back().name = name;
        }
        if (list.empty()) continue;
        for (const char* kind : {"Depends:", "Pre-Depends:", "Recommends:"}) {
            for (std::string& name : names_of(field(line, kind)))
                list.back().needs.push_back(std::move(name));
        }
        for (std::string& name : names_of(field(line, "Provides:")))
            list.back().provides.push_back(std::move(name));
    }
    return list;
}

std::size_t independent_packages(const std::vector<std::string>& wanted,
                                 const std::vector<AptCandidate>& candidates) {
    std::map<std::string, std::set<std::string>> named;  // by any name, the packages that it stands for
    for (const AptCandidate& one : candidates) {
        named[one.name].insert(one.name);
        for (const std::string& name : one.provides) named[name].insert(one.name);
    }
    std::size_t count = wanted.size();
    for (const AptCandidate& one : candidates) {
        for (const std::string& need : one.needs) {
            for (const std::string& name : named[need]) {
                const auto at = std::find(wanted.begin() + 1, wanted.end(), name) - wanted.begin();
                if (name != one.name) count = std::min(count, static_cast<std::size_t>(at));
            }
        }
    }
    return count;
}

PackageState Apt::query() {
    const auto& ahead = run_.shared<InstalledAhead>().entries;
    const auto found = ahead.find(&resource_);
    return found == ahead.end() ? Dpkg::query() : found->second.before;
}

/// Whether nothing of the resource needs a run of apt-get for itself.
bool Apt::can_share(const PackageState& before) const {
    const bool gone = before.ensure == absent() || before.ensure == Value::symbol("purged");
    if (!installs_together() || !file().empty() || resource_.find("responsefile") != nullptr) return false;
    if (before.mark == "hold" || ensure().find_first_of("<>= ") != std::string::npos) return false;
    return wants_version() ? gone || before.ensure.to_text() != ensure()
                           : gone && ensure() != "absent" && ensure() != "purged";
}

bool Apt::is_installed_as_wanted() {
    const Value now = query_fresh().ensure;
    if (now == absent() || now == Value::symbol("purged")) return false;
    return !wants_version() || now.to_text() == ensure();
}

/// Those whose turn is next, this one first.
std::vector<Apt*> Apt::others_to_install(const std::vector<std::string>& words) {
    std::vector<Apt*> list{this};
    for (Resource* resource : run_.shared<NextInLine>().after(resource_)) {
        auto* other = dynamic_cast<Apt*>(package_provider_of(*resource));
        if (other == nullptr || other->allows_virtual(false)) break;
        const PackageState state = other->query();
        const bool gone = state.ensure == absent() || state.ensure == Value::symbol("purged");
        const std::string ensure = other->ensure();
        // What is as it shall be does nothing when its turn comes.
        if (gone ? ensure == "absent" : ensure == "present" || state.ensure.to_text() == ensure) continue;
        if (!other->can_share(state) || other->words_before_install() != words) break;
        list.push_back(other);
    }
    return list;
}

bool Apt::install_with_others(const PackageState& before) {
    auto& ahead = run_.shared<InstalledAhead>();
    if (const auto found = ahead.entries.find(&resource_); found != ahead.entries.end()) {
        const bool installed = found->second.installed;
        ahead.entries.erase(found);
        if (installed) hold_again();
        return installed;
    }
    if (!ahead.allowed || !run_.shared<NextInLine>().after || !can_share(before)) return false;
    const auto words = words_before_install();
    auto group = others_to_install(words);
    if (group.size() < 2) return false;
    check_for_cdrom();
    ahead.allowed = false;
    const auto install_words = [&](const char* option) {
        std::vector<std::string> all{"/usr/bin/apt-get"};
        if (option != nullptr) all.emplace_back(option);
        all.insert(all.end(), words.begin(), words.end());
        all.emplace_back("install");
        for (const Apt* one : group)
            all.push_back(one->wants_version() ? one->name() + "=" + one->ensure() : one->name());
        return all;
    };
    const Finished simulated = attempt(install_words("-s"));
    const auto packages = parse_apt_simulation(simulated.output);
    if (simulated.exit_code != 0 || !packages) return false;
    std::vector<std::string> show{"/usr/bin/apt-cache", "show"}, names;
    show.insert(show.end(), packages->begin(), packages->end());
    // Packages need others by their names alone, whatever the architecture.
    for (const Apt* one : group) names.push_back(one->name().substr(0, one->name().find(':')));
    const Finished shown = attempt(std::move(show));
    if (shown.exit_code != 0) return false;
    ahead.allowed = true;
    group.resize(independent_packages(names, parse_apt_show(shown.output)));
    if (group.size() < 2) return false;

    std::vector<PackageState> states;
    for (Apt* one : group) states.push_back(one->query());
    bool together = true;
    try {
        quiet_tool(install_words(nullptr));
    } catch (const ApplyError&) {
        together = ahead.allowed = false;
    }
    // After the first one that is not there, each has to show by itself what is wrong.
    std::size_t done = together ? group.size() : 0;
    while (done < group.size() && group[done]->is_installed_as_wanted()) ++done;
    for (std::size_t at = 1; at < group.size(); ++at) {
        ahead.entries[&group[at]->resource_] = {states[at], at < done};
        if (at < done) run_.shared<NextInLine>().done_ahead.insert(&group[at]->resource_);
    }
    if (done == 0) return false;
    hold_again();
    return true;
}

}  // namespace volley::agent
