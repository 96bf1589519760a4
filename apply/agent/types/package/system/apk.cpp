#include "apply/agent/types/package/system/apk.hpp"

#include "apply/agent/types/package/provider.hpp"
#include "support/text.hpp"

namespace volley::agent {
namespace {

struct ApkPackages {
    bool asked = false;
    std::map<std::string, std::string> versions;
};

/// A package of Alpine Linux. Puppet itself has no provider for these.
class Apk final : public PackageProvider {
public:
    using PackageProvider::PackageProvider;

    PackageState query() override {
        const auto& versions = installed();
        PackageState state;
        const auto found = versions.find(name());
        if (found != versions.end()) state.ensure = Value(found->second);
        return state;
    }

    std::vector<std::string> names() override { return keys_of(installed()); }

    std::string latest() override {
        const std::string version = parse_apk_policy(list({"apk", "policy", name()}));
        return version.empty() ? query().ensure.to_text() : version;
    }

    void install(const PackageState&) override {
        std::vector<std::string> words{"apk", "add", "--quiet"};
        if (wants_latest()) words.emplace_back("--upgrade");
        for (std::string& word : options("install_options")) words.push_back(std::move(word));
        words.push_back(!source().empty() ? source() : wants_version() ? name() + "=" + ensure() : name());
        tool(std::move(words));
        flush();
        if (query().ensure == absent() && !allows_virtual(true))
            throw ApplyError("Could not find package " + name());
    }

    void uninstall(const PackageState&) override { remove({}); }
    void purge(const PackageState&) override { remove({"--purge"}); }
    void flush() override { run_.shared<ApkPackages>().asked = false; }

private:
    const std::map<std::string, std::string>& installed() {
        auto& packages = run_.shared<ApkPackages>();
        if (!packages.asked) {
            packages.versions = parse_apk_list(list({"apk", "info", "-v"}));
            packages.asked = true;
        }
        return packages.versions;
    }

    void remove(std::vector<std::string> more) {
        std::vector<std::string> words{"apk", "del", "--quiet"};
        words.insert(words.end(), more.begin(), more.end());
        for (std::string& word : options("uninstall_options")) words.push_back(std::move(word));
        words.push_back(name());
        tool(std::move(words));
    }
};

}  // namespace

std::map<std::string, std::string> parse_apk_list(std::string_view output) {
    std::map<std::string, std::string> packages;
    for (const std::string& line : split(output, '\n')) {
        const auto release = line.rfind("-r");
        if (release == std::string::npos || release == 0 || line.starts_with("WARNING")) continue;
        const auto version = line.rfind('-', release - 1);
        if (version == std::string::npos) continue;
        packages[line.substr(0, version)] = line.substr(version + 1);
    }
    return packages;
}

std::string parse_apk_policy(std::string_view output) {
    std::string version;
    for (const std::string& line : split(output, '\n')) {
        const std::string_view text = trim(line);
        if (line.starts_with("  ") && !line.starts_with("   ") && text.ends_with(':'))
            version = text.substr(0, text.size() - 1);
        // A place that is not the database of what is installed is a repository.
        else if (line.starts_with("    ") && !version.empty() && text != "lib/apk/db/installed" &&
                 text != "/lib/apk/db/installed")
            return version;
    }
    return {};
}

const PackageProviderSpec& apk_packages() {
    using F = PackageFeature;
    static const PackageProviderSpec spec{
        "apk",
        "Packages of Alpine Linux.",
        package_features(F::Versions, F::Latest, F::Purge, F::InstallOptions, F::UninstallOptions,
                         F::VirtualPackages),
        [](const Resource&) { return has_tool("apk"); },
        [](const OsRelease& system) { return system.family == "alpine"; },
        make_packages_of<Apk>};
    return spec;
}

}  // namespace volley::agent
