#include "cli/outputters/text.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "cli/outputters/stream_lines.hpp"
#include "support/yaml/writer.hpp"

namespace volley::cli {
namespace {

TEST_CASE("OUT-011 OUT-012 durations read like Bolt's", "[cli]") {
    struct Row {
        double seconds;
        std::string want;
    };
    const Row rows[] = {
        {0, "0.0 sec"},         {0.034, "0.03 sec"},          {2, "2.0 sec"},
        {12.5, "12.5 sec"},     {59.994, "59.99 sec"},        {60, "1 min, 0 sec"},
        {65.4, "1 min, 5 sec"}, {3600, "1 hr, 0 min, 0 sec"}, {7384.6, "2 hr, 3 min, 5 sec"},
    };
    for (const Row& row : rows) {
        const auto duration = std::chrono::duration<double>(row.seconds);
        CHECK(duration_text(std::chrono::duration_cast<std::chrono::nanoseconds>(duration)) == row.want);
    }
}

TEST_CASE("indent marks every line, also empty ones", "[cli]") {
    CHECK(indent(2, "a\n\nb") == "  a\n  \n  b");
    CHECK(indent(2, "a\n") == "  a\n");
    CHECK(indent(2, "") == "  ");
}

TEST_CASE("wrap breaks at white space only", "[cli]") {
    CHECK(wrap("one two three", 8) == "one two\nthree\n");
    CHECK(wrap("a-very-long-word b", 4) == "a-very-long-word\nb\n");
    CHECK(wrap("one\ntwo", 80) == "one\ntwo\n");
    CHECK(wrap("\xC3\xA4\xC3\xA4\xC3\xA4 \xC3\xA4", 5) == "\xC3\xA4\xC3\xA4\xC3\xA4 \xC3\xA4\n");
}

TEST_CASE("OUT-020 long descriptions are cut at a word", "[cli]") {
    CHECK(truncate("short", 10) == "short");
    CHECK(truncate("one two three", 10) == "one two...");
    CHECK(truncate("first line\nsecond", 12) == "first...");
}

TEST_CASE("OUT-020 tables line up by characters, not bytes", "[cli]") {
    CHECK(table({{"\xC3\xA4", "x"}, {"bcd", "y"}, {"e", ""}}, 2, 3) == "  \xC3\xA4     x\n  bcd   y\n  e\n");
    CHECK(table({{"abc", "one\n\ntwo"}, {"d", "e"}}, 2, 3) == "  abc   one\n\n        two\n  d     e\n");
}

TEST_CASE("OUT-050 lines of a stream come whole, and the rest at the end", "[cli]") {
    StreamLines lines;
    std::vector<std::string> seen;
    const auto emit = [&](transports::Stream stream, std::string_view line) {
        seen.push_back((stream == transports::Stream::Out ? "out:" : "err:") + std::string(line));
    };
    lines.add("a", transports::Stream::Out, "one\ntw", emit);
    lines.add("b", transports::Stream::Out, "other\n", emit);
    lines.add("a", transports::Stream::Err, "problem", emit);
    lines.add("a", transports::Stream::Out, "o\n", emit);
    CHECK(seen == std::vector<std::string>{"out:one", "out:other", "out:two"});
    seen.clear();
    lines.finish("a", emit);
    lines.finish("a", emit);
    lines.finish("unknown", emit);
    CHECK(seen == std::vector<std::string>{"err:problem"});
}

TEST_CASE("OUT-026 YAML reads back as the same data", "[cli]") {
    const Json data = Json::parse(R"({
        "name": "web1", "empty": {}, "none": [], "nothing": null, "port": 22, "yes": "yes", "number": "22",
        "list": ["a", {"b": 1, "c": [2, 3]}, [4]], "nested": {"deep": {"x": true}},
        "text": "a: b", "hash": "a #b", "quote": "it's", "'": "'", "lines": "a\nb", "blank": "", "colon": "a:",
        "version": "1.2.3", "date": "2001-01-01", "dash": "- a"})");
    CHECK(to_yaml(data) == R"(name: web1
empty: {}
none: []
nothing:
port: 22
'yes': 'yes'
number: '22'
list:
- a
- b: 1
  c:
  - 2
  - 3
-
  - 4
nested:
  deep:
    x: true
text: 'a: b'
hash: 'a #b'
quote: it's
'''': ''''
lines: "a\nb"
blank: ''
colon: 'a:'
version: '1.2.3'
date: '2001-01-01'
dash: '- a'
)");
}

}  // namespace
}  // namespace volley::cli
