#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "apply/agent/checksums/digest.hpp"
#include "apply/agent/types/file/file_diff.hpp"
#include "apply/agent/values/text_list.hpp"
#include "apply/agent/values/value.hpp"
#include "apply/agent/values/whole_number.hpp"
#include "apply/agent/values/word.hpp"
#include "support/json/json_reader.hpp"

using namespace volley;
using agent::Value;

TEST_CASE("whole numbers are read as Ruby reads them", "[agent][values]") {
    CHECK(agent::whole_number("12") == 12);
    CHECK(agent::whole_number(" -0x1F ") == -31);
    CHECK(agent::whole_number("0b11") == 3);
    CHECK(agent::whole_number("010") == 8);
    CHECK(agent::whole_number("0_7") == 7);
    CHECK(agent::whole_number("1_000") == 1000);
    for (const char* none : {"", "09", "1__0", "_1", "1_", "1.5", "x", "0x", "--1"}) {
        INFO(none);
        CHECK_FALSE(agent::whole_number(none).has_value());
    }
}

TEST_CASE("texts are quoted as Puppet quotes them", "[agent][values]") {
    CHECK(agent::puppet_quoted("plain") == "'plain'");
    CHECK(agent::puppet_quoted("it's") == R"('it\'s')");
    CHECK(agent::puppet_quoted("back\\") == R"('back\')");
    CHECK(agent::puppet_quoted("a\nb$c\"") == R"("a\nb\$c\"")");
    CHECK(agent::puppet_quoted("\x01") == R"("\u{1}")");
}

TEST_CASE("rich data becomes what it stands for", "[agent][values]") {
    const auto read = [](const char* text, bool& sensitive) {
        return agent::value_from_json(parse_json(text), sensitive);
    };
    bool sensitive = false;
    CHECK(read(R"({"__ptype": "Binary", "__pvalue": "AAEC"})", sensitive).text() == std::string("\0\1\2", 3));
    CHECK(read(R"({"__ptype": "Deferred", "name": "vault"})", sensitive).is(Value::Kind::Deferred));
    CHECK_FALSE(sensitive);
    CHECK(read(R"([1, {"__ptype": "Sensitive", "__pvalue": "s"}])", sensitive).shown() == "[1, 's']");
    CHECK(sensitive);
    CHECK(read(R"({"a": [1, 2.5], "b": {}})", sensitive).shown() ==
          "{\n  'a' => [1, 2.5],\n  'b' => {\n\n  }\n}");
    CHECK(read(R"([1, {"a": 1}, 2, [3], 4])", sensitive).shown() ==
          "[1,\n  {\n    'a' => 1\n  },\n  2,\n  [3],\n  4]");
    CHECK(read(R"({"a": [[1, [2]], {"x": 1}, 5]})", sensitive).shown() ==
          "{\n  'a' => [\n    [1,\n      [2]],\n    {\n      'x' => 1\n    },\n    5]\n}");
    CHECK(read("1.5", sensitive).shown() == "1.500000");
    CHECK(read("[1.5]", sensitive).shown() == "[1.5]");
    CHECK(read("1e300", sensitive).to_text() == "1.0e+300");
}

TEST_CASE("a symbol equals the text of the same letters", "[agent][values]") {
    CHECK(agent::absent() == Value(std::string("absent")));
    CHECK_FALSE(Value(true) == Value(std::string("true")));
}

TEST_CASE("checksums are those of the tools", "[agent][values]") {
    CHECK(agent::digest_of("md5", "abc") == "900150983cd24fb0d6963f7d28e17f72");
    CHECK(agent::digest_of("sha1", "abc") == "a9993e364706816aba3e25717850c26c9cd0d89d");
    CHECK(agent::digest_of("sha256", "abc") ==
          "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    CHECK(agent::digest_of("sha224", "") == "d14a028c2a3a2bc9476102bb288234c415a2b01f828ea62ac5b3e42f");
    CHECK(agent::digest_of("sha512", std::string(1000, 'a')).starts_with("67ba5535a46e3f86"));
    CHECK(agent::digest_of("sha256lite", std::string(1000, 'a')) ==
          agent::digest_of("sha256", std::string(512, 'a')));
    CHECK(agent::digest_of("crc", "abc").empty());
    // Where the length no longer fits into the last block.
    for (const std::size_t size : {55U, 56U, 63U, 64U, 111U, 112U, 127U, 128U}) {
        const std::string text(size, 'x');
        const auto digest = agent::make_digest("sha512");
        for (const char c : text) digest->add(std::string_view(&c, 1));
        CHECK(digest->finish() == agent::digest_of("sha512", text));
    }
}

TEST_CASE("differences have the numbers that diff -u prints", "[agent][values]") {
    const std::string before = "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n";
    CHECK(agent::unified_diff("/f", before, "1\n2\n3\n4\nfive\n6\n7\n8\n9\n10\n") ==
          "--- /f\n+++ /f (new)\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n");
    CHECK(agent::unified_diff("/f", "a\n", "a\n").empty());
    CHECK(agent::unified_diff("/f", "", "a\n") == "--- /f\n+++ /f (new)\n@@ -0,0 +1 @@\n+a\n");
    CHECK(agent::unified_diff("/f", "a", "a\n") ==
          "--- /f\n+++ /f (new)\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n");
    CHECK(agent::unified_diff("/f", "a\n", std::string("\xff", 1)).starts_with("Binary files"));
}

TEST_CASE("equal words are one text", "[agent][values]") {
    const agent::Word word("tag"), same(std::string("t") + "ag"), other("other");
    CHECK(word == same);
    CHECK(&word.text() == &same.text());
    CHECK_FALSE(word == other);
    CHECK(word == "tag");
    CHECK("a " + word == "a tag");
    CHECK(word + "[x]" == "tag[x]");
    CHECK(agent::Word().empty());
    CHECK(agent::Word() == agent::Word(""));
}

TEST_CASE("a list of texts is empty until it has one", "[agent][values]") {
    agent::TextList list;
    CHECK(list.empty());
    CHECK(list.begin() == list.end());
    list.insert("a");
    list.insert("a");
    list.push_back("b");
    const agent::TextList copy = list;
    list = agent::TextList::Texts();
    CHECK(list.empty());
    CHECK(copy.all() == agent::TextList::Texts{"a", "b"});
    CHECK(copy.contains("b"));
}
