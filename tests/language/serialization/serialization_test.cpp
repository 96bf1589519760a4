#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <random>

#include "language/compile.hpp"
#include "language/errors.hpp"
#include "language/evaluator/evaluator.hpp"
#include "language/serialization/pcore_data.hpp"
#include "language/serialization/pcore_stream.hpp"
#include "language/text/text.hpp"

using namespace volley;

namespace {

/// Evaluates programs and keeps the types that they define known.
class World {
public:
    Value value(const std::string& code) { return evaluator_.run(compile_program(code, environment_)); }
    PcoreWorld types() { return {environment_.types, nullptr}; }

private:
    LanguageHost host_;
    Environment environment_{host_};
    Evaluator evaluator_{environment_};
};

std::string error_of(const std::function<void()>& code) {
    try {
        code();
    } catch (const LanguageError& error) {
        return error.what();
    }
    return "no error";
}

constexpr const char* samples[] = {
    "undef",
    "true",
    "-5",
    "1099511627776",
    "1.5",
    "'text'",
    "default",
    "[1, 'a', ['a']]",
    "{'a' => 1, 2 => [3]}",
    "{'__ptype' => 'x'}",
    "[/a.b/, /a.b/]",
    "Sensitive(['s'])",
    "SemVer('1.2.3-rc1')",
    "SemVerRange('>=1.0.0 <2.0.0')",
    "Timestamp('2020-01-02T03:04:05.678 UTC')",
    "Timespan('1-02:03:04.5')",
    "Binary('AAEC')",
    "URI('http://x.com/a')",
    "Any",
    "Boolean",
    "Integer[1, 2]",
    "Hash[0, 0]",
    "Array[0, 0]",
    "Integer[default, 3]",
    "Float[1.5, 2.0]",
    "String",
    "String[1]",
    "String[0, 5]",
    "Enum['A', 'b']",
    "Enum['A', 'b', true]",
    "Pattern[/x/]",
    "Regexp[/y/]",
    "Regexp",
    "Collection[1, 2]",
    "Array",
    "Array[String[1], 0, 3]",
    "Hash",
    "Hash[String, Any, 1]",
    "Hash[String, Integer]",
    "Tuple[String, Integer]",
    "Tuple[String, 1, 3]",
    "Struct[{a => Optional[String], Optional[b] => Integer}]",
    "Variant[Integer, Pattern[/x/]]",
    "Optional['a']",
    "NotUndef",
    "Type[Integer]",
    "Iterable[Integer]",
    "Callable",
    "Callable[0, 0]",
    "Callable[String, Integer, 1, 2]",
    "Callable[[String], Integer]",
    "Class['a::b']",
    "File['/a']",
    "File",
    "Data",
    "RichData",
    "Init[Integer]",
    "Init[String, '%x']",
    "SemVer['1.x', '3.x']",
    "Timestamp['2020-01-01', '2021-01-01']",
    "Timespan['1-00:00:00']",
    "URI[{scheme => 'http'}]",
    "CatalogEntry",
    "Binary",
    "Undef",
    "Default",
    "Runtime['ruby', 'A::B']",
};

}  // namespace

TEST_CASE("every kind of value comes back from each form as it went", "[language][serialization]") {
    World world;
    for (const char* sample : samples) {
        INFO(sample);
        const Value value = world.value(sample);
        CHECK(from_pcore_data(to_pcore_data(value), world.types()) == value);
        CHECK(deserialize(serialize(value, PcoreFormat::JsonText), PcoreFormat::JsonText, world.types()) ==
              value);
        CHECK(deserialize(serialize(value, PcoreFormat::MsgPack), PcoreFormat::MsgPack, world.types()) ==
              value);
        // Without references the meaning of these two has no end.
        if (sample == std::string_view("Data") || sample == std::string_view("RichData")) continue;
        CHECK(from_pcore_data(to_pcore_data(value, {.local_references = false}), world.types()) == value);
    }
}

TEST_CASE("the stream in JSON is what Puppet 7 writes", "[language][serialization]") {
    World world;
    const auto stream = [&world](const char* code) {
        return serialize(world.value(code), PcoreFormat::JsonText);
    };
    CHECK(stream("[1, 1.5, 'a', 'a', true, undef, default]") == R"([[16,7,1,1.5,"a",[0,0],true,null,[32]]])");
    CHECK(stream("$x = ['x', 'x']\n[$x, $x]") == R"([[16,2,[16,2,"x",[0,0]],[1,1]]])");
    CHECK(stream("{'a' => 1, 2 => [3]}") == R"([[17,2,"a",1,2,[16,1,3]]])");
    CHECK(stream("[/a.b/, /a.b/]") == R"([[16,2,[48,"a.b"],[1,1]]])");
    CHECK(stream("Sensitive('secret')") == R"([[20],"secret"])");
    CHECK(stream("Integer[1, 2]") == R"([[18,2,"Pcore","IntegerType",2,1,2]])");
    CHECK(
        stream("Array[String[1], 0, 3]") ==
        R"([[18,2,"Pcore","ArrayType",2,[18,2,0,"StringType",1,[18,2,0,"IntegerType",1,1]],[18,2,0,5,2,0,3]]])");
    CHECK(stream("Timestamp('2020-01-02T03:04:05.678 UTC')") == "[[51,1577934245,678000000]]");
    CHECK(stream("Timespan('1-02:03:04.000000005')") == "[[52,93784,5]]");
    CHECK(stream("Binary('AAEC')") == R"([[56,"AAEC"]])");
    CHECK(
        stream("Callable[0, 0]") ==
        R"([[18,2,"Pcore","CallableType",3,[18,2,0,"TupleType",2,[16,0],[18,2,0,"IntegerType",2,0,0]],null,null]])");
    CHECK(stream("File['/a']") == R"([[18,2,"Pcore","ResourceType",2,"File","/a"]])");
}

TEST_CASE("rich data is what Puppet 7 writes", "[language][serialization]") {
    World world;
    const auto data = [&world](const char* code) { return to_pcore_data(world.value(code)).dump(); };
    CHECK(data("{'a' => 1, 2 => [3]}") == R"({"__ptype":"Hash","__pvalue":["a",1,2,[3]]})");
    CHECK(data("$x = ['x']\n[$x, $x]") == R"([["x"],{"__ptype":"LocalRef","__pvalue":"$[0]"}])");
    CHECK(data("$y = ['x']\n$h = {'k' => $y, 'l' => $y}\n$h") ==
          R"({"k":["x"],"l":{"__ptype":"LocalRef","__pvalue":"$['k']"}})");
    CHECK(data("Sensitive('secret')") == R"({"__ptype":"Sensitive","__pvalue":"secret"})");
    CHECK(data("SemVer('1.2.3-rc1')") == R"({"__ptype":"SemVer","__pvalue":"1.2.3-rc1"})");
    CHECK(data("Enum['a', 'b']") == R"({"__ptype":"Pcore::EnumType","values":["a","b"]})");
    CHECK(
        data("Array[Any, 1]") ==
        R"({"__ptype":"Pcore::ArrayType","element_type":{"__ptype":"Pcore::AnyType"},"size_type":{"__ptype":"Pcore::IntegerType","from":1}})");
    CHECK(data("URI['http://a']") ==
          R"({"__ptype":"Pcore::URIType","parameters":{"scheme":"http","host":"a"}})");
}

TEST_CASE("objects are written by their attributes", "[language][serialization]") {
    World world;
    const Value car = world.value(
        "type Car = Object[{attributes => {regnbr => String, color => {type => String, value => 'red'}, "
        "parts => {type => Array[String], value => []}}}]\nCar('abc123', 'blue')");
    CHECK(to_pcore_data(car).dump() == R"({"__ptype":"Car","regnbr":"abc123","color":"blue"})");
    CHECK(from_pcore_data(to_pcore_data(car), world.types()) == car);
    CHECK(deserialize(serialize(car, PcoreFormat::JsonText), PcoreFormat::JsonText, world.types()) == car);
    CHECK(deserialize(serialize(car, PcoreFormat::MsgPack), PcoreFormat::MsgPack, world.types()) == car);
    const Value red = world.value("Car('abc123', 'red', ['wheel'])");  // a stream has no names
    CHECK(to_pcore_data(red).dump() == R"({"__ptype":"Car","regnbr":"abc123","parts":["wheel"]})");
    CHECK(deserialize(serialize(red, PcoreFormat::JsonText), PcoreFormat::JsonText, world.types()) == red);
    const Json wrong{{"__ptype", "Car"}, {"color", "blue"}};
    CHECK(error_of([&] { from_pcore_data(wrong, world.types()); }).find("'regnbr'") != std::string::npos);
}

TEST_CASE("wrong and hostile input ends in an error", "[language][serialization]") {
    World world;
    const auto data = [&world](const char* text) {
        return error_of([&] { from_pcore_data(Json::parse(text), world.types()); });
    };
    CHECK(data(R"({"__ptype":"LocalRef","__pvalue":"$"})") == "The data contains itself");
    CHECK(data(R"([[{"__ptype":"LocalRef","__pvalue":"$[0]"}]])") == "The data contains itself");
    CHECK(data(R"({"__ptype":"LocalRef","__pvalue":"$[5]"})") == "A LocalRef leads to nothing");
    CHECK(data(R"({"__ptype":"LocalRef","__pvalue":"$['a"})") == "A LocalRef has a path that cannot be read");
    CHECK(data(R"({"__ptype":"Nobody","x":1})") == "No implementation mapping found for Puppet Type Nobody");
    CHECK(data(R"({"__ptype":"Pcore::NobodyType"})").find("No implementation mapping found") == 0);
    CHECK(data(R"({"__ptype":"Pcore::ArrayType","element_type":1})") != "no error");
    const auto stream = [&world](std::string_view text, PcoreFormat format = PcoreFormat::JsonText) {
        return error_of([&] { deserialize(text, format, world.types()); });
    };
    CHECK(stream("[[16,1000000000000]]") == "Unexpected end of input");
    CHECK(stream("[[1,0]]") == "A Pcore stream cannot be read: a reference leads to nothing");
    CHECK(stream("[[16,1,[1,0]]]") == "A Pcore stream cannot be read: a reference leads to nothing");
    CHECK(stream("[[99]]") != "no error");
    CHECK(stream("{}") == "A JSON stream is not an array");
    CHECK(stream("", PcoreFormat::MsgPack) == "Unexpected end of input");
    CHECK(stream("\xc7\xff\x10", PcoreFormat::MsgPack) == "Unexpected end of input");
    std::string deep;
    for (int i = 0; i < 100000; ++i) deep += "[16,1,";
    CHECK(stream("[" + deep) != "no error");
}

TEST_CASE("broken streams never do more than fail", "[language][serialization]") {
    World world;
    std::mt19937 random(7);
    for (const char* sample : samples) {
        for (const PcoreFormat format : {PcoreFormat::JsonText, PcoreFormat::MsgPack}) {
            std::string bytes = serialize(world.value(sample), format);
            for (int round = 0; round < 8; ++round) {
                std::string changed = bytes;
                changed[random() % changed.size()] = static_cast<char>(random());
                static_cast<void>(error_of([&] { deserialize(changed, format, world.types()); }));
            }
        }
    }
    SUCCEED("no crash");
}
