#include "support/yaml/common.hpp"

#include <catch2/catch.hpp>
#include <random>

#include "support/error.hpp"
#include "support/yaml/scalar.hpp"
#include "tests/support/yaml/transcript.hpp"

using namespace volley;

namespace {

std::string events_of(std::string_view text, bool fully) { return yaml::testing::transcript_of(text, fully); }

bool is_common(std::string_view text) { return yaml::CommonYaml(text).read(); }

}  // namespace

TEST_CASE("common YAML is read the short way, with the same events", "[yaml]") {
    const std::string_view texts[] = {
        "a: 1\nb: two words\nc:\nd: ~\n",
        "---\n# comment\na::b::c: 'quoted ''text'''  # why\nd: \"x \\\"y\\\" \\n\"\n",
        "list:\n- a\n- b: 1\n  c: 2\n-\n- - x\n  - y\nnext: z\n",
        "list:\n  - a\n\n  # between\n  - b\nmap:\n  deep:\n    deeper: 1\n  back: 2\n",
        "text: |\n  line one\n    indented\n\n  last\n\nafter: 1\n",
        "- |-\n a\n b\n- c\n",
        "flow: [a, 'b', [1, 2], {k: v, \"q\": 1.5}, []]\nmap: {}\n",
        "\"quoted key\": 1\n'other': [x]\n",
        "url: http://example.com:80/a?b=c\ntime: 12:30\nversion: -1.5e3\npath: /etc/x\n",
        "a:\n  - b:\n    - c\n    d: e\n",
        "\xC3\xA9: \xE2\x98\x83 # snow\n",
        "{}\n",
        "--- []  # nothing\n",
        "# first\n---   {a: 1, b: [x, {}]}\n\n# last\n",
        "  [1, 'two']\n",
    };
    for (const std::string_view text : texts) {
        INFO(text);
        CHECK(is_common(text));
        CHECK(events_of(text, false) == events_of(text, true));
    }
}

TEST_CASE("uncommon YAML is left to the full reader", "[yaml]") {
    const std::string_view texts[] = {
        "a: &x 1\nb: *x\n",
        "a: !tag b\n",
        "a: b\n  c\n",
        "a: |2\n   x\n",
        "a: >\n  b\n",
        "a: b: c\n",
        "a\tb: c\n",
        "a: 'x\n  y'\n",
        "? a\n: b\n",
        "a: 1\n b: 2\n",
        "a: [1,\n 2]\n",
        "a: \"\\x41\"\n",
        "a: 1\n---\nb: 2\n",
        "---\n---\na: 1\n",
        "%YAML 1.1\n---\na: 1\n",
        "",
        "scalar\n",
        "--- scalar\n",
        "{}\na: 1\n",
        "{a: 1}: 2\n",
        "---{}\n",
        "a: |\n  no end",
        "a: 1\r\nb: 2\r\n",
        "- a\nb: c\n",
        "a: @x\n",
        "a: %x\n",
        "a:\n    b: 1\n  c: 2\n",
    };
    for (const std::string_view text : texts) {
        INFO(text);
        CHECK_FALSE(is_common(text));
        CHECK(events_of(text, false) == events_of(text, true));
    }
}

TEST_CASE("whatever the short way takes, the full reader reads alike", "[yaml]") {
    static constexpr std::string_view pieces[] = {"a",        "b:",
                                                  "key: ",    "- ",
                                                  "-",        " ",
                                                  "  ",       "\n",
                                                  "\n  ",     "\n    ",
                                                  "\n- ",     "'",
                                                  "\"",       "''",
                                                  "\\",       "|",
                                                  "|-",       "[",
                                                  "]",        "{",
                                                  "}",        ",",
                                                  ", ",       ":",
                                                  ": ",       "#",
                                                  " # c",     "~",
                                                  "null",     "1",
                                                  "::",       "<<",
                                                  "x y",      "\n\n",
                                                  "é",        "?",
                                                  "---",      "...",
                                                  "%",        "@",
                                                  "*a",       "&a",
                                                  "!t",       "=",
                                                  "(",        "/",
                                                  ".",        "$",
                                                  "\nk: v\n", "\nm:\n  n: o\n",
                                                  "[a, b]",   "{a: b}",
                                                  "\"q\\n\"", "|\n  t\n  u\n",
                                                  "\t"};
    std::mt19937 random(20260);
    int common = 0;
    for (int round = 0; round < 40'000; ++round) {
        std::string text;
        const unsigned length = static_cast<unsigned>(1 + random() % 12);
        for (unsigned i = 0; i < length; ++i) text += pieces[random() % std::size(pieces)];
        if (!is_common(text)) continue;
        ++common;
        INFO(text);
        CHECK(events_of(text, false) == events_of(text, true));
    }
    CHECK(common > 1'000);
}
