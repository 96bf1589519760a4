#include "apply/agent/types/package/system/apt.hpp"

#include "apply/agent/machine/files.hpp"
#include "apply/agent/types/package/versions.hpp"
#include "support/text.hpp"

namespace volley::agent {
namespace {

/// What apt would install of the packages that shall be the latest ones; it counts until something has
/// changed.
struct AptLatest {
    bool asked = false;
    std::map<std::string, std::string> versions;
};

}  // namespace

std::map<std::string, std::string> parse_apt_policy(std::string_view output) {
    std::map<std::string, std::string> found;
    std::string name;
    for (const std::string& line : split(output, '\n')) {
        const std::string_view text = trim(line);
        if (!line.empty() && line[0] != ' ' && text.ends_with(':')) name = text.substr(0, text.size() - 1);
        if (text.starts_with("Candidate:") && !name.empty()) found[name] = trim(text.substr(10));
    }
    return found;
}

std::string Apt::get(std::vector<std::string> words) {
    words.insert(words.begin(), "/usr/bin/apt-get");
    return quiet_tool(std::move(words));
}

bool Apt::fits(const std::string& version) {
    const auto range = VersionRange::parse(ensure(), debian_versions);
    return range && range->holds(version);
}

std::string Apt::latest() {
    auto& known = run_.shared<AptLatest>();
    if (run_.is_untouched() && !known.asked) {
        known.asked = true;
        std::vector<std::string> words{"/usr/bin/apt-cache", "policy"};
        for (const auto& resource : run_.catalog.resources()) {
            if (resource->type == "Package" && resource->text("ensure") == "latest")
                words.push_back(resource->text("name", resource->title));
        }
        known.versions = parse_apt_policy(tool(std::move(words)));
    }
    if (run_.is_untouched()) {
        if (const auto found = known.versions.find(name()); found != known.versions.end())
            return found->second;
    }
    // Of NAME:ARCHITECTURE apt-cache says NAME, so the answer to this question alone needs no name.
    const auto now = parse_apt_policy(tool({"/usr/bin/apt-cache", "policy", name()}));
    const auto found = now.find(name());
    if (found != now.end()) return found->second;
    if (!now.empty()) return now.begin()->second;
    run_.log_by_provider(Level::Err, resource_, "Could not find latest version");
    return {};
}

/// The version for apt-get; empty: the one that it chooses. Of a range the best that there is.
std::string Apt::wanted_version() {
    if (!wants_version()) return {};
    const auto range = VersionRange::parse(ensure(), debian_versions);
    if (!range || range->is_exact()) return ensure();
    std::vector<std::string> versions;
    for (const std::string& line : split(quiet_tool({"/usr/bin/apt-cache", "madison", name()}), '\n')) {
        const auto parts = split(line, '|');
        if (parts.size() > 1) versions.emplace_back(trim(parts[1]));
    }
    return range->best_of(versions).value_or(range->text(" "));
}

void Apt::check_for_cdrom() const {
    if (resource_.text("allowcdrom") == "true" || !file_exists("/etc/apt/sources.list")) return;
    for (const std::string& line : split(read_whole("/etc/apt/sources.list"), '\n')) {
        if (line.find("cdrom:") != std::string::npos && line.find('#') > line.find("cdrom:"))
            throw ApplyError(
                "/etc/apt/sources.list contains a cdrom source; not installing.  Use 'allowcdrom' to "
                "override this failure.");
    }
}

void Apt::preseed() {
    const std::string file = resource_.text("responsefile");
    if (file.empty()) return;
    if (!file_exists(file)) {
        run_.log_by_provider(Level::Info, resource_,
                             "No responsefile specified or non existent, not preseeding anything");
        return;
    }
    run_.log_by_provider(Level::Info, resource_, "Preseeding " + file + " to debconf-set-selections");
    quiet_tool({"/usr/bin/debconf-set-selections", file});
}

std::vector<std::string> Apt::words_before_install() const {
    std::vector<std::string> words{
        "-q", "-y", "-o",
        std::string("DPkg::Options::=--force-conf") + (keeps_configuration() ? "old" : "new")};
    if (wants_version()) words.emplace_back("--force-yes");
    for (std::string& word : options("install_options")) words.push_back(std::move(word));
    return words;
}

void Apt::install(const PackageState& before) {
    made_manual_ = true;
    if (install_with_others(before)) return;
    preseed();
    const std::string version = wanted_version();
    check_for_cdrom();
    auto words = words_before_install();
    words.emplace_back("install");
    words.push_back(!file().empty() ? file() : version.empty() ? name() : name() + "=" + version);
    if (before.mark == "hold") hold(false);
    try {
        get(std::move(words));
    } catch (...) {
        hold_again();
        throw;
    }
    hold_again();
    if (file().empty() || !(wants_version() || wants_latest())) return;
    const std::string found = query_fresh().ensure.to_text();
    const std::string wanted = wants_latest() ? "latest" : version;
    if (!wants_version() || !fits(found))
        throw ApplyError("Failed to update to version " + wanted + ", got version " + found + " instead");
}

void Apt::uninstall(const PackageState& before) {
    preseed();
    std::vector<std::string> words{"-y", "-q"};
    if (before.mark == "hold") words.emplace_back("--allow-change-held-packages");
    words.insert(words.end(), {"remove", name()});
    get(std::move(words));
}

void Apt::purge(const PackageState& before) {
    preseed();
    std::vector<std::string> words{"-y", "-q"};
    if (before.mark == "hold") words.emplace_back("--allow-change-held-packages");
    words.insert(words.end(), {"remove", "--purge", name()});
    get(std::move(words));
    Dpkg::purge(before);
}

void Apt::flush() {
    forget();
    // What apt-get has installed by name is manual already.
    if (!made_manual_ && ensure() != "absent" && ensure() != "purged")
        quiet_tool({"/usr/bin/apt-mark", "manual", name()});
}

const PackageProviderSpec& apt_packages() {
    using F = PackageFeature;
    static const PackageProviderSpec spec{
        "apt",
        "Packages of Debian from repositories.",
        package_features(F::Versions, F::Latest, F::Purge, F::Hold, F::InstallOptions, F::VirtualPackages),
        [](const Resource&) { return has_tool("/usr/bin/apt-get"); },
        [](const OsRelease& system) { return system.family == "debian"; },
        make_packages_of<Apt>,
        "dpkg"};
    return spec;
}

}  // namespace volley::agent
