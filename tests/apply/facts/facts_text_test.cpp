#include "apply/facts/facts_text.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

namespace volley {

TEST_CASE("facts are written as facter writes them", "[apply][facts]") {
    const Json facts = {
        {"kernel", "Linux"},
        {"is_virtual", true},
        {"nothing", nullptr},
        {"os", {{"name", "Debian"}, {"release", {{"major", "12"}}}, {"empty", Json::object()}}},
        {"models", {"one", "two \"x\" C:\\y"}}};
    CHECK(facts_as_text(facts) ==
          "kernel => Linux\n"
          "is_virtual => true\n"
          "nothing => \n"
          "os => {\n"
          "  name => \"Debian\",\n"
          "  release => {\n"
          "    major => \"12\"\n"
          "  },\n"
          "  empty => {}\n"
          "}\n"
          "models => [\n"
          "  \"one\",\n"
          "  \"two \\\"x\\\" C:\\y\"\n"
          "]\n");
}

TEST_CASE("a single fact is its value alone", "[apply][facts]") {
    CHECK(fact_as_text("Debian") == "Debian");
    CHECK(fact_as_text(nullptr).empty());
    CHECK(fact_as_text(5) == "5");
    CHECK(fact_as_text({{"a", 1}}) == "{\n  a => 1\n}");
}

}  // namespace volley
