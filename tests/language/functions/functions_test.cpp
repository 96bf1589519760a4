#include <catch2/catch.hpp>

#include "language/functions/builtin.hpp"
#include "tests/language/recorded_tables.hpp"

using namespace volley;
using tests::check_recorded_table;

TEST_CASE("functions of numbers return what they return in Puppet", "[functions]") {
    check_recorded_table("functions", "numbers");
}

TEST_CASE("functions of texts return what they return in Puppet", "[functions]") {
    check_recorded_table("functions", "text");
}

TEST_CASE("functions of collections return what they return in Puppet", "[functions]") {
    check_recorded_table("functions", "collections");
}

TEST_CASE("functions that take a lambda return what they return in Puppet", "[functions]") {
    check_recorded_table("functions", "iteration");
}

TEST_CASE("functions that log, fail and call others do what they do in Puppet", "[functions]") {
    check_recorded_table("functions", "messages_and_calls");
}

TEST_CASE("functions of files, templates and data return what they return in Puppet", "[functions]") {
    check_recorded_table("functions", "files_and_data");
}

TEST_CASE("each function of the language has a row in a table", "[functions]") {
    // Only in hiera.yaml, or only in catalogs: tests/language/lookup and tests/apply have them.
    static const std::set<std::string> elsewhere{"eyaml_lookup_key", "hiera_include", "hocon_data"};
    const std::set<std::string> tested = tests::recorded_subjects("functions");
    for (const Builtin* function : all_builtins()) {
        const std::string name(function->name);
        INFO(name);
        CHECK(tested.contains(name) != elsewhere.contains(name));
    }
}
