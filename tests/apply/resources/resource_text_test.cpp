#include "apply/resources/resource_text.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

namespace volley {
namespace {

Json resource_of(const std::string& type, const std::string& title, Json parameters) {
    return {{"type", type}, {"title", title}, {"parameters", std::move(parameters)}};
}

}  // namespace

TEST_CASE("a resource is written as puppet resource writes it", "[apply][resource]") {
    // From Puppet 7.23, the values.
    const Json user = resource_of("User", "root",
                                  {{"ensure", "present"},
                                   {"comment", "o'root"},
                                   {"gid", 0},
                                   {"groups", {"adm", "sudo"}},
                                   {"password_max_age", 99999},
                                   {"provider", "useradd"}});
    CHECK(resource_as_code(user) ==
          "user { 'root':\n"
          "  ensure           => 'present',\n"
          "  comment          => 'o\\'root',\n"
          "  gid              => 0,\n"
          "  groups           => ['adm', 'sudo'],\n"
          "  password_max_age => 99999,\n"
          "  provider         => 'useradd',\n"
          "}\n");
    CHECK(resource_as_code(resource_of("Schedule", "daily", Json::object())) == "schedule { 'daily':\n}\n");
    CHECK(resource_as_code(resource_of("File", "/a'b\\c", {{"ensure", "x"}})) ==
          "file { '/a\\'b\\c':\n  ensure => 'x',\n}\n");
}

TEST_CASE("values are quoted as Puppet quotes them", "[apply][resource]") {
    struct Row {
        const char* name;
        Json value;
        const char* want;
    };
    const Row rows[] = {
        {"a quote", "a'b", R"('a\'b')"},
        {"a backslash", "a\\b", R"('a\b')"},
        {"a line's end", "a\nb", R"("a\nb")"},
        {"a control character", "\x01", R"("\u{1}")"},
        {"a variable beside a tab", "tab\tand 'q' $v", R"("tab\tand 'q' \$v")"},
        {"a variable alone", "${x}", "'${x}'"},
        {"other letters", "é", "'é'"},
        {"nothing", "", "''"},
        {"a boolean", true, "true"},
        {"a word in place of a boolean", "true", "'true'"},
        {"an empty list", Json::array(), "[]"},
        {"lists in a list", {{"a"}, {"b"}}, "[\n  ['a'],\n  ['b']]"},
        {"a hash", Json{{"a", "b"}, {"c", 1}}, "{\n  'a' => 'b',\n  'c' => 1\n}"},
        {"null", Json(), "undef"},
    };
    for (const Row& row : rows) {
        DYNAMIC_SECTION(row.name) {
            CHECK(resource_as_code(resource_of("T", "t", {{"v", row.value}})) ==
                  "t { 't':\n  v => " + std::string(row.want) + ",\n}\n");
        }
    }
}

TEST_CASE("a hidden value is not code that could be applied", "[apply][resource]") {
    const Json user = resource_of("User", "bob", {{"password", "Sensitive [value redacted]"}});
    CHECK(resource_as_code(user) == "user { 'bob':\n  password => Sensitive [value redacted],\n}\n");
}

TEST_CASE("resources are YAML for Hiera", "[apply][resource]") {
    const Json list = {resource_of("User", "a", {{"ensure", "present"}, {"uid", 1}}),
                       resource_of("User", "b", {{"ensure", "present"}, {"home", "/b"}})};
    CHECK(resources_as_yaml(list) ==
          "---\nuser:\n  a:\n    ensure: present\n    uid: 1\n  b:\n    ensure: present\n    home: /b\n");
    CHECK(resources_as_code(list).find("}\nuser { 'b':\n") != std::string::npos);
}

TEST_CASE("what a hostile target sends as a resource is shown somehow", "[apply][resource]") {
    CHECK(resource_as_code(Json::object()) == " { '':\n}\n");
    CHECK(resource_as_code({{"type", 1}, {"title", Json::array()}, {"parameters", "x"}}) == " { '':\n}\n");
    Json deep = "x";
    for (int i = 0; i < 90; ++i) deep = Json::array({deep});
    CHECK(resource_as_code(resource_of("T", "t", {{"v", deep}})).find("...") != std::string::npos);
}

}  // namespace volley
