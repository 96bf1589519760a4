#include <map>
#include <nlohmann/json.hpp>

#include "language/compile.hpp"
#include "language/errors.hpp"
#include "language/evaluator/evaluator.hpp"
#include "language/loaders/child_program.hpp"
#include "language/lookup/data/data_store.hpp"
#include "language/serialization/json.hpp"
#include "language/serialization/rich_data.hpp"
#include "language/syntax/parser.hpp"
#include "language/syntax/pn.hpp"
#include "tests/conformance/recorded_cases.hpp"
#include "tests/conformance/recorded_settings.hpp"
#include "tests/language/lookup/memory_files.hpp"
#include "tests/language/recorded_case.hpp"

namespace volley::tests {
namespace {

/// The world of one case: its files are the environment's.
class CaseHost final : public LanguageHost {
public:
    explicit CaseHost(const Json& one) {
        if (one.contains("files")) {
            for (const auto& [path, content] : one["files"].items()) {
                files_[path] = content.get<std::string>();
                data_->files["<env>/" + path] = content.get<std::string>();
            }
        }
        data_->files["<conf>/hiera.yaml"] = "version: 5\nhierarchy: []\n";
    }
    HieraSettings hiera() override {
        return {std::make_shared<lookup::DataStore>(data_), "<conf>/hiera.yaml", "<env>", "<code>", false};
    }
    void log(const LogEntry& entry) override { logs.push_back(entry); }
    std::optional<SourceFile> function_source(std::string_view name) override {
        return source(name, "functions");
    }
    std::optional<SourceFile> type_source(std::string_view name) override { return source(name, "types"); }
    std::optional<SourceFile> module_file(std::string_view kind, std::string_view name) override {
        const std::size_t slash = name.find('/');
        if (slash == std::string_view::npos) return std::nullopt;
        const std::string file = "modules/" + std::string(name.substr(0, slash)) + "/" + std::string(kind) +
                                 std::string(name.substr(slash));
        const auto found = files_.find(file);
        if (found == files_.end()) return std::nullopt;
        return SourceFile{found->second, "<env>/" + file};
    }
    std::optional<std::string> module_path(std::string_view name) override {
        const std::string prefix = "modules/" + std::string(name) + "/";
        const auto found = files_.lower_bound(prefix);
        if (found == files_.end() || !found->first.starts_with(prefix)) return std::nullopt;
        return "<env>/modules/" + std::string(name);
    }
    ProgramResult run_program(const std::vector<std::string>& argv, const std::string& directory) override {
        return run_child_program(argv, directory);
    }
    std::vector<LogEntry> logs;

private:
    std::optional<SourceFile> source(std::string_view name, const std::string& folder) const {
        std::string path(name);
        std::string module;
        const std::size_t separator = path.find("::");
        if (separator == std::string::npos) return std::nullopt;
        module = path.substr(0, separator);
        path = path.substr(separator + 2);
        for (std::size_t at = path.find("::"); at != std::string::npos; at = path.find("::"))
            path.replace(at, 2, "/");
        const std::string file =
            (module == "environment" ? "" : "modules/" + module + "/") + folder + "/" + path + ".pp";
        const auto found = files_.find(file);
        if (found == files_.end()) return std::nullopt;
        return SourceFile{found->second, "<env>/" + file};
    }
    std::map<std::string, std::string> files_;
    std::shared_ptr<tests::MemoryFiles> data_ = std::make_shared<tests::MemoryFiles>();
};

std::string_view level_name(Severity severity) {
    static constexpr std::string_view names[] = {"debug", "info",  "notice", "warning",
                                                 "err",   "alert", "emerg",  "crit"};
    return names[static_cast<std::size_t>(severity)];
}

std::string compare_error(const LanguageError& error, const Json& want) {
    if (!want.is_object()) return "error " + error.full_message();
    if (want.value("loose", false)) return "";
    const auto same_number = [&want](const char* key, int number) {
        return want[key].is_null() || want[key] == number;
    };
    const bool same =
        without_position(error.what()) == without_position(want["message"].get<std::string>()) &&
        same_number("line", error.location().line) && same_number("column", error.location().column);
    return same ? "" : "error " + error.full_message();
}

std::string compare_logs(const std::vector<LogEntry>& logs, const Json& want) {
    bool same = logs.size() == want.size();
    for (std::size_t i = 0; same && i < logs.size(); ++i) {
        same = want[i]["level"] == level_name(logs[i].severity) &&
               without_position(want[i]["message"].get<std::string>()) == without_position(logs[i].message);
    }
    if (same) return "";
    std::string text = "logs";
    for (const LogEntry& entry : logs)
        text += " " + std::string(level_name(entry.severity)) + ":" + entry.message;
    return text;
}

}  // namespace

std::string compare_parse(const Json& one) {
    const Json& expect = one["expect"];
    try {
        const std::string pn = to_pn(*parse_program(one["code"].get<std::string>())).text();
        if (expect["error"].is_object()) return "no error, but " + pn;
        return pn == expect["pn"] ? "" : pn;
    } catch (const LanguageError& error) {
        if (!expect["error"].is_object()) return error.full_message();
        if (expect["error"].value("loose", false)) return "";
        const bool same = without_position(error.what()) ==
                              without_position(expect["error"]["message"].get<std::string>()) &&
                          error.location().line == expect["error"].value("line", Json(0)) &&
                          error.location().column == expect["error"].value("column", Json(0));
        const bool no_position = expect["error"]["line"].is_null() && !error.location().known();
        return same || (no_position && without_position(error.what()) ==
                                           without_position(expect["error"]["message"].get<std::string>()))
                   ? ""
                   : error.full_message();
    }
}

std::string compare_eval(const Json& one, const Json& all_facts) {
    const Json& expect = one["expect"];
    CaseHost host(one);
    const LanguageSettings settings = recorded_settings(one);
    try {
        Environment environment(host, settings);
        Evaluator evaluator(environment);
        Json facts = all_facts;
        if (one.contains("facts")) facts.update(one["facts"]);
        for (const auto& [name, value] : facts.items()) evaluator.top()->set(name, from_json(value));
        evaluator.top()->set("facts", from_json(facts));
        evaluator.top()->set("environment", "production");
        evaluator.top()->set("trusted",
                             from_json(Json{{"authenticated", "local"}, {"certname", "node1.example.com"}}));
        const Json value =
            to_rich_json(evaluator.run(compile_program(one["code"].get<std::string>(), environment)));
        if (expect["error"].is_object()) return "no error, but " + shown_answer(value);
        if (!same_answer(value, expect["value"])) return shown_answer(value);
        return compare_logs(host.logs, expect["logs"]);
    } catch (const LanguageError& error) {
        const std::string difference = compare_error(error, expect["error"]);
        return difference.empty() ? compare_logs(host.logs, expect["logs"]) : difference;
    }
}

std::string compare_recorded(const Json& one, const Json& all_facts) {
    return one["mode"] == "parse" ? compare_parse(one) : compare_eval(one, all_facts);
}

}  // namespace volley::tests
