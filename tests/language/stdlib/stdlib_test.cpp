#include <catch2/catch.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "language/compile.hpp"
#include "language/errors.hpp"
#include "language/evaluator/evaluator.hpp"
#include "language/functions/stdlib/registry.hpp"
#include "language/serialization/json.hpp"
#include "language/serialization/rich_data.hpp"
#include "support/files.hpp"
#include "tests/source_folder.hpp"

using namespace volley;

namespace {

class StdlibHost final : public LanguageHost {
public:
    void log(const LogEntry& entry) override { logs.push_back(entry.message); }
    std::optional<SourceFile> type_source(std::string_view name) override {
        if (name != "stdlib::absolutepath") return std::nullopt;
        return SourceFile{"type Stdlib::Absolutepath = Pattern[/^\\//]", "types/absolutepath.pp"};
    }
    std::vector<std::string> logs;
};

/// True when every function that a program calls is native here; the others need Ruby.
bool all_native(const std::string& code, const Environment& environment) {
    static const auto call = Regexp::compile("([a-z][a-z0-9_:]*)\\(");
    for (auto found = call->search(code); found;
         found = call->search(code, static_cast<std::size_t>(found->groups[0].end))) {
        if (!environment.find_builtin(found->group(code, 1))) return false;
    }
    return code.find("class ") == std::string::npos;
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

std::string outcome(const Json& one, const Json& facts) {
    StdlibHost host;
    LanguageSettings settings;
    const std::string strict = one["settings"].value("strict", "error");
    settings.strict = strict == "off"       ? Strictness::Off
                      : strict == "warning" ? Strictness::Warning
                                            : Strictness::Error;
    Environment environment(host, settings);
    Evaluator evaluator(environment);
    for (const auto& [name, value] : facts.items()) evaluator.top()->set(name, from_json(value));
    evaluator.top()->set("facts", from_json(facts));
    const std::string code = one["code"].get<std::string>();
    if (!all_native(code, environment)) return "not native";
    const Json& expect = one["expect"];
    const bool fails = expect["error"].is_object();
    try {
        const Json value = to_rich_json(evaluator.run(compile_program(code, environment)));
        if (fails) return "no error, but " + value.dump();
        const bool unknown = expect["value"].is_object() && expect["value"].value("__ptype", "") == "Unknown";
        if (!unknown && value != expect["value"]) {
            // The oracle shows text that Ruby keeps as bytes as a Binary.
            const Json& wanted = expect["value"];
            const bool bytes =
                wanted.is_object() && wanted.value("__ptype", "") == "Binary" && value.is_string();
            if (!bytes) return value.dump();
        }
        return "same";
    } catch (const LanguageError& error) {
        if (fails && expect["error"].value("loose", false)) return "same";
        const bool same =
            fails && first_line(error.what()) == first_line(expect["error"]["message"].get<std::string>());
        return same ? "same" : std::string("error ") + error.what();
    }
}

}  // namespace

TEST_CASE("functions of stdlib return what the module's Ruby functions return", "[language][stdlib]") {
    const std::filesystem::path here = tests::source_folder() / "tests";
    const Json answers = Json::parse(read_file(here / "language/stdlib/answers.json", "answers"));
    const Json facts = Json::parse(read_file(here / "conformance/facts.json", "facts"));
    int native = 0;
    for (const Json& one : answers) {
        const std::string result = outcome(one, facts);
        if (result == "not native") continue;
        ++native;
        INFO(one.dump());
        CHECK(result == "same");
    }
    CHECK(native >= 400);
}

TEST_CASE("each function of stdlib has an answer of the module's Ruby function", "[language][stdlib]") {
    const std::filesystem::path answers = tests::source_folder() / "tests/language/stdlib/answers.json";
    std::string all;
    for (const Json& one : Json::parse(read_file(answers, "answers")))
        all += one["code"].get<std::string>() + "\n";
    for (const Builtin* function : stdlib_builtins()) {
        std::string_view name = function->name;
        if (name.starts_with("stdlib::")) name.remove_prefix(8);
        INFO(name);
        CHECK(all.find(std::string(name) + "(") != std::string::npos);
    }
}

TEST_CASE("functions of stdlib are known under the names of newer releases too", "[language][stdlib]") {
    StdlibHost host;
    const Environment environment(host);
    for (const char* name : {"merge", "stdlib::merge", "stdlib::to_json", "stdlib::shell_escape", "pick"})
        CHECK(environment.find_builtin(name) != nullptr);
}
