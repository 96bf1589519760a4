#include <catch2/catch.hpp>
#include <utility>

#include "language/compile.hpp"
#include "language/errors.hpp"
#include "language/evaluator/evaluator.hpp"
#include "language/execution_state.hpp"
#include "language/text/regexp.hpp"
#include "language/text/text.hpp"
#include "language/types/parse.hpp"

using namespace volley;

namespace {

std::string repeated(std::string_view part, int count) {
    std::string result;
    for (int i = 0; i < count; ++i) result += part;
    return result;
}

/// The value, or the message with its position.
std::string limits_result(const std::string& code) {
    LanguageHost host;
    Environment environment(host);
    Evaluator evaluator(environment);
    try {
        return to_program_text(evaluator.run(compile_program(code, environment)));
    } catch (const LanguageError& error) {
        return error.full_message();
    }
}

}  // namespace

TEST_CASE("code that is nested without end is refused and not run into the ground", "[limits]") {
    constexpr int deep = 200'000;
    for (const std::string& code :
         {repeated("[", deep), repeated("(", deep) + repeated(")", deep), repeated("!", deep) + "true",
          repeated("{a=>", deep), "\"" + repeated("${\"", deep), repeated("if true {", deep),
          repeated("Array[", deep), "$a" + repeated("[0]", deep), "1" + repeated(" + 1", deep),
          "$a" + repeated(".b", deep), repeated("- ", deep) + "1", repeated("$a ? { default => ", deep)}) {
        INFO(code.substr(0, 40));
        CHECK_FALSE(limits_result(code).empty());
    }
}

TEST_CASE("a function that calls itself for ever ends with an error", "[limits]") {
    CHECK(limits_result("function f($x) { f($x) }\nf(1)").find("stack level too deep") != std::string::npos);
    CHECK(limits_result("function f($x) { [1].map |$y| { f($x) } }\nf(1)").find("stack level too deep") !=
          std::string::npos);
}

TEST_CASE("values that contain themselves many times over are refused", "[limits]") {
    const std::string nested = "Integer[1, 100000].reduce([]) |$m, $x| { [$m] }.then |$v| { ";
    for (const std::string_view use :
         {"\"${v}\"", "type($v).String", "$v == $v", "$v.flatten", "String($v)", "$v =~ Data",
          "{ $v => 1 }.size", "Sensitive($v) == Sensitive([$v])"}) {
        INFO(use);
        CHECK_FALSE(limits_result(nested + std::string(use) + " }").empty());
    }
}

TEST_CASE("a range is walked over only up to what is asked for", "[limits]") {
    CHECK(limits_result("Integer[1, 1000000000000].each |$x| { if $x > 3 { break() } } 'done'") == "'done'");
    CHECK(limits_result("Integer[1, 1000000000000].any |$x| { $x == 5 }") == "true");
    CHECK(limits_result("Integer[1, 1000000000000].step(2).any |$x| { $x == 7 }") == "true");
    CHECK(limits_result("Integer[1, 1000000000000].index |$x| { $x == 7 }") == "6");
}

TEST_CASE("what doubles with each step ends in an error with a position", "[limits]") {
    for (const std::string_view step : {"\"$m$m\"", "$m + $m", "[$m, $m].join('-')"}) {
        INFO(step);
        const std::string start = step == "$m + $m" ? "[1]" : "'x'";
        const std::string result =
            limits_result("Integer[1, 60].reduce(" + start + ") |$m, $i| { " + std::string(step) + " }");
        CHECK(result.find("may have at most") != std::string::npos);
        CHECK(result.find("line: 1") != std::string::npos);
    }
}

TEST_CASE("a value that is small in memory and endless to walk over is refused", "[limits]") {
    const std::string doubled = "$v = Integer[1, 60].reduce([]) |$m, $x| { [$m, $m] }\n";
    struct LowVisitLimit {
        std::uint64_t before = std::exchange(execution_state().most_visits, 50'000);
        ~LowVisitLimit() { execution_state().most_visits = before; }
    } const few;
    for (const std::string_view use : {"\"${v}\"", "type($v)", "$v.flatten", "String($v)", "$v =~ Data",
                                       "$v == Integer[1, 60].reduce([]) |$m, $x| { [$m, $m] }"}) {
        INFO(use);
        const std::string result = limits_result(doubled + std::string(use));
        CHECK(result.size() < 1000);
        CHECK(result.find("line: 2") != std::string::npos);
    }
}

TEST_CASE("walks within walks end when they are too many", "[limits]") {
    LanguageHost host;
    LanguageSettings settings;
    settings.calls = 1000;
    for (const std::string code :
         {"Integer[1, 100].each |$x| {\n Integer[1, 100].each |$y| { $x + $y }\n}",
          "function f($n) {\n if $n > 0 { f($n - 1) + f($n - 1) } else { 1 } }\nf(20)"}) {
        Environment environment(host, settings);
        Evaluator evaluator(environment);
        INFO(code);
        try {
            evaluator.run(compile_program(code, environment));
            FAIL("it ended");
        } catch (const EvalError& error) {
            CHECK(error.full_message().find("called more than 1000 times (line: 2") != std::string::npos);
        }
    }
}

TEST_CASE("a regular expression that would search for ever is given up", "[limits]") {
    const std::string subject = repeated("a", 40) + "!";
    CHECK_THROWS_AS(Regexp::compile("\\A(a+)+\\z")->search(subject), EvalError);
    CHECK(limits_result("'" + subject + "' =~ /\\A(a+)+\\z/").find("line: 1") != std::string::npos);
}

TEST_CASE("widths and repetitions have bounds", "[limits]") {
    CHECK_FALSE(limits_result("sprintf('%999999999999d', 1)").empty());
    CHECK_FALSE(limits_result("sprintf('%.999999999999f', 1.5)").empty());
    CHECK_FALSE(limits_result("String(1, '%9999999999d')").empty());
}

TEST_CASE("aliases that mean only each other are refused", "[limits]") {
    CHECK(limits_result("type A = B\ntype B = A\n1 =~ A").find("cannot be resolved to a real type") !=
          std::string::npos);
    CHECK(limits_result("type A = Array[A]\n[[[]]] =~ A") == "true");
    CHECK(limits_result("type A = Struct[{a => Optional[A]}]\n$h = {a => {a => undef}}\n$h =~ A") == "true");
}

TEST_CASE("floats that no Integer can hold are errors wherever an Integer is made of them", "[limits]") {
    for (const std::string_view use :
         {"floor(1e300)", "ceiling(-1e300)", "round(1e19)", "Integer(1e300)", "String(1e300, '%d')",
          "Timespan[1e300]", "Timespan[0, 9223372036854775807]", "Timespan(1e300)",
          "Timestamp(-9223372036854775807 - 1)", "Timespan(1) + 1e300", "Timespan(1) + 9223372036854775807",
          "Timestamp(-9200000000) - Timespan(9200000000)"}) {
        INFO(use);
        const std::string result = limits_result(std::string(use));
        CHECK((result.find("too large") != std::string::npos ||
               result.find("out of range") != std::string::npos));
    }
    CHECK(limits_result("floor(-2.5)") == "-3");
    CHECK(limits_result("sprintf('%*d|%-*d|', -3, 5, 3, 5)") == "'5  |5  |'");
    CHECK_FALSE(limits_result("sprintf('%*d', 2147483648, 1)").find("width too big") == std::string::npos);
    CHECK(limits_result("sprintf('%0900000d', 1).length") == "900000");
}

TEST_CASE("sets of many items cost time for each item, not for each pair", "[limits]") {
    // By pairs each of these would be more than 10^9 comparisons: minutes.
    const std::string lists =
        "$a = Integer[1, 80000].map |$x| { $x } $b = Integer[40001, 120000].map |$x| { $x }\n";
    for (const auto& [code, wanted] : std::initializer_list<std::pair<std::string_view, std::string_view>>{
             {"unique($a + $a).size", "80000"},
             {"($a - $b).size", "40000"},
             {"intersection($a, $b).size", "40000"},
             {"difference($a, $b).size", "40000"},
             {"member($a, $a)", "true"},
             {"$a.group_by |$x| { $x % 40000 }.size", "40000"},
             {"$h = Hash($a.map |$x| { [$x, $x] }); ($h - $b).size", "40000"},
             {"$h = Hash($a.map |$x| { [$x, $x % 7] }); unique($h).size", "7"}}) {
        INFO(code);
        CHECK(limits_result(lists + std::string(code)) == wanted);
    }
    CHECK(limits_result("[1, 2.0, -0.0, 'a', 'A', [1]] - [1.0, 2, 0, 'A', [1]]") == "['a']");
    const std::size_t usual = std::exchange(execution_state().most_elements, 1000);
    CHECK(limits_result("unique(9223372036854775807)").find("at most 1000 elements") != std::string::npos);
    execution_state().most_elements = usual;
}

TEST_CASE("SEC-16 types that are small in memory and endless as text are refused, and the limit is named",
          "[limits]") {
    struct LowTextLimit {
        std::size_t before = std::exchange(execution_state().most_text, 1UL << 20);
        ~LowTextLimit() { execution_state().most_text = before; }
    } const few;
    for (const std::string_view step :
         {"Variant[Tuple[$a,$a],Struct[{a=>$a,b=>$a}]]", "Tuple[$a,$a]", "Struct[{a=>$a,b=>$a}]",
          "Tuple[Optional[$a],Array[$a]]", "Hash[$a,$a]", "Callable[[$a,$a],$a]",
          "Tuple[Type[$a],Optional[$a]]", "Tuple[Iterable[$a],Iterator[$a]]"}) {
        const std::string made = "$t = Integer[1,25].reduce(Integer) |$a,$i| { " + std::string(step) + " }\n";
        for (const std::string_view use :
             {"\"${t}\"", "String($t)", "notice($t)", "String([$t])", "\"${type($t)}\""}) {
            const std::string result = limits_result(made + std::string(use));
            INFO(step << " " << use << ": " << result.substr(0, 300));
            CHECK(result.find("A text may have at most 1 MiB") != std::string::npos);
            CHECK(result.find("line: 2") != std::string::npos);
        }
    }
}

TEST_CASE("SEC-16 the limits of values are named", "[limits]") {
    struct LowVisitLimit {
        std::uint64_t before = std::exchange(execution_state().most_visits, 50'000);
        ~LowVisitLimit() { execution_state().most_visits = before; }
    } const few;
    const std::string doubled = "$v = Integer[1, 60].reduce([]) |$m, $x| { [$m, $m] }\n";
    CHECK(limits_result(doubled + "\"${v}\"").find("at most 50000 parts") != std::string::npos);
    const std::string nested = "$v = Integer[1, 5000].reduce([]) |$m, $x| { [$m] }\n";
    CHECK(limits_result(nested + "\"${v}\"").find("more than 1000 levels") != std::string::npos);
}

TEST_CASE("SEC-16 what is copied to build a collection bit by bit counts", "[limits]") {
    LanguageHost host;
    LanguageSettings settings;
    settings.calls = 2000;
    const auto result = [&](const std::string& code) {
        Environment environment(host, settings);
        Evaluator evaluator(environment);
        try {
            return to_program_text(evaluator.run(compile_program(code, environment)));
        } catch (const LanguageError& error) {
            return error.full_message();
        }
    };
    for (const std::string step :
         {"{} $a + {$i => $i}", "[] $a + [$i]", "[] $a << $i", "[] [$i] + $a", "[] ($a << $i) - [0]",
          "{} merge($a, {$i => $i})", "[] concat($a, [$i])", "[] flatten($a, $i)"}) {
        const std::string text =
            result("Integer[1, 500].reduce(" + step.substr(0, 2) + ") |$a, $i| {\n" + step.substr(3) + "\n}");
        INFO(step << ": " << text.substr(0, 300));
        CHECK(text.find("More than 8000 elements were copied into new lists, hashes and texts") !=
              std::string::npos);
        CHECK(text.find("line: 2") != std::string::npos);
    }
    const std::string text = "'" + repeated("0123456789", 1000) + "'";
    CHECK(result("Integer[1, 500].reduce(" + text + ") |$a, $i| {\n\"${a}x\"\n}").find("were copied") !=
          std::string::npos);
    // What is only handed on is not copied.
    const std::string large =
        "$big = Integer[1, 1500].map |$x| { $x }\n$h = {'big' => $big, 'text' => " + text + "}\n";
    CHECK(result(large + "Integer[1, 400].map |$i| { $h['big'][0] + $h.get('big.1') + $big.size }.size") ==
          "400");
    CHECK(result(large + "Integer[1, 400].map |$i| { $h.dig('text') }.size") == "400");
}

TEST_CASE("CODE-2.9 an alias that could not be printed is printed whole the next time", "[limits]") {
    LanguageHost host;
    Environment environment(host);
    Evaluator evaluator(environment);
    const std::string code = "type Long = Struct[{first => Integer, second => Array[String[1, 20]]}]\nLong";
    const Value type = evaluator.run(compile_program(code, environment));
    const std::string whole = to_expanded_string(*type.as_type());
    CHECK(whole.find("Long = Struct[{") == 0);
    {
        struct LowTextLimit {
            std::size_t before = std::exchange(execution_state().most_text, 10);
            ~LowTextLimit() { execution_state().most_text = before; }
        } const few;
        CHECK_THROWS_AS(to_expanded_string(*type.as_type()), EvalError);
    }
    CHECK(to_expanded_string(*type.as_type()) == whole);
}
