#include "language/types/parse.hpp"

#include <catch2/catch.hpp>

#include "language/errors.hpp"

using namespace volley;

TEST_CASE("types print as Puppet prints them", "[types]") {
    struct Row {
        std::string_view source, want;
    };
    static constexpr Row rows[] = {
        {"Integer[1,default]", "Integer[1]"},
        {"Integer[default,5]", "Integer[default, 5]"},
        {"Optional['a']", "Optional['a']"},
        {"Array[String[1],0,3]", "Array[String[1], 0, 3]"},
        {"Hash[String,Data]", "Hash[String, Data]"},
        {"Struct[{a=>Integer,Optional[b]=>String,c=>Optional[Boolean]}]",
         "Struct[{'a' => Integer, Optional['b'] => String, 'c' => Optional[Boolean]}]"},
        {"Enum[b,a,true]", "Enum['a', 'b', true]"},
        {"Pattern[/a\\/b/]", "Pattern[/a\\/b/]"},
        {"Callable[[String,1,2,Callable],Integer]", "Callable[[String, 1, 2, Callable], Integer]"},
        {"Variant[Integer,Integer]", "Integer"},
        {"Tuple[Integer,String,1,3]", "Tuple[Integer, String, 1, 3]"},
        {"Sensitive[Any]", "Sensitive"},
        {"Nope[1]", "TypeReference['Nope[1]']"},
        {"TargetSpec", "TypeReference['TargetSpec']"},
        {"File['/a']", "File['/a']"},
        {"Float[1,2.5]", "Float[1.0, 2.5]"},
    };
    for (const Row& row : rows) {
        DYNAMIC_SECTION(row.source) { CHECK(to_string(*parse_type(row.source)) == row.want); }
    }
}

TEST_CASE("a type alias of a module may contain itself", "[types]") {
    const AliasResolver resolver = [](std::string_view name) -> std::optional<std::string> {
        if (name == "my::tree") return "type My::Tree = Variant[Integer, Array[My::Tree]]";
        if (name == "my::port") return "# A port\ntype My::Port = Integer[0, 65535]\n";
        if (name == "my::loop") return "type My::Loop = My::Loop";
        return std::nullopt;
    };
    const TypePtr tree = parse_type("My::Tree", resolver);
    const Value leaf(std::vector<Value>{Value(1), Value(std::vector<Value>{Value(2)})});
    CHECK(is_instance(*tree, leaf));
    CHECK_FALSE(is_instance(*tree, Value(std::vector<Value>{Value("x")})));
    CHECK(to_string(*parse_type("Optional[My::Port]", resolver)) == "Optional[My::Port]");
    CHECK_THROWS_WITH(parse_type("My::Loop", resolver),
                      "Type alias 'My::Loop' cannot be resolved to a real type");
}

TEST_CASE("Data is what JSON can hold", "[types]") {
    const TypePtr data = parse_type("Data");
    CHECK(is_instance(*data,
                      HashBuilder().set("a", std::vector<Value>{Value(1), Value(), Value("x")}).build()));
    CHECK_FALSE(is_instance(*data, HashBuilder().set("a", Value::make_default()).build()));
    CHECK(is_assignable(*parse_type("RichData"), *data));
    CHECK_FALSE(is_assignable(*data, *parse_type("RichData")));
}

TEST_CASE("wrong type texts are errors with Puppet's messages", "[types]") {
    CHECK_THROWS_WITH(parse_type("Integer[a]"),
                      "The expression <Integer[a]> is not a valid type specification.");
    CHECK_THROWS_WITH(parse_type("Hash[String]"),
                      "Invalid number of type parameters specified: Hash requires 2 to 4, 1 provided");
    CHECK_THROWS_WITH(parse_type("Integer["), "Syntax error at end of input");
    CHECK_THROWS_AS(parse_type("1 + 1"), EvalError);
    CHECK_THROWS_AS(parse_type("Pattern[/(/]"), LanguageError);
}

TEST_CASE("hostile type texts end in an error", "[types]") {
    std::string deep;
    for (int i = 0; i < 100000; ++i) deep += "Array[";
    CHECK_THROWS_AS(parse_type(deep), ParseError);
    CHECK_THROWS_AS(parse_type(deep + "String" + std::string(100000, ']')), ParseError);
    CHECK_THROWS_AS(parse_type(std::string(100000, '(')), ParseError);
    CHECK_THROWS_AS(parse_type(std::string(100000, '!')), ParseError);
    std::string chain = "1";
    for (int i = 0; i < 100000; ++i) chain += "+1";
    CHECK_THROWS_AS(parse_type(chain), ParseError);
    CHECK_THROWS_AS(parse_type("\xff"), ParseError);
}
