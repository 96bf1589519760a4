#include "apply/agent/types/package/system/pacman.hpp"

#include <algorithm>

#include "apply/agent/types/package/provider.hpp"
#include "support/text.hpp"

namespace volley::agent {
namespace {

constexpr const char* pacman = "/usr/bin/pacman";

struct PacmanPackages {
    bool asked = false, groups_asked = false;
    std::map<std::string, std::string> installed;
    std::map<std::string, std::set<std::string>> groups;
};

/// A package of Arch Linux, or a group of them.
class Pacman final : public PackageProvider {
public:
    using PackageProvider::PackageProvider;

    PackageState query() override;
    std::vector<std::string> names() override;
    std::string latest() override;
    void install(const PackageState& before) override;
    void uninstall(const PackageState& before) override;
    void flush() override { run_.shared<PacmanPackages>().asked = false; }

private:
    const std::map<std::string, std::string>& installed();
    bool is_group();
    void install_from_source();
};

const std::map<std::string, std::string>& Pacman::installed() {
    auto& packages = run_.shared<PacmanPackages>();
    if (!packages.asked) {
        packages.installed = parse_pacman_packages(attempt({pacman, "-Q"}).output);
        packages.asked = true;
    }
    return packages.installed;
}

/// Groups are not packages of their own, but what they hold is.
std::vector<std::string> Pacman::names() { return keys_of(installed()); }

PackageState Pacman::query() {
    installed();
    auto& packages = run_.shared<PacmanPackages>();
    PackageState state;
    const std::string group =
        is_group() ? pacman_group_version(packages.groups[name()], packages.installed) : "";
    const auto found = packages.installed.find(name());
    if (!group.empty() && !allows_virtual(true))
        run_.log_by_provider(Level::Warning, resource_, name() + " is a group, but allow_virtual is false.");
    else if (!group.empty())
        state.ensure = Value(group);
    else if (found != packages.installed.end())
        state.ensure = Value(found->second);
    return state;
}

bool Pacman::is_group() {
    auto& packages = run_.shared<PacmanPackages>();
    if (!packages.groups_asked) {
        packages.groups = parse_pacman_groups(attempt({pacman, "-Sgg"}).output);
        packages.groups_asked = true;
    }
    return packages.groups.contains(name());
}

std::string Pacman::latest() {
    if (!is_group()) return tool({pacman, "-Sp", "--print-format", "%v", name()});
    auto lines = split(tool({pacman, "-Sp", "--print-format", "%n %v", name()}), '\n');
    std::sort(lines.begin(), lines.end());
    return join(lines, ", ");
}

void Pacman::install_from_source() {
    std::string file = source();
    const auto colon = file.find("://");
    const std::string scheme = colon == std::string::npos ? "" : lower(file.substr(0, colon));
    if (scheme == "file") file = file.substr(file.find('/', colon + 3));
    if (scheme == "puppet") throw ApplyError("puppet:// URL is not supported by pacman");
    if (!scheme.empty() && scheme != "file" && scheme != "ftp" && scheme != "http" && scheme != "https")
        throw ApplyError("Source " + file + " is not supported by pacman");
    tool({pacman, "--noconfirm", "--noprogressbar", "-U", file});
}

void Pacman::install(const PackageState&) {
    if (!source().empty()) {
        install_from_source();
    } else {
        run_.shared<PacmanPackages>().groups_asked = false;
        if (is_group() && !allows_virtual(true))
            throw ApplyError("Refusing to install package group " + name() +
                             ", because allow_virtual is false.");
        std::vector<std::string> words{pacman, "--noconfirm", "--needed", "--noprogressbar"};
        for (std::string& word : options("install_options")) words.push_back(std::move(word));
        words.insert(words.end(), {"-S", name()});
        tool(std::move(words));
    }
    flush();
    if (query().ensure == absent()) throw ApplyError("Could not find package '" + name() + "'");
}

void Pacman::uninstall(const PackageState&) {
    const bool group = is_group();
    if (group && !allows_virtual(true))
        throw ApplyError("Refusing to uninstall package group " + name() +
                         ", because allow_virtual is false.");
    std::vector<std::string> words{pacman, "--noconfirm", "--noprogressbar"};
    for (std::string& word : options("uninstall_options")) words.push_back(std::move(word));
    words.emplace_back("-R");
    if (group) words.emplace_back("-s");
    words.push_back(name());
    tool(std::move(words));
}

}  // namespace

std::map<std::string, std::string> parse_pacman_packages(const std::string& output) {
    std::map<std::string, std::string> packages;
    for (const std::string& line : split(output, '\n')) {
        const auto words = split(line, ' ');
        if (words.size() > 1 && !words[0].empty() && words[0] != "error:" && words[0] != "warning:")
            packages[words[0]] = words[1];
    }
    return packages;
}

std::map<std::string, std::set<std::string>> parse_pacman_groups(const std::string& output) {
    std::map<std::string, std::set<std::string>> groups;
    for (const std::string& line : split(output, '\n')) {
        const auto words = split(line, ' ');
        if (words.size() == 2 && words[0] != "error:") groups[words[0]].insert(words[1]);
    }
    return groups;
}

std::string pacman_group_version(const std::set<std::string>& group,
                                 const std::map<std::string, std::string>& installed) {
    std::vector<std::string> parts;
    for (const std::string& package : group) {
        const auto found = installed.find(package);
        if (found == installed.end()) return {};
        parts.push_back(package + " " + found->second);
    }
    return join(parts, ", ");
}

const PackageProviderSpec& pacman_packages() {
    using F = PackageFeature;
    static const PackageProviderSpec spec{
        "pacman",
        "Packages of Arch Linux.",
        package_features(F::Latest, F::InstallOptions, F::UninstallOptions, F::VirtualPackages),
        [](const Resource&) { return has_tool(pacman); },
        [](const OsRelease& system) { return system.family == "arch"; },
        make_packages_of<Pacman>};
    return spec;
}

}  // namespace volley::agent
