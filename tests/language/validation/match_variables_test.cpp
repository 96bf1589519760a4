#include "language/validation/match_variables.hpp"

#include <catch2/catch.hpp>

#include "language/compile.hpp"

namespace volley {
namespace {

/// Which groups are found in a program, in order: "$5@2" for $5 in line 2.
std::string found_in(const std::string& code, bool epp = false) {
    LanguageSettings settings;
    settings.tasks = true;
    const CheckedProgram checked =
        check_program(code, settings, {.file = "x.pp", .epp = epp, .file_namespace = {}});
    std::string all;
    if (!checked.program->body) return all;
    for (const Diagnostic& one : unmatched_groups(*checked.program->body)) {
        const std::string message = one.message;
        if (!all.empty()) all += ' ';
        all += message.substr(1, message.find('\'', 1) - 1) + "@" + std::to_string(one.at.line);
    }
    return all;
}

TEST_CASE("USER-A1 $5 in double quotes where nothing has matched is found, and nowhere else",
          "[validation]") {
    struct Row {
        std::string_view name, code, want;
    };
    static constexpr Row rows[] = {
        {"awk", R"(notice("awk '{print $5+0}'"))", "$5@1"},
        {"braces", R"(notice("${1}"))", "$1@1"},
        {"the whole match", R"(notice("awk '{print $0}'"))", "$0@1"},
        {"single quotes", R"(notice('awk {print $5}'))", ""},
        {"escaped", R"(notice("awk '{print \$5}'"))", ""},
        {"other variables", R"($a = 1 notice("$a $facts"))", ""},
        {"a heredoc", "notice(@(\"E\"))\n  $1\n  | E\n", "$1@2"},
        {"inside of if", R"(if 'a' =~ /(a)/ { notice("$1") })", ""},
        {"in the other branch of a match", R"(if 'a' !~ /(a)/ { } else { notice("$1") })", ""},
        {"after the if", "if 'a' =~ /(a)/ { }\nnotice(\"$1\")", "$1@2"},
        {"after a match that is not a condition", R"($x = 'a' =~ /(a)/ notice("$1"))", ""},
        {"before the match", R"(notice("$1") $x = 'a' =~ /(a)/)", "$1@1"},
        {"with and", R"(if true and 'a' =~ /(a)/ and "$1" == 'a' { })", ""},
        {"case", R"(case 'a' { /(a)/: { notice("$1") } default: { } })", ""},
        {"case of texts", R"(case 'a' { 'a': { notice("$1") } default: { } })", "$1@1"},
        {"case of a variable", R"($p = /(a)/ case 'a' { $p: { notice("$1") } })", ""},
        {"selector", R"($x = 'a' ? { /(a)/ => "$1", default => '' })", ""},
        {"after the selector", R"($x = 'a' ? { /(a)/ => 1 } notice("$1"))", "$1@1"},
        {"more groups than the match has", R"(if 'a' =~ /(?:a)(b)\(/ { notice("$1 $2") })", "$2@1"},
        {"named groups count", R"(if 'a' =~ /(?<x>a)/ { notice("$1") })", ""},
        {"a pattern in a variable", R"($p = 'a(b)' if 'ab' =~ $p { notice("$7") })", ""},
        {"a type matches nothing", R"(if 'a' =~ String { notice("$1") })", "$1@1"},
        {"a lambda sees the match around it", R"(if 'a' =~ /(a)/ { [1].each |$i| { notice("$1") } })", ""},
        {"what a lambda matches stays inside", R"([1].each |$i| { $x = 'a' =~ /(a)/ } notice("$1"))", "$1@1"},
        {"in", R"(if /(a)/ in ['a'] { notice("$1") })", ""},
        {"in of texts", R"(if 'a' in ['a'] { notice("$1") })", "$1@1"},
        {"a plan", "plan p() {\n  if 'a' =~ /(a)/ { }\n  return run_command(\"awk '{print $5}'\", 'x')\n}",
         "$5@3"},
        {"a function does not see its caller's match", R"(function f() { "$1" } if 'a' =~ /(a)/ { f() })",
         "$1@1"},
        {"a node that matches", R"(node /web(\d+)/ { notice("$1") })", ""},
        {"a parameter's default", R"(define d($x = "$1") { })", "$1@1"},
        {"a resource", R"(exec { "x $1": command => "awk $2" })", "$1@1 $2@1"},
    };
    for (const Row& row : rows) {
        DYNAMIC_SECTION(row.name) {
            INFO(row.code);
            CHECK(found_in(std::string(row.code)) == row.want);
        }
    }
    CHECK(found_in("<% if 'a' =~ /(a)/ { -%><%= $1 %><% } %>", true).empty());
    CHECK(found_in("<%= \"$1\" %>", true) == "$1@1");
}

}  // namespace
}  // namespace volley
