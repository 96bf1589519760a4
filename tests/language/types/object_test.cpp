#include <catch2/catch.hpp>

#include "language/callable.hpp"
#include "language/compile.hpp"
#include "language/errors.hpp"
#include "language/evaluator/evaluator.hpp"
#include "language/text/text.hpp"
#include "language/types/native_type.hpp"

using namespace volley;

namespace {

std::string object_result(const std::string& code, const NativeTypes* types = nullptr) {
    LanguageHost host;
    Environment environment(host);
    if (types) environment.types.add(*types);
    Evaluator evaluator(environment);
    try {
        return to_program_text(evaluator.run(compile_program(code, environment)));
    } catch (const LanguageError& error) {
        return error.what();
    }
}

struct Row {
    std::string name, source, want;
};

void check_rows(const std::vector<Row>& rows) {
    for (const Row& row : rows) {
        INFO(row.name);
        INFO(row.source);
        CHECK(object_result(row.source) == row.want);
    }
}

}  // namespace

// The answers are those of Puppet 7.23.
TEST_CASE("objects are made from their attributes and can be read, compared and printed", "[types]") {
    check_rows({
        {"by position", "type P = Object[{attributes=>{x=>Integer,y=>Integer}}] [P(1,2).x, P(1,2).y]",
         "[1, 2]"},
        {"by name", "type P = Object[{attributes=>{x=>Integer}}] P({x=>3}).x", "3"},
        {"what has a default comes last",
         "type P = Object[{attributes=>{x=>{type=>Integer,value=>3},y=>String}}] [P('a',4).x, P('a').x]",
         "[4, 3]"},
        {"defaults are not printed",
         "type P = Object[{attributes=>{x=>{type=>Integer,value=>3},y=>String}}] \"${P('a')} ${P('a',4)}\"",
         R"('P({\'y\' => \'a\'}) P({\'x\' => 4, \'y\' => \'a\'})')"},
        {"inherited attributes come first",
         "type P = Object[{attributes=>{x=>Integer}}] type Q = P{attributes=>{y=>Integer}} \"${Q(1,2)}\"",
         R"('Q({\'x\' => 1, \'y\' => 2})')"},
        {"equal when their attributes and types are",
         "type P = Object[{attributes=>{x=>Any}}] [P(1)==P(1), P(1)==P(1.0), P('a')==P('A')]",
         "[true, false, false]"},
        {"equality may look at some attributes only",
         "type P = Object[{attributes=>{x=>Integer,y=>Integer},equality=>x}] [P(1,2)==P(1,3), "
         "P(1,2)==P(2,2)]",
         "[true, false]"},
        {"as keys", "type P = Object[{attributes=>{x=>Integer}}] $h = {P(1)=>'one'} $h[P(1)]", "'one'"},
        {"an instance of its parents",
         "type P = Object[{}] type Q = P{} [Q() =~ P, P() =~ Q, Q <= P, Q() =~ Object]",
         "[true, false, true, true]"},
        {"constants", "type P = Object[{constants=>{k=>'v'}}] P().k", "'v'"},
        {"type parameters restrict instances",
         "type P = Object[{type_parameters=>{p=>Integer},attributes=>{p=>Integer}}] "
         "[P(3) =~ P[3], P(3) =~ P[4], P[3] <= P, type(P(3))]",
         "[true, false, true, P[3]]"},
    });
}

TEST_CASE("a definition of an object type that makes no sense is refused in Puppet's words", "[types]") {
    const std::string start = "Evaluation Error: Error while evaluating a Type-Name, ";
    const std::string base = "type P = Object[{attributes=>{x=>Integer}}] ";
    check_rows({
        {"unknown key", "type P = Object[{bogus => 1}] P",
         start + "object initializer has wrong type, unrecognized key 'bogus'"},
        {"no type", "type P = Object[{attributes=>{x=>'a'}}] P",
         start + "attribute P[x] has wrong type, expects a Type value, got String"},
        {"unknown kind", "type P = Object[{attributes=>{x=>{type=>Any,kind=>bogus}}}] P",
         start + "initializer for attribute P[x] has wrong type, entry 'kind' expects a match for "
                 "Enum['constant', "
                 "'derived', 'given_or_derived', 'reference'], got 'bogus'"},
        {"default of another type", "type P = Object[{attributes=>{x=>{type=>Integer,value=>'a'}}}] P",
         start + "attribute P[x] value has wrong type, expects an Integer value, got String"},
        {"constant without value", "type P = Object[{attributes=>{x=>{type=>Any,kind=>constant}}}] P",
         start + "attribute P[x] of kind 'constant' requires a value"},
        {"override by accident", base + "type Q = P{attributes=>{x=>Integer}} Q",
         start + "attribute Q[x] attempts to override attribute P[x] without having override => true"},
        {"override with another type", base + "type Q = P{attributes=>{x=>{type=>String,override=>true}}} Q",
         start + "attribute Q[x] attempts to override attribute P[x] with a type that does not match"},
        {"override of nothing", "type Q = Object[{attributes=>{x=>{type=>Any,override=>true}}}] Q",
         start +
             "expected attribute Q[x] to override an inherited attribute, but no such attribute was found"},
        {"its own parent", "type Q = Object[{parent=>Q}] Q",
         start + "The Object type 'Q' inherits from itself"},
        {"an unknown parent", "type Q = Object[{parent=>Nope}] Q",
         start + "reference to unresolved type 'Nope'"},
        {"equality of a constant", "type Q = Object[{constants=>{k=>1},equality=>[k]}] Q",
         start + "Q equality is referencing constant attribute Q[k]. Reference to constant is not allowed in "
                 "equality"},
        {"equality that the parent has", base + "type Q = Object[{parent=>P,equality=>[x]}] Q",
         start + "Q equality is referencing attribute P[x] which is included in equality of P"},
        {"two of a name", "type Q = Object[{attributes=>{x=>Any},functions=>{x=>Callable}}] Q",
         start + "function Q[x] conflicts with attribute with the same name"},
    });
}

TEST_CASE("using an object wrongly is explained in Puppet's words", "[types]") {
    const std::string base = "type P = Object[{attributes=>{x=>Integer}}] ";
    const std::string call = "Evaluation Error: Error while evaluating a Method call, ";
    check_rows({
        {"too many", base + "P(1,2)",
         "Evaluation Error: Error while evaluating a Function Call, 'new_P' expects 1 argument, got 2"},
        {"arguments for an attribute", base + "P(1).x(5)",
         call + "'attribute P[x]' expects no arguments, got 1"},
        {"a block for an attribute", base + "P(1).x |$y| { 1 }",
         call + "'attribute P[x]' does not expect a block"},
        {"a function that nobody implements", "type P = Object[{functions=>{f=>Callable[Integer]}}] P().f(2)",
         call + "no method is implemented for function P[f]"},
        {"a derived attribute", "type P = Object[{attributes=>{x=>{type=>Any,kind=>derived}}}] P().x",
         call + "no method is implemented for derived attribute P[x]"},
        {"an unknown name is a function", base + "P(1).nope", "Evaluation Error: Unknown function: 'nope'."},
        {"no type parameters", base + "P[1]",
         "Evaluation Error: Error while evaluating a '[]' expression, The P-Type cannot be parameterized "
         "using []"},
    });
}

namespace {

Value doubled(CallContext&, const Value& self, std::span<const Value> arguments) {
    const std::int64_t own = self.as<ObjectBase>().attribute("size")->as_integer();
    return own * arguments[0].as_integer();
}
Value item(CallContext&, const Value&, std::span<const Value> arguments) {
    return Value("item " + arguments[0].as_string());
}

const NativeType& box_type() {
    static const NativeType type{.name = "Box",
                                 .interface =
                                     "attributes => { size => Integer, inner => Optional[Box] },"
                                     "functions => { times => Callable[[Integer], Integer],"
                                     "'[]' => Callable[[String], String] }",
                                 .methods = {{"times", doubled}, {"[]", item}}};
    return type;
}

}  // namespace

TEST_CASE("a component above can provide types with methods to programs", "[types]") {
    static const NativeTypes& types = NativeTypes::make({&box_type()});
    CHECK(object_result("Box(3).times(2)", &types) == "6");
    CHECK(object_result("Box.new(3, Box(1)).inner.size", &types) == "1");
    CHECK(object_result("Box(3)['a']", &types) == "'item a'");
    CHECK(object_result("function f(Box $b) { $b.size } f(Box(4))", &types) == "4");
    CHECK(object_result("Box(3).times('x')", &types) ==
          "Evaluation Error: Error while evaluating a Method call, 'function Box[times]' parameter '' "
          "expects an "
          "Integer value, got String");
    CHECK(is_assignable(*types.type("Box"), *types.find("box")));
    CHECK(object_result("[Error('it broke', 'kind').kind, Error('m').message, Error('m') == Error('m')]") ==
          "['kind', 'm', true]");
}
