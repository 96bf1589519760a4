#include "apply/agent/types/package/system/dpkg.hpp"

#include "apply/agent/types/declared_at.hpp"
#include "support/text.hpp"

namespace volley::agent {
namespace {

constexpr const char* query_format = "${Status} ${Package} ${Version}\\n";

/// All packages of the machine, asked for once. What is missing there, or has been changed since, is asked
/// for by name.
struct DpkgPackages {
    bool asked = false;
    std::map<std::string, DpkgEntry> entries;
};

PackageState checked(const DpkgEntry& entry) {
    if (entry.error != "ok")
        throw ApplyError("Package " + entry.name + ", version " + entry.version +
                         " is in error state: " + entry.error);
    return entry.state();
}

/// Whether ${Provides} has a name: "awk, c (= 1)".
bool provides(std::string_view list, std::string_view name) {
    for (const std::string& one : split(list, ',')) {
        if (trim(one) == name) return true;
    }
    return false;
}

}  // namespace

PackageState DpkgEntry::state() const {
    PackageState found;
    found.mark = wanted == "hold" ? "hold" : "none";
    found.ensure = Value(version);
    if (status == "not-installed") found.ensure = Value::symbol("purged");
    for (const char* part : {"config-files", "half-installed", "unpacked", "half-configured"}) {
        if (status == part) found.ensure = absent();
    }
    return found;
}

bool parse_dpkg_line(const std::string& line, DpkgEntry& entry) {
    const auto words = split(line, ' ');
    if (words.size() < 4) return false;
    entry = {words[0], words[1], words[2], words[3], words.size() > 4 ? words[4] : ""};
    return true;
}

std::string Dpkg::quiet_tool(std::vector<std::string> words) {
    Command command(std::move(words));
    for (const auto& [name, value] :
         {std::pair("DEBIAN_FRONTEND", "noninteractive"), std::pair("APT_LISTBUGS_FRONTEND", "none"),
          std::pair("APT_LISTCHANGES_FRONTEND", "none")})
        command.environment.emplace_back(name, value);
    return run_tool(run_, std::move(command));
}

/// A name that only another package provides becomes the name of that one.
void Dpkg::resolve_virtual() {
    if (!allows_virtual(false)) return;
    for (const std::string& line :
         split(list({"/usr/bin/dpkg-query", "-W", "--showformat", "${Package} ${Provides}\\n"}), '\n')) {
        const std::string package = line.substr(0, line.find(' '));
        if (!provides(std::string_view(line).substr(std::min(package.size(), line.size())), name())) continue;
        run_.log(Level::Info, "Package " + name() + " is virtual, defaulting to " + package);
        resource_.set("name", Value(package));
        return;
    }
}

PackageState Dpkg::query_fresh() {
    resolve_virtual();
    Command one({"/usr/bin/dpkg-query", "-W", "--showformat", query_format, name()});
    one.errors = Command::Errors::Dropped;
    const Finished done = try_tool(run_, std::move(one));
    DpkgEntry entry;
    entry.name = name();
    // There are several lines where it is there for several architectures: the first one counts.
    if (done.exit_code == 0) parse_dpkg_line(split(done.output, '\n').front(), entry);
    return checked(entry);
}

void Dpkg::read_all() {
    auto& packages = run_.shared<DpkgPackages>();
    if (packages.asked) return;
    for (const std::string& line :
         split(list({"/usr/bin/dpkg-query", "-W", "--showformat", query_format}), '\n')) {
        if (DpkgEntry entry; parse_dpkg_line(line, entry)) packages.entries[entry.name] = std::move(entry);
    }
    packages.asked = true;
}

std::vector<std::string> Dpkg::names() {
    read_all();
    return keys_of(run_.shared<DpkgPackages>().entries);
}

PackageState Dpkg::query() {
    read_all();
    const auto& packages = run_.shared<DpkgPackages>();
    const auto found = packages.entries.find(name());
    // Compatibility: an error counts where a package is asked for by itself, not in the list of all: so what
    // an interrupted dpkg has left is installed again.
    return found == packages.entries.end() ? query_fresh() : found->second.state();
}

void Dpkg::forget() { run_.shared<DpkgPackages>().entries.erase(name()); }

std::string Dpkg::latest() {
    if (source().empty())
        throw ApplyError("Could not update: You cannot install dpkg packages without a source");
    const auto parts = split(tool({"/usr/bin/dpkg-deb", "--show", source()}), '\t');
    if (parts[0].find(name()) == std::string::npos)
        run_.log_by_provider(Level::Warning, resource_,
                             "source doesn't contain named package, but " + parts[0]);
    return parts.size() > 1 ? parts[1] : "";
}

void Dpkg::hold(bool held) {
    Command command({"dpkg", "--set-selections"});
    command.input = name() + (held ? " hold\n" : " install\n");
    try_tool(run_, std::move(command));
}

void Dpkg::install(const PackageState& before) {
    if (source().empty()) {
        const std::string why = "You cannot install dpkg packages without a source";
        if (wants_latest()) throw ApplyError(why);
        throw ApplyError("Could not set 'present' on ensure: " + why + declared_at(resource_), why);
    }
    if (before.mark == "hold") hold(false);
    const auto finish = [this] {
        if (resource_.text("mark") == "hold") hold(true);
    };
    try {
        quiet_tool(
            {"/usr/bin/dpkg", keeps_configuration() ? "--force-confold" : "--force-confnew", "-i", source()});
    } catch (...) {
        finish();
        throw;
    }
    finish();
}

void Dpkg::uninstall(const PackageState&) { quiet_tool({"/usr/bin/dpkg", "-r", name()}); }
void Dpkg::purge(const PackageState&) { quiet_tool({"/usr/bin/dpkg", "--purge", name()}); }

const PackageProviderSpec& dpkg_packages() {
    using F = PackageFeature;
    static const PackageProviderSpec spec{"dpkg",
                                          "Packages of Debian in files.",
                                          package_features(F::Latest, F::Purge, F::Hold, F::VirtualPackages),
                                          [](const Resource&) { return has_tool("/usr/bin/dpkg"); },
                                          nullptr,
                                          make_packages_of<Dpkg>,
                                          "dpkg"};
    return spec;
}

}  // namespace volley::agent
