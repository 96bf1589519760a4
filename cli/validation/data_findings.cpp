#include "cli/validation/data_findings.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "planner/checks/plan_checks.hpp"
#include "planner/checks/plan_text_checks.hpp"
#include "planner/plan/plan_host.hpp"
#include "planner/yaml_plan/yaml_plan.hpp"
#include "support/error.hpp"
#include "support/json/json_reader.hpp"
#include "support/text.hpp"
#include "support/yaml/document.hpp"
#include "support/yaml/events.hpp"

namespace volley::cli {
namespace {

constexpr auto level_locations =
    std::to_array<std::string_view>({"path", "paths", "glob", "globs", "uri", "uris", "mapped_paths"});
constexpr auto level_functions =
    std::to_array<std::string_view>({"data_hash", "lookup_key", "data_dig", "hiera3_backend"});
constexpr auto level_others = std::to_array<std::string_view>({"name", "datadir", "options"});
constexpr auto configuration_keys = std::to_array<std::string_view>(
    {"version", "defaults", "hierarchy", "default_hierarchy", "plan_hierarchy"});

template <std::size_t Size>
bool holds(const std::array<std::string_view, Size>& words, std::string_view word) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

/// Finds what is wrong with a hiera.yaml of version 5.
class HieraConfigChecker {
public:
    HieraConfigChecker(const std::string& file, std::vector<Finding>& findings)
        : file_(file), findings_(findings) {}

    void check(const yaml::Node& root) {
        for (const yaml::Entry& entry : root.entries()) {
            const std::string_view key = entry.key.text();
            if (!holds(configuration_keys, key)) {
                complain(entry.key, "unknown key '" + std::string(key) + "'");
            } else if (key == "defaults") {
                check_level(entry.value, true);
            } else if (key != "version") {
                check_levels(entry.value, key);
            }
        }
    }

private:
    void complain(const yaml::Node& node, std::string message) {
        findings_.push_back(finding_at(file_, node.position(), std::move(message)));
    }

    void check_levels(const yaml::Node& levels, std::string_view key) {
        if (!levels.is_sequence())
            return complain(levels, "'" + std::string(key) + "' must be a list of levels");
        std::vector<std::string_view> names;
        for (const yaml::Node level : levels.elements()) {
            check_level(level, false);
            const yaml::Node name = level.find("name");
            if (!name) continue;
            if (std::find(names.begin(), names.end(), name.text()) != names.end())
                complain(name, "Hierarchy name '" + std::string(name.text()) + "' defined more than once");
            names.push_back(name.text());
        }
    }

    void check_level(const yaml::Node& level, bool defaults) {
        if (!level.is_map())
            return complain(level, defaults ? "'defaults' must be a map" : "a level must be a map");
        int locations = 0;
        int functions = 0;
        for (const yaml::Entry& entry : level.entries()) {
            const std::string_view key = entry.key.text();
            const bool location = holds(level_locations, key);
            const bool function = holds(level_functions, key);
            if ((!location && !function && !holds(level_others, key)) ||
                (defaults && (location || key == "name")))
                complain(entry.key,
                         "unknown key '" + std::string(key) + "' of " + (defaults ? "defaults" : "a level"));
            if (location && ++locations == 2)
                complain(entry.key,
                         "Only one of " + join_words(level_locations) + " can be defined in a level");
            if (function && ++functions == 2)
                complain(entry.key,
                         "Only one of " + join_words(level_functions) + " can be defined in a level");
        }
        if (!defaults && !level.find("name")) complain(level, "a level needs a 'name'");
    }

    template <std::size_t Size>
    static std::string join_words(const std::array<std::string_view, Size>& words) {
        return join(std::vector<std::string>(words.begin(), words.end()), ", ");
    }

    const std::string& file_;
    std::vector<Finding>& findings_;
};

/// Hears a YAML text and notes keys that a map has twice: an easy slip that hides a value without a word.
class RepeatedKeys final : public yaml::Events {
public:
    RepeatedKeys(const std::string& file, std::vector<Finding>& findings)
        : file_(file), findings_(findings) {}

    void scalar(const Node& node, std::string_view text, bool) override { value(node.at, std::string(text)); }
    void alias(std::size_t, yaml::Position at) override { value(at, std::nullopt); }
    void open(yaml::Kind kind, const Node& node) override {
        value(node.at, std::nullopt);
        levels_.push_back({kind == yaml::Kind::Map, true, {}});
    }
    void close() override { levels_.pop_back(); }

private:
    struct Level {
        bool map = false;
        bool key_next = true;
        std::map<std::string, std::uint32_t> lines;
    };

    void value(yaml::Position at, std::optional<std::string> text) {
        if (levels_.empty()) return;
        Level& level = levels_.back();
        const bool key = level.map && level.key_next;
        level.key_next = !level.key_next;
        if (!key || !text || *text == "<<") return;
        const auto [first, fresh] = level.lines.emplace(*text, at.line);
        if (fresh) return;
        Finding finding = finding_at(file_, at, repeated_key_message(*text, first->second));
        finding.severity = Severity::Warning;
        findings_.push_back(std::move(finding));
    }

    const std::string& file_;
    std::vector<Finding>& findings_;
    std::vector<Level> levels_;
};

}  // namespace

Location place_in_text(const std::string& text, std::size_t offset, const std::string& file) {
    const std::string_view before = std::string_view(text).substr(0, offset);
    const std::size_t newline = before.rfind('\n');
    const std::size_t column =
        newline == std::string_view::npos ? before.size() : before.size() - newline - 1;
    return {file, static_cast<int>(std::count(before.begin(), before.end(), '\n')) + 1,
            static_cast<int>(column) + 1};
}

Finding finding_at(const std::string& file, yaml::Position at, std::string message) {
    return {Severity::Err,
            {},
            std::move(message),
            {file, static_cast<int>(at.line), static_cast<int>(at.column)}};
}

Finding yaml_finding(const Error& error, const std::string& file) {
    const planner::PlanFinding found = planner::findings_of_error(error, file).front();
    Location at = found.at;
    at.file = file;
    return {Severity::Err, {}, found.message, std::move(at)};
}

std::string repeated_key_message(const std::string& key, std::uint32_t line) {
    return "the key '" + key + "' was set before, in line " + std::to_string(line) +
           "; only this value counts";
}

std::vector<Finding> validate_yaml(const std::string& text, const std::string& file) {
    std::vector<Finding> findings;
    try {
        const yaml::Source source{.name = file, .what = "data"};
        RepeatedKeys keys(file, findings);
        yaml::read(text, source, keys);
    } catch (const Error& error) {
        findings.push_back(yaml_finding(error, file));
    }
    return findings;
}

std::vector<Finding> validate_yaml_plan(const std::string& text, const std::string& file) {
    std::vector<Finding> findings = validate_yaml(text, file);
    if (std::any_of(findings.begin(), findings.end(),
                    [](const Finding& finding) { return finding.severity == Severity::Err; }))
        return findings;
    class Quiet final : public LanguageHost {
        void log(const LogEntry&) override {}
    } host;
    Environment environment(host, planner::plan_language_settings());
    planner::add_plan_types(environment);
    const auto add = [&findings](const std::vector<planner::PlanFinding>& found, std::string_view issue) {
        for (const planner::PlanFinding& one : found)
            findings.push_back(
                {one.error ? Severity::Err : Severity::Warning, std::string(issue), one.message, one.at});
    };
    try {
        const std::string name = std::filesystem::path(file).stem().string();
        const auto plan = planner::YamlPlan::parse(name, text, file, environment);
        add(planner::check_match_variables(*plan), "UNMATCHED_GROUP");
    } catch (const Error& error) {
        add(planner::findings_of_error(error, file), {});
    } catch (const LanguageError& error) {
        add(planner::findings_of_error(error, file), error.issue());
    }
    return findings;
}

std::vector<Finding> validate_hiera_config(const std::string& text, const std::string& file) {
    std::vector<Finding> findings;
    try {
        const auto document = yaml::Document::parse(text, {.name = file, .what = "Hiera configuration"});
        const yaml::Node root = document->root();
        if (!root.is_map()) {
            findings.push_back(finding_at(file, root.position(), "a Hiera configuration must be a map"));
            return findings;
        }
        const yaml::Node version = root.find("version");
        // Versions without the key are of old: their keys begin with a colon.
        if (version && version.text() != "5" && version.text() != "4" && version.text() != "3")
            findings.push_back(finding_at(
                file, version.position(),
                "This runtime does not support hiera.yaml version " + std::string(version.text())));
        if (version && version.text() == "5") HieraConfigChecker(file, findings).check(root);
    } catch (const Error& error) {
        findings.push_back(yaml_finding(error, file));
    }
    return findings;
}

std::vector<Finding> validate_json(const std::string& text, const std::string& file) {
    try {
        parse_json(text);
        return {};
    } catch (const JsonError& error) {
        return {{Severity::Err,
                 {},
                 "not valid JSON: " + error.reason(),
                 place_in_text(text, error.offset(), file)}};
    }
}

}  // namespace volley::cli
