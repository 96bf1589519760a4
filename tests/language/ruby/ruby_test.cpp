#include <unistd.h>

#include <catch2/catch.hpp>
#include <chrono>
#include <filesystem>
#include <fstream>

#include "language/compile.hpp"
#include "language/errors.hpp"
#include "language/evaluator/evaluator.hpp"
#include "language/loaders/disk_host.hpp"
#include "language/text.hpp"
#include "support/child_process.hpp"

using namespace volley;
namespace fs = std::filesystem;

namespace {

/// An environment with one module, "m", whose files a test writes.
class RubyModule {
public:
    RubyModule() {
        std::string name = (fs::temp_directory_path() / "volley-ruby-XXXXXX").string();
        root_ = ::mkdtemp(name.data());
        fs::create_directories(root_ / "production/modules/m/lib/puppet");
    }
    ~RubyModule() { fs::remove_all(root_); }
    RubyModule(const RubyModule&) = delete;
    RubyModule& operator=(const RubyModule&) = delete;

    void write(const std::string& path, const std::string& text) const {
        const fs::path file = root_ / "production/modules/m" / path;
        fs::create_directories(file.parent_path());
        std::ofstream(file) << text;
    }
    void newer(const std::string& name, const std::string& body) const {
        write("lib/puppet/functions/m/" + name + ".rb",
              "Puppet::Functions.create_function(:'m::" + name + "') do\n" + body + "\nend\n");
    }
    void older(const std::string& name, const std::string& options, const std::string& body) const {
        write("lib/puppet/parser/functions/" + name + ".rb",
              "module Puppet::Parser::Functions\n  newfunction(:" + name + ", " + options + ") do |args|\n" +
                  body + "\n  end\nend\n");
    }
    /// The value as the language writes it, or the message of the error: what the worker makes of it, and
    /// native Ruby where it can, must be the same.
    std::string run(const std::string& code, LanguageSettings settings = {}) {
        settings.native_ruby = true;
        const std::string native = run_once(code, settings);
        const std::string native_logs = logs;
        settings.native_ruby = false;
        std::string result = run_once(code, settings);
        if (settings.ruby) {
            INFO(code);
            CHECK(native == result);
            CHECK(native_logs == logs);
        }
        return result;
    }
    /// "#<Volley::Template:0x00007f41fdd84ed8" is another one each time.
    static std::string without_addresses(std::string text) {
        for (std::size_t at = text.find(":0x"); at != std::string::npos; at = text.find(":0x", at + 1))
            text.erase(at, std::min(text.find_first_of(" >", at), text.size()) - at);
        return text;
    }
    /// Without a Ruby process.
    std::string run_natively(const std::string& code) {
        LanguageSettings settings;
        settings.ruby = false;
        return run_once(code, settings);
    }
    std::string run_once(const std::string& code, LanguageSettings settings) {
        logs.clear();
        try {
            const auto disk = std::make_shared<DiskEnvironment>(DiskEnvironmentOptions{
                .name = "production", .environmentpath = {root_}, .modulepath = {}, .hiera_config = {}});
            DiskHost host(disk, settings, [this](const LogEntry& entry) { logs += entry.message + "\n"; });
            Environment environment(host, settings);
            Evaluator evaluator(environment);
            return to_program_text(evaluator.run(compile_program(code, environment)));
        } catch (const LanguageError& error) {
            std::string text = error.what();
            for (std::size_t at = text.find(root_.string()); at != std::string::npos;
                 at = text.find(root_.string()))
                text.replace(at, root_.string().size(), "<root>");
            return without_addresses(std::move(text));
        }
    }
    std::string logs;

private:
    fs::path root_;
};

constexpr const char* calling = "Evaluation Error: Error while evaluating a Function Call, ";

bool no_ruby() {
    if (!find_program("ruby").empty()) return false;
    WARN("there is no ruby on PATH");
    return true;
}

}  // namespace

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
              .ends_with("/m/hang.rb): the Ruby code gave no answer within 4 s; it was ended"));
    CHECK(module.run("m::deep()") == std::string(calling) + "stack level too deep");
    CHECK(module.run("m::broken()").find("syntax error") != std::string::npos);
}

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

TEST_CASE("variables that native code sets and lists that it changes reach the program", "[language][ruby][native]") {
    RubyModule module;
    module.write("templates/outer.erb",
                 "<% scope.setvar('_state', {}) -%>\n<% [1, 2].each do |i| -%>\n"
                 "<% scope['_state'][:item] = [i] -%>\n<%= scope.function_template(['m/inner.erb']) -%>\n"
                 "<% end -%>\n<%= @_state.inspect %>");  // which was not there when the template began
    module.write("templates/inner.erb",
                 "item <%= scope['_state'][:item] %><% @_state[:item] << 'in' -%>\n");
    const auto natively = [&module](const std::string& code) {
        const std::string result = module.run_natively(code);
        if (!no_ruby()) CHECK(module.run(code) == result);
        return result;
    };
    CHECK(natively("[template('m/outer.erb'), $_state]") ==
          "['item [1]item [2]nil', {'item' => [2, 'in']}]");
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
    CHECK(module.run("inline_template('<% scope.setvar(\"k\", [1]); scope[\"k\"] << " + hex + " %>') $k") == "[1, '61']");
    CHECK(module.run("$x = [1] inline_template('<% @x << 2 << " + hex + " %>') $x") == "[1, 2, '61']");
    CHECK(module.run(set + "inline_template('<%= @s[:a] %><%= " + hex + " %>')") == "'161'");
    CHECK(module.run(set + "inline_template('<% @s[:b] = " + hex + " %>') inline_template('<%= @s[:b] %>')") == "'61'");
    CHECK(module.run(set + "inline_template('<% @s[:b] = " + hex + " %>') $s") == "{'a' => 1, 'b' => '61'}");
    CHECK(module.run("inline_template('<% scope.setvar(\"s\", {:a => " + hex + "}) %>') inline_template('<%= @s[:a] %>')") ==
          "'61'");
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

TEST_CASE("a thousand calls of Ruby functions are answered by one process", "[language][ruby]") {
    if (no_ruby()) return;
    RubyModule module;
    module.newer("plus", "def plus(a, b) = a + b");
    module.newer("process", "def process = Process.pid");
    CHECK(module.run("Integer[1, 1000].reduce(0) |$m, $x| { m::plus($m, $x) }") == "500500");
    CHECK(module.run("Integer[1, 1000].map |$x| { m::process() }.unique.length") == "1");
}
