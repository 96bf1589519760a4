#include "apply/agent/types/package/applications/npm.hpp"

#include <array>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "apply/agent/types/package/provider.hpp"
#include "support/json/json_reader.hpp"
#include "support/text.hpp"

namespace volley::agent {
namespace {

constexpr std::array<std::string_view, 1> npm_commands = {"npm"};

/// By command.
struct NpmPackages {
    std::map<std::string, std::map<std::string, std::string>> lists;
};

/// A global package of Node.js, with the attributes of the provider in the module nodejs.
class Npm final : public PackageProvider {
public:
    using PackageProvider::PackageProvider;

    const std::map<std::string, std::string>& installed() {
        auto& lists = run_.shared<NpmPackages>().lists;
        const std::string program = command();
        auto found = lists.find(program);
        if (found == lists.end()) {
            // It fails, too, when only something about the packages is not as it should be.
            Command call({program, "list", "--json", "--global", "--depth=0"});
            call.errors = Command::Errors::Dropped;
            call.environment = environment();
            const Finished done = try_tool(run_, std::move(call));
            if (done.exit_code == 127) throw ApplyError("Could not list packages of npm: " + done.output);
            found = lists.emplace(program, parse_npm_list(done.output)).first;
        }
        return found->second;
    }

    std::vector<std::string> names() override { return keys_of(installed()); }

    PackageState query() override {
        const auto& packages = installed();
        PackageState state;
        const auto entry = packages.find(name());
        if (entry != packages.end()) state.ensure = Value(entry->second);
        return state;
    }

    std::string latest() override {
        const auto lines = split(npm({"view", name(), "version"}), '\n');
        return std::string(trim(lines[0]));
    }

    void install(const PackageState&) override {
        std::vector<std::string> words{"install", "--global"};
        for (std::string& word : options("install_options")) words.push_back(std::move(word));
        words.push_back(!source().empty() ? source()
                        : wants_version() ? name() + "@" + ensure()
                        : wants_latest()  ? name() + "@latest"
                                          : name());
        npm(std::move(words));
    }

    void uninstall(const PackageState&) override {
        std::vector<std::string> words{"uninstall", "--global"};
        for (std::string& word : options("uninstall_options")) words.push_back(std::move(word));
        words.push_back(name());
        npm(std::move(words));
    }

    void flush() override { run_.shared<NpmPackages>().lists.clear(); }

private:
    std::string command() const { return targeted_command(resource_, "npm", npm_commands); }
    static std::vector<std::pair<std::string, std::string>> environment() {
        const char* home = std::getenv("HOME");
        return {{"HOME", home == nullptr ? "/root" : home}};
    }
    std::string npm(std::vector<std::string> words) {
        words.insert(words.begin(), command());
        Command call(std::move(words));
        call.environment = environment();
        return run_tool(run_, std::move(call));
    }
};

}  // namespace

std::map<std::string, std::string> parse_npm_list(std::string_view output) {
    std::map<std::string, std::string> packages;
    const Json document = try_parse_json(output);
    if (!document.is_object()) return packages;
    const auto found = document.find("dependencies");
    if (found == document.end() || !found->is_object()) return packages;
    for (const auto& [name, entry] : found->items()) {
        if (!entry.is_object() || entry.value("missing", Json()) == Json(true)) continue;
        const auto version = entry.find("version");
        if (version != entry.end() && version->is_string()) packages[name] = version->get<std::string>();
    }
    return packages;
}

const PackageProviderSpec& npm_packages() {
    using F = PackageFeature;
    static const PackageProviderSpec spec{
        "npm",
        "Packages of Node.js.",
        package_features(F::Versions, F::Latest, F::InstallOptions, F::UninstallOptions, F::Target),
        [](const Resource& resource) { return has_targeted_command(resource, npm_commands); },
        nullptr,
        make_packages_of<Npm>};
    return spec;
}

}  // namespace volley::agent
