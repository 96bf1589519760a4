#include "apply/agent/types/package/applications/flatpak.hpp"

#include "apply/agent/types/package/provider.hpp"
#include "support/text.hpp"

namespace volley::agent {
namespace {

struct Flatpaks {
    bool asked = false, updates_asked = false;
    std::map<std::string, std::string> installed, updates;
};

/// An application or runtime of flatpak, for all users. `source` is the remote, or a file.
class Flatpak final : public PackageProvider {
public:
    using PackageProvider::PackageProvider;

    const std::map<std::string, std::string>& installed() {
        auto& packages = run_.shared<Flatpaks>();
        if (!packages.asked) {
            packages.installed = parse_flatpak_list(
                list({"flatpak", "list", "--system", "--columns=application,version,active"}));
            packages.asked = true;
        }
        return packages.installed;
    }

    std::vector<std::string> names() override { return keys_of(installed()); }

    PackageState query() override {
        const auto& packages = installed();
        PackageState state;
        const auto found = packages.find(name());
        if (found != packages.end()) state.ensure = Value(found->second);
        return state;
    }

    std::string latest() override {
        auto& packages = run_.shared<Flatpaks>();
        if (!packages.updates_asked) {
            packages.updates = parse_flatpak_list(list(
                {"flatpak", "remote-ls", "--system", "--updates", "--columns=application,version,commit"}));
            packages.updates_asked = true;
        }
        std::string now = query().ensure.to_text();
        const auto found = packages.updates.find(name());
        if (found == packages.updates.end()) return now;
        return found->second == now ? now + " (newer)" : found->second;
    }

    void install(const PackageState& before) override {
        const bool gone = before.ensure == absent() || before.ensure == Value::symbol("purged");
        std::vector<std::string> words{"flatpak", gone ? "install" : "update", "--system", "--noninteractive",
                                       "-y"};
        for (std::string& word : options("install_options")) words.push_back(std::move(word));
        const bool is_file = source().ends_with(".flatpak") || source().ends_with(".flatpakref");
        if (gone && !source().empty()) words.push_back(source());
        if (!gone || !is_file) words.push_back(name());
        tool(std::move(words));
    }

    void uninstall(const PackageState&) override { remove({}); }
    void purge(const PackageState&) override { remove({"--delete-data"}); }
    void flush() override { run_.shared<Flatpaks>() = {}; }

private:
    void remove(std::vector<std::string> more) {
        std::vector<std::string> words{"flatpak", "uninstall", "--system", "--noninteractive", "-y"};
        words.insert(words.end(), more.begin(), more.end());
        for (std::string& word : options("uninstall_options")) words.push_back(std::move(word));
        words.push_back(name());
        tool(std::move(words));
    }
};

}  // namespace

std::map<std::string, std::string> parse_flatpak_list(std::string_view output) {
    std::map<std::string, std::string> packages;
    for (const std::string& line : split(output, '\n')) {
        const auto columns = split(line, '\t');
        if (columns.size() < 2 || columns[0].find('.') == std::string::npos) continue;
        const std::string_view version = trim(columns[1]);
        packages[columns[0]] = !version.empty()     ? std::string(version)
                               : columns.size() > 2 ? std::string(trim(columns[2]))
                                                    : "";
    }
    return packages;
}

const PackageProviderSpec& flatpak_packages() {
    using F = PackageFeature;
    static const PackageProviderSpec spec{
        "flatpak",
        "Applications of flatpak.",
        package_features(F::Latest, F::Purge, F::InstallOptions, F::UninstallOptions),
        [](const Resource&) { return has_tool("flatpak"); },
        nullptr,
        make_packages_of<Flatpak>};
    return spec;
}

}  // namespace volley::agent
