#include <catch2/catch.hpp>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "apply/catalog/catalog.hpp"
#include "apply/compiler/compile.hpp"
#include "language/errors.hpp"
#include "language/serialization/json.hpp"
#include "language/serialization/rich_data.hpp"
#include "support/files.hpp"
#include "tests/apply/case_host.hpp"
#include "tests/conformance/recorded_cases.hpp"
#include "tests/conformance/recorded_settings.hpp"
#include "tests/source_folder.hpp"

using namespace volley;

namespace {

using NamedCase = std::pair<std::string, Json>;
using tests::same_answer, tests::shown_answer, tests::without_position;

std::vector<NamedCase> compiled_cases() {
    std::vector<NamedCase> all = tests::recorded_cases("tests/conformance/expected");
    std::erase_if(all, [](const NamedCase& one) { return one.second["mode"] == "parse"; });
    return all;
}

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
            if (!found->second.contains(key) || !same_answer(found->second[key], value))
                text += " " + name + "." + key + " is " + shown_answer(found->second.value(key, Json())) +
                        " not " + shown_answer(value);
        }
    }
    for (const auto& [name, one] : ours) {
        if (!theirs.contains(name)) text += " extra " + name;
    }
    const auto sorted = [](const Json& list) {
        std::vector<std::string> result;
        for (const Json& one : list) result.push_back(shown_answer(one));
        std::sort(result.begin(), result.end());
        return result;
    };
    if (sorted(got["edges"]) != sorted(want["edges"])) text += " edges " + shown_answer(got["edges"]);
    if (sorted(got["classes"]) != sorted(want["classes"])) text += " classes " + shown_answer(got["classes"]);
    return text;
}

std::string error_difference(const LanguageError& error, const Json& want) {
    const std::string text = "error " + error.full_message();
    if (!want.is_object()) return text;
    if (want.value("loose", false)) return "";
    const auto same_number = [&want](const char* key, int number) {
        return want[key].is_null() || want[key] == number;
    };
    const bool same =
        without_position(error.what()) == without_position(want["message"].get<std::string>()) &&
        same_number("line", error.location().line) && same_number("column", error.location().column) &&
        (want["file"].is_null() || want["file"] == error.location().file);
    return same ? "" : text;
}

std::string log_difference(const std::vector<LogEntry>& logs, const Json& want) {
    static constexpr std::string_view names[] = {"debug", "info",  "notice", "warning",
                                                 "err",   "alert", "emerg",  "crit"};
    bool same = logs.size() == want.size();
    for (std::size_t i = 0; same && i < logs.size(); ++i) {
        same = want[i]["level"] == names[static_cast<std::size_t>(logs[i].severity)] &&
               without_position(want[i]["message"].get<std::string>()) == without_position(logs[i].message) &&
               (!want[i].contains("source") || logs[i].source.empty() || want[i]["source"] == logs[i].source);
    }
    if (same) return "";
    std::string text = "logs";
    for (const LogEntry& entry : logs)
        text += " " + std::string(names[static_cast<std::size_t>(entry.severity)]) + ":" + entry.source +
                ":" + entry.message;
    return text;
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
        if (path.starts_with("manifests/"))
            request.manifests.push_back({content.get<std::string>(), "<env>/" + path});
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
        Environment environment(host, tests::recorded_settings(one));
        const Compilation result = compile(request_of(one, facts), environment);
        const bool eval = one["mode"] == "eval";
        const Json got = eval ? to_rich_json(result.value) : catalog_to_comparable_json(result.catalog);
        if (expect["error"].is_object()) return "no error, but " + shown_answer(got);
        if (eval && !same_answer(got, expect["value"])) return shown_answer(got);
        if (!eval) {
            if (const std::string text = catalog_difference(got, expect["catalog"]); !text.empty())
                return text;
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
    const std::map<std::string, int> least{
        {"autoload", 52},  {"catalog", 394}, {"control", 68},       {"conversion", 394}, {"functions", 968},
        {"grammar", 28},   {"lexical", 394}, {"operators", 688},    {"programs", 36},    {"scope", 78},
        {"templates", 90}, {"types", 643},   {"userfunctions", 95}, {"validation", 197}};
    const Json facts =
        Json::parse(read_file(tests::source_folder() / "tests/conformance/facts.json", "facts"));
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
