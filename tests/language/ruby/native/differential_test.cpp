#include <catch2/catch.hpp>
#include <chrono>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "language/ruby/native/text/conversion.hpp"
#include "language/value.hpp"
#include "support/json/json.hpp"
#include "support/process/child_process.hpp"
#include "tests/language/ruby/native/evaluate.hpp"

using namespace volley;

namespace {

/// What the real Ruby makes of programs and templates: its inspect, or "ArgumentError: message". nullopt
/// without one.
std::optional<std::vector<std::string>> real_answers(const std::vector<std::string>& sources,
                                                     bool templates) {
    const std::string ruby = find_program("ruby");
    if (ruby.empty()) {
        WARN("there is no ruby on PATH to compare with");
        return std::nullopt;
    }
    // The variables are those of DifferentialSelf.
    static constexpr const char* program = R"(
require 'json'
require 'erb'
class Page
  def initialize
    @text = 'a text'
    @number = 42
    @yes = true
    @list = ['b', 'a', 'c']
    @empty = []
    @pairs = { 'one' => 1, 'two' => { 'three' => [3, 4] } }
  end
  # Native Ruby is that of one version, and so are the answers.
  (print 'null') || exit unless RUBY_VERSION.start_with?('3.1.')

  def answer(source, template)
    source = ERB.new(source, trim_mode: '-').src if template
    value = eval(source)
    template ? value : value.inspect
  rescue Exception => e
    "#{e.class}: #{e.message}"
  end
end
template = ARGV[0] == 'templates'
print JSON.generate(JSON.parse($stdin.read).map { |source| Page.new.answer(source, template) })
)";
    ChildProcess process({.argv = {ruby, "--disable=did_you_mean,error_highlight", "-W0", "-e", program,
                                   templates ? "templates" : "programs"}});
    REQUIRE(process.write(Json(sources).dump()));
    process.close_input();
    std::string output;
    while (process.read(output, std::chrono::steady_clock::now() + std::chrono::seconds(300))) {
    }
    process.wait();
    if (output == "null") {
        WARN("the ruby on PATH is not Ruby 3.1");
        return std::nullopt;
    }
    return Json::parse(output).get<std::vector<std::string>>();
}

class DifferentialSelf final : public testing::BareSelf {
public:
    ruby::Object instance_variable(ruby::Machine& machine, const std::string& name) override {
        static const Value list(std::vector<Value>{"b", "a", "c"});
        static const Value deep = HashBuilder().set("three", Value(std::vector<Value>{3, 4})).build();
        static const Value pairs = HashBuilder().set("one", 1).set("two", deep).build();
        const auto given = [&](const Value& value) { return borrowed_.object(value, machine.heap()); };
        if (name == "@text") return given(Value("a text"));
        if (name == "@number") return given(Value(42));
        if (name == "@yes") return given(Value(true));
        if (name == "@list") return given(list);
        if (name == "@empty") return given(Value(std::vector<Value>{}));
        if (name == "@pairs") return given(pairs);
        return {};
    }

private:
    ruby::BorrowedObjects borrowed_;
};

std::string native_answer(const std::string& source, bool is_template) {
    const auto program = is_template ? ruby::compile_erb(source) : ruby::compile_ruby(source);
    try {
        DifferentialSelf self;
        ruby::Heap heap;
        ruby::Run run(*program, self, heap);
        const ruby::Object value = run.run();
        return is_template ? ruby::to_text(value) : ruby::inspect(value);
    } catch (const ruby::Raised& raised) {
        return raised.type + ": " + raised.message;
    } catch (const ruby::NotNative& reason) {
        return "not native: " + reason.why;
    }
}

void check_all(const std::vector<std::string>& sources, bool templates) {
    const auto real = real_answers(sources, templates);
    if (!real) return;
    REQUIRE(real->size() == sources.size());
    for (std::size_t i = 0; i < sources.size(); ++i) {
        INFO(sources[i]);
        CHECK(native_answer(sources[i], templates) == (*real)[i]);
    }
}

}  // namespace

TEST_CASE("native Ruby runs the constructs of the language as Ruby does", "[language][ruby][native]") {
    check_all(
        {
            "1 + 2 * 3 - 4",
            "-2 ** 2",
            "[-1.abs, - 1, +3, 2 ** 3 ** 2]",
            "x = 5\nx -1",
            "x = [1, 2]\nx [0]",
            "a, b = 1, 2\n[a, b]",
            "a, *b = 1, 2, 3\n[a, b]",
            "a, (b, *c), d = 1, [2, 3, 4], 5\n[a, b, c, d]",
            "*a, b = [1, 2, 3]\n[a, b]",
            "a, b = 1\n[a, b]",
            "a = b = 3\na += b\na",
            "h = {}\nh['x'] ||= []\nh['x'] << 1\nh['y'] ||= 2\nh['y'] += 5\nh",
            "a = nil\na ||= 4\na &&= a + 1\na",
            "x = *nil\nx",
            "x = Integer('z') rescue 9\nx",
            "i = 0\nwhile i < 5\n  i += 1\n  next if i == 2\n  break if i == 4\nend\ni",
            "i = 0\ni += 1 until i >= 3\ni",
            "i = 10\nbegin\n  i += 1\nend while i < 3\ni",
            "r = []\nfor a, b in [[1, 2], [3, 4]] do r << a + b end\nr",
            "r = []\n[1, 2, 3].each { |x| next if x == 2; r << x }\nr",
            "[1, 2, 3].each { |x| break x * 10 if x == 2 }",
            "[[1, [2, 3]], [4, [5, 6]]].map { |a, (b, c)| a + b + c }",
            "{ 'a' => 1 }.map { |k, v| [k, v] }",
            "{ 'a' => 1 }.each_with_index.map { |(k, v), i| [k, v, i] }",
            "[[1, 2, 3]].map { |a, *rest| [a, rest] }",
            "x = 10\n[1].each { |i; x| x = i }\nx",
            "x = 1\n[1, 2].each { |i| x += i }\nx",
            "f = ->(a, b = 2) { a + b }\n[f.call(1), f.(1, 3), f[4, 4]]",
            "f = lambda { |a| return a * 2 }\nf.call(4)",
            "def twice(n)\n  yield n\n  yield n + 1\nend\nr = []\ntwice(3) { |x| r << x }\nr",
            "def find(list)\n  list.each { |x| return x if x > 1 }\n  nil\nend\nfind([1, 2, 3])",
            "def opt(a, b = a + 1, *c)\n  [a, b, c]\nend\n[opt(1), opt(1, 5), opt(1, 5, 6, 7)]",
            "def pass(&block) = block\npass.nil?",
            "def given = block_given?\n[given, given {}]",
            "def rec(n) = n == 0 ? [] : [n] + rec(n - 1)\nrec(3)",
            "%w[a b].map(&:upcase)",
            "case 5\nwhen 1..3 then 'low'\nwhen Integer then 'number'\nend",
            "case 'abc'\nwhen /b(c)/ then $1\nelse 'none'\nend",
            "case\nwhen nil then 1\nwhen 2 then 3\nend",
            "l = ['x', 'y']\ncase 'y'\nwhen *l then 'in'\nend",
            "case [1]\nwhen Hash then 1\nwhen Array, String\n  2\nend",
            "x = if false then 1 end\nx",
            "unless nil then 'yes' else 'no' end",
            "5.nil? ? 'a' : 5 > 3 ? 'b' : 'c'",
            "not true",
            "x = 'B'\nif ! ['b', 'c'].include?x.downcase\n  1\nelse\n  2\nend",
            "['b'].include?'b'",
            "# frozen_string_literal: true\n'a' << 'b'",
            "a = [[1, 2], 3]\n(b, c), a[1] = [5, 6], 7\n[a, b, c]",
            "@list.sort.map { |x| x ? :a : :b }",
            "x = ['q']\nx.each do |y|\n  case y\n  when 'q' then next\n  end\nend.size",
            "def deep\n  [1, 2].each do |x|\n    [3, 4].each { |y| return [x, y] if y == 4 }\n  "
            "end\nend\ndeep",
            "def early(x)\n  while true\n    return x if x > 3\n    x += 1\n  end\nend\nearly(1)",
            "r = []\n[1, 2, 3].each do |x|\n  begin\n    next if x == 2\n    r << x\n  ensure\n    r << :e\n "
            " end\nend\nr",
            "def m\n  yield 1, 2\nend\nm { |a| a }",
            "def m\n  yield [1, 2]\nend\n[m { |a| a }, m { |a, b| b }, m { |a, *b| b }, m { |*a| a }]",
            "def m(*a, b)\n  [a, b]\nend\n[m(1), m(1, 2, 3)]",
            "x = 'a'\ny = x\ny << 'b'\nx",
            "x = 'é'\n[x.length, x.bytes.length, \"#{x}!\"]",
            "if (m = /(\\d+)/.match('a12'))\n  m[1]\nend",
            "'2001:db8::1' =~ /^[0-9a-f:]+$/ ? $~[0] : 'no'",
            "a = { 'x' => { 'y' => 1 } }\na['x']['z'] = 2\na['x']['y'] += 1\na",
            "begin\n  nil + 1\nrescue NoMethodError => e\n  e.message\nend",
            "begin\n  [].fetch(3)\nrescue IndexError\n  $!.message\nend",
            "def k(a)\n  a\nend\nk(b: 1, 'c' => 2)",
            "def k(a)\n  a\nend\nk 1, 2",
            "[1, 2, 3].reduce(:+)",
            "%w[x y].each_with_index.map { |a, i| \"#{a}#{i}\" }",
            "x = 5\nresult = if x > 3\n  'big'\nelsif x > 1\n  'mid'\nelse\n  'small'\nend\nresult",
            "[3, 1].sort.first == 1 ? 'one' : 'three'",
            "x = y = 2\n[x, y]",
            "a = *1..3, 4\na",
            "h = { 'b' => 1, 'a' => 2 }\nh.sort.each { |k, v| h[k] = v + 1 }\nh",
            "[nil, false, 0, ''].map { |v| v ? 1 : 2 }",
            "'%s-%d' % ['a', 3]",
            "[1, 2] <=> [1, 3]",
            "require 'ipaddr'\n['::1', '10.0.0.1'].map { |a| IPAddr.new(a).ipv6? }",
            "require 'ipaddr'\nbegin\n  IPAddr.new('<SERVICE DEFAULT>')\nrescue ArgumentError => e\n  "
            "\"#{e.class} #{e.message}\"\nend",
            "require 'erb'\nERB::Util.url_encode('a b/Ã©~*')",
            "require 'cgi'\nCGI.escape('a b/Ã©~*')",
            "require 'ipaddr'\n[defined?(IPAddr::InvalidAddressError), defined?(String)]",
            "1.then { |x| x + 1 }",
            "'abc'[1..-1] + 'abc'[0, 1]",
            "lambda { |x, y = 3| x * y }.call(2)",
            "proc { |a, b| [a, b] }.call([1, 2])",
            "->(a) { a }.call(1, 2)",
            "x = 1\nx and not x.nil? or 5",
            "a = (1 if true) and 2\na",
            "begin\n  raise ArgumentError, 'bad'\nrescue TypeError, ArgumentError => e\n  \"#{e.class}: "
            "#{e.message}\"\nend",
            "begin\n  raise 'oops'\nrescue => e\n  e.message\nend",
            "begin\n  Integer('x')\nrescue\n  'rescued'\nelse\n  'fine'\nensure\n  'ignored'\nend",
            "begin\n  1\nrescue\n  2\nelse\n  3\nend",
            "r = []\nbegin\n  r << 1\n  raise 'x'\nrescue\n  r << 2\nensure\n  r << 3\nend\nr",
            "def f\n  return 1\nensure\n  2\nend\nf",
            "def f\n  raise 'a'\nrescue\n  'b'\nend\nf",
            "raise 'not rescued'",
            "raise ArgumentError",
            "begin\n raise 'a'\nrescue ArgumentError\n 1\nend",
            "e = [TypeError, KeyError]\nbegin\n {}.fetch('k')\nrescue *e\n 'key'\nend",
            "catch(:done) { [1, 2].each { |x| throw :done, x * 3 if x == 2 }; 'end' }",
            "loop { break 7 }",
            "nil.upcase",
            "nil[0]",
            "x = nil\nx&.length",
            "'abc'&.length",
            "\"a#{1 + 1}b#{'c' + \"d#{3}\"}\"",
            "@text + \"#@number\"",
            "'a\\'b\\n'",
            "\"tab\\there \\x41 \\101 \\u00e9 \\e\"",
            "%q(a (b) c) + %Q[#{1}]",
            "<<~EOT\n  one\n    two #{1 + 1}\n\n  three\nEOT\n",
            "[<<-A, <<-'B']\n  x #{1}\n  A\n  y #{2}\n  B\n",
            "'a' 'b' \"c\"",
            ":\"a b\"",
            "{ a: 1, 'b': 2, :c => 3, 'd' => 4, **{ e: 5 } }",
            "[*1..3, *nil, *[4]]",
            "(1..5).to_a",
            "('a'...'d').to_a",
            "1_000 + 0x1f + 0b11 + 017",
            "1.5e3",
            "'x' =~ /y/",
            "'key=value' =~ /(\\w+)=(\\w+)/\n[$~[0], $1, $2, $3]",
            "'a-b' !~ /-/",
            "'a1b2'.gsub(/\\d/) { |m| (m.to_i * 2).to_s }",
            "'a1b2'.gsub(/(\\d)/) { $1 + '!' }",
            "/a#{1 + 1}b/ =~ 'xa2b'",
            "x = 3\nx.zero? || x > 2 && !false",
            "defined?(@text)",
            "defined?(@nothing)",
            "x = 1\ndefined?(x)",
            "[1, 2, 3]\n  .map { |x| x * 2 }\n  # a comment\n  .select { |x| x > 2 }",
            "[3, 1, 2].sort { |a, b| b <=> a }",
            "[1, 2, 3, 4].inject { |a, b| a + b }",
            "[1, 2].each_with_object([]) { |x, all| all << x + 1 }",
            "h = Hash.new { |hash, key| hash[key] = key * 2 }\n[h[2], h]",
            "x = 5\nx.instance_of?(Integer) && x.is_a?(Numeric)",
            "'abc'.send(:upcase)",
            "puts = 3\nputs",
            "def a=(x)\n x\nend\n5",
            "y = [1, 2, 3].map do |x|\n  x + 1\nend\ny",
            "[[1, 2], [3, 4]].each_with_index { |(a, b), i| }.size",
            "a = [1, 2, 3]\na[0], a[2] = a[2], a[0]\na",
            "a = 'x'\na << 'y' << 'z'\na",
            "a = 'x'.freeze\na << 'y'",
            "x = 0\nx += 1 while x < 10\nx",
            "[1, 2, 3].find { |x| x > 1 }.then { |x| x }",
            "true && nil || 'last'",
            "[].first.nil? and 'none'",
            "format('%05.1f|%-5s|%x', 3.14159, 'ab', 255)",
            "1 / 0",
            "[1, 'a', :b, nil, 2.0, true, { 'k' => [1..2] }]",
        },
        false);
}

TEST_CASE("native Ruby renders ERB templates as ERB does", "[language][ruby][native][erb]") {
    check_all(
        {
            "plain\n",
            "",
            "<%= @text %> and <%= @number %>\n",
            "<% if @yes -%>\nyes\n<% else -%>\nno\n<% end -%>\n",
            "  <%- if @yes -%>\nyes\n  <%- end -%>\n",
            "<% @list.each do |x| %>\n- <%= x %>\n<% end %>\n",
            "<% @list.sort.each do |x| -%>\n- <%= x %>\n<% end -%>\nend",
            "<%- @list.each_with_index do |x, i| -%>\n<%= i %>:<%= x -%>\n<%- end -%>\n",
            "a <%# a comment %> b\n<%# another -%>\nc\n",
            "<%# two\nlines %>x\n",
            "<%% not a tag %> %%> <%%= x\n",
            "<% x = 'in %%> code' %><%= x %>",
            "\t<%- if true %>x<% end -%>   \n",
            "<%= nil %>|<%= @nothing %>|<%= true %>|<%= [1, nil] %>|<%= @pairs %>",
            "<%= @pairs['two']['three'].join(',') %>",
            "<%- @pairs.keys.sort.each do |k| -%>\n<%= k.ljust(5) %>=<%= @pairs[k].is_a?(Hash) ? 'hash' : "
            "@pairs[k] %>\n<%- end -%>\n",
            "<% unless @empty.empty? -%>\nfull\n<% end -%>\nrest\n",
            "\"quoted\" 'single' \\back #{not} #@code\n",
            "<% # a comment in code %>\nafter\n",
            "<% # hides the rest of the line %>hidden\n<%= 1 %>",
            "line\r\n<% 1 -%>\r\nnext\r\n",
            "<%= <<-E\ntext\nE\n%>",
            "<% if true then %>x<% end %>",
            "<% case @number\nwhen 42 -%>\nforty-two\n<% end -%>",
            "<% @list.each { |x| %><%= x %>,<% } %>",
            "<%= @list.map { |x| \"<#{x}>\" }.join(\"\\n\") %>\n",
            "no newline at the end <%= 1 -%>",
            "<%- -%>\n<%-%>x",
            "<%=@text%><%=@text-%>\n.",
            "unclosed <%= 1",
            "\xC3\xA9\xE2\x82\xAC <%= '\xC3\xA9'.length %>",
            "<% i = 0 -%>\n<% while i < 3 -%>\n<%= i += 1 %>\n<% end -%>\n",
            "<%= @list.include?('a') && @number == 42 ? 'both' : 'no' %>",
            "<%= raise ArgumentError, 'broken' %>",
            "<%= @nothing.length %>",
            "<% [1, 2].each do |x| next if x == 1 %><%= x %><% end %>",
            "<% _erbout.concat('direct') %>",
            "<%= @list.collect do |x| x.upcase end.join %>",
        },
        true);
}
