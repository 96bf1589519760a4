#include "apply/agent/types/package/applications/pip.hpp"

#include <algorithm>
#include <array>

#include "apply/agent/types/package/versions.hpp"
#include "support/text.hpp"

namespace volley::agent {
namespace {

constexpr std::array<std::string_view, 4> pip_commands = {"pip", "pip-python", "pip2", "pip-2"};

/// By command.
struct PipPackages {
    std::map<std::string, std::string> own_versions;
    std::map<std::string, std::string> lists;  // what `pip freeze` printed
};

}  // namespace

std::vector<std::pair<std::string, std::string>> pip_freeze_entries(std::string_view output) {
    std::vector<std::pair<std::string, std::string>> packages;
    for (const std::string& line : split(output, '\n')) {
        const auto equal = line.find("==");
        if (equal == std::string::npos || equal == 0) continue;
        const auto version = line.find_first_not_of('=', equal);
        if (version == std::string::npos || version - equal > 3 ||
            line.find('=', version) != std::string::npos)
            continue;
        packages.emplace_back(line.substr(0, equal), trim(std::string_view(line).substr(version)));
    }
    return packages;
}

std::map<std::string, std::string> parse_pip_freeze(std::string_view output) {
    std::map<std::string, std::string> packages;
    for (auto& [name, version] : pip_freeze_entries(output)) packages[lower(name)] = std::move(version);
    return packages;
}

std::vector<std::string> parse_pip_versions(std::string_view output) {
    for (const std::string& line : split(output, '\n')) {
        const auto begin = line.find("from versions: ");
        const auto end = line.rfind(')');
        if (begin == std::string::npos || end == std::string::npos || end < begin + 15) continue;
        auto versions = split(std::string_view(line).substr(begin + 15, end - begin - 15), ", ");
        std::erase_if(versions, [](const std::string& one) { return !pip_versions.is_version(one); });
        std::stable_sort(versions.begin(), versions.end(), [](const auto& one, const auto& other) {
            return pip_versions.compare(one, other) < 0;
        });
        return versions;
    }
    return {};
}

std::string parse_pip_own_version(std::string_view output) {
    for (const std::string& line : split(output, '\n')) {
        if (!line.starts_with("pip ")) continue;
        return line.substr(4, line.find_first_not_of("0123456789.", 4) - 4);
    }
    return {};
}

std::string Pip::command() const { return targeted_command(resource_, "pip", pip_commands); }

std::string Pip::pip_version() {
    auto& known = run_.shared<PipPackages>().own_versions;
    const std::string program = command();
    auto& version = known[program];
    if (version.empty()) version = parse_pip_own_version(list({program, "--version"}));
    if (version.empty()) throw ApplyError("Cannot resolve pip version");
    return version;
}

const std::string& Pip::frozen() {
    auto& lists = run_.shared<PipPackages>().lists;
    const std::string program = command();
    auto found = lists.find(program);
    if (found == lists.end()) {
        std::vector<std::string> words{program, "freeze"};
        const std::string version = pip_version();
        const bool names_itself = pip_versions.compare(version, "8.1.0") >= 0;
        if (names_itself) words.emplace_back("--all");
        std::string packages = list(std::move(words));
        if (!names_itself) packages += "\npip==" + version;
        found = lists.emplace(program, std::move(packages)).first;
    }
    return found->second;
}

std::vector<std::string> Pip::names() {
    std::vector<std::string> names;
    for (auto& [name, version] : pip_freeze_entries(frozen())) names.push_back(std::move(name));
    return names;
}

PackageState Pip::query() {
    const auto packages = parse_pip_freeze(frozen());
    PackageState state;
    const auto entry = packages.find(lower(name()));
    if (entry != packages.end()) state.ensure = Value(entry->second);
    return state;
}

void Pip::flush() { run_.shared<PipPackages>() = {}; }

/// pip names all versions when it cannot find the one that it is asked for.
std::vector<std::string> Pip::available_versions() {
    const std::string version = pip_version();
    std::vector<std::string> words{command(), "install", name() + "==versionplease"};
    if (pip_versions.compare(version, "20.2.4") > 0 && pip_versions.compare(version, "21.1") < 0)
        words.emplace_back("--use-deprecated=legacy-resolver");
    for (std::string& word : options("install_options")) words.push_back(std::move(word));
    std::string output;
    try {
        output = tool(std::move(words));
    } catch (const ApplyError& error) {
        // It always fails; where it names no versions, for another reason.
        output = error.what();
        if (output.find("from versions: ") == std::string::npos) throw;
    }
    return parse_pip_versions(output);
}

std::string Pip::latest() {
    const auto versions = available_versions();
    return versions.empty() ? "" : versions.back();
}

bool Pip::fits(const std::string& version) {
    const auto range = VersionRange::parse(ensure(), pip_versions);
    return range && range->holds(version);
}

std::vector<std::string> Pip::words_to_install() {
    std::vector<std::string> words{command(), "install", "-q"};
    for (std::string& word : options("install_options")) words.push_back(std::move(word));
    if (!source().empty()) {
        words.push_back(source() + (wants_version() ? "@" + ensure() : "") + "#egg=" + name());
    } else if (wants_latest()) {
        words.insert(words.end(), {"--upgrade", name()});
    } else if (!wants_version()) {
        words.push_back(name());
    } else {
        const auto range = VersionRange::parse(ensure(), pip_versions);
        if (!range || range->is_exact()) {
            words.push_back(name() + "==" + ensure());
        } else {
            const auto best = range->best_of(available_versions());
            words.push_back(best ? name() + "==" + *best : name() + " " + range->text(","));
        }
    }
    return words;
}

void Pip::install(const PackageState&) { tool(words_to_install()); }
void Pip::uninstall(const PackageState&) { tool({command(), "uninstall", "-y", "-q", name()}); }

const PackageProviderSpec& pip_packages() {
    using F = PackageFeature;
    static const PackageProviderSpec spec{
        "pip",
        "Python packages.",
        package_features(F::Versions, F::Latest, F::InstallOptions, F::Target),
        [](const Resource& resource) { return has_targeted_command(resource, pip_commands); },
        nullptr,
        make_packages_of<Pip>};
    return spec;
}

}  // namespace volley::agent
