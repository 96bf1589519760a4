#include "apply/agent/types/package/system/zypper.hpp"

#include <algorithm>

#include "apply/agent/types/package/system/rpm.hpp"
#include "apply/agent/types/package/versions.hpp"
#include "support/text.hpp"

namespace volley::agent {
namespace {

struct ZypperUpdates {
    bool asked = false;
    std::map<std::string, std::string> versions;
};

class Zypper final : public Rpm {
public:
    using Rpm::Rpm;

    std::string latest() override;
    void install(const PackageState& before) override;
    void uninstall(const PackageState& before) override;
    bool fits(const std::string& version) override { return fits_range(version); }

private:
    std::string best_version();
    int major();
};

int Zypper::major() {
    const std::string text = attempt({"/usr/bin/zypper", "--version"}).output;
    const auto digit = text.find_first_of("0123456789");
    return digit == std::string::npos ? 1 : std::atoi(text.c_str() + digit);
}

std::string Zypper::latest() {
    auto& updates = run_.shared<ZypperUpdates>();
    if (!updates.asked) {
        const auto rows = parse_zypper_table(tool({"/usr/bin/zypper", "list-updates"}));
        updates.asked = true;
        for (const auto& row : rows) {
            if (row.size() > 4 && row[0] == "v") updates.versions[row[2]] = row[4];
        }
    }
    const auto found = updates.versions.find(name());
    return found == updates.versions.end() ? query().ensure.to_text() : found->second;
}

std::string Zypper::best_version() {
    const auto range = VersionRange::parse(ensure(), rpm_versions);
    if (!range || range->is_exact()) return ensure();
    std::vector<std::string> versions;
    for (const auto& row : parse_zypper_table(tool({"/usr/bin/zypper", "search", "--match-exact", "--type",
                                                    "package", "--uninstalled-only", "-s", name()}))) {
        if (row.size() > 3 && row[1] == name()) versions.push_back(row[3]);
    }
    return range->best_of(versions).value_or(ensure());
}

void Zypper::install(const PackageState&) {
    std::string package = name();
    if (wants_version()) package += "-" + best_version();
    const bool old = major() < 1;
    auto given = options("install_options");
    std::vector<std::string> words{"/usr/bin/zypper", old ? "--terse" : "--quiet"};
    for (const char* global : {"--no-gpg-check", "--no-gpg-checks"}) {
        if (std::erase(given, global) > 0) words.emplace_back(global);
    }
    words.insert(words.end(), {"install", "--auto-agree-with-licenses", "--no-confirm"});
    words.insert(words.end(), given.begin(), given.end());
    if (!old && !allows_virtual(true) && !wants_version()) words.emplace_back("--name");
    words.push_back(package);
    tool(std::move(words));
    forget();
    if (query().ensure == absent()) throw ApplyError("Could not find package " + name());
}

void Zypper::uninstall(const PackageState& before) {
    if (major() < 1) return Rpm::uninstall(before);
    tool({"/usr/bin/zypper", "remove", "--no-confirm", name()});
}

}  // namespace

std::vector<std::vector<std::string>> parse_zypper_table(const std::string& output) {
    std::vector<std::vector<std::string>> rows;
    for (const std::string& line : split(output, '\n')) {
        auto columns = split(line, '|');
        if (columns.size() < 3) continue;
        for (std::string& column : columns) column = std::string(trim(column));
        rows.push_back(std::move(columns));
    }
    return rows;
}

const PackageProviderSpec& zypper_packages() {
    static const PackageProviderSpec spec{
        "zypper",
        "Packages of SUSE from repositories.",
        rpm_packages().features,
        [](const Resource&) { return has_tool("/usr/bin/zypper") && has_tool("rpm"); },
        [](const OsRelease& system) { return system.family == "suse"; },
        make_packages_of<Zypper>,
        "rpm"};
    return spec;
}

}  // namespace volley::agent
