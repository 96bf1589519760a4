#include "transports/winrm/psrp/clixml.hpp"

#include <catch2/catch.hpp>

#include "transports/winrm/psrp/protocol_error.hpp"

using namespace volley::transports::winrm;

TEST_CASE("texts are escaped in CLIXML as PowerShell does it, and read back", "[winrm]") {
    struct Row {
        std::string_view name, plain, escaped;
    };
    static constexpr Row rows[] = {
        {"plain", "hello world", "hello world"},
        {"a line break", "a\r\nb", "a_x000D__x000A_b"},
        {"what looks like an escape", "_x0041_ _X_", "_x005F_x0041_ _x005F_X_"},
        {"an underscore", "snake_case_", "snake_case_"},
        {"letters beyond ASCII", "\u00e4\u20ac\U0001F600", "\u00e4\u20ac\U0001F600"},
        {"a control character of C1", "\u0085", "_x0085_"},
        {"a null", std::string_view("\0", 1), "_x0000_"},
    };
    for (const Row& row : rows) {
        DYNAMIC_SECTION(row.name) {
            CHECK(clixml_escape(row.plain) == row.escaped);
            CHECK(clixml_unescape(row.escaped) == row.plain);
        }
    }
    CHECK(clixml_escape("<a b=\"c\"> & ") == "&lt;a b=&quot;c&quot;&gt; &amp; ");
    CHECK(clixml_escape("a\xff") == "a\xEF\xBF\xBD");
}

TEST_CASE("halves of a surrogate pair in CLIXML are joined", "[winrm]") {
    CHECK(clixml_unescape("_xD83D__xDE00_") == "\U0001F600");
    CHECK(clixml_unescape("_xd83d__xde00_") == "\U0001F600");
    CHECK(clixml_unescape("_xD83D_x") == "\uFFFDx");
    CHECK(clixml_unescape("_xDE00__xD83D_") == "\uFFFD\uFFFD");
    CHECK(clixml_unescape("_xD83") == "_xD83");
    CHECK(clixml_unescape("_xZZZZ_") == "_xZZZZ_");
}

TEST_CASE("a serialized object has its members, types, and what it wraps", "[winrm]") {
    const ClixmlDocument document = ClixmlDocument::parse(
        "<Obj RefId=\"0\"><TN RefId=\"0\"><T>A.State</T><T>System.Enum</T></TN><ToString>Opened</ToString>"
        "<I32>2</I32><Props><S N=\"first_x005F_x\"> </S></Props><MS><Obj N=\"list\" "
        "RefId=\"1\"><LST><S>a</S><Nil />"
        "</LST></Obj><Ref N=\"again\" RefId=\"1\" /><Obj N=\"table\" RefId=\"2\"><TNRef RefId=\"0\" "
        "/><DCT><En>"
        "<S N=\"Key\">k</S><I64 N=\"Value\">-100</I64></En></DCT></Obj></MS></Obj>");
    const ClixmlValue& root = document.root();
    REQUIRE(root.types != nullptr);
    CHECK(root.types->front() == "A.State");
    CHECK(root.text == "Opened");
    CHECK(root.integer() == 2);
    REQUIRE(root.member("first_x") != nullptr);
    CHECK(root.member("first_x")->text == " ");
    const ClixmlValue* list = root.member("list");
    REQUIRE(list != nullptr);
    REQUIRE(list->items.size() == 2);
    CHECK(list->items[1]->is_nil());
    CHECK(root.member("again") == list);
    const ClixmlValue* table = root.member("table");
    REQUIRE(table != nullptr);
    CHECK(table->types == root.types);
    REQUIRE(table->entry("k") != nullptr);
    CHECK(table->entry("k")->integer() == -100);
    CHECK(table->entry("none") == nullptr);
    CHECK(root.member("none") == nullptr);
    CHECK_FALSE(list->integer());
}

TEST_CASE("what is not CLIXML, or too deep, ends in an error that names the reason", "[winrm]") {
    CHECK_THROWS_AS(ClixmlDocument::parse(""), ProtocolError);
    CHECK_THROWS_AS(ClixmlDocument::parse("<S>"), ProtocolError);
    CHECK_THROWS_AS(ClixmlDocument::parse("<Obj><MS><Ref N=\"a\" RefId=\"7\" /></MS></Obj>"), ProtocolError);
    CHECK_THROWS_AS(ClixmlDocument::parse("<Obj><DCT><En><S N=\"Key\">k</S></En></DCT></Obj>"),
                    ProtocolError);
    std::string deep;
    for (int level = 0; level < 200; ++level) deep += "<Obj><LST>";
    for (int level = 0; level < 200; ++level) deep += "</LST></Obj>";
    CHECK_THROWS_WITH(ClixmlDocument::parse(deep), Catch::Contains("nested deeper than 100 levels"));
    std::string wide = "<Obj><LST>";
    for (std::size_t count = 0; count < ClixmlDocument::most_tags; ++count) wide += "<S/>";
    CHECK_THROWS_WITH(ClixmlDocument::parse(wide + "</LST></Obj>"), Catch::Contains("elements"));
}

TEST_CASE("entities of a document type are never expanded in CLIXML", "[winrm]") {
    const std::string text = "<!DOCTYPE S [<!ENTITY a \"boom\">]><S>&a;&lt;</S>";
    std::string read;
    try {
        read = ClixmlDocument::parse(text).root().text;
    } catch (const ProtocolError&) {
    }
    CHECK(read.find("boom") == std::string::npos);
}

TEST_CASE("an object that refers to itself can be read", "[winrm]") {
    const ClixmlDocument document =
        ClixmlDocument::parse("<Obj RefId=\"0\"><MS><Ref N=\"self\" RefId=\"0\" /></MS></Obj>");
    CHECK(document.root().member("self") == &document.root());
}

TEST_CASE("what is written as CLIXML reads back as it was", "[winrm]") {
    ClixmlWriter xml;
    xml.begin_object("", {"My.Type"});
    xml.begin("MS");
    xml.string("text_x", "a\n<b>");
    xml.boolean("flag", true);
    xml.long_integer("call", -100);
    xml.bytes("data", std::string_view("\0\x01", 2));
    xml.nil("nothing");
    xml.enumeration("state", "My.State", "Going", 3);
    xml.end("MS");
    xml.end_object();
    const ClixmlDocument document = ClixmlDocument::parse(xml.take());
    const ClixmlValue& root = document.root();
    CHECK(root.types->front() == "My.Type");
    CHECK(root.member("text_x")->text == "a\n<b>");
    CHECK(root.member("flag")->text == "true");
    CHECK(root.member("call")->integer() == -100);
    CHECK(root.member("data")->text == "AAE=");
    CHECK(root.member("nothing")->is_nil());
    CHECK(root.member("state")->integer() == 3);
    CHECK(root.member("state")->text == "Going");
}
