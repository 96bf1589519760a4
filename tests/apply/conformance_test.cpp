#include <catch2/catch.hpp>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "apply/catalog/catalog.hpp"
#include "apply/compiler/compile.hpp"
#include "language/errors.hpp"
#include "language/json.hpp"
#include "language/rich_data.hpp"
#include "support/files.hpp"
#include "tests/apply/case_host.hpp"

using namespace volley;

namespace {

using NamedCase = std::pair<std::string, Json>;

/// The cases with the answers that real Puppet 7 gave (tests/conformance/README.md).
std::vector<NamedCase> compiled_cases() {
    const char* elsewhere = std::getenv("VOLLEY_CASES");  // a folder that oracle.rb has filled
    const std::filesystem::path root =
        elsewhere ? elsewhere : std::filesystem::path(VOLLEY_SOURCE_DIR) / "tests/conformance/expected";
    std::vector<NamedCase> all;
    for (const auto& file : std::filesystem::recursive_directory_iterator(root)) {
        if (file.path().extension() != ".json") continue;
        const std::string area = std::filesystem::relative(file.path(), root).replace_extension().string();
        for (const Json& one : Json::parse(read_file(file.path(), "conformance cases"))) {
            if (one["mode"] != "parse") all.emplace_back(area, one);
        }
    }
    return all;
}

std::string first_line_without_position(std::string message) {
    message = message.substr(0, message.find('\n'));
    for (const std::string_view mark : {" (line: ", " (file: "}) {
        if (const std::size_t at = message.rfind(mark); at != std::string::npos && message.back() == ')')
            message.erase(at);
    }
    return message;
}

bool same_data(const Json& got, const Json& want) {
    if (want.is_object() && want.contains("__ptype") && want["__ptype"] == "Unknown") return true;
    if (got.is_number() && want.is_number()) {
        return got.is_number_float() == want.is_number_float() && got == want;
    }
    if (got.type() != want.type()) return false;
    if (got.is_array()) {
        if (got.size() != want.size()) return false;
        for (std::size_t i = 0; i < got.size(); ++i) {
            if (!same_data(got[i], want[i])) return false;
        }
        return true;
    }
    if (!got.is_object()) return got == want;
    if (got.size() != want.size()) return false;
    for (const auto& [key, value] : got.items()) {
        if (!want.contains(key) || !same_data(value, want[key])) return false;
    }
    return true;
}

std::string shown(const Json& value) { return value.dump(-1, ' ', false, Json::error_handler_t::replace); }

std::map<std::string, Json> resources_by_name(const Json& catalog) {
    std::map<std::string, Json> result;
    for (const Json& one : catalog["resources"])
        result[one["type"].get<std::string>() + "[" + one["title"].get<std::string>() + "]"] = one;
    return result;
}

std::string catalog_difference(const Json& got, const Json& want) {
    const auto ours = resources_by_name(got);
    const auto theirs = resources_by_name(want);
    std::string text;
    for (const auto& [name, one] : theirs) {
        const auto found = ours.find(name);
        if (found == ours.end()) {
            text += " missing " + name;
            continue;
        }
        for (const auto& [key, value] : one.items()) {
            if (!found->second.contains(key) || !same_data(found->second[key], value))
                text += " " + name + "." + key + " is " + shown(found->second.value(key, Json())) + " not " + shown(value);
        }
    }
    for (const auto& [name, one] : ours) {
        if (!theirs.contains(name)) text += " extra " + name;
    }
    const auto sorted = [](const Json& list) {
        std::vector<std::string> result;
        for (const Json& one : list) result.push_back(shown(one));
        std::sort(result.begin(), result.end());
        return result;
    };
    if (sorted(got["edges"]) != sorted(want["edges"])) text += " edges " + shown(got["edges"]);
    if (sorted(got["classes"]) != sorted(want["classes"])) text += " classes " + shown(got["classes"]);
    return text;
}

std::string error_difference(const LanguageError& error, const Json& want) {
    const std::string text = "error " + error.full_message();
    if (!want.is_object()) return text;
    if (want.value("loose", false)) return "";
    const auto same_number = [&want](const char* key, int number) {
        return want[key].is_null() || want[key] == number;
    };
    const bool same = first_line_without_position(error.what()) ==
                          first_line_without_position(want["message"].get<std::string>()) &&
                      same_number("line", error.location().line) &&
                      same_number("column", error.location().column) &&
                      (want["file"].is_null() || want["file"] == error.location().file);
    return same ? "" : text;
}

std::string log_difference(const std::vector<LogEntry>& logs, const Json& want) {
    static constexpr std::string_view names[] = {"debug", "info",  "notice", "warning",
                                                 "err",   "alert", "emerg",  "crit"};
    bool same = logs.size() == want.size();
    for (std::size_t i = 0; same && i < logs.size(); ++i) {
        same = want[i]["level"] == names[static_cast<std::size_t>(logs[i].severity)] &&
               first_line_without_position(want[i]["message"].get<std::string>()) ==
                   first_line_without_position(logs[i].message) &&
               (!want[i].contains("source") || logs[i].source.empty() || want[i]["source"] == logs[i].source);
    }
    if (same) return "";
    std::string text = "logs";
    for (const LogEntry& entry : logs)
        text += " " + std::string(names[static_cast<std::size_t>(entry.severity)]) + ":" + entry.source + ":" + entry.message;
    return text;
}

LanguageSettings settings_of(const Json& one) {
    LanguageSettings settings;
    if (!one.contains("settings")) return settings;
    const Json& given = one["settings"];
    const std::string strict = given.value("strict", "error");
    settings.strict = strict == "off"       ? Strictness::Off
                      : strict == "warning" ? Strictness::Warning
                                            : Strictness::Error;
    settings.strict_variables = given.value("strict_variables", true);
    settings.digest_algorithm = given.value("digest_algorithm", "sha256");
    return settings;
}

CompileRequest request_of(const Json& one, const Json& all_facts) {
    CompileRequest request;
    request.node = one.value("node", "node1.example.com");
    Json facts = all_facts;
    if (one.contains("facts")) facts.update(one["facts"]);
    request.facts = from_json(facts);
    const std::size_t dot = request.node.find('.');
    request.trusted = from_json(Json{{"authenticated", "local"},
                                     {"certname", request.node},
                                     {"extensions", Json::object()},
                                     {"hostname", request.node.substr(0, dot)},
                                     {"domain", dot == std::string::npos ? "" : request.node.substr(dot + 1)},
                                     {"external", Json::object()}});
    const bool folder = one.contains("settings") && one["settings"].value("code", std::string("x")).empty();
    if (!folder) {
        request.manifests.push_back({one["code"].get<std::string>(), ""});
        return request;
    }
    for (const auto& [path, content] : one["files"].items()) {
        if (path.starts_with("manifests/")) request.manifests.push_back({content.get<std::string>(), "<env>/" + path});
    }
    std::sort(request.manifests.begin(), request.manifests.end(),
              [](const Manifest& a, const Manifest& b) { return a.file < b.file; });
    return request;
}

std::string difference(const Json& one, const Json& facts) {
    std::map<std::string, std::string> files;
    if (one.contains("files")) {
        for (const auto& [path, content] : one["files"].items()) files[path] = content.get<std::string>();
    }
    test::CaseHost host(files);
    const Json& expect = one["expect"];
    try {
        Environment environment(host, settings_of(one));
        const Compilation result = compile(request_of(one, facts), environment);
        const bool eval = one["mode"] == "eval";
        const Json got = eval ? to_rich_json(result.value) : catalog_to_conformance_json(result.catalog);
        if (expect["error"].is_object()) return "no error, but " + shown(got);
        if (eval && !same_data(got, expect["value"])) return shown(got);
        if (!eval) {
            if (const std::string text = catalog_difference(got, expect["catalog"]); !text.empty()) return text;
        }
        return log_difference(host.logs, expect["logs"]);
    } catch (const LanguageError& error) {
        const std::string text = error_difference(error, expect["error"]);
        return text.empty() ? log_difference(host.logs, expect["logs"]) : text;
    }
}

}  // namespace

// The numbers only go up: raise them when a change makes more cases pass.
TEST_CASE("catalogs are what they are in Puppet", "[conformance]") {
    const std::map<std::string, int> least{{"autoload", 52},  {"catalog", 394},  {"control", 68},   {"conversion", 394},
                                           {"functions", 968}, {"grammar", 28},   {"lexical", 394},  {"operators", 688},
                                           {"programs", 36},  {"scope", 78},     {"templates", 90}, {"types", 643},
                                           {"userfunctions", 95}, {"validation", 197}};
    const Json facts = Json::parse(
        read_file(std::filesystem::path(VOLLEY_SOURCE_DIR) / "tests/conformance/facts.json", "facts"));
    const char* verbose = std::getenv("VOLLEY_VERBOSE");
    std::map<std::string, std::pair<int, int>> areas;
    for (const auto& [file, one] : compiled_cases()) {
        const std::string area = file.substr(0, file.find('/'));
        const std::string text = difference(one, facts);
        auto& [passed, all] = areas[area];
        passed += text.empty() ? 1 : 0;
        ++all;
        if (text.empty() || !verbose || file.find(verbose) == std::string::npos) continue;
        std::printf("%s\n  code %s\n  got  %s\n  want %s\n", file.c_str(), one["code"].dump().c_str(),
                    text.c_str(), one["expect"].dump().c_str());
    }
    for (const auto& [area, tally] : areas) {
        if (verbose) std::printf("%-15s %4d of %4d\n", area.c_str(), tally.first, tally.second);
        const auto bound = least.find(area);
        if (bound != least.end() && !std::getenv("VOLLEY_CASES")) CHECK(tally.first >= bound->second);
    }
}
