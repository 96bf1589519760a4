#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "apply/agent/types/augeas/augeas_commands.hpp"
#include "apply/agent/types/augeas/augtool.hpp"
#include "apply/agent/values/errors.hpp"

using namespace volley::agent;

namespace {

/// "set [/files/x, y]"
std::string read(const std::string& line, const std::string& context = "/files") {
    const std::vector<AugeasCommand> commands = augeas_commands({line}, context);
    std::string text;
    for (const AugeasCommand& command : commands) text += command.name + " " + command.inspected();
    return text;
}

}  // namespace

TEST_CASE("commands of augeas are read as by its module", "[agent][augeas]") {
    struct Row {
        const char *line, *read;
    };
    static constexpr Row rows[] = {
        {"set a/b c", R"(set ["/files/a/b", "c"])"},
        {"  set /x/ 'a b' more", R"(set ["/x", "a b"])"},
        {R"(set $v/b "a \" b \\ c")", R"(set ["$v/b", "a \" b \\\\ c"])"},
        {R"(rm a[. = 'x y']/b\ c)", R"(rm ["/files/a[. = 'x y']/b\\ c"])"},
        {"ins l before 'a b'", R"(ins ["l", "before", "/files/a b"])"},
        {"get a =~ ^x$", R"(get ["/files/a", "=~", "^x$"])"},
        {"match a size >= 12x", R"(match ["/files/a", "size >= 12x"])"},
        {"size != 3", R"(size ["!=", "3"])"},
        {"!= ['a']", R"(!= ["['a']"])"},
        {"rm", R"(rm ["/files/"])"},
        {"", ""},
    };
    for (const Row& row : rows) {
        INFO(row.line);
        CHECK(read(row.line) == row.read);
    }
    CHECK_THROWS_WITH(read("frob a"), "Unknown command frob");
    CHECK_THROWS_WITH(read("set a"), "missing string argument 2 for set");
    CHECK_THROWS_WITH(read("rm a]"), "unmatched [");
    CHECK_THROWS_WITH(read("get a is b"), "invalid comparator for command get");
}

TEST_CASE("lists of augeas are read", "[agent][augeas]") {
    CHECK(augeas_list("[]") == std::vector<std::string>{});
    CHECK(augeas_list(R"( ['a', "b c" ,'it\'s'] )") == std::vector<std::string>{"a", "b c", "it's"});
    for (const char* wrong : {"", "a", "[a]", "['a'", "['a',]", "['a' 'b']"})
        CHECK_FALSE(augeas_list(wrong).has_value());
}

TEST_CASE("arguments are written so that augtool reads what is meant", "[agent][augeas]") {
    CHECK(augtool_path("/files/a b[. = \"x\"]") == R"("/files/a b[. = \"x\"]")");
    CHECK(augtool_path(R"(/files/a\[1\]\ b\\[1])") == R"("/files/a\[1\]\\ b\\\\[1]")");
    CHECK(augtool_text("a\tb\n\"c\" \\ [d]") == R"("a\tb\n\"c\" \\ [d]")");
    CHECK_THROWS_AS(augtool_text("a]b"), ApplyError);
    CHECK_THROWS_AS(augtool_text("a\x01"), ApplyError);
    CHECK(augtool_line(augeas_commands({"remove x/y"}, "/files")[0]) == R"(rm "/files/x/y")");
    CHECK(augtool_line(augeas_commands({"setm x a/b 'c d'"}, "/files/")[0]) ==
          R"(setm "/files/x" "a/b" "c d")");
}
