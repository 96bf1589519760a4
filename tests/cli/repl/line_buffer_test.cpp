#include "cli/repl/line_buffer.hpp"

#include <catch2/catch.hpp>

#include "cli/repl/completer.hpp"

using namespace volley;
using namespace volley::cli;

TEST_CASE("a line is edited in whole characters and words", "[repl]") {
    const std::vector<std::string> history;
    LineBuffer line(history);
    line.insert("$größe = 1");
    line.home();
    line.word_right();
    line.erase_before();
    CHECK(line.text() == "$größ = 1");
    line.erase_before();
    line.erase_before();
    CHECK(line.text() == "$gr = 1");
    line.kill_to_end();
    CHECK(line.text() == "$gr");
    line.home();
    line.paste();
    CHECK(line.text() == " = 1$gr");
    line.end();
    line.kill_word();
    CHECK(line.text() == " = 1$");
    line.left();
    line.erase_after();
    line.kill_to_start();
    CHECK(line.text().empty());
}

TEST_CASE("the history keeps what was being typed", "[repl]") {
    const std::vector<std::string> history{"1", "2"};
    LineBuffer line(history);
    line.insert("typed");
    line.older();
    line.older();
    line.older();
    CHECK(line.text() == "1");
    line.newer();
    CHECK(line.text() == "2");
    line.newer();
    line.newer();
    CHECK(line.text() == "typed");
    CHECK(line.cursor() == 5);
}

TEST_CASE("variables, types and functions complete a word", "[repl]") {
    Frame top;
    top.set("facts", Value(1));
    top.set("factory", Value(1));
    CHECK(complete_code("1 + $fac", 8, top, {}).candidates == std::vector<std::string>{"factory", "facts"});
    CHECK(complete_code("\"${facts", 8, top, {}).begin == 3);
    CHECK(complete_code("Time", 4, top, {}).candidates == std::vector<std::string>{"Timespan", "Timestamp"});
    CHECK(complete_code("reverse_", 8, top, {}).candidates == std::vector<std::string>{"reverse_each"});
    CHECK(complete_code("my", 2, top, {"mine", "my::f"}).candidates == std::vector<std::string>{"my::f"});
    CHECK(complete_code("", 0, top, {}).candidates.empty());
}

TEST_CASE("an input goes on while the code is open", "[repl]") {
    for (const char* open : {"[1,", "if true {", "'text", "\"a ${", "/* comment", "@(END)\ntext", "$x ="}) {
        INFO(open);
        CHECK(is_incomplete_code(open, false));
    }
    for (const char* closed : {"1", "]", "$x = 1 +* 2", "@(END)\ntext\n| END", ""}) {
        INFO(closed);
        CHECK_FALSE(is_incomplete_code(closed, false));
    }
}
