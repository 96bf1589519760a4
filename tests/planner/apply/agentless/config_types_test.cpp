#include "planner/apply/agentless/config_types.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <string>

#include "planner/apply/agentless/agentless.hpp"

using namespace volley;
using namespace volley::planner;

namespace {

std::string type_source(const std::string& value, const std::string& more = "") {
    return "# a comment\nPuppet::Type.newtype(:x_config) do\n\n  ensurable\n"
           "  newparam(:name, :namevar => true) do\n    desc 'its name'\n    newvalues(/\\S+\\/\\S+/)\n  "
           "end\n" +
           value + more + "  autorequire(:anchor) do\n    ['x::begin', 'x::more']\n  end\nend\n";
}

std::string provider_source(const std::string& parent, const std::string& path = "'/etc/x.conf'") {
    return "Puppet::Type.type(:x_config).provide(\n  :own,\n  :parent => "
           "Puppet::Type.type(:openstack_config).provider(:" +
           parent + ")\n) do\n  def self.file_path\n    " + path + "\n  end\nend\n";
}

const std::string plain_value =
    "newproperty(:value) do\nmunge do |value|\nvalue = value.to_s.strip\nvalue\nend\nend\n";
const std::string listed_value =
    "newproperty(:value, :array_matching => :all) do\ndesc 'v'\ndef insync?(is)\nif is\ntrue\nend\nend\n"
    "munge do |value|\nvalue = value.to_s.strip\nvalue.capitalize! if value =~ "
    "/^(true|false)$/i\nvalue\nend\n"
    "def is_to_s(v)\nif resource.secret?\n'x'\nelse\nv\nend\nend\n"
    "def should_to_s(v)\nif resource.secret?\n'x'\nelse\nv\nend\nend\nend\n";

}  // namespace

TEST_CASE("types that are made of the settings of a file are read from their Ruby", "[agentless]") {
    const auto plain = config_type("x_config", type_source(plain_value), provider_source("ini_setting"));
    REQUIRE(plain);
    CHECK(*plain == Json{{"base", "config_setting"},
                         {"provider", "own"},
                         {"path", "/etc/x.conf"},
                         {"shown", "quoted"},
                         {"anchors", "x::begin x::more"}});
    CHECK(config_type("x_config", type_source(plain_value, "def create\nprovider.create\nend\n"),
                      provider_source("ini_setting")) == plain);
    const auto listed = config_type("x_config", type_source(listed_value), provider_source("ruby"));
    REQUIRE(listed);
    CHECK(listed->at("lists") == "true");
    CHECK(listed->at("booleans") == "capital");
    CHECK_FALSE(listed->contains("shown"));
}

TEST_CASE("a provider may have what changes nothing of its settings", "[agentless]") {
    const std::string type = type_source(plain_value), provider = provider_source("ini_setting");
    const auto plain = config_type("x_config", type, provider);
    REQUIRE(plain);
    // The class that other providers of the module inherit.
    CHECK(config_type("x_config", type,
                      "require File.join(File.dirname(__FILE__), '..',\n  'puppet/provider/x')\n\n" +
                          provider) == plain);
    // As barbican has it: of the instance, and not of the class.
    CHECK(config_type("x_config", type,
                      provider_source("ini_setting").replace(provider.find("self."), 5, "")) == plain);
    // Conversions, which only resources with transform_to use.
    const std::string body = provider.substr(0, provider.size() - 4);
    CHECK(config_type("x_config", type,
                      body + "  def to_uuid(name)\n    if name\n      name\n    end\n  end\nend\n") == plain);
    CHECK(config_type("x_config", type_source(plain_value, "autorequire(:package) do\n'x'\nend\n"), provider)
              ->at("packages") == "x");
    CHECK(config_type("x_config", type_source(plain_value, "autorequire(:file) do\n['/etc/x']\nend\n"),
                      provider)
              ->at("files") == "/etc/x");
}

TEST_CASE("providers of ini_setting itself say how their file is written", "[agentless]") {
    const std::string head =
        "Puppet::Type.type(:x_config).provide(\n  :ini_setting,\n  :parent => "
        "Puppet::Type.type(:ini_setting).provider(:ruby)\n) do\n  def self.file_path\n    "
        "'/etc/x.conf'\n  end\n  def separator\n    ' = '\n  end\n";
    const std::string parts =
        "def section\nresource[:name].split('/', 2).first\nend\n"
        "def setting\nresource[:name].split('/', 2).last\nend\n";
    const std::string small_value =
        "newproperty(:value) do\nmunge do |value|\nvalue = value.to_s.strip\nvalue.downcase! if value =~ "
        "/^(true|false)$/i\nvalue\nend\nend\n";
    // As ceph_config has it; a resource with a path is not for the agent.
    const std::string path = "newparam(:path) do\ndesc 'p'\nvalidate do |value|\nend\ndefaultto false\nend\n";
    const std::string chosen =
        "def file_path\nif not resource[:path]\nself.class.file_path\nelse\nresource[:path]\nend\nend\n";
    const auto sections =
        config_type("x_config", type_source(small_value, path), head + parts + chosen + "end\n");
    REQUIRE(sections);
    CHECK(sections->at("separator") == " = ");
    CHECK(sections->at("booleans") == "small");
    CHECK(sections->at("special_values") == "none");
    // As libvirtd_config has it: a file without sections.
    const std::string whole = "def section\n''\nend\ndef setting\nresource[:name]\nend\n";
    const std::string quoted =
        "def exists?\nif resource[:value] == ensure_absent_val\nresource[:ensure] = :absent\n"
        "elsif resource[:quote]\nunless resource[:value].start_with?('\"')\n"
        "resource[:value] = '\"' + resource[:value] + '\"'\nend\nend\nsuper\nend\n"
        "def ensure_absent_val\nresource[:ensure_absent_val]\nend\n";
    std::string unnamed = type_source(
        plain_value,
        "newparam(:quote, :boolean => true) do\nnewvalues(:true, :false)\ndefaultto false\nend\n");
    const std::string wide = unnamed;
    unnamed.replace(unnamed.find("\\S+\\/\\S+"), 8, "\\S+");
    const auto settings = config_type("x_config", unnamed, head + whole + quoted + "end\n");
    REQUIRE(settings);
    CHECK(settings->at("section") == "");
    CHECK(settings->at("special_values") == "absent");
    // As nova's virtlogd_config has it: the same for another file, by inheritance; newer ones write booleans
    // as numbers.
    const std::string heir =
        "Puppet::Type.type(:x_config).provide(\n:ini_setting,\n:parent => "
        "Puppet::Type.type(:base_config).provider(:ini_setting)\n) do\ndef "
        "self.file_path\n'/etc/heir'\nend\nend\n";
    std::string base = head + whole + quoted + "end\n";
    base.replace(base.find("x_config"), 8, "base_config");
    const auto provider_of = [&base](const std::string& of) {
        return of == "base_config" ? std::optional(base) : std::nullopt;
    };
    Json expected = *settings;
    expected["path"] = "/etc/heir";
    CHECK(config_type("x_config", unnamed, heir, provider_of) == expected);
    CHECK_FALSE(config_type("x_config", unnamed, heir));
    const auto of_itself = [&heir](const std::string&) { return std::optional(heir); };
    CHECK_FALSE(config_type("x_config", unnamed, heir, of_itself));
    const std::string conversion = "value = value.to_s.strip\n";
    std::string numbers = unnamed;
    numbers.replace(
        numbers.find(conversion), conversion.size(),
        "if [true, false].include?(value)\n# why\nvalue = value ? '1' : '0'\nelse\n" + conversion + "end\n");
    const auto with_numbers = config_type("x_config", numbers, heir, provider_of);
    REQUIRE(with_numbers);
    CHECK(with_numbers->at("booleans") == "number");
    CHECK(with_numbers->at("path") == "/etc/heir");

    const auto refused = [](const std::string& type, const std::string& provider) {
        return !config_type("x_config", type, provider).has_value();
    };
    CHECK(refused(wide, head + whole + quoted + "end\n"));  // sections in names, but not in the file
    CHECK(refused(unnamed, head + parts + "end\n"));
    CHECK(refused(type_source(small_value), head + "end\n"));
    CHECK(refused(type_source(small_value), head + parts + "def exists?\ntrue\nend\nend\n"));
    CHECK(refused(type_source(small_value, "newparam(:path) do\nend\n"), head + parts + chosen + "end\n"));
}

TEST_CASE("a type that does anything else is left to the puppet-agent", "[agentless]") {
    const auto refused = [](const std::string& type, const std::string& provider) {
        return !config_type("x_config", type, provider).has_value();
    };
    const std::string type = type_source(plain_value), provider = provider_source("ini_setting");
    CHECK(refused(type, provider_source("other")));
    CHECK(refused(type, provider_source("ini_setting", "\"/etc/#{name}\"")));
    CHECK(refused(type, provider_source("ini_setting", "'relative'")));
    CHECK(refused(type, provider_source("ruby")));  // lists in the file, but not in the type
    CHECK(refused(type, provider + "puts 1\n"));
    CHECK(refused(type_source(plain_value, "newparam(:other)\n"), provider));
    CHECK(refused(type_source(plain_value, "validate do\nend\n"), provider));
    CHECK(refused(type_source("newproperty(:value) do\nend\n"), provider));
    CHECK(
        refused(type_source("newproperty(:value) do\nmunge do |value|\nvalue.upcase\nend\nend\n"), provider));
    std::string half_shown = plain_value;
    half_shown.insert(half_shown.find("munge"), "def is_to_s(v)\nresource.secret? ? 'x' : v\nend\n");
    CHECK(refused(type_source(half_shown), provider));
    CHECK(refused(type_source(plain_value, "def create\nsystem('x')\nend\n"), provider));
    CHECK(refused("", ""));
    CHECK_FALSE(refused(type, provider));
}

TEST_CASE("the agent applies types that the catalog explains", "[agentless]") {
    CompiledCatalog catalog;
    Json document{
        {"resources", Json::parse(R"([{"type": "X_config", "title": "a/b", "kind": "compilable_type"}])")}};
    catalog.document = std::make_shared<const Json>(document);
    CHECK(not_for_agent(catalog) == "the resource type x_config");
    document["resources"][0]["parameters"] = Json{{"value", "x"}, {"transform_to", "y"}};
    document["module_types"] = Json{{"x_config", Json{{"base", "config_setting"}}}};
    catalog.document = std::make_shared<const Json>(document);
    CHECK(not_for_agent(catalog) == "the attribute transform_to of X_config[a/b]");
    document["resources"][0]["parameters"].erase("transform_to");
    catalog.document = std::make_shared<const Json>(document);
    CHECK(not_for_agent(catalog).empty());
}
