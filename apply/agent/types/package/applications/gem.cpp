#include "apply/agent/types/package/applications/gem.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>

#include "apply/agent/types/package/versions.hpp"
#include "support/text.hpp"

namespace volley::agent {
namespace {

constexpr std::array<std::string_view, 1> gem_commands = {"gem"};

/// By command.
struct Gems {
    std::map<std::string, std::map<std::string, std::vector<std::string>>> lists;
};

/// The first version that "~> VERSION" excludes: of 1.2.3 and 1.2.3.b1 it is 1.3, of 2 it is 3.
std::string next_release(std::string_view version) {
    std::vector<std::string> numbers;
    for (const std::string& part : split(version, '.')) {
        if (part.empty() || part.find_first_not_of("0123456789") != std::string::npos) break;
        numbers.push_back(part);
    }
    if (numbers.size() > 1) numbers.pop_back();
    if (numbers.empty()) return "1";
    numbers.back() = std::to_string(std::strtoull(numbers.back().c_str(), nullptr, 10) + 1);
    return join(numbers, ".");
}

bool has_letter(std::string_view version) {
    return std::any_of(version.begin(), version.end(), [](unsigned char c) { return std::isalpha(c) != 0; });
}

std::optional<bool> meets_one(std::string_view requirement, std::string_view version) {
    requirement = trim(requirement);
    const std::size_t end = std::min(requirement.find_first_not_of("=!<>~"), requirement.size());
    const std::string sign(requirement.substr(0, end));
    const std::string_view bound = trim(requirement.substr(end));
    if (bound.empty() || !gem_versions.is_version(bound)) return std::nullopt;
    const int order = gem_versions.compare(version, bound);
    if (sign.empty() || sign == "=") return order == 0;
    if (sign == "!=") return order != 0;
    if (sign == ">") return order > 0;
    if (sign == "<") return order < 0;
    if (sign == ">=") return order >= 0;
    if (sign == "<=") return order <= 0;
    if (sign != "~>") return std::nullopt;
    const std::string limit = next_release(bound);
    // What comes before the next release of the series belongs to that.
    const bool before_limit = gem_versions.compare(version, limit) < 0 &&
                              !(version.starts_with(limit + ".") || version.starts_with(limit + "-"));
    return order >= 0 && before_limit;
}

}  // namespace

GemList parse_gem_list(std::string_view output) {
    GemList list;
    for (const std::string& line : split(output, '\n')) {
        const auto name_end = line.find_first_of(" \t");
        const auto open = line.find_first_not_of(" \t", std::min(name_end, line.size()));
        const auto close = line.rfind(')');
        const bool is_gem = name_end != std::string::npos && name_end > 0 && open != std::string::npos &&
                            line[open] == '(' && close != std::string::npos && close > open + 1;
        if (!is_gem) {
            if (!line.empty()) list.other_lines.push_back(line);
            continue;
        }
        std::string versions = line.substr(open + 1, close - open - 1);
        if (const auto at = versions.find("default: "); at != std::string::npos) versions.erase(at, 9);
        auto& known = list.gems[line.substr(0, name_end)];
        for (const std::string& one : split(versions, ',')) {
            const std::string_view text = trim(one);
            if (!text.empty()) known.emplace_back(text.substr(0, text.find(' ')));
        }
    }
    return list;
}

std::optional<bool> meets_gem_requirements(std::string_view requirements, std::string_view version) {
    // A version before a release is wanted only where one is named.
    bool all = !has_letter(version) || has_letter(requirements);
    for (const std::string& one : split(requirements, ',')) {
        const auto meets = meets_one(one, version);
        if (!meets) return std::nullopt;
        all = all && *meets;
    }
    return all;
}

std::string Gem::command() const { return targeted_command(resource_, "gem", gem_commands); }

std::vector<std::pair<std::string, std::string>> Gem::environment() const {
    // gem keeps what it downloads below HOME.
    const char* home = std::getenv("HOME");
    if (home == nullptr) return {};
    return {{"HOME", home}};
}

std::string Gem::gem(std::vector<std::string> words) {
    words.insert(words.begin(), command());
    Command call(std::move(words));
    call.environment = environment();
    return run_tool(run_, std::move(call));
}

/// What gem says beside its list, such as that an extension is not built, is shown.
std::map<std::string, std::vector<std::string>> Gem::read(std::string_view output) {
    GemList list = parse_gem_list(output);
    for (const std::string& line : list.other_lines) run_.warn_once("Could not match " + line);
    return std::move(list.gems);
}

const std::map<std::string, std::vector<std::string>>& Gem::installed() {
    auto& lists = run_.shared<Gems>().lists;
    const std::string program = command();
    auto found = lists.find(program);
    if (found == lists.end()) {
        std::string output;
        try {
            output = gem({"list", "--local"});
        } catch (const ApplyError& error) {
            throw ApplyError(std::string("Could not list gems: ") + error.what());
        }
        found = lists.emplace(program, read(output)).first;
    }
    return found->second;
}

std::vector<std::string> Gem::names() { return keys_of(installed()); }

PackageState Gem::query() {
    const auto& gems = installed();
    PackageState state;
    if (const auto entry = gems.find(name()); entry != gems.end()) {
        Value::Items versions;
        for (const std::string& one : entry->second) versions.emplace_back(one);
        state.ensure = Value(std::move(versions));
    }
    return state;
}

void Gem::flush() { run_.shared<Gems>().lists.clear(); }

std::string Gem::latest() {
    std::vector<std::string> words{"list", "--remote"};
    if (!source().empty()) words.insert(words.end(), {"--source", source()});
    words.push_back("\\A" + name() + "\\z");
    try {
        const auto found = read(gem(std::move(words)));
        const auto entry = found.find(name());
        if (entry != found.end() && !entry->second.empty()) return entry->second[0];
    } catch (const ApplyError& error) {
        throw ApplyError(std::string("Could not list gems: ") + error.what());
    }
    throw ApplyError("no gem is named " + name());
}

bool Gem::fits(const std::string& version) {
    // Spaces stand between two conditions of a range, but after the sign in a requirement.
    if (const auto meets = meets_gem_requirements(ensure(), version)) return *meets;
    const auto range = VersionRange::parse(ensure(), gem_versions);
    return range && range->holds(version);
}

std::vector<std::string> Gem::source_arguments() const {
    if (source().empty()) return {name()};
    const auto colon = source().find("://");
    const std::string scheme = colon == std::string::npos ? "" : lower(source().substr(0, colon));
    if (scheme == "puppet") throw ApplyError("puppet:// URLs are not supported as gem sources");
    if (scheme == "file") return {source().substr(source().find('/', colon + 3))};
    if (scheme.empty()) return {source()};
    return {"--source", source(), name()};
}

std::string Gem::own_version() { return gem({"--version"}); }

void Gem::install(const PackageState&) {
    std::vector<std::string> words{"install"};
    for (std::string& word : options("install_options")) words.push_back(std::move(word));
    if (wants_version()) {
        const auto range = VersionRange::parse(ensure(), gem_versions);
        const bool two = range && !range->is_exact() && !meets_gem_requirements(ensure(), "0");
        words.insert(words.end(), {"-v", two ? range->text(", ") : ensure()});
    }
    if (compare_plain_versions(own_version(), "2.0.0") < 0)
        words.insert(words.end(), {"--no-rdoc", "--no-ri"});
    else
        words.emplace_back("--no-document");
    for (std::string& word : source_arguments()) words.push_back(std::move(word));
    const std::string output = gem(std::move(words));
    if (output.find("ERROR") != std::string::npos) throw ApplyError("Could not install: " + output);
}

void Gem::uninstall(const PackageState&) {
    std::vector<std::string> words{"uninstall", "--executables", "--all", name()};
    for (std::string& word : options("uninstall_options")) words.push_back(std::move(word));
    const std::string output = gem(std::move(words));
    if (output.find("ERROR") != std::string::npos) throw ApplyError("Could not uninstall: " + output);
}

const PackageProviderSpec& gem_packages() {
    using F = PackageFeature;
    static const PackageProviderSpec spec{
        "gem",
        "Ruby packages.",
        package_features(F::Versions, F::Latest, F::InstallOptions, F::UninstallOptions, F::Target),
        [](const Resource& resource) { return has_targeted_command(resource, gem_commands); },
        nullptr,
        make_packages_of<Gem>};
    return spec;
}

}  // namespace volley::agent
