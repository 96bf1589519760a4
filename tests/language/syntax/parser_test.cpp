#include <catch2/catch.hpp>

#include "tests/language/recorded_tables.hpp"

using volley::tests::check_recorded_table;

TEST_CASE("numbers are read as Puppet reads them", "[syntax]") { check_recorded_table("syntax", "numbers"); }

TEST_CASE("quoted texts are read as Puppet reads them", "[syntax]") {
    check_recorded_table("syntax", "quoted_texts");
}

TEST_CASE("heredocs are read as Puppet reads them", "[syntax]") {
    check_recorded_table("syntax", "heredocs");
}

TEST_CASE("operators bind as in Puppet", "[syntax]") { check_recorded_table("syntax", "precedence"); }

TEST_CASE("expressions make the trees that they make in Puppet", "[syntax]") {
    check_recorded_table("syntax", "expressions");
}

TEST_CASE("resources and collectors make the trees that they make in Puppet", "[syntax]") {
    check_recorded_table("syntax", "resources");
}

TEST_CASE("definitions make the trees that they make in Puppet", "[syntax]") {
    check_recorded_table("syntax", "definitions");
}
