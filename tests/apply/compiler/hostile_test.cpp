// Programs that want too much. Each ends in an error that says where, before it costs much time or memory.
#include <catch2/catch.hpp>
#include <chrono>

#include "apply/compiler/compile.hpp"
#include "language/errors.hpp"
#include "tests/apply/case_host.hpp"

using namespace volley;

namespace {

std::string hostile_outcome(const std::string& code, CompileRequest request) {
    test::CaseHost host;
    request.manifests.push_back({code, ""});
    try {
        return "no error: " + std::to_string(compile(request, host).catalog.resources.size()) + " resources";
    } catch (const LanguageError& error) {
        return error.full_message();
    }
}

}  // namespace

TEST_CASE("a hostile manifest ends in an error that names the place", "[compiler][hostile]") {
    struct Row {
        std::string_view name, code, want;
    };
    static constexpr Row rows[] = {
        {"a defined type that declares itself for ever", "define d { d { \"${title}x\": } } d { 'x': }",
         "Somehow looped more than 100 times while evaluating host catalog (line: 1)"},
        {"a defined type that declares itself twice",
         "define d { d { \"${title}a\": } d { \"${title}b\": } } d { 'x': }",
         "The catalog has more than 3000 resources"},
        {"two defined types that declare each other",
         "define a { b { \"${title}x\": } } define b { a { \"${title}y\": } } a { 'x': }",
         "Somehow looped more than 100 times"},
        {"virtual resources without number", "Integer[1, 10000000].each |$i| { @notify { \"n${i}\": } }",
         "The catalog has more than 3000 resources (line: 1)"},
        {"one statement with many titles",
         "$all = Integer[1, 100000].map |$i| { \"n${i}\" } notify { $all: }",
         "The catalog has more than 3000 resources (line: 1)"},
        {"create_resources of a large hash",
         "create_resources('notify', Hash(Integer[1, 100000].map |$i| { [\"n${i}\", {}] }))",
         "The catalog has more than 3000 resources"},
        {"collectors without number", "Integer[1, 1000000].each |$i| { Notify <| title == \"n${i}\" |> }",
         "The catalog has more than 2000 collectors (line: 1)"},
        {"collectors that look at everything",
         "Integer[1, 1000].each |$i| { notify { \"n${i}\": } Notify <| message != undef |> }",
         "Collectors have looked at more than 200000 resources (line: 1)"},
        {"collectors that find everything",
         "Integer[1, 300].each |$i| { @notify { \"n${i}\": } Notify <| title != \"x${i}\" |> }",
         "Collectors have found more than 50000 resources (line: 1)"},
        {"overrides of what is not there",
         "class a { Integer[1, 100000].each |$i| { File[\"/f${i}\"] { mode => '1' } } } include a",
         "The catalog has more than 2000 overrides of resources that are not there (line: 1)"},
        {"a chain of all with all",
         "Integer[1, 2000].each |$i| { notify { \"n${i}\": } } Notify <| |> -> Notify <| |>",
         "The catalog has more than 20000 relationships (line: 1)"},
        {"a chain of two long lists", "$all = Integer[1, 100000].map |$i| { Notify[\"n${i}\"] } $all -> $all",
         "The catalog has more than 20000 relationships (line: 1)"},
        {"a title of megabytes", "$x = sprintf('%0500000d', 1) notify { \"${x}${x}${x}\": }",
         "The title of a resource has more than 1000000 bytes (line: 1)"},
        {"parameters without number",
         "notify { 'x': * => Hash(Integer[1, 100000].map |$i| { [\"p${i}\", 1] }) }",
         "A resource has more than 10000 parameters (line: 1)"},
        {"defaults without number", "File { * => Hash(Integer[1, 100000].map |$i| { [\"p${i}\", 1] }) }",
         "A resource has more than 10000 parameters (line: 1)"},
        {"parameters without number for a function",
         "create_resources('notify', { 'x' => Hash(Integer[1, 100000].map |$i| { [\"p${i}\", 1] }) })",
         "A resource has more than 10000 parameters"},
        {"tags without number",
         "Integer[1, 1000].each |$i| { notify { \"n${i}\": tag => Integer[1, 50].map |$j| { \"t${i}x${j}\" } "
         "} }",
         "The catalog has more than 5000 different tags (line: 1"},
        {"tags that pile up",
         "define d($n) { if $n > 0 { d { \"${title}${n}\": n => $n - 1 } } } d { 'x': n => 90 }",
         "The tags of all resources are larger than 100000 bytes"},
        {"classes that inherit each other", "class a inherits b { } class b inherits a { } include a",
         "(line: 1"},
        {"a class that includes itself with a parameter of its own", "class a { class { 'a': } } include a",
         "Duplicate declaration: Class[A]"},
        {"a query that is nested too deeply", "", "(line: 1"},
    };
    CompileRequest request;
    request.limits = {.resources = 3000,
                      .collectors = 2000,
                      .overrides = 2000,
                      .generations = 100,
                      .collector_steps = 200'000,
                      .collected = 50'000,
                      .relationships = 20'000,
                      .tags = 5000,
                      .tag_bytes = 100'000};
    for (const Row& row : rows) {
        DYNAMIC_SECTION(row.name) {
            std::string code(row.code);
            if (code.empty())
                code = "Notify <| " + std::string(100'000, '(') + "title == 'x'" + std::string(100'000, ')') +
                       " |>";
            const auto started = std::chrono::steady_clock::now();
            const std::string outcome = hostile_outcome(code, request);
            INFO(outcome.substr(0, 500));
            CHECK(outcome.find(row.want) != std::string::npos);
            CHECK(std::chrono::steady_clock::now() - started <
                  std::chrono::seconds(300));  // seconds, when nobody else works
        }
    }
}

TEST_CASE("a message names the first hundred of thousands of resources", "[compiler][hostile]") {
    const std::string missing = hostile_outcome(
        "class a { Integer[1, 1500].each |$i| { File[\"/f${i}\"] { mode => '1' } } } include a", {});
    CHECK(missing.starts_with("Could not find resource(s) File[/f1], File[/f2], "));
    CHECK(missing.ends_with(", File[/f100] and 1400 more for overriding"));
    const std::string unrealized =
        hostile_outcome("Integer[1, 101].each |$i| { realize(File[\"/f${i}\"]) }", {});
    CHECK(unrealized.ends_with(", File[/f100] and 1 more"));
}

TEST_CASE("what contains itself, and what everything contains, is no hindrance", "[compiler][hostile]") {
    CHECK(hostile_outcome("class a { contain b } class b { contain a } include a", {})
              .starts_with("no error: 5 resources"));
    CHECK(hostile_outcome(
              "class c { } define d { contain c } Integer[1, 2000].each |$i| { d { \"d${i}\": } }", {})
              .starts_with("no error: 2004 resources"));
    CHECK(hostile_outcome("define d { notify { $title: } } Integer[1, 500].each |$i| { d { \"d${i}\": } } "
                          "D <| |> -> D <| |>",
                          {})
              .starts_with("no error: 1003 resources"));
}

TEST_CASE("collectors of single resources do not look at all of them", "[compiler][hostile]") {
    CompileRequest request;
    request.limits.collector_steps = 60'000;
    const std::string many =
        "Integer[1, 2000].each |$i| { @user { \"u${i}\": uid => $i, shell => \"/bin/S${i}\", "
        "groups => [\"g${i}\"] } } ";
    SECTION("by a number, a text in any case, a title, both, either") {
        CHECK(hostile_outcome(many + "Integer[1, 2000].each |$i| { User <| uid == $i |> }", request)
                  .starts_with("no error"));
        CHECK(hostile_outcome(many + "Integer[1, 2000].each |$i| { User <| shell == \"/BIN/s${i}\" |> }",
                              request)
                  .starts_with("no error"));
        CHECK(hostile_outcome(
                  many + "Integer[1, 2000].each |$i| { User <| title == \"u${i}\" and uid != 3 |> }", request)
                  .starts_with("no error"));
        CHECK(hostile_outcome(
                  many + "Integer[1, 2000].each |$i| { User <| title == \"u${i}\" or uid == $i |> }", request)
                  .starts_with("no error"));
    }
    SECTION("lists may hold the value, so that all of them are looked at") {
        CHECK(hostile_outcome(many + "Integer[1, 2000].each |$i| { User <| groups == \"g${i}\" |> }", request)
                  .starts_with("Collectors have looked at more than 60000 resources"));
    }
}

namespace {

/// The notifications that are not virtual, with what they say about their paths.
std::string realized_by(const std::string& code) {
    test::CaseHost host;
    CompileRequest request;
    request.manifests.push_back({code, ""});
    const Catalog catalog = compile(request, host).catalog;
    std::string titles;
    for (const CatalogResource& one : catalog.resources) {
        if (one.type == "Notify" && !one.is_virtual)
            titles += " " + one.title + (one.parameter("withpath") ? "!" : "");
    }
    return titles;
}

constexpr const char* odd_values =
    "$values = [1, 1.0, '1', 'A', 'a', true, 'true', ['a', 1], [1], undef, '', 2, { 'a' => 1 }] "
    "Integer[0, 77].each |$i| { @notify { \"n${i}\": message => $values[$i % 13] } } ";
constexpr const char* makes_an_index =
    "Integer[1, 4].each |$again| { Notify <| message == 'none' |> Notify <| title == 'none' |> } ";

}  // namespace

TEST_CASE("an index of attributes finds what a look at every resource finds", "[compiler][hostile]") {
    for (const char* query :
         {"message == 1", "message == 1.0", "message == '1'", "message == 'a'", "message == 'A'",
          "message == true", "message == 'TRUE'", "message == ''", "message == undef", "message == 2",
          "title == 'N3'", "title == 'n4' or message == 2", "message == 'a' and title != 'n3'",
          "(message == 1 or message == 'a') and title == 'n13'"}) {
        INFO(query);
        const std::string collector = "Notify <| " + std::string(query) + " |>";
        const std::string found = realized_by(odd_values + collector);
        CHECK(found == realized_by(odd_values + std::string(makes_an_index) + collector));
        CHECK(!found.empty());
    }
}

TEST_CASE("an index of attributes follows what changes after it was made", "[compiler][hostile]") {
    const std::string late = "Notify <| message == 'new' |> { withpath => true } ";
    const std::string change = "Notify <| title == 'n5' |> { message => 'new' } ";
    CHECK(realized_by(std::string(odd_values) + makes_an_index + change + late) == " n5!");
    CHECK(realized_by(std::string(odd_values) + makes_an_index + late + change) == " n5!");
    CHECK(realized_by("define d { @notify { \"late${title}\": message => 'new' } } " +
                      std::string(odd_values) + makes_an_index + late + "d { 'x': }") == " latex!");
}
