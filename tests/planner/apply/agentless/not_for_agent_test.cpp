#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <string>

#include "planner/apply/agentless/agentless.hpp"

using namespace volley;
using namespace volley::planner;

namespace {

std::string lacking(const char* resources) {
    CompiledCatalog catalog;
    catalog.document = std::make_shared<const Json>(Json{{"resources", Json::parse(resources)}});
    return not_for_agent(catalog);
}

}  // namespace

TEST_CASE("what the agent does not have is found before a catalog is sent", "[agentless]") {
    CHECK(lacking(R"([{"type": "Class", "title": "main"}, {"type": "My::Define", "title": "x"},
                      {"type": "File", "title": "/x", "parameters": {"content": "x"}}])")
              .empty());
    CHECK(lacking(R"([{"type": "Zone", "title": "x", "kind": "compilable_type"}])") ==
          "the resource type zone");
    CHECK(
        lacking(
            R"([{"type": "Scheduled_task", "title": "x", "kind": "compilable_type"}, {"type": "Zone", "title": "x", "kind": "compilable_type"}])") ==
        "the resource types scheduled_task, zone");
    CHECK(lacking(R"([{"type": "Package", "title": "x", "parameters": {"provider": "windows"}}])") ==
          "the provider windows of Package[x]");
    CHECK(lacking(R"([{"type": "Package", "title": "x", "parameters": {"provider": "apt"}}])").empty());
    CHECK(
        lacking(
            R"([{"type": "Notify", "title": "x", "parameters": {"message": {"a": [{"__ptype": "Deferred", "name": "f"}]}}}])") ==
        "the Deferred value of message in Notify[x]");
    CHECK(lacking(R"([{"type": "File", "title": "/x", "parameters": {"source": ["/a", "https://b/c"]}}])")
              .empty());
}

TEST_CASE("what a type of the agent leaves out is found as well", "[agentless]") {
    CHECK(lacking(R"([{"type": "Resources", "title": "user", "parameters": {"purge": true}}])").empty());
    CHECK(lacking(R"([{"type": "Resources", "title": "package"}])").empty());
    CHECK(lacking(R"([{"type": "Resources", "title": "package", "parameters": {"purge": true}}])") ==
          "the purging of Resources[package]");
    CHECK(
        lacking(R"([{"type": "Archive", "title": "/x", "parameters": {"source": "https://a/b"}}])").empty());
    CHECK(lacking(R"([{"type": "Archive", "title": "/x", "parameters": {"source": "s3://a/b"}}])") ==
          "sources of the kind s3:// of Archive[/x]");
    CHECK(lacking(R"([{"type": "Archive", "title": "/x", "parameters": {"download_options": "-4"}}])") ==
          "the attribute download_options of Archive[/x]");
    CHECK(lacking(R"([{"type": "Vcsrepo", "title": "/x", "parameters": {"provider": "git"}}])").empty());
    CHECK(lacking(R"([{"type": "Vcsrepo", "title": "/x", "parameters": {"provider": "svn"}}])") ==
          "the provider svn of Vcsrepo[/x]");
    CHECK(lacking(R"([{"type": "Sysctl", "title": "x", "parameters": {"val": "1", "tag": "y"}}])").empty());
    CHECK(lacking(R"([{"type": "Sysctl", "title": "x", "parameters": {"value": "1"}}])") ==
          "the attribute value of Sysctl[x]");
}

TEST_CASE("words of the configuration are methods", "[agentless]") {
    CHECK(apply_method("auto") == ApplyMethod::Auto);
    CHECK(apply_method("agentless") == ApplyMethod::Agentless);
    CHECK(apply_method("puppet-agent") == ApplyMethod::PuppetAgent);
}
