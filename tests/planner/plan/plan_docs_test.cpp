#include "planner/plan/plan_docs.hpp"

#include <catch2/catch.hpp>
#include <string>

using volley::planner::PlanDocs;
using volley::planner::read_plan_docs;

namespace {

PlanDocs docs_above(const std::string& comment) {
    const std::string program = comment + "plan x() { }";
    return read_plan_docs(program, comment.size());
}

}  // namespace

TEST_CASE("PMD-001 tags and text are read from the comment above a plan", "[plans]") {
    const PlanDocs docs = docs_above(
        "# Not part of it.\n\n# First line.\n# Second line.\n#\n# @summary Short\n# @param targets Where\n#  "
        " to run\n"
        "# @param [String] mode How\n# @api private\n");
    CHECK(docs.text == "First line.\nSecond line.");
    CHECK(docs.summary == "Short");
    CHECK(docs.api == "private");
    REQUIRE(docs.parameters.size() == 2);
    CHECK(docs.parameters[0] == std::make_pair(std::string("targets"), std::string("Where\nto run")));
    CHECK(docs.parameters[1] == std::make_pair(std::string("mode"), std::string("How")));
}

TEST_CASE("PMD-002 a plan without a comment has no documentation", "[plans]") {
    CHECK(docs_above("").text.empty());
    CHECK(docs_above("# far away\n\n").text.empty());
    CHECK(docs_above("#\n").text.empty());
    CHECK_FALSE(docs_above("$x = 1\n").summary);
}
