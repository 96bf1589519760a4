#include <catch2/catch.hpp>

#include "planner/types/plan_types.hpp"
#include "planner/yaml_plan/yaml_convert.hpp"
#include "planner/yaml_plan/yaml_plan.hpp"
#include "support/error.hpp"

using namespace volley;
using namespace volley::planner;

namespace {

/// The plan in the language, or the message of what is wrong with it.
std::string yaml_plan_converted(const std::string& text) {
    LanguageHost host;
    Environment environment(host);
    environment.types.add(plan_types());
    try {
        return convert_yaml_plan(*YamlPlan::parse("m::p", text, "p.yaml", environment));
    } catch (const Error& error) {
        return error.info().msg();
    }
}

}  // namespace

TEST_CASE("the message about a wrong step shows its name, whatever that is", "[yaml-plan]") {
    struct Row {
        std::string text, want;
    };
    const std::string no_action =
        "No valid action detected; a step needs one of command, download, eval, message, verbose, plan, "
        "resources, "
        "script, task, upload";
    const Row rows[] = {
        {"steps: [{name: one}]", "p.yaml:1:9: Parse error in step \"one\": " + no_action},
        {"steps: [{name: 5, message: x}]", "p.yaml:1:16: Parse error in step 5: Invalid step name: 5"},
        {"steps: [{name: {a: [1]}, message: x}]",
         "p.yaml:1:16: Parse error in step {\"a\":[1]}: Invalid step name: {\"a\":[1]}"},
        {"steps: [{name: !!binary /w==, message: x}]",
         "p.yaml:1:16: Parse error in step \"\xef\xbf\xbd\": Invalid step name: \"\xef\xbf\xbd\""},
        {"steps: [{}]", "p.yaml:1:9: Parse error in step number 1: " + no_action},
    };
    for (const Row& row : rows) {
        INFO(row.text);
        CHECK(yaml_plan_converted(row.text) == row.want);
    }
}

TEST_CASE("YML-028 a hash that a plan returns is converted to valid code", "[yaml-plan]") {
    const auto end_of = [](const std::string& text) {
        const std::string code = yaml_plan_converted(text);
        return code.substr(code.rfind("return"));
    };
    CHECK(end_of("steps: []\nreturn: {a: 1}") == "return({'a' => 1})\n}");
    CHECK(end_of("steps: []\nreturn: [1, 2]") == "return [1, 2]\n}");
    CHECK(end_of("steps: []\nreturn: $x") == "return $x\n}");
}

TEST_CASE("what is not a boolean does not answer whether a plan is private", "[yaml-plan]") {
    const std::string wrong = "p.yaml:2:10: Plan m::p key 'private' must be a boolean, received: ";
    CHECK(yaml_plan_converted("steps: []\nprivate: maybe") == wrong + "\"maybe\"");
    CHECK(yaml_plan_converted("steps: []\nprivate: [1]") == wrong + "[1]");
    CHECK(yaml_plan_converted("steps: []\nprivate: true").find("# @api private\n") != std::string::npos);
    CHECK(yaml_plan_converted("steps: []\nprivate: ~").find("@api") == std::string::npos);
}

TEST_CASE("a resource whose type is not text is converted as it is written", "[yaml-plan]") {
    const std::string text = "steps: [{resources: [{type: 5, title: t}], targets: x}]";
    CHECK(yaml_plan_converted(text).find("5 { 't': }") != std::string::npos);
}
