#include "transports/containers/shell_split.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "transports/containers/engine.hpp"

namespace volley::transports::containers {

using Words = std::vector<std::string>;

TEST_CASE("DOC-002 a line is split as a shell splits it", "[containers]") {
    CHECK(split_words("a  'b c'\t\"d e\"f \"\"") == Words{"a", "b c", "d ef", ""});
    CHECK(split_words(R"(a\ b "c\"d" "e\f" 'g\h')") == Words{"a b", "c\"d", "e\\f", "g\\h"});
    CHECK(split_words("") == Words{});
    CHECK_FALSE(split_words("a 'b").has_value());
    CHECK_FALSE(split_words("\"").has_value());
}

TEST_CASE("DOC-002 only what needs a shell gets one", "[containers]") {
    struct Row {
        std::string line;
        Words want;
    };
    const Row rows[] = {
        {"ls -l /etc", {"ls", "-l", "/etc"}},
        {"echo 'a | $b' \"c;d\"", {"echo", "a | $b", "c;d"}},
        {"/app --name=x", {"/app", "--name=x"}},
        {"echo $HOME", {"sh", "-c", "echo $HOME"}},
        {"echo \"$HOME\"", {"sh", "-c", "echo \"$HOME\""}},
        {"a | b", {"sh", "-c", "a | b"}},
        {"a\nb", {"sh", "-c", "a\nb"}},
        {"ls *", {"sh", "-c", "ls *"}},
        {"ls ~", {"sh", "-c", "ls ~"}},
        {"A=1 env", {"sh", "-c", "A=1 env"}},
        {"cd /tmp", {"sh", "-c", "cd /tmp"}},
        {"exec sh -c 'x'", {"sh", "-c", "exec sh -c 'x'"}},
        {"echo 'open", {"sh", "-c", "echo 'open"}},
        {"echo \xc3\xbc", {"sh", "-c", "echo \xc3\xbc"}},
        {"", {"sh", "-c", ""}},
        {"''", {"sh", "-c", "''"}},
    };
    for (const Row& row : rows) {
        INFO(row.line);
        CHECK(command_arguments(row.line, "") == row.want);
    }
    CHECK(command_arguments("echo \"$A\" 'b'", "bash -lc") == Words{"bash", "-lc", "echo \"$A\" 'b'"});
}

TEST_CASE("DOC-001 POD-001 a name goes before the beginning of an id", "[containers]") {
    const Json running = Json::parse(R"([
        {"Id": "ab12", "Names": ["first", "second"]}, {"ID": "cd34", "Names": "third,fourth/third"}, {"ID": "ef56", "Names": "ab"}])");
    CHECK(find_by_name_or_id(running, "second") == "ab12");
    CHECK(find_by_name_or_id(running, "ab1") == "ab12");
    CHECK(find_by_name_or_id(running, "ab") == "ef56");
    CHECK(find_by_name_or_id(running, "third") == "cd34");
    CHECK(find_by_name_or_id(running, "thir").empty());
    CHECK(find_by_name_or_id(Json(7), "x").empty());
}

}  // namespace volley::transports::containers
