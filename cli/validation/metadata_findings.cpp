#include "cli/validation/metadata_findings.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "cli/validation/data_findings.hpp"
#include "cli/validation/json_places.hpp"
#include "language/text/version.hpp"
#include "language/types/parse.hpp"
#include "language/types/types.hpp"
#include "planner/plan/plan_host.hpp"
#include "support/error.hpp"
#include "support/json/json_reader.hpp"
#include "support/text.hpp"
#include "tasks/metadata.hpp"

namespace volley::cli {
namespace {

/// A JSON object being looked at: its text is there to find places.
class MetadataCheck {
public:
    MetadataCheck(const std::string& text, const std::string& file)
        : text_(text), file_(file), places_(places_in_json(text)), data_(parse_json(text)) {}
    std::vector<Finding> findings;

    const Json& data() const noexcept { return data_; }

    void complain(const std::string& way, std::string message, Severity severity = Severity::Err) {
        const auto place = places_.find(way);
        findings.push_back({severity,
                            {},
                            std::move(message),
                            place_in_text(text_, place == places_.end() ? 0 : place->second, file_)});
    }

    void check_keys(const Json& object, const std::string& way, const std::vector<std::string>& known,
                    const std::string& of) {
        for (const auto& [key, ignored] : object.items()) {
            if (std::ranges::find(known, key) != known.end()) continue;
            const auto close = closest_match(key, known);
            complain(
                way + "/" + key,
                of + " has the unknown key '" + key + "'" + (close ? "; did you mean '" + *close + "'?" : ""),
                close ? Severity::Err : Severity::Warning);
        }
    }

    bool has_errors() const {
        return std::ranges::any_of(findings,
                                   [](const Finding& one) { return one.severity >= Severity::Err; });
    }

private:
    const std::string& text_;
    const std::string& file_;
    std::map<std::string, std::size_t> places_;
    Json data_;
};

/// Types of tasks may be those of plans; types of modules are not known here and pass.
class TypeCheck {
public:
    TypeCheck() : environment_(host_, planner::plan_language_settings()) {
        planner::add_plan_types(environment_);
    }

    /// What is wrong with the text of a type; empty when nothing is.
    std::string mistake(const std::string& text) {
        try {
            const TypePtr type = parse_type(text, environment_.types);
            std::string unknown;
            find_unknown(*type, unknown, 0);
            return unknown;
        } catch (const LanguageError& error) {
            return "the type '" + text + "' is wrong: " + error.what();
        }
    }

private:
    static void find_unknown(const Type& type, std::string& message, int depth) {
        if (depth > 20 || type.kind() == TypeKind::Alias) return;
        if (type.kind() == TypeKind::Reference) {
            const std::string shown = to_string(type);
            const std::size_t begin = shown.find('\'');
            const std::string name =
                begin == std::string::npos ? shown : shown.substr(begin + 1, shown.rfind('\'') - begin - 1);
            if (name.find("::") != std::string::npos) return;  // of a module
            static const std::vector<std::string> usual{
                "Any",     "Array",      "Boolean",  "Data",      "Enum",       "Float",     "Hash",
                "Integer", "Numeric",    "Optional", "Pattern",   "ScalarData", "Sensitive", "String",
                "Struct",  "TargetSpec", "Timespan", "Timestamp", "Tuple",      "Variant"};
            const auto close = closest_match(name, usual);
            message = "unknown type '" + name + "'" + (close ? "; did you mean '" + *close + "'?" : "");
            return;
        }
        type.for_each_contained([&](const Type& inner) { find_unknown(inner, message, depth + 1); });
    }

    class Quiet final : public LanguageHost {
        void log(const LogEntry&) override {}
    } host_;
    Environment environment_;
};

void check_task_parameters(MetadataCheck& check, const Json& parameters) {
    TypeCheck types;
    for (const auto& [name, spec] : parameters.items()) {
        const std::string way = "/parameters/" + name;
        if (!spec.is_object()) continue;  // reading the task reports it
        check.check_keys(spec, way, {"default", "description", "sensitive", "type"},
                         "The parameter '" + name + "'");
        const auto type = spec.find("type");
        if (type == spec.end() || !type->is_string()) continue;
        if (const std::string wrong = types.mistake(type->get<std::string>()); !wrong.empty())
            check.complain(way + "/type", "The parameter '" + name + "': " + wrong);
    }
}

void check_flags(MetadataCheck& check, const Json& data) {
    for (const char* key : {"private", "remote", "supports_noop"}) {
        const auto found = data.find(key);
        if (found != data.end() && !found->is_boolean() && !found->is_null())
            check.complain("/" + std::string(key), "'" + std::string(key) + "' must be true or false");
    }
}

/// What reading the task refuses, at the key that the message names.
void check_as_task(MetadataCheck& check, const std::string& text, const std::string& file) {
    try {
        tasks::TaskDefinition task;
        task.name = std::filesystem::path(file).stem().string();
        tasks::apply_metadata(task, tasks::parse_metadata(text, file), file);
    } catch (const Error& error) {
        const std::string message = error.what();
        std::string way;
        for (const auto& [key, ignored] : check.data().items()) {
            if (message.find("'" + key + "'") != std::string::npos ||
                message.find(" " + key + " ") != std::string::npos)
                way = "/" + key;
        }
        if (check.data().contains("parameters") && check.data()["parameters"].is_object()) {
            for (const auto& [name, ignored] : check.data()["parameters"].items()) {
                if (message.find("parameter '" + name + "'") != std::string::npos)
                    way = "/parameters/" + name;
            }
        }
        check.complain(way, message);
    }
}

bool is_module_name(const Json& name) {
    if (!name.is_string()) return false;
    const std::string text = name.get<std::string>();
    const std::size_t dash = text.find_first_of("-/");
    if (dash == std::string::npos || dash == 0) return false;
    const auto word = [](char c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    };
    return std::all_of(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(dash), word) &&
           tasks::is_plain_name(text.substr(dash + 1));
}

void check_dependencies(MetadataCheck& check, const Json& data, const std::string& key, bool modules) {
    const auto found = data.find(key);
    if (found == data.end()) return;
    const std::string way = "/" + key;
    if (!found->is_array()) return check.complain(way, "'" + key + "' must be a list");
    std::size_t number = 0;
    for (const Json& one : *found) {
        const std::string entry = way + "/" + std::to_string(number++);
        if (!one.is_object() || !one.contains("name")) {
            check.complain(entry, "Each of '" + key + "' must be an object with a 'name'");
            continue;
        }
        if (modules && !is_module_name(one["name"]))
            check.complain(entry + "/name",
                           "The name of a module is AUTHOR-NAME or AUTHOR/NAME, not " + one["name"].dump());
        const auto range = one.find("version_requirement");
        if (range != one.end() && !range->is_string())
            check.complain(entry + "/version_requirement", "'version_requirement' must be a string");
    }
}

std::vector<Finding> checked(const std::string& text, const std::string& file,
                             void (*check_object)(MetadataCheck&, const std::string&, const std::string&)) {
    std::vector<Finding> findings = validate_json(text, file);
    if (!findings.empty()) return findings;
    MetadataCheck check(text, file);
    if (check.data().is_object()) {
        check_object(check, text, file);
    } else {
        check.complain("", "the metadata must be a JSON object");
    }
    std::ranges::stable_sort(check.findings, [](const Finding& a, const Finding& b) {
        return std::pair(a.at.line, a.at.column) < std::pair(b.at.line, b.at.column);
    });
    return std::move(check.findings);
}

void check_task(MetadataCheck& check, const std::string& text, const std::string& file) {
    const Json& data = check.data();
    check.check_keys(data, "", tasks::metadata_keys(), "The metadata of the task");
    check_flags(check, data);
    if (const auto found = data.find("parameters"); found != data.end() && found->is_object())
        check_task_parameters(check, *found);
    if (!check.has_errors()) check_as_task(check, text, file);
}

void check_module(MetadataCheck& check, const std::string&, const std::string&) {
    const Json& data = check.data();
    for (const char* key : {"name", "version"}) {
        if (!data.contains(key))
            check.complain("", "The metadata of a module needs '" + std::string(key) + "'");
    }
    for (const char* key : {"author", "license", "source", "dependencies"}) {
        if (!data.contains(key))
            check.complain("", "The metadata of a module has no '" + std::string(key) + "'",
                           Severity::Warning);
    }
    if (data.contains("name") && !is_module_name(data["name"]))
        check.complain("/name", "The name of a module is AUTHOR-NAME, not " + data["name"].dump());
    if (const auto version = data.find("version"); version != data.end()) {
        const bool plain = version->is_string() && Version::parse(version->get<std::string>()).has_value();
        if (!plain)
            check.complain("/version",
                           "The version of a module is three numbers such as 1.2.3, not " + version->dump());
    }
    check_dependencies(check, data, "dependencies", true);
    check_dependencies(check, data, "requirements", false);
}

}  // namespace

std::vector<Finding> validate_task_metadata(const std::string& text, const std::string& file) {
    return checked(text, file, check_task);
}

std::vector<Finding> validate_module_metadata(const std::string& text, const std::string& file) {
    return checked(text, file, check_module);
}

}  // namespace volley::cli
