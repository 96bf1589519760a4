// Inventory plugins of the clouds: PLG-037 to PLG-039. What servers check is in
// tests/acceptance/test_clouds.py.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "inventory/plugins/aws_instances.hpp"
#include "inventory/plugins/aws_profile.hpp"
#include "inventory/plugins/aws_signature.hpp"
#include "inventory/plugins/cloud.hpp"
#include "inventory/plugins/json_web_token.hpp"
#include "inventory/plugins/mapping.hpp"
#include "inventory/plugins/plugin_set.hpp"
#include "tests/inventory/world.hpp"

using namespace volley;
using namespace volley::inventory;
using namespace volley::inventory::testing;

namespace {

constexpr std::string_view one_instance = R"(<?xml version="1.0" encoding="UTF-8"?>
<DescribeInstancesResponse xmlns="http://ec2.amazonaws.com/doc/2016-11-15/">
  <reservationSet><item><reservationId>r-1</reservationId><instancesSet><item>
    <instanceId>i-1</instanceId>
    <instanceState><code>16</code><name>running</name></instanceState>
    <dnsName>ec2-1.example.com</dnsName><ipAddress>203.0.113.1</ipAddress><privateDnsName/>
    <privateIpAddress>10.0.0.1</privateIpAddress><vpcId>vpc-1</vpcId><ebsOptimized>false</ebsOptimized>
    <placement><availabilityZone>eu-1a</availabilityZone></placement>
    <groupSet><item><groupId>sg-1</groupId><groupName>web</groupName></item></groupSet>
    <networkInterfaceSet><item><privateIpAddressesSet><item><primary>true</primary></item></privateIpAddressesSet>
    </item></networkInterfaceSet>
    <tagSet><item><key>Name</key><value>web &amp; more</value></item><item><key>on</key><value>true</value></item></tagSet>
  </item></instancesSet></item></reservationSet>
  <nextToken>more</nextToken>
</DescribeInstancesResponse>)";

/// What find_aws_keys and find_aws_region say for options in a world.
struct AwsSearch {
    explicit AwsSearch(const World& world) : process(world.process()), project(world.project) {}
    AwsKeys keys(const Json& options) const { return find_aws_keys({process, project, no_task}, options); }
    std::string region(const Json& options) const {
        return find_aws_region({process, project, no_task}, options);
    }
    ProcessContext process;
    std::filesystem::path project;
    LocalTask no_task;
};

Json resolve_in(const World& world, const Json& reference) {
    PluginSettings settings;
    settings.process = world.process();
    settings.project = world.project;
    return PluginSet(std::move(settings)).resolve(reference);
}

}  // namespace

TEST_CASE("PLG-037 requests are signed as in the example of AWS's manual", "[plugins]") {
    AwsRequest request;
    request.method = "GET";
    request.query = "Action=ListUsers&Version=2010-05-08";
    request.headers = {{"content-type", "application/x-www-form-urlencoded; charset=utf-8"},
                       {"host", "iam.amazonaws.com"},
                       {"x-amz-date", "20150830T123600Z"}};
    const AwsKeys keys{"AKIDEXAMPLE", "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY", ""};
    CHECK(aws_authorization(request, keys, "us-east-1", "iam") ==
          "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/iam/aws4_request, "
          "SignedHeaders=content-type;host;x-amz-date, "
          "Signature=5d672d79c15b13162d9279b0855cfba6789a8edb4c82c400e06b5924a6f2b5d7");
    CHECK(aws_timestamp(std::chrono::system_clock::from_time_t(1440938160)) == "20150830T123600Z");
}

TEST_CASE("PLG-037 instances have the attributes of AWS's Ruby library", "[plugins]") {
    Json instances = Json::array();
    CHECK(read_aws_instances(one_instance, instances) == "more");
    REQUIRE(instances.size() == 1);
    const Json expected = Json::parse(R"({
        "instance_id": "i-1", "id": "i-1", "state": {"code": 16, "name": "running"},
        "public_dns_name": "ec2-1.example.com", "public_ip_address": "203.0.113.1", "private_ip_address": "10.0.0.1",
        "vpc_id": "vpc-1", "ebs_optimized": false, "placement": {"availability_zone": "eu-1a"},
        "security_groups": [{"group_id": "sg-1", "group_name": "web"}],
        "network_interfaces": [{"private_ip_addresses": [{"primary": true}]}],
        "tags": {"Name": "web & more", "on": "true"}})");
    CHECK(nlohmann::json::parse(instances[0].dump()) == nlohmann::json::parse(expected.dump()));
    CHECK(error_of([&] { read_aws_instances("<x/>", instances); }).find("not the XML of DescribeInstances") !=
          std::string::npos);
    CHECK(error_of([&] { read_aws_instances("no XML", instances); }).find("not the XML") !=
          std::string::npos);
    std::string deep(one_instance);
    std::string open, close;
    for (int i = 0; i < 40; ++i) open += "<a>", close += "</a>";
    deep.replace(deep.find("<vpcId>"), 0, open + close);
    CHECK(error_of([&] { read_aws_instances(deep, instances); }).find("nested too deeply") !=
          std::string::npos);
    CHECK(read_aws_error("<Response><Errors><Error><Code>AuthFailure</Code><Message>no</Message></Error></"
                         "Errors></Response>") == "AuthFailure: no");
}

TEST_CASE("PLG-037 access keys come from the reference, the environment or a profile, in this order",
          "[plugins]") {
    World world;
    world.write(world.home / ".aws/credentials",
                "# keys\n[default]\naws_access_key_id = standard\naws_secret_access_key=s1\nregion=eu-1\n\n"
                "[other]\naws_access_key_id=other\naws_secret_access_key=s2\naws_session_token = t2\n"
                "s3 =\n  aws_access_key_id = nested\n[half]\naws_access_key_id=half\n");
    world.write(world.home / ".aws/config",
                "[default]\nregion=eu-9\n[profile far]\nregion = us-2\n"
                "aws_access_key_id=far\naws_secret_access_key=s3\n");
    world.write("keys", "[default]\naws_access_key_id=of the file\naws_secret_access_key=s4\n");
    const auto id = [&](const Json& options) { return AwsSearch(world).keys(options).id; };
    const auto region = [&](const Json& options) { return AwsSearch(world).region(options); };
    CHECK(id(Json::object()) == "standard");
    CHECK(id({{"profile", "other"}}) == "other");
    CHECK(AwsSearch(world).keys({{"profile", "other"}}).session_token == "t2");
    CHECK(id({{"profile", "far"}}) == "far");
    CHECK(region(Json::object()) == "eu-1");
    CHECK(region({{"profile", "far"}}) == "us-2");
    world.environment = {
        {"AWS_ACCESS_KEY_ID", "of the environment"}, {"AWS_SECRET_ACCESS_KEY", "s5"}, {"AWS_REGION", "ap-3"}};
    CHECK(id(Json::object()) == "of the environment");
    CHECK(id({{"profile", "other"}}) == "other");
    CHECK(id({{"aws_access_key_id", "given"}, {"aws_secret_access_key", "s6"}}) == "given");
    CHECK(id({{"credentials", "keys"}, {"aws_access_key_id", "given"}, {"aws_secret_access_key", "s6"}}) ==
          "of the file");
    CHECK(region(Json::object()) == "ap-3");
    CHECK(region({{"region", "us-east-1"}}) == "us-east-1");
    CHECK(error_of([&] {
              region({{"region", "evil.example.com/"}});
          }).find("not the name of a region") != std::string::npos);
    const std::string half = error_of([&] { id({{"profile", "half"}}); });
    CHECK(half.find("Profile 'half' in " + (world.home / ".aws/credentials").string() +
                    " has no aws_secret_access_key") != std::string::npos);
    CHECK(error_of([&] {
              id({{"aws_access_key_id", "x"}});
          }).find("must be specified together") != std::string::npos);
    CHECK(error_of([&] {
              id({{"credentials", "gone"}});
          }).find("Cannot load credentials file") != std::string::npos);
    CHECK(error_of([&] {
              id({{"profile", "nobody"}});
          }).find("found no access key: profile 'nobody'") != std::string::npos);
}

TEST_CASE("PLG-013 PLG-037 PLG-038 PLG-039 the clouds' options are checked before anybody is asked",
          "[plugins]") {
    World world;
    const auto error = [&](std::string_view text) {
        return error_of([&] { resolve_in(world, Json::parse(text)); });
    };
    CHECK(
        error(R"({"_plugin": "aws_inventory", "region": "eu-1", "target_mapping": {"vars": {"a": "id"}}})") ==
        "bolt/validation-error: You must provide a 'name' or 'uri' in 'target_mapping' for the aws_inventory "
        "plugin");
    CHECK(error(R"({"_plugin": "aws_inventory", "regoin": "eu-1", "target_mapping": {"uri": "id"}})") ==
          "bolt/validation-error: aws_inventory plugin has no option 'regoin'. Did you mean 'region'?");
    const std::string typed = error(R"({"_plugin": "aws_inventory", "aws_secret_access_key": ["hunter2"]})");
    CHECK(typed ==
          "bolt/validation-error: aws_inventory plugin: 'aws_secret_access_key' must be of type String, and "
          "not empty");
    CHECK(
        error(
            R"({"_plugin": "aws_inventory", "region": "eu-1", "aws_access_key_id": "a", "aws_secret_access_key": "b",
                    "filters": [{"name": "x"}], "target_mapping": {"uri": "id"}})")
            .find("filters[0] must have a 'name' and a list of 'values'") != std::string::npos);
    CHECK(error(R"({"_plugin": "azure_inventory", "scale_set": "s"})") ==
          "bolt/validation-error: resource_group must be specified in order to filter by scale_set");
    CHECK(error(R"({"_plugin": "azure_inventory", "tenant_id": "t", "client_id": "c"})")
              .find("parameters client_secret, subscription_id must be specified") != std::string::npos);
    CHECK(error(R"({"_plugin": "gcloud_inventory", "project": "p"})") ==
          "bolt/validation-error: gcloud_inventory plugin requires that the 'zone' is specified");
    const std::string gcloud =
        R"({"_plugin": "gcloud_inventory", "project": "p", "zone": "z", "target_mapping": {"name": "name"})";
    CHECK(error(gcloud + "}").find("gcloud_inventory plugin has no credentials") != std::string::npos);
    world.write("half.json", R"({"client_email": "e", "private_key": "k"})");
    CHECK(error(gcloud + R"(, "credentials": "half.json"})") ==
          "bolt/validation-error: Missing required keys in credentials file " +
              (world.project / "half.json").string() + ": token_uri");
    world.write("bad.json", "private");
    CHECK(error(gcloud + R"(, "credentials": "bad.json"})").find("Unable to parse credentials file") !=
          std::string::npos);
    const std::string key = error(
        gcloud + R"(, "client_email": "e", "private_key": "hunter2", "token_uri": "https://localhost:1"})");
    CHECK(key.find("not an RSA key in PEM form") != std::string::npos);
    CHECK(key.find("hunter2") == std::string::npos);
}

TEST_CASE("secrets of the clouds travel encrypted only, and never into messages", "[plugins]") {
    CHECK(secured_url("x", "https://a.example.com/") == "https://a.example.com");
    CHECK(secured_url("x", "http://localhost:80") == "http://localhost:80");
    CHECK(secured_url("x", "http://[::1]:80") == "http://[::1]:80");
    for (const char* refused : {"http://a.example.com", "http://localhost.example.com",
                                "http://127.0.0.1@b.example.com", "ftp://a"})
        CHECK(error_of([&] { secured_url("x", refused); }).find("sends secrets only to an https:// URL") !=
              std::string::npos);
    CHECK(conceal("bad key ab12, ab12!", {"ab12", ""}) == "bad key [REDACTED], [REDACTED]!");
    CHECK(form_text({{"a b", "c&d"}, {"e", "+"}}) == "a%20b=c%26d&e=%2B");
}

TEST_CASE("a target's address that an instance does not have is an error that names it", "[plugins]") {
    const Json instance{{"name", "web"}, {"nets", {{{"ip", "10.0.0.1"}}}}, {"count", 2}};
    CHECK(map_target(Json{{"name", "name"}, {"vars", {{"n", {"count", "nets.0.ip"}}}}}, instance, "web") ==
          Json{{"name", "web"}, {"vars", {{"n", {2, "10.0.0.1"}}}}});
    CHECK(error_of([&] {
              map_target(Json{{"uri", "nets.1.ip"}}, instance, "instance web");
          }) == "bolt/plugin-error: Could not resolve lookup for nets.1.ip: instance web has none");
    CHECK(error_of([&] {
              map_target(Json{{"uri", 1}}, instance, "web");
          }).find("must be a string, array, or hash") != std::string::npos);
}
