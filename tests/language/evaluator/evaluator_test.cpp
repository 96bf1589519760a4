#include "language/evaluator/evaluator.hpp"

#include <catch2/catch.hpp>

#include "language/compile.hpp"
#include "language/errors.hpp"
#include "language/text/text.hpp"

using namespace volley;

namespace {

/// Remembers what programs log.
class Recorder final : public LanguageHost {
public:
    void log(const LogEntry& entry) override { lines.push_back(entry.message); }
    std::vector<std::string> lines;
};

Value run(const std::string& code, LanguageHost& host) {
    Environment environment(host);
    Evaluator evaluator(environment);
    return evaluator.run(compile_program(code, environment));
}

std::string value_of(const std::string& code) {
    LanguageHost host;
    return to_program_text(run(code, host));
}

std::string error_of(const std::string& code) {
    try {
        return "no error, but " + value_of(code);
    } catch (const LanguageError& error) {
        return error.full_message();
    }
}

}  // namespace

TEST_CASE("expressions have the values that the specification defines", "[eval]") {
    struct Row {
        std::string_view name, source, want;
    };
    static constexpr Row rows[] = {
        {"integer division rounds down", "-7 / 2", "-4"},
        {"a remainder has the divisor's sign", "-7 % 2", "1"},
        {"a float wins", "7 / 2.0", "3.5"},
        {"strings compare regardless of case", "'a' == 'A'", "true"},
        {"a match sets numbered variables", "if 'abc' =~ /b(.)/ { $1 }", "'c'"},
        {"the match is forgotten after the if", "if 'abc' =~ /b(.)/ { } \"${1}\"", "''"},
        {"a lambda sees the variables around it", "$x = 2 [1, 2].map |$y| { $x * $y }", "[2, 4]"},
        {"next returns a lambda's value", "[1, 2].map |$y| { if $y == 1 { next('one') } 'other' }",
         "['one', 'other']"},
        {"break ends a walk", "[1, 2, 3].map |$y| { if $y == 3 { break() } $y }", "[1, 2]"},
        {"return leaves the function through a lambda",
         "function f($l) { $l.each |$x| { if $x > 1 { return($x) } } 'none' } f([1, 2, 3])", "2"},
        {"a hash is unfolded into pairs", "[*{ a => 1 }]", "[['a', 1]]"},
        {"an alias may contain itself", "type Tree = Variant[Integer, Array[Tree]] [1, [2]] =~ Tree", "true"},
    };
    for (const Row& row : rows) {
        DYNAMIC_SECTION(row.name) {
            INFO(row.source);
            CHECK(value_of(std::string(row.source)) == row.want);
        }
    }
}

TEST_CASE("errors carry Puppet's text and position", "[eval]") {
    CHECK(error_of("$a = 1\n$b = $nope") ==
          "Evaluation Error: Unknown variable: 'nope'. (line: 2, column: 6)");
    CHECK(error_of("1 / 0") == "Evaluation Error: Division by 0 (line: 1, column: 5)");
    CHECK(error_of("9223372036854775807 + 1") ==
          "Evaluation Error: A '+' expression resulted in a value outside of Puppet Integer max range, got "
          "'+0x8000000000000000' (line: 1, column: 21)");
    CHECK(error_of("length(1)") ==
          "Evaluation Error: Error while evaluating a Function Call, 'length' parameter 'arg' expects a "
          "value of type "
          "Collection, String, or Binary, got Integer (line: 1, column: 1)");
}

TEST_CASE("endless recursion ends in an error", "[eval]") {
    CHECK(error_of("function f($x) { f($x + 1) } f(1)").find("stack level too deep") != std::string::npos);
    std::string chain = "$x = 1";
    for (int i = 0; i < 2500; ++i) chain += "+1";
    CHECK(value_of(chain + " $x") == "2501");
    std::string nested = "1";
    for (int i = 0; i < 200; ++i) nested = "[" + nested + "].map |$x| { $x }";
    CHECK(value_of(nested).starts_with("[[["));
}

TEST_CASE("logging functions speak to the host", "[eval]") {
    Recorder host;
    run("notice('a', 1, [2, undef]) warning(Sensitive('secret'))", host);
    CHECK(host.lines == std::vector<std::string>{"a 1 [2, ]", "Sensitive [value redacted]"});
}

TEST_CASE("a template renders, and a sensitive value makes all of it sensitive", "[eval]") {
    CHECK(value_of("inline_epp('<%- | $x | -%>\n<% $x.each |$i| { %>[<%= $i %>]<% } %>', { x => [1, 2] })") ==
          "'[1][2]'");
    CHECK(value_of("inline_epp('<%= $x %>', { x => Sensitive('s') })") == "Sensitive [value redacted]");
}

TEST_CASE("endless counting ends in an error with a position", "[eval]") {
    CHECK(
        error_of("Array(9223372036854775807)") ==
        "Evaluation Error: Error while evaluating a Function Call, A list may have at most 20000000 elements "
        "(line: 1, column: 1)");
    CHECK(value_of("Integer[9223372036854775805, 9223372036854775806].map |$x| { $x }") ==
          "[9223372036854775805, 9223372036854775806]");
    CHECK(value_of("Integer[1, 1000000000000].any |$x| { $x == 3 }") == "true");
}
