#include "planner/module_install/resolution/solver.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <set>

#include "support/error.hpp"
#include "support/text.hpp"

namespace volley::modules {
namespace {

using PackageId = std::size_t;
constexpr PackageId the_project = std::numeric_limits<PackageId>::max();

/// Packages whose choice has to change for something to become possible.
using Culprits = std::set<PackageId>;

struct Requirement {
    PackageId by = the_project;
    Dependency on;
};

/// A module by its short name, with what is required of it at the moment.
struct Package {
    ModuleName name;  // the owner is that of who asked first, or the project's choice
    bool owner_fixed = false;
    const std::vector<Release>* releases = nullptr;
    std::vector<Requirement> requirements = {};
    std::vector<unsigned> objections = {};  // by release: how many requirements exclude it
    std::size_t available = 0;              // releases without objections
    std::optional<std::size_t> chosen = {};
};

/// Backtracking search with conflict-directed backjumping: a dead end names the choices that led to it, and
/// the search goes back to the latest of these, not merely to the last choice.
class Solver {
public:
    Solver(ReleaseSource& source, SolverLimits limits) : source_(source), limits_(limits) {}

    std::vector<Release> run(const std::vector<Wanted>& wanted) {
        std::vector<ModuleName> names;
        for (const Wanted& one : wanted) names.push_back(one.name);
        source_.expect(names);
        for (const Wanted& one : wanted) {
            const PackageId id = package(one.name);
            packages_[id].owner_fixed = true;
        }
        roots_ = packages_.size();
        for (const Wanted& one : wanted) require({the_project, {one.name, one.range}});
        for (PackageId root = 0; root < roots_; ++root) {
            if (packages_[root].available == 0) fail();
        }
        if (search()) fail();
        return solution();
    }

private:
    PackageId package(const ModuleName& name) {
        const auto known = ids_.find(name.name);
        if (known != ids_.end()) return known->second;
        if (packages_.size() == limits_.modules)
            give_up(fmt::format("more than {} modules are needed", limits_.modules));
        const PackageId id = packages_.size();
        ids_.emplace(name.name, id);
        packages_.push_back(Package{.name = name});
        return id;
    }

    /// Releases are those of the owner that is asked for first; without any requirement left, the next one
    /// may be another's.
    void load(Package& package, const ModuleName& asked) {
        if (!package.owner_fixed && package.requirements.empty() && !package.name.same_owner(asked)) {
            package.name = asked;
            package.releases = nullptr;
        }
        if (package.releases) return;
        package.releases = &source_.releases(package.name);
        package.objections.assign(package.releases->size(), 0);
        package.available = package.releases->size();
    }

    static bool allows(const Package& package, const Requirement& requirement, const Release& release) {
        return (package.owner_fixed || package.name.same_owner(requirement.on.name)) &&
               requirement.on.range.includes(release.version);
    }

    PackageId require(const Requirement& requirement) {
        const PackageId id = package(requirement.on.name);
        Package& package = packages_[id];
        load(package, requirement.on.name);
        for (std::size_t i = 0; i < package.releases->size(); ++i) {
            if (!allows(package, requirement, (*package.releases)[i]) && package.objections[i]++ == 0)
                --package.available;
        }
        package.requirements.push_back(requirement);
        if (package.available == 0 && explanation_.empty()) explanation_ = explain(package);
        return id;
    }

    void take_back(const Dependency& dependency) {
        Package& package = packages_[ids_.at(dependency.name.name)];
        const Requirement requirement = std::move(package.requirements.back());
        package.requirements.pop_back();
        for (std::size_t i = 0; i < package.releases->size(); ++i) {
            if (!allows(package, requirement, (*package.releases)[i]) && --package.objections[i] == 0)
                ++package.available;
        }
    }

    /// The project's own modules in their order, so that these are as new as can be; then what has the fewest
    /// choices.
    std::optional<PackageId> next() const {
        std::optional<PackageId> best;
        for (PackageId id = 0; id < packages_.size(); ++id) {
            const Package& package = packages_[id];
            if (package.chosen || package.requirements.empty()) continue;
            if (id < roots_) return id;
            if (!best || package.available < packages_[*best].available) best = id;
        }
        return best;
    }

    /// nullopt: solved, and everything stays chosen. Else nothing is, and who is to blame.
    std::optional<Culprits> search() {
        const auto id = next();
        if (!id) return std::nullopt;
        Culprits culprits = requirers(*id);
        for (std::size_t i = 0; i < packages_[*id].releases->size(); ++i) {
            if (packages_[*id].objections[i] != 0) continue;  // its requirers are among the culprits
            if (++steps_ > limits_.steps)
                give_up(fmt::format("no set of versions was found in {} attempts", limits_.steps));
            auto blamed = attempt(*id, i);
            if (!blamed) return std::nullopt;
            if (!blamed->contains(*id)) return blamed;  // another version here changes nothing
            blamed->erase(*id);
            culprits.merge(*blamed);
        }
        return culprits;
    }

    std::optional<Culprits> attempt(PackageId id, std::size_t index) {
        const Release& release = (*packages_[id].releases)[index];
        packages_[id].chosen = index;
        std::vector<ModuleName> names;
        for (const Dependency& dependency : release.dependencies) names.push_back(dependency.name);
        source_.expect(names);
        std::optional<Culprits> blamed;
        std::size_t required = 0;
        while (required < release.dependencies.size() && !blamed) {
            const PackageId needed = require({id, release.dependencies[required++]});
            const Package& package = packages_[needed];
            const bool excluded = package.chosen && package.objections[*package.chosen] != 0;
            if (excluded) blamed = Culprits{id, needed};
            if (package.available == 0) blamed = requirers(needed);
        }
        if (!blamed) blamed = search();
        if (!blamed) return std::nullopt;
        while (required > 0) take_back(release.dependencies[--required]);
        packages_[id].chosen.reset();
        return blamed;
    }

    Culprits requirers(PackageId id) const {
        Culprits all;
        for (const Requirement& requirement : packages_[id].requirements) {
            if (requirement.by != the_project) all.insert(requirement.by);
        }
        return all;
    }

    std::string explain(const Package& package) const {
        if (package.releases->empty())
            return fmt::format("could not find the module {} on {}", package.name.full(), source_.place());
        std::vector<std::string> parts;
        for (const Requirement& requirement : package.requirements) {
            std::string who = "the project";
            if (requirement.by != the_project) {
                const Package& by = packages_[requirement.by];
                who = by.name.full() + " " + version_text((*by.releases)[by.chosen.value_or(0)].version);
            }
            parts.push_back(
                fmt::format("{} wants {} {}", who, requirement.on.name.full(), requirement.on.range.text()));
        }
        return fmt::format("no version of {} fits: {}; {} has {} to {}", package.name.full(),
                           join(parts, ", "), source_.place(), version_text(package.releases->back().version),
                           version_text(package.releases->front().version));
    }

    [[noreturn]] void give_up(const std::string& reason) const {
        throw Error("bolt/module-resolver-error", "Unable to resolve modules: " + reason +
                                                      (explanation_.empty() ? "" : "; " + explanation_));
    }
    [[noreturn]] void fail() const {
        throw Error("bolt/module-resolver-error",
                    "Unable to resolve modules: " +
                        (explanation_.empty() ? "no set of versions fits all requirements" : explanation_));
    }

    std::vector<Release> solution() const {
        std::vector<Release> releases;
        for (const Package& package : packages_) {
            if (package.chosen) releases.push_back((*package.releases)[*package.chosen]);
        }
        return releases;
    }

    ReleaseSource& source_;
    SolverLimits limits_;
    std::vector<Package> packages_;  // the wanted ones first
    std::map<std::string, PackageId> ids_;
    std::size_t roots_ = 0;
    std::size_t steps_ = 0;
    std::string
        explanation_;  // the first dead end: about the newest versions, which is what people expect to get
};

}  // namespace

std::vector<Release> solve(const std::vector<Wanted>& wanted, ReleaseSource& source, SolverLimits limits) {
    return Solver(source, limits).run(wanted);
}

}  // namespace volley::modules
