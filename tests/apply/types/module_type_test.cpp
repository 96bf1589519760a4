#include "apply/types/module_type.hpp"

#include <catch2/catch.hpp>
#include <map>

#include "apply/types/resource_type.hpp"
#include "language/errors.hpp"

namespace volley {
namespace {

/// Modules whose files are in memory.
class TypeHost final : public LanguageHost {
public:
    std::map<std::string, std::string> files;  // by absolute path
    std::vector<LogEntry> logged;

    void log(const LogEntry& entry) override { logged.push_back(entry); }
    std::vector<Module> modules() override { return {{"one", "/m/one"}, {"two", "/m/two"}}; }
    std::optional<std::string> module_file_path(std::string_view kind, std::string_view name) override {
        const std::size_t slash = name.find('/');
        const std::string path = "/m/" + std::string(name.substr(0, slash)) + "/" + std::string(kind) +
                                 std::string(name.substr(slash));
        const auto found = files.lower_bound(path);
        return found != files.end() && found->first.starts_with(path) ? std::optional(path) : std::nullopt;
    }
    std::optional<SourceFile> module_file(std::string_view kind, std::string_view name) override {
        const auto path = module_file_path(kind, name);
        if (!path || !files.contains(*path)) return std::nullopt;
        return SourceFile{files[*path], *path, {}};
    }
    bool has_providers(std::string_view type) override {
        const std::string folder = "/m/two/lib/puppet/provider/" + std::string(type) + "/";
        const auto found = files.lower_bound(folder);
        return found != files.end() && found->first.starts_with(folder);
    }
    std::optional<SourceFile> resource_type_source(std::string_view name) override {
        const std::string path = "/m/one/lib/puppet/type/" + std::string(name) + ".rb";
        if (!files.contains(path)) return std::nullopt;
        return SourceFile{files[path], path, {}};
    }
};

ruby_source::TypeDescription read_type(const std::string& ruby, TypeHost host = {}) {
    return describe_module_type("thing", {ruby, "/m/one/lib/puppet/type/thing.rb", {}}, host);
}

/// "+ensure name*": properties have a plus, namevars a star; "?" at the end when more may exist.
std::string attributes_in(const std::string& ruby, TypeHost host = {}) {
    const auto type = read_type(ruby, std::move(host));
    std::string text;
    for (const auto& one : type.attributes) {
        text += (text.empty() ? "" : " ") + std::string(one.property ? "+" : "") + one.name;
        if (one.namevar) text += "*";
    }
    return text + (type.complete ? "" : "?");
}

std::string newtype(const std::string& body) {
    return "Puppet::Type.newtype(:thing) do\n" + body + "\nend\n";
}

}  // namespace

TEST_CASE("the attributes of a Ruby type are read without running it", "[types]") {
    struct Row {
        const char *name, *body, *want;
    };
    static constexpr Row rows[] = {
        {"symbols, texts and options",
         "ensurable\nnewparam(:name, :namevar => true)\nnewproperty 'value', array_matching: :all do\nend",
         "+ensure name* +value"},
        {"a namevar said in the block", "newparam(:path) do\n desc 'x'\n isnamevar\nend", "path*"},
        {"a block in braces", "newparam(:path) { isnamevar }\nnewparam :b", "path* b"},
        {"words in texts are not code",
         "desc <<-EOT\n  newparam(:no)\n  end\nEOT\n@doc = %q{newparam(:no) {x}}\n# "
         "newparam(:no)\nnewparam(:yes)\n"
         "=begin\nnewparam(:no)\n=end",
         "yes"},
        {"several heredocs in a line", "foo(<<A, <<~'B')\nnewparam(:a)\nA\n  do\n  B\nnewparam(:c)", "c"},
        {"patterns with quotes and braces",
         "newparam(:a) do\n validate { |v| raise \"#{v} {\" if v =~ /['\"{]/ || v / 2 > 1 "
         "}\nend\nnewparam(:b)",
         "a b"},
        {"loops over words", "%w[a b].each do |x|\n newproperty(x)\nend\n[:c, 'd'].each { |x| newparam x }",
         "+a +b c d"},
        {"loops over a constant",
         "KEYS = { a: 1, 'b' => 2 }.freeze\nKEYS.each_pair { |k, v| newparam(k.to_sym) }", "a b"},
        {"names put together", "%w(in out).each { |x| newparam(\"rate_#{x}\".to_sym) }", "rate_in rate_out"},
        {"a method of the type",
         "def self.newcheck(name, options = {}, &block)\n newparam(name, options, &block)\nend\n"
         "newcheck(:refreshonly) do\n newvalues(:true)\nend",
         "refreshonly"},
        {"what methods of resources say does not count", "def munge\n newparam(:no)\nend\nnewparam(:a)", "a"},
        {"both branches of what cannot be known",
         "if Puppet.features.posix?\n newparam(:a)\nelse\n newparam(:b)\nend\nnewparam(:c) unless ENV['X']",
         "a b c"},
        {"one branch of what can", "if [1].empty?\n newparam(:a)\nelsif 'x' == 'x'\n newparam(:b)\nend", "b"},
        {"case, begin and loops pair with their ends",
         "def x\n case y\n when 1 then 2\n else 3\n end\n while z do\n  begin; 1; rescue; 2; end\n end\n"
         " return if z\n w = if z then 1 else 2 end\nend\nnewparam(:a)",
         "a"},
        {"the last declaration of a name wins", "newparam(:a)\nnewproperty(:a)", "+a"},
        {"a name that cannot be known", "newparam(:a)\nnewparam(ENV['X'])", "a?"},
        {"a statement that cannot be understood", "newparam(:a)\nnewparam(:x) => {name:}\nnewparam(:d)",
         "a d?"},
        {"a mixin that is nowhere", "extend Far::Away\nmake_parameters\nnewparam(:a)", "a?"},
        {"code in a text", "class_eval \"newparam(:x)\"\nnewparam(:a)", "a?"},
        {"private parts of a class",
         "class << self\n def names\n  [:a, :b]\n end\nend\nnames.each { |n| newparam(n) }", "a b"},
    };
    for (const Row& row : rows) {
        DYNAMIC_SECTION(row.name) {
            INFO(row.body);
            CHECK(attributes_in(newtype(row.body)) == row.want);
        }
    }
}

TEST_CASE("a Ruby type may get its attributes from the modules' own files", "[types]") {
    TypeHost host;
    host.files["/m/two/lib/puppet_x/two/setting.rb"] =
        "module PuppetX\n module Two\n  module Setting\n   def create_parameters\n    ensurable\n"
        "    newparam(:name, namevar: true) { desc 'x' }\n   end\n  end\n end\nend\n";
    const std::string use = "extend PuppetX::Two::Setting\ncreate_parameters";
    CHECK(attributes_in("require 'puppet_x/two/setting'\n" + newtype(use), host) == "+ensure name*");
    host.files["/m/one/lib/puppet_x/here.rb"] = host.files["/m/two/lib/puppet_x/two/setting.rb"];
    CHECK(attributes_in(
              newtype("require File.expand_path(File.join(File.dirname(__FILE__), '..', '..', 'puppet_x', "
                      "'here'))\n" +
                      use),
              host) == "+ensure name*");
    CHECK(attributes_in("require_relative '../../puppet_x/here'\n" + newtype(use), host) == "+ensure name*");
    CHECK(attributes_in("require '/etc/passwd'\n" + newtype(use), host) == "?");
}

TEST_CASE("title patterns are worked out, interpolations and helpers included", "[types]") {
    const auto type =
        read_type(newtype("def self.word\n Regexp.new(/[^:]+/)\nend\n"
                          "def self.title_patterns\n  id = lambda { |x| x }\n"
                          "  [ [ /^(#{word})::(.*)$/i, [ [:name, id], [:type, lambda { |x| x }] ] ],\n    [ "
                          "%r{(.*)}m, [[:name]] ] ]\nend"));
    REQUIRE(type.title_patterns);
    REQUIRE(type.title_patterns->size() == 2);
    CHECK(type.patterns_known);
    CHECK((*type.title_patterns)[0].source == "^((?-mix:[^:]+))::(.*)$");
    CHECK((*type.title_patterns)[0].options == Regexp::IgnoreCase);
    CHECK((*type.title_patterns)[0].attributes == std::vector<std::string>{"name", "type"});
    CHECK((*type.title_patterns)[1].options == Regexp::MultiLine);
    CHECK_FALSE(
        read_type(newtype("def self.title_patterns\n [[/(.*)/, [[:name, proc { |x| x.reverse }]]]]\nend"))
            .patterns_known);
    CHECK_FALSE(read_type(newtype("def self.title_patterns\n Elsewhere.patterns\nend")).patterns_known);
}

TEST_CASE("types of the Resource API and of `puppet generate types` are read as well", "[types]") {
    const std::string api =
        "require 'puppet/resource_api'\nPuppet::ResourceApi.register_type(\n  name: 'thing',\n  docs: "
        "<<-EOS,\n@summary x\nEOS\n"
        "  features: ['simple_get_filter'],\n  attributes: {\n    ensure: { type: 'Enum[present, absent]', "
        "default: 'present' },\n"
        "    name: { type: 'String', behaviour: :namevar },\n    size: { type: 'Integer' },\n"
        "    force: { type: 'Boolean', behaviour: :parameter },\n  },\n"
        "  title_patterns: [{ pattern: %r{^(?<name>.*)-(?<size>.*)$}, desc: 'x' }],\n)\n";
    CHECK(attributes_in(api) == "+ensure name* +size force");
    CHECK(read_type(api).title_patterns->front().attributes == std::vector<std::string>{"name", "size"});
    TypeHost host;
    const auto generated = describe_module_type(
        "thing",
        {"# This file was generated\nPuppet::Resource::ResourceType3.new(\n  'thing',\n  [\n    # the value\n"
         "    Puppet::Resource::Param(Variant[Enum['a', 'b'], Pattern[/x/]], 'value')\n  ],\n  [\n"
         "    Puppet::Resource::Param(Any, 'name', true),\n\n    Puppet::Resource::Param(Any, 'provider')\n  "
         "],\n"
         "  {\n    /^(.*)$/ => ['name']\n  },\n  false,\n  false)\n",
         "/e/.resource_types/thing.pp",
         {}},
        host);
    REQUIRE(generated.attributes.size() == 3);
    CHECK(generated.attributes[0].property);
    CHECK(generated.attributes[1].namevar);
    CHECK_FALSE(generated.isomorphic);
    CHECK(generated.title_patterns->front().attributes == std::vector<std::string>{"name"});
}

TEST_CASE("hostile Ruby ends within limits", "[types]") {
    std::string deep = "newparam(:a)\nx = ";
    for (int i = 0; i < 100000; ++i) deep += "[";
    CHECK(attributes_in(newtype(deep)) == "?");
    std::string nots = "newparam(:a)\nx = ";
    for (int i = 0; i < 100000; ++i) nots += "!";
    CHECK(attributes_in(newtype(nots + "y")) == "a");
    CHECK(attributes_in(newtype("newparam(:a)\ndef self.again\n again\nend\nagain")) == "a?");
    CHECK(attributes_in(
              newtype("l = %w[1 2 3 4 5 6 7 8 9]\nl.each { l.each { l.each { l.each { l.each { l.each { "
                      "l.each { newparam(:a) } } } } } } }")) == "a?");
    for (const std::string broken :
         {"newparam(:a", "newparam(:a) do", "end", "\"#{", "<<A\n", "%w[", "/", ":\"", "def", "[].each { |",
          "-> (", "case\nwhen", "\\", "$", "@", "?", "%", "class << ", "if"}) {
        INFO(broken);
        CHECK_NOTHROW(read_type(newtype(broken)));
        CHECK_NOTHROW(read_type(broken));
    }
}

TEST_CASE("the compiler's view of a module's type: attributes, namevars, providers", "[types]") {
    TypeHost host;
    host.files["/m/one/lib/puppet/type/thing.rb"] = newtype(
        "ensurable\nnewparam(:name)\nnewparam(:kind) { isnamevar }\nnewproperty(:size)\n"
        "def self.title_patterns\n [[/^(.*):(.*)$/, [[:name], [:kind]]], [/^([^:]+)$/, [[:name]]]]\nend");
    host.files["/m/one/lib/puppet/type/vague.rb"] = newtype("newparam(ENV['X'])");
    ResourceTypes types(host);
    const ResourceType* type = types.find("Thing");
    REQUIRE(type);
    CHECK(type->namevars() == std::vector<std::string>{"kind", "name"});
    CHECK(type->has_attribute("size"));
    CHECK(type->has_attribute("require"));
    CHECK_FALSE(type->has_attribute("colour"));
    CHECK_FALSE(type->has_attribute("provider"));
    CHECK(type->split_title("a:b") ==
          std::vector<std::pair<std::string_view, std::string>>{{"name", "a"}, {"kind", "b"}});
    CHECK_THROWS_AS(type->split_title(""), LanguageError);

    TypeHost changed = host;
    changed.files["/m/one/lib/puppet/type/thing.rb"] += "# with a provider now\n";
    changed.files["/m/two/lib/puppet/provider/thing/ruby.rb"] = "";
    ResourceTypes others(changed);
    CHECK(others.find("thing")->has_attribute("provider"));

    CHECK(host.logged.empty());
    CHECK(types.find("vague")->has_attribute("anything"));
    CHECK(host.logged.size() == 1);
    CHECK(types.find("nothing") == nullptr);
}

}  // namespace volley
