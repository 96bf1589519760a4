#include "cli/completion/complete.hpp"

#include <catch2/catch.hpp>

#include "cli/completion/line_arguments.hpp"
#include "cli/options/parser.hpp"

namespace volley::cli {
namespace {

using Words = std::vector<std::string>;

/// Nothing but an inventory in the environment.
inventory::ProcessContext context() {
    inventory::ProcessContext process;
    process.working_directory = "/nonexistent";
    process.environment = [](std::string_view name) -> std::optional<std::string> {
        if (name != "BOLT_INVENTORY") return std::nullopt;
        return "groups:\n"
               "  - name: web\n"
               "    targets: [web1, {uri: 'ssh://root:secret@web2'}, {name: web3, alias: [www, \"a\\nb\"]}]\n"
               "    groups: [{name: inner, targets: {_plugin: task, task: never}}]\n"
               "targets: [{_plugin: prompt, message: never}, db1]\n";
    };
    return process;
}

Completions completed(const std::string& line) {
    static const OptionParser parser{ParserHost{}};
    const Words words = line_arguments(line);
    return complete(words, parser.options(), context());
}

Words texts(const std::string& line) {
    Words all;
    for (const Candidate& each : completed(line).candidates) all.push_back(each.text);
    return all;
}

TEST_CASE("a line of a shell is taken apart up to the cursor", "[cli]") {
    struct Row {
        std::string_view line;
        Words want;
    };
    const Row rows[] = {{"", {""}},
                        {"volley ", {"volley", ""}},
                        {"a  'b c' \"d'e\"f", {"a", "b c", "d'ef"}},
                        {"a 'b c", {"a", "b c"}},
                        {"a b\\ c '' ", {"a", "b c", "", ""}},
                        {"a 'b\\c' \\", {"a", "b\\c", "\\"}}};
    for (const Row& row : rows) {
        INFO(row.line);
        CHECK(line_arguments(row.line) == row.want);
    }
}

TEST_CASE("USER-F6 verbs, options and their values are completed", "[cli]") {
    CHECK(texts("comm") == Words{"command"});
    CHECK(texts("task ") == Words{"show", "run"});
    CHECK(texts("help task s") == Words{"show"});
    CHECK(texts("help tas") == Words{"task"});
    CHECK(texts("command run x --priv") == Words{"--private-key"});
    CHECK(texts("command run x -- --priv").empty());
    CHECK(texts("command run x --format j") == Words{"json"});
    CHECK(texts("command run x --format=j") == Words{"json"});
    CHECK(completed("command run x --format=j").kept == "--format=");
    CHECK(texts("command run x --fields target,st") == Words{"status", "stdout", "stderr"});
    CHECK(texts("nonsense ").empty());
    CHECK(texts("resource file") == Words{"file", "filebucket"});
    CHECK(texts("lookup --me") == Words{"--merge", "--merge-hash-arrays"});
    CHECK(texts("eval --sc") == Words{"--script"});
}

TEST_CASE("USER-F6 paths are completed where they belong", "[cli]") {
    for (const char* line : {"apply ", "script run ", "command run x --output-dir ", "plan run x --params @",
                             "command run @", "command run -t @", "-m a:", "plan convert "}) {
        INFO(line);
        CHECK(completed(line).files);
    }
    for (const char* line :
         {"task run ", "command run x --tmpdir ", "command run ", "-t ", "project init "}) {
        INFO(line);
        CHECK_FALSE(completed(line).files);
    }
    CHECK(completed("x -m a:b").kept == "a:");
    CHECK(completed("command run @b").kept == "@");
}

TEST_CASE("USER-F6 targets come from the inventory as it is written", "[cli]") {
    CHECK(texts("ping -t ") == Words{"all", "web", "inner", "web1", "web3", "www", "db1"});
    CHECK(texts("ping -t web1,w") == Words{"web", "web1", "web3", "www"});
    CHECK(completed("ping -t web1,w").kept == "web1,");
    CHECK(completed("ping -t 'web,!w").kept == "web,!");
    CHECK(texts("ping -t 'web,!d") == Words{"db1"});
    CHECK(texts("ping -td") == Words{"db1"});
    CHECK(texts("ping --limit=d") == Words{"db1"});
    CHECK(texts("ping -t @r") == Words{"rerun:all", "rerun:failure", "rerun:success"});
}

TEST_CASE("USER-F6 the values of a parameter are those of its type", "[cli]") {
    CHECK(values_of_type("Optional[Enum[a, 'b c', \"d\", true]]") == Words{"a", "b c", "d"});
    CHECK(values_of_type("Variant[Boolean, Enum['auto']]") == Words{"auto", "true", "false"});
    CHECK(values_of_type("String").empty());
    CHECK(values_of_type("Enum[").empty());
}

TEST_CASE("an answer is three lines and a candidate a line", "[cli]") {
    CHECK(completions_text({"a,", "a,b", false, {{"b1", "the first\nof two"}, {"b2", ""}}}) ==
          "a,\na,b\nwords\nb1\tthe first\nb2\n");
}

}  // namespace
}  // namespace volley::cli
