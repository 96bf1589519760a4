#include "cli/repl/call_place.hpp"

#include <catch2/catch.hpp>

namespace volley::cli {
namespace {

TEST_CASE("a text in quotes knows its place in a call", "[repl]") {
    struct Row {
        std::string_view code, function;
        std::size_t argument;
        std::string_view first, key;
    };
    static constexpr Row rows[] = {
        {"run_task(", "run_task", 0, "", ""},
        {"run_task('x', $t, ", "run_task", 2, "x", ""},
        {"run_task('x', ['a', 'b'], 'name' => 'n', ", "run_task", 3, "x", ""},
        {"run_task('x', $t, 'name' => ", "run_task", 2, "x", "name"},
        {"run_task(\"x\", $t, {name => ", "run_task", 2, "x", "name"},
        {"run_task('x', f('a,(', 1), {'name' => 1, 'on' => ", "run_task", 2, "x", "on"},
        {"run_command('it\\'s (', ", "run_command", 1, "it's (", ""},
        {"run_plan('p', 'a' => 1); upload_file(", "upload_file", 0, "", ""},
        {"get_targets( ", "get_targets", 0, "", ""},
        {"$x = ", "", 0, "", ""},
        {"run_task('x', $t) ", "", 0, "", ""},
        {"))]} ", "", 0, "", ""},
    };
    for (const Row& row : rows) {
        DYNAMIC_SECTION(row.code) {
            const CallPlace place = call_place(row.code);
            CHECK(place.function == row.function);
            CHECK(place.argument == row.argument);
            CHECK(place.first == row.first);
            CHECK(place.key == row.key);
        }
    }
}

}  // namespace
}  // namespace volley::cli
