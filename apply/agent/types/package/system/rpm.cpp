#include "apply/agent/types/package/system/rpm.hpp"

#include <algorithm>

#include "apply/agent/types/package/versions.hpp"
#include "support/text.hpp"

namespace volley::agent {
namespace {

constexpr const char* separator = "; ";
constexpr const char* query_format = "%{NAME} %|EPOCH?{%{EPOCH}}:{0}| %{VERSION} %{RELEASE} %{ARCH}\\n";

struct RpmPackages {
    bool asked = false;
    std::map<std::string, RpmEntry> entries;
};

}  // namespace

std::string RpmEntry::ensure() const { return join(versions, separator); }

std::map<std::string, RpmEntry> parse_rpm_list(std::string_view output) {
    std::map<std::string, RpmEntry> entries;
    for (const std::string& line : split(output, '\n')) {
        const auto words = split(trim(line), ' ');
        if (words.size() != 5) continue;
        RpmEntry& entry = entries[words[0]];
        if (entry.name.empty()) {
            entry.name = words[0];
            entry.version = words[2];
            entry.release = words[3];
            entry.arch = words[4];
        }
        const std::string version = (words[1] == "0" ? "" : words[1] + ":") + words[2] + "-" + words[3];
        if (std::find(entry.versions.begin(), entry.versions.end(), version) == entry.versions.end())
            entry.versions.push_back(version);
    }
    return entries;
}

void Rpm::forget() { run_.shared<RpmPackages>() = {}; }

void Rpm::read_all() {
    auto& packages = run_.shared<RpmPackages>();
    if (packages.asked) return;
    auto lines = split(list({"rpm", "-qa", "--nosignature", "--nodigest", "--qf", query_format}), '\n');
    packages.asked = true;
    std::sort(lines.begin(), lines.end());
    packages.entries = parse_rpm_list(join(lines, "\n"));
}

std::vector<std::string> Rpm::names() {
    read_all();
    return keys_of(run_.shared<RpmPackages>().entries);
}

/// From the list of all, by the name with an architecture, or by what a package provides.
std::optional<RpmEntry> Rpm::find() {
    read_all();
    auto& packages = run_.shared<RpmPackages>();
    if (const auto found = packages.entries.find(name()); found != packages.entries.end())
        return found->second;
    std::vector<std::string> words{"rpm", "-q", name(), "--nosignature", "--nodigest", "--qf", query_format};
    Finished done = attempt(words);
    if (done.exit_code != 0 && allows_virtual(true)) {
        words.emplace_back("--whatprovides");
        done = attempt(words);
    }
    if (done.exit_code != 0) return std::nullopt;
    const auto found = parse_rpm_list(done.output);
    return found.empty() ? std::nullopt : std::optional(found.begin()->second);
}

PackageState Rpm::query() {
    PackageState state;
    if (const auto found = find()) state.ensure = Value(found->ensure());
    return state;
}

std::vector<std::string> Rpm::versions_of(const std::string& ensure) { return split(ensure, separator); }

std::string Rpm::latest() {
    if (source().empty()) throw ApplyError("RPMs must specify a package source");
    const auto found = parse_rpm_list(tool({"rpm", "-q", "--qf", query_format, "-p", source()}));
    return found.empty() ? "" : found.begin()->second.ensure();
}

bool Rpm::fits(const std::string& installed) {
    const auto versions = versions_of(installed);
    if (versions.size() > 1 && !installs_only()) return false;
    return std::any_of(versions.begin(), versions.end(),
                       [this](const auto& one) { return compare_wanted_rpm(ensure(), one) == 0; });
}

bool Rpm::fits_range(const std::string& installed) {
    const auto range = VersionRange::parse(ensure(), rpm_versions);
    if (!range || range->is_exact()) return Rpm::fits(installed);
    const auto versions = versions_of(installed);
    if (versions.size() > 1 && !installs_only()) return false;
    return std::any_of(versions.begin(), versions.end(), [&](const auto& one) { return range->holds(one); });
}

void Rpm::install(const PackageState& before) {
    if (source().empty()) throw ApplyError("RPMs must specify a package source");
    const bool gone = before.ensure == absent() || before.ensure == Value::symbol("purged");
    std::vector<std::string> words{"rpm"};
    if (gone)
        words.emplace_back("-i");
    else
        words.insert(words.end(), {"-U", "--oldpackage"});
    for (std::string& word : options("install_options")) words.push_back(std::move(word));
    words.push_back(source());
    tool(std::move(words));
}

void Rpm::uninstall(const PackageState&) {
    const auto found = find().value_or(RpmEntry{name(), "", "", "", {}});
    const std::string with_version = found.name + "-" + found.version;
    std::vector<std::string> packages{found.name};
    if (name().starts_with(with_version + "-" + found.release))
        packages[0] = with_version + "-" + found.release;
    else if (name().starts_with(with_version))
        packages[0] = with_version;
    else if (installs_only()) {
        packages.clear();
        for (const std::string& version : found.versions) packages.push_back(found.name + "-" + version);
    }
    if (!found.arch.empty() && name().ends_with("." + found.arch)) packages[0] += "." + found.arch;
    std::vector<std::string> words{"rpm", "-e"};
    for (std::string& word : options("uninstall_options")) words.push_back(std::move(word));
    words.insert(words.end(), packages.begin(), packages.end());
    tool(std::move(words));
}

const PackageProviderSpec& rpm_packages() {
    using F = PackageFeature;
    static const PackageProviderSpec spec{
        "rpm",
        "Packages of rpm in files.",
        package_features(F::Versions, F::Latest, F::InstallOptions, F::UninstallOptions, F::VirtualPackages,
                         F::InstallOnly),
        [](const Resource&) { return has_tool("rpm"); },
        nullptr,
        make_packages_of<Rpm>,
        "rpm"};
    return spec;
}

}  // namespace volley::agent
