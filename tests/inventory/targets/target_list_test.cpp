#include "inventory/targets/target_list.hpp"

#include <catch2/catch.hpp>

using namespace volley::inventory;

TEST_CASE("ARG-005 INV-064 the command line splits outside of brackets and braces, plans split everywhere",
          "[glob]") {
    struct Row {
        std::string_view list;
        std::vector<std::string_view> command_line, plan;
    };
    const Row rows[] = {
        {"a,b c\nd", {"a", "b", "c", "d"}, {"a", "b", "c", "d"}},
        {",, a ,,", {"a"}, {"a"}},
        {"{a,b}1,c", {"{a,b}1", "c"}, {"{a", "b}1", "c"}},
        {"w[1,2] x", {"w[1,2]", "x"}, {"w[1", "2]", "x"}},
        {"x,{a,b},y", {"x", "{a,b}", "y"}, {"x", "{a", "b}", "y"}},
        {"", {}, {}},
    };
    for (const Row& row : rows) {
        DYNAMIC_SECTION("'" << row.list << "'") {
            CHECK(split_targets(row.list, TargetSyntax::CommandLine) == row.command_line);
            CHECK(split_targets(row.list, TargetSyntax::Plan) == row.plan);
        }
    }
}
