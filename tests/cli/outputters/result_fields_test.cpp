#include "cli/outputters/result_fields.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "support/error.hpp"

namespace volley::cli {
namespace {

TEST_CASE("USER-F1 fields of results are paths into them", "[cli]") {
    const auto result = planner::Result::of_value(
        "web1", "task", "t",
        Json::parse(R"({"os": {"name": "Debian"}, "a.b": {"c": 1}, "list": [[2]], "n": null})"));
    const auto field = [&](const char* name) { return field_text(result, name, "shown"); };
    CHECK(field("target") == "shown");
    CHECK(field("status") == "success");
    CHECK(field("value.os.name") == "Debian");
    CHECK(field("value.os") == R"({"name":"Debian"})");
    CHECK(field("value.a.b.c") == "1");
    CHECK(field("value.list.0.0") == "2");
    for (const char* missing : {"value.list.1", "value.list.x", "value.list.99999999999999999999",
                                "value.os.name.x", "value.n", "value.nope", "stdout", "exit_code"}) {
        INFO(missing);
        CHECK(field(missing).empty());
    }
    CHECK(parse_fields("target, value.x,status") == std::vector<std::string>{"target", "value.x", "status"});
    for (const char* wrong : {"", "target,", "stauts", "value.", "values.x"}) {
        INFO(wrong);
        CHECK_THROWS_AS(parse_fields(wrong), Error);
    }
}

}  // namespace
}  // namespace volley::cli
