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
    "def is_to_s(v)\nif resource.secret?\n'x'\nelse\nv\nend\nend\nend\n";

}  // namespace

TEST_CASE("types that are made of the settings of a file are read from their Ruby", "[agentless]") {
    const auto plain = config_type("x_config", type_source(plain_value), provider_source("ini_setting"));
    REQUIRE(plain);
    CHECK(*plain == Json{{"base", "config_setting"},
                         {"provider", "own"},
                         {"path", "/etc/x.conf"},
                         {"anchors", "x::begin x::more"}});
    CHECK(config_type("x_config", type_source(plain_value, "def create\nprovider.create\nend\n"),
                      provider_source("ini_setting")) == plain);
    const auto listed = config_type("x_config", type_source(listed_value), provider_source("ruby"));
    REQUIRE(listed);
    CHECK(listed->at("lists") == "true");
    CHECK(listed->at("booleans") == "capital");
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
