#include <catch2/catch.hpp>

#include "tests/language/ruby/ruby_module.hpp"

namespace volley::testing {

TEST_CASE("without Ruby the error names the function and its file", "[language][ruby]") {
    RubyModule module;
    module.newer("any", "def any\n  1\nend\ndef other(x)\n  BEGIN { 2 }\nend");
    module.write("templates/odd.erb", "<% x = 'abc' %>\n<%= x.unpack1('H*') %>\n");
    CHECK(module.run_natively("m::any()") ==
          std::string(calling) +
              "The function 'm::any' (<root>/production/modules/m/lib/puppet/functions/m/any.rb) needs Ruby "
              "(line 6: a "
              "construct that native Ruby does not know), which is turned off (--no-ruby)");
    CHECK(module.run_natively("template('m/odd.erb')") ==
          std::string(calling) +
              "The ERB template 'm/odd.erb' (<root>/production/modules/m/templates/odd.erb) needs Ruby (line "
              "2: "
              "String#unpack1), which is turned off (--no-ruby)");
}

TEST_CASE("native functions and templates need no Ruby", "[language][ruby][native]") {
    RubyModule module;
    module.newer("shape", R"(
  local_types { type 'Side = Integer[1]' }
  dispatch(:square) { param 'Side', :side }
  dispatch(:box) { param 'Integer', :a; optional_param 'Integer', :b; repeated_param 'String', :names }
  argument_mismatch(:wrong) { param 'Boolean', :any }
  def square(side) = side * side
  def box(a, b = 2, *names) = [a, b, names]
  def wrong(any) = 'takes no Boolean'
)");
    module.older("first_of", ":type => :rvalue, :arity => 2, :doc => 'x'",
                 "    next 'none' if args[0] == 'no'\n    return args[0].to_s + function_upcase([args[1]]) + "
                 "lookupvar('here')");
    module.older("say", ":doc => <<-EOT\n  text\n  EOT\n  ", "    function_notice([args.join(' ')])\n    42");
    module.newer("raising", "def raising(text)\n  raise Puppet::ParseError, \"raising(): #{text}\"\nend");
    module.newer("list", "def list(values)\n  values.shift\n  values\nend");
    module.write("templates/page.erb",
                 "<% @list.each do |x| -%>\n<%= scope['here'] %><%= x %>\n<% end -%>\n");
    module.write("templates/bad.erb", "one\n<%= raise 'broken' %>\n");
    CHECK(module.run_natively("[m::shape(4), m::shape(-1), m::shape(1, 5, 'x')]") ==
          "[16, [-1, 2, []], [1, 5, ['x']]]");
    CHECK(module.run_natively("m::shape(true)").find("takes no Boolean") != std::string::npos);
    CHECK(module.run_natively("$here = '!'\n[first_of(undef, 'x'), first_of('no', 1)]") == "['X!', 'none']");
    CHECK(module.run_natively("first_of(1)")
              .ends_with("first_of(): Wrong number of arguments given (1 for 2)"));
    CHECK(module.run_natively("say('a', 'b')") == "undef");
    CHECK(module.logs == "a b\n");
    CHECK(module.run_natively("m::raising('x')") == std::string(calling) + "raising(): x");
    CHECK(module.run_natively("$l = [1, 2]\n[m::list($l), $l]") == "[[2], [1, 2]]");
    CHECK(module.run_natively("$here = '-'\n$list = [1, 2]\ntemplate('m/page.erb')") == "\"-1\\n-2\\n\"");
    CHECK(module.run_natively("template('m/bad.erb')") ==
          std::string(calling) +
              "Failed to parse template m/bad.erb:\n  Filepath: "
              "<root>/production/modules/m/templates/bad.erb\n  Line: "
              "2\n  Detail: broken\n");
    CHECK(module.run_natively("inline_template('<% scope.function_notice([\"before\"]) %><% nil.x %>')")
              .ends_with("undefined method `x' for nil:NilClass"));
    CHECK(module.logs == "before\n");
    CHECK(module.run_natively("inline_template('<%= raise \"x\" %>')") ==
          std::string(calling) + "Failed to parse inline template: x");
}

TEST_CASE("variables that native code sets and lists that it changes reach the program",
          "[language][ruby][native]") {
    RubyModule module;
    module.write("templates/outer.erb",
                 "<% scope.setvar('_state', {}) -%>\n<% [1, 2].each do |i| -%>\n"
                 "<% scope['_state'][:item] = [i] -%>\n<%= scope.function_template(['m/inner.erb']) -%>\n"
                 "<% end -%>\n<%= @_state.inspect %>");  // which was not there when the template began
    module.write("templates/inner.erb", "item <%= scope['_state'][:item] %><% @_state[:item] << 'in' -%>\n");
    const auto natively = [&module](const std::string& code) {
        const std::string result = module.run_natively(code);
        if (!no_ruby()) CHECK(module.run(code) == result);
        return result;
    };
    CHECK(natively("[template('m/outer.erb'), $_state]") == "['item [1]item [2]nil', {'item' => [2, 'in']}]");
    const std::string set = "inline_template('<% scope.setvar(\"s\", {:a => 1, \"b\" => [:c]}) %>') ";
    CHECK(natively(set + "$s") == "{'a' => 1, 'b' => ['c']}");
    CHECK(natively(set + "[inline_template('<%= @s[:a] %><% @s[:d] = @s[\"b\"][0].inspect %>'), $s]") ==
          "['1', {'a' => 1, 'b' => ['c'], 'd' => ':c'}]");
    CHECK(natively("$x = [1] $y = $x inline_template('<% @x << 2; scope[\"x\"] << 3 %>') [$x, $y]") ==
          "[[1, 2, 3], [1, 2, 3]]");
    CHECK(natively("$x = { a => { b => [1] } } inline_template('<% @x[\"a\"][\"b\"].push(2) %>') $x") ==
          "{'a' => {'b' => [1, 2]}}");
    CHECK(natively("$x = [1] inline_template('<% @x.clone << 2 %>') $x") == "[1]");
}

TEST_CASE("native code and the worker take turns with a variable", "[language][ruby][native]") {
    if (no_ruby()) return;
    RubyModule module;
    const std::string set = "inline_template('<% scope.setvar(\"s\", {:a => 1}) %>') ";
    const std::string hex = "\"a\".unpack1(\"H*\")";  // which is not native
    CHECK(module.run("inline_template('<% scope.setvar(\"k\", [1]); scope[\"k\"] << " + hex + " %>') $k") ==
          "[1, '61']");
    CHECK(module.run("$x = [1] inline_template('<% @x << 2 << " + hex + " %>') $x") == "[1, 2, '61']");
    CHECK(module.run(set + "inline_template('<%= @s[:a] %><%= " + hex + " %>')") == "'161'");
    CHECK(module.run(set + "inline_template('<% @s[:b] = " + hex +
                     " %>') inline_template('<%= @s[:b] %>')") == "'61'");
    CHECK(module.run(set + "inline_template('<% @s[:b] = " + hex + " %>') $s") == "{'a' => 1, 'b' => '61'}");
    CHECK(module.run("inline_template('<% scope.setvar(\"s\", {:a => " + hex +
                     "}) %>') inline_template('<%= @s[:a] %>')") == "'61'");
}

TEST_CASE("what native Ruby hands over to the worker has not happened before", "[language][ruby][native]") {
    if (no_ruby()) return;
    RubyModule module;
    module.older("say", "type: :rvalue", "    function_notice([args.join(' ')])\n    args[0]");
    // The log line is written once, though the template begins natively.
    CHECK(module.run("inline_template('<% scope.function_say([\"once\"]) %><%= "
                     "[1].pack(\"C\").unpack1(\"H*\") %>')") == "'01'");
    CHECK(module.logs == "once\n");
    // A variable that a template changes in place is the worker's matter.
    CHECK(module.run("$l = ['a']\n[inline_template('<% @l << \"b\" %><%= @l.join %>'), $l]") ==
          "['ab', ['a', 'b']]");
    CHECK(module.run("inline_template('<% scope.setvar(\"set\", [1]) %>')\n"
                     "inline_template('<% scope.lookupvar(\"set\") << 2 %><%= @set.inspect %>')") ==
          "'[1, 2]'");
}

}  // namespace volley::testing
