#include <catch2/catch.hpp>
#include <chrono>

#include "tests/language/ruby/ruby_module.hpp"

namespace volley::testing {

TEST_CASE("functions of the newer API choose among their dispatches", "[language][ruby]") {
    if (no_ruby()) return;
    RubyModule module;
    module.newer("shape", R"(
  local_types { type 'Side = Integer[1]' }
  dispatch(:square) { param 'Side', :side }
  dispatch(:box) { param 'Integer', :a; optional_param 'Integer', :b; repeated_param 'String', :names }
  dispatch(:mapped) { param 'Array', :list; required_block_param 'Callable[1,1]', :block }
  def square(side) = side * side
  def box(a, b = 2, *names) = [a, b, names]
  def mapped(list) = list.map { |item| yield(item) }
)");
    CHECK(module.run("m::shape(4)") == "16");
    CHECK(module.run("m::shape(-1)") == "[-1, 2, []]");
    CHECK(module.run("m::shape(1, 5, 'x', 'y')") == "[1, 5, ['x', 'y']]");
    CHECK(module.run("m::shape([1, 2]) |$x| { $x + 10 }") == "[11, 12]");
    CHECK(module.run("m::shape('x')")
              .find("The function 'm::shape' was called with arguments it does not accept") !=
          std::string::npos);
}

TEST_CASE("all kinds of values come back from Ruby as they went", "[language][ruby]") {
    if (no_ruby()) return;
    RubyModule module;
    module.newer("same", "def same(value) = value");
    for (const char* value :
         {"undef", "true", "12", "-9223372036854775807", "1.5", "'text'", "'\xC3\xA9'", "[1, [undef, 'a']]",
          "{'a' => {'b' => 1}}", "{1 => 'a', 'b' => [2]}", "{'__ptype' => 'x'}", "default", "/a.b/",
          "Integer[1, 2]", "SemVer('1.2.3')", "Timestamp('2020-01-02T03:04:05.000 UTC')",
          "Timespan('1-02:03:04')", "Binary('AAEC')", "File['/a']"}) {
        INFO(value);
        CHECK(module.run(std::string("$v = ") + value +
                         "\nm::same($v) == $v and type(m::same($v)) == type($v)") == "true");
    }
    CHECK(module.run("m::same(Sensitive('secret')).unwrap") == "'secret'");
}

TEST_CASE("functions of the older API see the scope and call each other", "[language][ruby]") {
    if (no_ruby()) return;
    RubyModule module;
    module.older("first_of", "type: :rvalue, arity: 2",
                 "    args[0].to_s + function_second_of([args[1]]) + lookupvar('here')");
    module.older("second_of", "type: :rvalue",
                 "    raise(Puppet::ParseError, 'second_of(): bad') if args[0] == 'bad'\n    args[0].upcase");
    module.older("say", "", "    notice(args.join(' '))\n    42");
    CHECK(module.run("$here = '!'\nfirst_of(undef, 'x')") == "'X!'");
    CHECK(module.run("first_of('a', 'bad')") == std::string(calling) + "second_of(): bad");
    CHECK(module.run("first_of(1)") ==
          std::string(calling) + "first_of(): Wrong number of arguments given (1 for 2)");
    CHECK(module.run("say('a', 'b')") == "undef");
    CHECK(module.logs == "a b\n");
    CHECK(module.run("first_of('a', 'b')").find("Undefined variable 'here'") != std::string::npos);
}

TEST_CASE("Ruby functions call functions of the language, and errors pass through", "[language][ruby]") {
    if (no_ruby()) return;
    RubyModule module;
    module.newer("up", "def up(text) = call_function('upcase', text)");
    module.newer("outer", "def outer(text) = call_function('m::up', text) + '?'");
    module.newer("rescued",
                 "def rescued\n call_function('fail', 'inner')\nrescue Puppet::Error => e\n \"got "
                 "#{e.message}\"\nend");
    module.newer("failing", "def failing = call_function('fail', 'deep down')");
    module.newer("each_of",
                 "dispatch(:go) { param 'Array', :l; block_param }\ndef go(list)\n list.each { |x| yield(x) "
                 "}\n 'end'\nend");
    CHECK(module.run("m::outer('abc')") == "'ABC?'");
    CHECK(module.run("m::rescued()") == "'got inner'");
    CHECK(module.run("m::failing()") == std::string(calling) + "deep down");
    CHECK(module.run("[1].each |$x| { m::each_of([1, 2]) |$y| { break() } }\n'after'") == "'after'");
    CHECK(module.run("m::each_of([1, 2]) |$y| { next() }") == "'end'");
}

TEST_CASE("ERB templates see the variables of the scope", "[language][ruby]") {
    if (no_ruby()) return;
    RubyModule module;
    module.write(
        "templates/t.erb",
        "<% @list.each do |x| -%>\n<%= x %>;\n<% end -%>\n<%= scope['one'] %> <%= scope.lookupvar('::one') "
        "-%>\n"
        "<%= @none.nil? %> <%= has_variable?('one') %> <%= has_variable?('none') %>\n"
        "<%= scope.function_versioncmp(['1.0', '2.0']) %> <%= scope.call_function('upcase', ['x']) %>");
    CHECK(module.run("$one = 1\n$list = ['a', 'b']\ntemplate('m/t.erb')") ==
          "\"a;\\nb;\\n1 1true true false\\n-1 X\"");
    CHECK(module.run("inline_template('<%= 1 + 1 %>', '<%# c %>x')") == "'2x'");
    CHECK(module.run("inline_template('<% nosuch %>')")
              .find("Failed to parse inline template: undefined local variable") != std::string::npos);
    CHECK(module.run("template('m/none.erb')") ==
          std::string(calling) + "Could not find template 'm/none.erb'");
    module.write("templates/bad.erb", "a\n<%= nil.foo %>");
    const std::string failed = module.run("template('m/bad.erb')");
    CHECK(failed.starts_with(std::string(calling) + "Failed to parse template m/bad.erb:\n  Filepath: "));
    CHECK(failed.find("\n  Line: 2\n  Detail: undefined method `foo' for nil") != std::string::npos);
}

TEST_CASE("an object that Ruby code keeps in a variable is the same object later", "[language][ruby]") {
    if (no_ruby()) return;
    RubyModule module;
    module.write(
        "templates/outer.erb",
        "<% scope.setvar('_state', {}) -%>\n<% [1, 2].each do |i| -%>\n"
        "<% scope.lookupvar('_state')[:item] = i -%>\n<%= scope.function_template(['m/inner.erb']) -%>\n"
        "<% end -%>\n");
    module.write("templates/inner.erb", "item <%= scope['_state'][:item] %> <%= @_state[:item] %>\n");
    CHECK(module.run("template('m/outer.erb')") == "\"item 1 1\\nitem 2 2\\n\"");
    module.older("keeps", ":type => :statement", "setvar('kept', {'a' => [1]})");
    CHECK(module.run("keeps() $kept['a'][0]") == "1");
    CHECK(module.run("$kept = 1 keeps()").find("Cannot reassign variable '$kept'") != std::string::npos);
    CHECK(module.run("keeps() keeps()").find("Cannot reassign variable '$kept'") != std::string::npos);
    module.write("templates/facts.erb", "<% scope.setvar('facts', 1) %>");
    CHECK(module.run("template('m/facts.erb')").find("reserved variable name: 'facts'") != std::string::npos);
}

TEST_CASE("a list that a template changes in place is changed for the program", "[language][ruby]") {
    if (no_ruby()) return;
    RubyModule module;
    CHECK(module.run("$x = [1] $y = $x inline_template('<% @x << 2 %>') [$x, $y]") == "[[1, 2], [1, 2]]");
    CHECK(module.run("$x = { a => [1] } inline_template('<% scope[\"x\"][\"a\"] << 2 %>') $x") ==
          "{'a' => [1, 2]}");
    CHECK(module.run("$x = [1] inline_template('<% @x << 2; scope[\"x\"] << 3 %>') $x") == "[1, 2, 3]");
    CHECK(module.run("$x = [1] inline_template('<% @x + [2] %>') $x") == "[1]");
    module.write("templates/inner.erb", "<%= @x.size %><% @x << 3 -%>");
    CHECK(
        module.run(
            "$x = [1] $t = inline_template('<% @x << 2 %><%= scope.function_template([\"m/inner.erb\"]) %>') "
            "[$t, $x]") == "['2', [1, 2, 3]]");
}

TEST_CASE("a template of a file is rendered again with other variables, and anew when it changes",
          "[language][ruby]") {
    if (no_ruby()) return;
    RubyModule module;
    module.write("templates/t.erb", "<%= @a %>/<%= @b.nil? %>\n<% return _erbout if @a == 2 -%>\nend");
    CHECK(module.run("[1, 2, 3].map |$a| { template('m/t.erb') }") ==
          "[\"1/true\\nend\", \"2/true\\n\", \"3/true\\nend\"]");
    CHECK(module.run("$b = 1 $a = 5 template('m/t.erb')") == "\"5/false\\nend\"");
    module.write("templates/t.erb", "now <%= @b %>");
    CHECK(module.run("$a = 1 $b = 2 template('m/t.erb')") == "'now 2'");
    module.write("templates/empty.erb", "");
    CHECK(module.run("\"[${template('m/empty.erb')}${template('m/empty.erb')}]\"") == "'[]'");
    // What no method may hold: constants, classes.
    module.write("templates/odd.erb",
                 "<% Limit = 7 unless defined?(Limit); class Odd; def x = 8; end -%>\n"
                 "<%= Limit %><%= Odd.new.x %><%= @a %>");
    CHECK(module.run("[1, 2].map |$a| { template('m/odd.erb') }") == "['781', '782']");
    module.write("templates/wrong.erb", "<% if true %>");
    CHECK(module.run("template('m/wrong.erb')").find("Failed to parse template m/wrong.erb") !=
          std::string::npos);
    // A template sees what the one around it has changed.
    module.write("templates/inner.erb", "<%= @list.join %>");
    module.write("templates/outer.erb", "<% @list << 'x' %><%= scope.function_template(['m/inner.erb']) %>");
    CHECK(module.run("[1, 2].map |$i| { $list = [\"${i}\"] template('m/outer.erb') }") == "['1x', '2x']");
}

TEST_CASE("templates use the libraries that Puppet has loaded", "[language][ruby]") {
    if (no_ruby()) return;
    RubyModule module;
    CHECK(module.run("$x = { 'a' => [1] } inline_template('<%= @x.to_yaml %>')") == "\"---\\na:\\n- 1\\n\"");
    CHECK(module.run("inline_template('<%= YAML.load(\"[1, 2]\").sum + YAML.load(\"3\") %>')") == "'6'");
    CHECK(
        module.run(
            "inline_template('<%= Digest::MD5.hexdigest(\"x\")[0, 4] %> <%= URI(\"http://h/\").host %>')") ==
        "'9dd4 h'");
    CHECK(module.run("inline_template('<%= Time.parse(\"2020-01-01 UTC\").year %> <%= [1].to_pson %>')") ==
          "'2020 [1]'");
}

TEST_CASE("a crash or a hang of Ruby code is an error of the call", "[language][ruby]") {
    if (no_ruby()) return;
    RubyModule module;
    module.newer("crash", "def crash = Process.exit!(7)");
    module.newer("leave", "def leave = exit(3)");
    module.newer("hang", "def hang = loop { sleep 1 }");
    module.newer("print", "def print = puts('to standard output') || 'fine'");
    module.newer("deep", "def deep = deep");
    module.newer("broken", "def broken(");
    CHECK(module.run("m::crash()").ends_with("/m/crash.rb): the Ruby process ended with status 7"));
    CHECK(module.run("m::print()") == "'fine'");
    CHECK(module.run("m::leave()") == std::string(calling) + "the Ruby code called exit (3)");
    LanguageSettings hasty;
    hasty.ruby_timeout = std::chrono::milliseconds(4500);
    CHECK(module.run("m::hang()", hasty)
              .ends_with("/m/hang.rb): the Ruby code did not answer within 4 s and was stopped"));
    CHECK(module.run("m::deep()") == std::string(calling) + "stack level too deep");
    CHECK(module.run("m::broken()").find("syntax error") != std::string::npos);
}

TEST_CASE("a thousand calls of Ruby functions are answered by one process", "[language][ruby]") {
    if (no_ruby()) return;
    RubyModule module;
    module.newer("plus", "def plus(a, b) = a + b");
    module.newer("process", "def process = Process.pid");
    CHECK(module.run("Integer[1, 1000].reduce(0) |$m, $x| { m::plus($m, $x) }") == "500500");
    CHECK(module.run("Integer[1, 1000].map |$x| { m::process() }.unique.length") == "1");
}

}  // namespace volley::testing
