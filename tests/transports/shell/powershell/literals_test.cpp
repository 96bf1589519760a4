#include "transports/shell/powershell/literals.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "support/json/json_reader.hpp"

namespace volley::transports {

TEST_CASE("PS-007 a text in a PowerShell script stays what it is", "[powershell]") {
    struct Row {
        std::string_view name, text, want;
    };
    static constexpr Row rows[] = {
        {"nothing", "", "''"},
        {"variables are not expanded", "$x `n $(id)", "'$x `n $(id)'"},
        {"single quotes", "it's", "'it''s'"},
        {"curly quotes are quotes too", "\u2018a\u2019 \u201Bb\u201A",
         "'\u2018\u2018a\u2019\u2019 \u201B\u201Bb\u201A\u201A'"},
        {"double ones are not", "\u201Ca\u201D", "'\u201Ca\u201D'"},
        {"the end of a here-string", "a\n'@\nexit 7", "'a\n''@\nexit 7'"},
    };
    for (const Row& row : rows) {
        DYNAMIC_SECTION(row.name) { CHECK(powershell_string(row.text) == row.want); }
    }
    CHECK(powershell_string(std::string_view("a\0b", 3)) == "('a'+[char]0+'b')");
}

TEST_CASE("PS-005 JSON becomes values of the same types", "[powershell]") {
    struct Row {
        std::string_view json, want;
    };
    static constexpr Row rows[] = {
        {"null", "$null"},
        {"true", "$true"},
        {"[]", "@()"},
        {"[1]", "@(1)"},
        {"[[1, 2]]", "@(,@(1,2))"},
        {"[1, [2], \"x\"]", "@(1,@(2),'x')"},
        {"-5", "(-5)"},
        {"1.5", "1.5"},
        {"\"2026-01-01T00:00:00Z\"", "'2026-01-01T00:00:00Z'"},
        {R"({"a": 1, "b": {"c d": null}})", "@{'a'=1;'b'=@{'c d'=$null}}"},
        {R"({"a": 1, "A": 2})", "@{'A'=2}"},
        {R"(["DIR", "DIR2"])", "@($d,'DIR2')"},
    };
    for (const Row& row : rows) {
        DYNAMIC_SECTION(row.json) {
            CHECK(powershell_value(parse_json(row.json), {"DIR", "$d"}) == row.want);
        }
    }
}

TEST_CASE("PS-007 environment variables are one line before what follows", "[powershell]") {
    CHECK(powershell_environment({}, {}).empty());
    CHECK(powershell_environment({{"A", "it's"}, {"B", "DIR"}}, {"DIR", "$d"}) ==
          "[Environment]::SetEnvironmentVariable('A','it''s');[Environment]::SetEnvironmentVariable('B',$d);"
          "\r\n");
    const std::string lines = powershell_environment({{"A", "one\ntwo"}}, {});
    CHECK(lines.find('\n') == lines.size() - 1);
    CHECK(lines.find("FromBase64String('b25lCnR3bw==')") != std::string::npos);
}

}  // namespace volley::transports
