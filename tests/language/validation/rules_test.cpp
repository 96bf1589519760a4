#include <catch2/catch.hpp>
#include <filesystem>
#include <set>

#include "language/compile.hpp"
#include "language/text/regexp.hpp"
#include "support/files.hpp"
#include "support/text.hpp"
#include "tests/source_folder.hpp"

// Each rule of language/validation with its message and position, as Puppet 7.23 reports them where it has
// the rule.

namespace volley {
namespace {

enum class Text { Manifest, Plan, Template, FileOfModule };

struct Row {
    std::string_view name;
    Text text;
    std::string_view source;
    std::string_view want;  // "ISSUE line:column message", a line for each finding
};

std::string findings(const Row& row) {
    LanguageSettings settings;
    settings.tasks = row.text == Text::Plan;
    CheckOptions options{.file = "init.pp", .epp = row.text == Text::Template, .file_namespace = {}};
    if (row.text == Text::FileOfModule) options.file_namespace = "mod";
    std::vector<std::string> lines;
    for (const Diagnostic& one : check_program(std::string(row.source), settings, options).diagnostics)
        lines.push_back(one.issue + " " + std::to_string(one.at.line) + ":" + std::to_string(one.at.column) +
                        " " + one.message);
    return join(lines, "\n");
}

void check(std::span<const Row> rows) {
    for (const Row& row : rows) {
        DYNAMIC_SECTION(row.name) {
            INFO(row.source);
            CHECK(findings(row) == row.want);
        }
    }
}

constexpr Row rules_of_names_and_places_of_definitions[] = {
    {"a class's name has no dash", Text::Manifest, "class a-b { }",
     "ILLEGAL_DEFINITION_NAME 1:1 Unacceptable name. The name 'a-b' is unacceptable as the name of a Host "
     "Class Definition"},
    {"a define's name has no dash", Text::Manifest, "define a-b() { }",
     "ILLEGAL_DEFINITION_NAME 1:1 Unacceptable name. The name 'a-b' is unacceptable as the name of a "
     "'define' expression"},
    {"a text is not called", Text::Manifest, "'a'(1)",
     "ILLEGAL_EXPRESSION 1:1 Illegal expression. A String is unacceptable as function name in a Function "
     "Call"},
    {"a host's name has letters, digits, '_', '-' and '.'", Text::Manifest, "node 'a!b' { }",
     "ILLEGAL_HOSTNAME_CHARS 1:6 The hostname 'a!b' contains illegal characters (only letters, digits, '_', "
     "'-', and '.' are allowed)"},
    {"a host's name is not interpolated", Text::Manifest, "node \"a${b}\" { }",
     "ILLEGAL_HOSTNAME_INTERPOLATION 1:10 An interpolated expression is not allowed in a hostname of a node"},
    {"a node does not inherit", Text::Manifest, "node 'a' inherits 'b' { }",
     "ILLEGAL_NODE_INHERITANCE 1:19 Node inheritance is not supported in Puppet >= 4.0.0. See "
     "http://links.puppet.com/puppet-node-inheritance-deprecation"},
    {"a query of a name collects a type", Text::Manifest, "file <| |>",
     "ILLEGAL_EXPRESSION 1:1 Illegal expression. A Name is unacceptable as type name in a Virtual Query"},
    {"a pattern maps to a pattern", Text::Manifest, "type Runtime[ruby, [/a/, 'b']] = Integer",
     "ILLEGAL_TYPE_MAPPING 1:6 Illegal type mapping. Expected a Tuple[Regexp,String] on the left side, got A "
     "Type Mapping"},
    {"only Runtime is mapped", Text::Manifest, "type Integer[1] = String",
     "UNSUPPORTED_EXPRESSION 1:6 Expressions of type a Type Mapping are not supported in this version of "
     "Puppet"},
    {"a definition stands at the top", Text::Manifest, "if true {\n  class c { }\n}",
     "NOT_TOP_LEVEL 2:3 Classes, definitions, and nodes may only appear at toplevel or inside other classes"},
    {"a function stands at the top", Text::Manifest, "class a {\n  function f() { 1 }\n}",
     "NOT_ABSOLUTE_TOP_LEVEL 2:3 A Function Definition may only appear at toplevel"},
    {"a type alias stands at the top", Text::Manifest, "class a {\n  type A = Integer\n}",
     "NOT_ABSOLUTE_TOP_LEVEL 2:8 A Type Alias may only appear at toplevel"},
    {"a define is not called like a type", Text::Manifest, "define string() { }",
     "RESERVED_TYPE_NAME 1:1 The name: 'string' is already defined by Puppet and can not be used as the name "
     "of a 'define' expression."},
    {"a class is not called like a type", Text::Manifest, "class any { }",
     "RESERVED_TYPE_NAME 1:1 The name: 'any' is already defined by Puppet and can not be used as the name of "
     "a Host Class Definition."},
    {"a type is not defined in the language", Text::Manifest, "type Foo inherits Bar { }",
     "UNSUPPORTED_EXPRESSION 1:1 Expressions of type a Type Definition are not supported in this version of "
     "Puppet"},
    {"a file of a module holds definitions", Text::FileOfModule, "class mod::a { }\nnotice(1)",
     "ILLEGAL_TOP_CONSTRUCT_LOCATION 2:1 This Function Call is unacceptable as a top level construct in this "
     "location"},
    {"a file of a module holds one statement that is not a definition", Text::FileOfModule, "notice(1)",
     "ILLEGAL_TOP_CONSTRUCT_LOCATION 1:1 This Function Call is unacceptable as a top level construct in this "
     "location"},
    {"a file of a module holds definitions of its place", Text::FileOfModule, "class other::a { }",
     "ILLEGAL_DEFINITION_LOCATION 1:1 Unacceptable location. The name 'other::a' is unacceptable in file "
     "'init.pp'"},
};

constexpr Row rules_of_parameters[] = {
    {"a lambda's rest is last", Text::Manifest, "[1].each |*$a, $b| { $a }",
     "CAPTURES_REST_NOT_LAST 1:12 Parameter $a is not last, and has 'captures rest'"},
    {"a class has no rest", Text::Manifest, "class c(*$a) { }",
     "CAPTURES_REST_NOT_SUPPORTED 1:10 Parameter $a has 'captures rest' - not supported in a Host Class "
     "Definition"},
    {"a define has no rest", Text::Manifest, "define d($a, *$b) { }",
     "CAPTURES_REST_NOT_SUPPORTED 1:15 Parameter $b has 'captures rest' - not supported in a 'define' "
     "expression"},
    {"an EPP template has no rest", Text::Template, "<%- | *$a | -%>x",
     "CAPTURES_REST_NOT_SUPPORTED 1:8 Parameter $a has 'captures rest' - not supported in an Epp Template"},
    {"a parameter stands once", Text::Manifest, "define d($a, $b, $a) { }",
     "DUPLICATE_PARAMETER 1:18 The parameter 'a' is declared more than once in the parameter list"},
    {"a function's parameter stands once", Text::Manifest, "function f($a, $a) { 1 }",
     "DUPLICATE_PARAMETER 1:16 The parameter 'a' is declared more than once in the parameter list"},
    {"no assignment in a default", Text::Manifest, "class c($a = [$b = 1]) { }",
     "ILLEGAL_ASSIGNMENT_CONTEXT 1:18 Assignment not allowed here"},
    {"no assignment in a lambda's default", Text::Manifest, "[1].each |$a = ($b = 2)| { $a }",
     "ILLEGAL_ASSIGNMENT_CONTEXT 1:20 Assignment not allowed here"},
    {"a class's parameter types are literal", Text::Manifest, "class c(Integer[$x] $a) { }",
     "ILLEGAL_NONLITERAL_PARAMETER_TYPE 1:21 The parameter '$a' must be a literal type, not a '[]' "
     "expression"},
    {"a parameter is not a group", Text::Manifest, "define d($1) { }",
     "ILLEGAL_NUMERIC_PARAMETER 1:10 The numeric parameter name '$1' cannot be used (clashes with numeric "
     "match result variables)\nILLEGAL_PARAM_NAME 1:10 Illegal parameter name. The given name '1' does not "
     "conform to the naming rule /^[a-z_]\\w*$/"},
    {"a parameter's name has no namespace", Text::Manifest, "define d($a::b) { }",
     "ILLEGAL_PARAM_NAME 1:10 Illegal parameter name. The given name 'a::b' does not conform to the naming "
     "rule /^[a-z_]\\w*$/"},
    {"$name is the resource's", Text::Manifest, "class c($name) { }",
     "RESERVED_PARAMETER 1:9 The parameter $name redefines a built in parameter in the Host Class "
     "Definition"},
    {"$title is the resource's", Text::Manifest, "define d($title) { }",
     "RESERVED_PARAMETER 1:10 The parameter $title redefines a built in parameter in the 'define' "
     "expression"},
    {"parameters of a template stand in a tag that trims", Text::Template, "x<% ($a) %>",
     "ILLEGAL_EPP_PARAMETERS 1:1 Ambiguous EPP parameter expression. Probably missing '<%-' before "
     "parameters to "
     "remove leading whitespace"},
};

constexpr Row rules_of_effects_and_values[] = {
    {"a statement has an effect", Text::Manifest, "1 + 2\nnotice(1)",
     "IDEM_EXPRESSION_NOT_LAST 1:3 This '+' expression has no effect. A value was produced and then "
     "forgotten (one or more preceding expressions may have the wrong form)"},
    {"a literal has no effect", Text::Manifest, "'a'\nnotice(1)",
     "IDEM_EXPRESSION_NOT_LAST 1:1 This String has no effect. A value was produced and then forgotten (one "
     "or more preceding expressions may have the wrong form)"},
    {"a variable has no effect", Text::Manifest, "$a\nnotice(1)",
     "IDEM_EXPRESSION_NOT_LAST 1:1 This Variable has no effect. A value was produced and then forgotten (one "
     "or more preceding expressions may have the wrong form)"},
    {"an if of literals has no effect", Text::Manifest, "if true { 1 } else { 2 }\nnotice(1)",
     "IDEM_EXPRESSION_NOT_LAST 1:1 This 'if' statement has no effect. A value was produced and then "
     "forgotten (one or more preceding expressions may have the wrong form)"},
    {"a case of literals has no effect", Text::Manifest, "case 1 { 1: { 2 } }\nnotice(1)",
     "IDEM_EXPRESSION_NOT_LAST 1:1 This 'case' statement has no effect. A value was produced and then "
     "forgotten (one or more preceding expressions may have the wrong form)"},
    {"a comparison has no effect", Text::Manifest, "1 == 2\nnotice(1)",
     "IDEM_EXPRESSION_NOT_LAST 1:3 This '==' expression has no effect. A value was produced and then "
     "forgotten (one or more preceding expressions may have the wrong form)"},
    {"a define's last statement has an effect", Text::Manifest, "define d() {\n  1 + 2\n}",
     "IDEM_NOT_ALLOWED_LAST 2:5 This '+' expression has no effect. A 'define' expression can not end with a "
     "value-producing expression without other effect"},
    {"a class's last statement has an effect", Text::Manifest, "class c {\n  notice(1)\n  $x\n}",
     "IDEM_NOT_ALLOWED_LAST 3:3 This Variable has no effect. A Host Class Definition can not end with a "
     "value-producing expression without other effect"},
    {"a node's last statement has an effect", Text::Manifest, "node 'a' {\n  [1]\n}",
     "IDEM_NOT_ALLOWED_LAST 2:3 This Array Expression has no effect. A Node Definition can not end with a "
     "value-producing expression without other effect"},
    {"a collector is not a value", Text::Manifest, "$x = File <| |>",
     "NOT_RVALUE 1:6 Invalid use of expression. A Virtual Query does not produce a value"},
    {"a class is not a value", Text::Manifest, "$x = [class c { }]",
     "NOT_RVALUE 1:7 Invalid use of expression. A Host Class Definition does not produce a "
     "value\nNOT_TOP_LEVEL 1:7 Classes, definitions, and nodes may only appear at toplevel or inside other "
     "classes"},
    {"a define is not a value", Text::Manifest, "$x = { a => define d() { } }",
     "NOT_RVALUE 1:13 Invalid use of expression. A 'define' expression does not produce a "
     "value\nNOT_TOP_LEVEL 1:13 Classes, definitions, and nodes may only appear at toplevel or inside other "
     "classes"},
    {"private is reserved", Text::Manifest, "private",
     "RESERVED_WORD 1:1 Use of reserved word: private, must be quoted if intended to be a String value"},
    {"a reserved word has no effect", Text::Manifest, "class c { private }",
     "IDEM_NOT_ALLOWED_LAST 1:11 This Reserved Word 'private' has no effect. A Host Class Definition can not "
     "end with a value-producing expression without other effect\n"
     "RESERVED_WORD 1:11 Use of reserved word: private, must be quoted if intended to be a String value"},
    {"attr is reserved", Text::Manifest, "$x = attr",
     "RESERVED_WORD 1:6 Use of reserved word: attr, must be quoted if intended to be a String value"},
    {"a resource has a title", Text::Manifest, "file { mode => '1' }",
     "RESOURCE_WITHOUT_TITLE 1:1 This expression is invalid. Did you try declaring a 'file' resource without "
     "a title?"},
};

constexpr Row rules_of_assignments_and_variables[] = {
    {"+= is gone", Text::Manifest, "$a = [1]\n$a += [2]",
     "APPENDS_DELETES_NO_LONGER_SUPPORTED 2:4 The operator '+=' is no longer supported. See "
     "http://links.puppet.com/remove-plus-equals"},
    {"-= is gone", Text::Manifest, "$a = [1]\n$a -= [2]",
     "APPENDS_DELETES_NO_LONGER_SUPPORTED 2:4 The operator '-=' is no longer supported. See "
     "http://links.puppet.com/remove-plus-equals"},
    {"another namespace is not assigned to", Text::Manifest, "$a::b = 1",
     "CROSS_SCOPE_ASSIGNMENT 1:1 Illegal attempt to assign to 'a::b'. Cannot assign to variables in other "
     "namespaces"},
    {"the top scope is not assigned to", Text::Manifest, "$::b = 1",
     "CROSS_SCOPE_ASSIGNMENT 1:1 Illegal attempt to assign to '::b'. Cannot assign to variables in other "
     "namespaces"},
    {"a number is not assigned to", Text::Manifest, "1 = 2",
     "ILLEGAL_ASSIGNMENT 1:1 Illegal attempt to assign to 'a Literal Integer'. Not an assignable reference"},
    {"a call is not assigned to", Text::Manifest, "f() = 2",
     "ILLEGAL_ASSIGNMENT 1:1 Illegal attempt to assign to 'a Function Call'. Not an assignable reference"},
    {"of a list, each item is assigned to", Text::Manifest, "[$a, 1] = [1, 2]",
     "ILLEGAL_ASSIGNMENT 1:6 Illegal attempt to assign to 'a Literal Integer'. Not an assignable reference"},
    {"an item is not assigned to", Text::Manifest, "$a[1] = 2",
     "ILLEGAL_INDEXED_ASSIGNMENT 1:1 Illegal attempt to assign via [index/key]. Not an assignable reference"},
    {"a group is not assigned to", Text::Manifest, "$1 = 2",
     "ILLEGAL_NUMERIC_ASSIGNMENT 1:1 Illegal attempt to assign to the numeric match result variable '$1'. "
     "Numeric variables are not assignable"},
    {"a group's number is decimal", Text::Manifest, "notice($01)",
     "ILLEGAL_NUMERIC_VAR_NAME 1:8 Illegal numeric variable name, The given name '01' must be a decimal "
     "value if it starts with a digit 0-9"},
    {"a variable's namespace has no underscore first", Text::Manifest, "notice($_a::b)",
     "ILLEGAL_VAR_NAME 1:8 Illegal variable name, The given name '_a::b' does not conform to the naming rule "
     "/^((::)?[a-z]\\w*)*((::)?[a-z_]\\w*)$/"},
};

constexpr Row rules_of_literals_and_choices[] = {
    {"a case has one default", Text::Manifest, "case 1 { 1: { } default: { } 2, default: { } }",
     "DUPLICATE_DEFAULT 1:33 This 'case' statement already has a 'default' entry - this is a duplicate"},
    {"a selector has one default", Text::Manifest, "$x = 1 ? { default => 1, 2 => 1, default => 2 }",
     "DUPLICATE_DEFAULT 1:34 This Selector Expression already has a 'default' entry - this is a duplicate"},
    {"a key stands once", Text::Manifest, "$x = { a => 1, 'b' => 2,\n  'a' => 3 }",
     "DUPLICATE_KEY 2:7 The key 'a' is declared more than once"},
    {"a type as a key stands once", Text::Manifest, "$x = { Integer[1] => 1, Integer[1] => 2 }",
     "DUPLICATE_KEY 1:36 The key 'Integer[1]' is declared more than once"},
    {"a list as a key stands once", Text::Manifest, "$x = { [1, -2] => 1, [1, -2] => 2 }",
     "DUPLICATE_KEY 1:30 The key '[1, -2]' is declared more than once"},
    {"a heredoc of JSON is JSON", Text::Manifest, "$x = @(E:json)\n  {\n  | E\n",
     "ILLEGAL_HEREDOC_SYNTAX 2:1 Invalid produced text having syntax: 'json'. JSON syntax checker: Cannot "
     "parse invalid JSON string. \"unexpected token at '{\\n'\""},
    {"a heredoc of Puppet is Puppet", Text::Manifest, "$x = @(E:pp)\n  $a = \n  | E\n",
     "ILLEGAL_HEREDOC_SYNTAX 2:1 Invalid produced text having syntax: 'pp'. PP syntax checker: \"Syntax "
     "error at end of input\""},
    {"a decimal number fits", Text::Manifest, "$x = 9223372036854775808",
     "NUMERIC_OVERFLOW 1:6 A Literal Integer resulted in a value outside of Puppet Integer max range, got "
     "'+0x8000000000000000'"},
    {"a negative decimal number fits", Text::Manifest, "$x = -9223372036854775809",
     "NUMERIC_OVERFLOW 1:7 A Literal Integer resulted in a value outside of Puppet Integer max range, got "
     "'+0x8000000000000001'"},
    {"a hexadecimal number fits", Text::Manifest, "$x = 0xFFFFFFFFFFFFFFFFFF",
     "NUMERIC_OVERFLOW 1:6 A Literal Integer resulted in a value outside of Puppet Integer max range, got "
     "'+0xffffffffffffffffff'"},
    {"an octal number fits", Text::Manifest, "$x = 07777777777777777777777",
     "NUMERIC_OVERFLOW 1:6 A Literal Integer resulted in a value outside of Puppet Integer max range, got "
     "'+0x3ffffffffffffffff'"},
};

constexpr Row rules_of_resources_and_collectors[] = {
    {"a class is not virtual", Text::Manifest, "@class { 'a': }",
     "CLASS_NOT_VIRTUALIZABLE 1:1 Classes are not virtualizable"},
    {"a class is not exported", Text::Manifest, "@@class { 'a': }",
     "CLASS_NOT_VIRTUALIZABLE 1:1 Classes are not virtualizable"},
    {"+> is for overrides", Text::Manifest, "file { '/a': mode +> '1' }",
     "ILLEGAL_ATTRIBUTE_APPEND 1:14 Illegal +> operation on attribute mode. This operator can not be used in "
     "a Resource Instance Definition"},
    {"+> is not for defaults", Text::Manifest, "File { mode +> '1' }",
     "ILLEGAL_ATTRIBUTE_APPEND 1:8 Illegal +> operation on attribute mode. This operator can not be used in "
     "a Resource Defaults Expression"},
    {"a query compares", Text::Manifest, "File <| title > 1 |>",
     "ILLEGAL_QUERY_EXPRESSION 1:15 Illegal query expression. A '>' expression cannot be used in a query"},
    {"a query is not a call", Text::Manifest, "File <| f() |>",
     "ILLEGAL_QUERY_EXPRESSION 1:9 Illegal query expression. A Function Call cannot be used in a query"},
    {"attributes are unfolded once", Text::Manifest, "file { '/a': * => {}, mode => '1', * => {} }",
     "MULTIPLE_ATTRIBUTES_UNFOLD 1:36 Unfolding of attributes from Hash can only be used once per resource "
     "body"},
    {"defaults are not virtual", Text::Manifest, "@File { mode => '1' }",
     "NOT_VIRTUALIZEABLE 1:1 Resource Defaults are not virtualizable"},
    {"overrides are not exported", Text::Manifest, "@@File['/a'] { mode => '1' }",
     "NOT_VIRTUALIZEABLE 1:1 Resource Defaults are not virtualizable"},
};

constexpr Row rules_of_plans[] = {
    {"a plan declares no resource", Text::Plan, "plan p() { notify { 'a': } }",
     "EXPRESSION_NOT_SUPPORTED_WHEN_SCRIPTING 1:12 A Resource Statement is only available when compiling a "
     "catalog"},
    {"a plan's file holds no class", Text::Plan, "class c { }",
     "EXPRESSION_NOT_SUPPORTED_WHEN_SCRIPTING 1:1 A Host Class Definition is only available when compiling a "
     "catalog"},
    {"a plan collects nothing", Text::Plan, "plan p() { File <| |> }",
     "EXPRESSION_NOT_SUPPORTED_WHEN_SCRIPTING 1:12 A Virtual Query is only available when compiling a "
     "catalog"},
    {"a plan has no relationships", Text::Plan, "plan p() { File['a'] -> File['b'] }",
     "EXPRESSION_NOT_SUPPORTED_WHEN_SCRIPTING 1:22 A '->' expression is only available when compiling a "
     "catalog"},
    {"an apply block holds no apply block", Text::Plan, "plan p() { apply('x') { apply('y') { } } }",
     "EXPRESSION_NOT_SUPPORTED_WHEN_COMPILING 1:25 An 'apply' expression is not available when compiling a "
     "catalog"},
};

constexpr Row accepted[] = {
    {"1 and 1.0 are two keys", Text::Manifest, "$x = { 1 => 1, 1.0 => 2 }", ""},
    {"a plan's apply block does", Text::Plan, "plan p() { apply('x') { notify { 'a': } } }", ""},
    {"a call has an effect", Text::Manifest, "if true { f() }\nnotice(1)", ""},
    {"a match has no effect", Text::Manifest, "'a' =~ /b/\nnotice(1)", ""},
    {"a function may end with a value", Text::Manifest, "function f() { 1 }", ""},
    {"an assignment in a default's lambda", Text::Manifest, "define d($a = [1].map |$x| { $y = $x }) { }",
     ""},
    {"+> in an override", Text::Manifest,
     "class a { file { '/a': } }\nclass b inherits a { File['/a'] { mode +> '1' } }", ""},
    {"+> in a collector", Text::Manifest, "File <| |> { mode +> '1' }", ""},
    {"a heredoc of YAML is YAML", Text::Manifest, "$x = @(E:yaml)\n  a: [\n  | E\n", ""},
    {"a heredoc of an unknown syntax", Text::Manifest, "$x = @(E:foo)\n  {\n  | E\n", ""},
    {"a parameter's name begins in lower case", Text::Manifest, "define d($_a, $b9) { }", ""},
    {"a query with and, or and parentheses", Text::Manifest,
     "File <| (title == 1 or $a != 2) and tag == b |>", ""},
    {"a variable's name begins in lower case", Text::Manifest, "notice($a::_b)", ""},
    {"a class stands in a class", Text::Manifest, "class a { class b { } }", ""},
    {"a function may have $title", Text::Manifest, "function f($title) { $title }", ""},
    {"a resource's hash may be a statement", Text::Manifest, "notice({ mode => '1' })", ""},
};

}  // namespace

TEST_CASE("validation reports mistakes in names and places of definitions, each with its place",
          "[validation]") {
    check(rules_of_names_and_places_of_definitions);
}

TEST_CASE("validation reports mistakes in parameters, each with its place", "[validation]") {
    check(rules_of_parameters);
}

TEST_CASE("validation reports mistakes in effects and values, each with its place", "[validation]") {
    check(rules_of_effects_and_values);
}

TEST_CASE("validation reports mistakes in assignments and variables, each with its place", "[validation]") {
    check(rules_of_assignments_and_variables);
}

TEST_CASE("validation reports mistakes in literals and choices, each with its place", "[validation]") {
    check(rules_of_literals_and_choices);
}

TEST_CASE("validation reports mistakes in resources and collectors, each with its place", "[validation]") {
    check(rules_of_resources_and_collectors);
}

TEST_CASE("validation reports mistakes in plans, each with its place", "[validation]") {
    check(rules_of_plans);
}

TEST_CASE("validation accepts what is near to a mistake", "[validation]") { check(accepted); }

TEST_CASE("each rule of validation has a row", "[validation]") {
    std::set<std::string> tested;
    for (const Row& row : rules_of_names_and_places_of_definitions)
        tested.emplace(row.want.substr(0, row.want.find(' ')));
    for (const Row& row : rules_of_parameters) tested.emplace(row.want.substr(0, row.want.find(' ')));
    for (const Row& row : rules_of_effects_and_values) tested.emplace(row.want.substr(0, row.want.find(' ')));
    for (const Row& row : rules_of_assignments_and_variables)
        tested.emplace(row.want.substr(0, row.want.find(' ')));
    for (const Row& row : rules_of_literals_and_choices)
        tested.emplace(row.want.substr(0, row.want.find(' ')));
    for (const Row& row : rules_of_resources_and_collectors)
        tested.emplace(row.want.substr(0, row.want.find(' ')));
    for (const Row& row : rules_of_plans) tested.emplace(row.want.substr(0, row.want.find(' ')));
    const auto issue = Regexp::compile("(?:error|warning)\\(\\s*\"([A-Z_]+)\"");
    const std::filesystem::path folder = tests::source_folder() / "language/validation";
    std::size_t rules = 0;
    for (const auto& file : std::filesystem::directory_iterator(folder)) {
        if (file.path().extension() != ".cpp") continue;
        const std::string code = read_file(file.path(), "source");
        for (auto found = issue->search(code); found;
             found = issue->search(code, static_cast<std::size_t>(found->groups[0].end))) {
            ++rules;
            INFO(found->group(code, 1));
            CHECK(tested.contains(std::string(found->group(code, 1))));
        }
    }
    CHECK(rules > 40);
}

}  // namespace volley
