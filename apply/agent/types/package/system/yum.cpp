#include "apply/agent/types/package/system/yum.hpp"

#include <algorithm>

#include "apply/agent/machine/files.hpp"
#include "apply/agent/types/package/versions.hpp"
#include "support/text.hpp"

namespace volley::agent {
namespace {

/// By the command with the options that choose repositories.
struct YumUpdates {
    std::map<std::string, std::map<std::string, std::string>> versions;
};

std::vector<std::string> words_in(std::string_view text) {
    std::vector<std::string> words;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t begin = std::min(text.find_first_not_of(" \t", at), text.size());
        at = std::min(text.find_first_of(" \t", begin), text.size());
        if (at > begin) words.emplace_back(text.substr(begin, at - begin));
    }
    return words;
}

}  // namespace

std::map<std::string, std::string> parse_yum_updates(std::string_view output) {
    std::map<std::string, std::string> updates;
    std::vector<std::string> words;
    const auto take = [&] {
        for (std::size_t at = 0; at + 1 < words.size(); at += 3) {
            const std::string& package = words[at];
            std::string version = words[at + 1];
            const auto dot = package.rfind('.');
            if (dot == std::string::npos || dot == 0 || version.find('-') == std::string::npos) continue;
            if (version.find(':') == std::string::npos) version.insert(0, "0:");
            updates.emplace(package.substr(0, dot), version);
            updates.emplace(package, version);
        }
        words.clear();
    };
    for (const std::string& line : split(output, '\n')) {
        if (line.starts_with("Obsoleting") || line.starts_with("Security:") || line.starts_with("Update"))
            break;
        // Long names break a line in three, and so lines are read as one between empty ones.
        const auto here = words_in(line);
        if (here.empty()) take();
        words.insert(words.end(), here.begin(), here.end());
    }
    take();
    return updates;
}

std::vector<std::string> parse_yum_versions(std::string_view output) {
    std::vector<std::string> versions;
    bool below = false;
    for (const std::string& line : split(output, '\n')) {
        const auto words = words_in(line);
        if (below && words.size() > 1) versions.push_back(words[1]);
        if (lower(line).starts_with("available packages")) below = true;
    }
    return versions;
}

std::string Yum::run_yum(std::vector<std::string> words) {
    // The fifth dnf has neither -d nor -e.
    const std::string path = tool_path(command());
    std::string real = path;
    try {
        real = real_path(path);
    } catch (const std::runtime_error&) {
        real = path;
    }
    std::vector<std::string> all{command()};
    if (!real.ends_with("dnf5")) all.insert(all.end(), {"-d", "0", "-e", error_level()});
    all.emplace_back("-y");
    for (std::string& word : options("install_options")) all.push_back(std::move(word));
    all.insert(all.end(), words.begin(), words.end());
    return tool(std::move(all));
}

std::vector<std::string> Yum::repository_options() const {
    std::vector<std::string> found;
    const auto given = options("install_options");
    for (const char* key : {"--disablerepo=", "--enablerepo=", "--disableexcludes="}) {
        for (const std::string& word : given) {
            if (word.starts_with(key) && std::find(found.begin(), found.end(), word) == found.end())
                found.push_back(word);
        }
    }
    return found;
}

std::string Yum::latest() {
    std::vector<std::string> words{command(), "check-update"};
    for (std::string& word : repository_options()) words.push_back(std::move(word));
    auto& known = run_.shared<YumUpdates>().versions;
    const std::string key = join(words, " ");
    auto found = known.find(key);
    if (found == known.end()) {
        Command check(std::move(words));
        check.errors = Command::Errors::Dropped;
        const Finished done = try_tool(run_, std::move(check));
        if (done.exit_code != 0 && done.exit_code != 100)
            run_.log_by_provider(Level::Warning, resource_,
                                 "Could not check for updates, '" + tool_path(command()) +
                                     " check-update' exited with " + std::to_string(done.exit_code));
        found = known
                    .emplace(key, done.exit_code == 100 ? parse_yum_updates(done.output)
                                                        : std::map<std::string, std::string>())
                    .first;
    }
    if (const auto update = found->second.find(name()); update != found->second.end()) return update->second;
    return query().ensure.to_text();
}

/// What to ask for when `ensure` is a version or a range.
std::string Yum::best_version() {
    const auto range = VersionRange::parse(ensure(), rpm_versions);
    if (!range || range->is_exact()) return ensure();
    std::vector<std::string> words{command(), "list", name(), "--showduplicates"};
    for (std::string& word : repository_options()) words.push_back(std::move(word));
    const auto best = range->best_of(parse_yum_versions(tool(std::move(words))));
    if (!best) return ensure();
    const auto colon = best->find(':');
    return colon == std::string::npos ? *best : best->substr(colon + 1);
}

void Yum::install(const PackageState& before) {
    const bool gone = before.ensure == absent() || before.ensure == Value::symbol("purged");
    std::string package = name();
    if (!allows_virtual(true)) run_yum({"list", package});
    std::string operation = "install", version;
    if (wants_latest()) {
        if (!gone) operation = update_word();
    } else if (wants_version()) {
        version = source().empty() ? best_version() : ensure();
        package += "-" + version;
        // An architecture in the name goes to the end: foo.i686-1.0 becomes foo-1.0.i686.
        for (const char* arch : {".noarch", ".i386", ".i686", ".x86_64", ".aarch64", ".ppc64le", ".s390x"}) {
            if (!name().ends_with(arch)) continue;
            package = name().substr(0, name().size() - std::string_view(arch).size()) + "-" + version + arch;
        }
        const int order = gone ? 0 : compare_wanted_rpm(version, before.ensure.to_text());
        if (!gone && installs_only())
            operation = update_word();
        else if (order != 0)
            operation = order < 0 ? "downgrade" : update_word();
    }
    if (!wants_latest() && !source().empty()) package = source();
    const std::string output = run_yum({operation, package});
    for (const std::string& line : split(output, '\n')) {
        if (line == "No package " + package + " available.")
            throw ApplyError("Could not find package " + package);
    }
    forget();
    if (version.empty()) return;
    const Value now = query().ensure;
    if (now == absent()) throw ApplyError("Could not find package " + name());
    if (!fits(now.to_text()))
        throw ApplyError("Failed to update to version " + version + ", got version " + now.to_text() +
                         " instead");
}

void Yum::purge(const PackageState&) { tool({command(), "-y", "erase", name()}); }

const PackageProviderSpec& yum_packages() {
    static const PackageProviderSpec spec{
        "yum",
        "Packages of rpm from repositories, by yum.",
        static_cast<std::uint16_t>(rpm_packages().features | package_features(PackageFeature::Purge)),
        [](const Resource&) { return has_tool("yum") && has_tool("rpm"); },
        [](const OsRelease& system) {
            return (system.family == "redhat" && system.id != "fedora" && system.major < 8) ||
                   (system.id == "amzn" && system.major < 2022);
        },
        make_packages_of<Yum>,
        "rpm"};
    return spec;
}

}  // namespace volley::agent
