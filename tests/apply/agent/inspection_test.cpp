#include "apply/agent/inspection/inspection.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "apply/agent/types/service/systemd.hpp"
#include "apply/agent/values/errors.hpp"

using namespace volley::agent;
using volley::Json;

namespace {

Json look(const std::string& type, const std::string& title = {},
          std::vector<std::pair<std::string, Value>> attributes = {}) {
    Run run{Catalog(), Settings()};
    return inspect_resources(run, {type, title, std::move(attributes)});
}

std::vector<std::string> titles_of(const Json& resources) {
    std::vector<std::string> titles;
    for (const Json& one : resources) titles.push_back(one["title"].get<std::string>());
    return titles;
}

}  // namespace

TEST_CASE("a resource is read with all its properties", "[agent][inspection]") {
    const Json found = look("user", "root");
    REQUIRE(found.size() == 1);
    CHECK(found[0]["type"] == "User");
    const Json& parameters = found[0]["parameters"];
    CHECK(parameters.begin().key() == "ensure");
    CHECK(parameters["uid"] == 0);
    CHECK(parameters["home"] == "/root");
    CHECK(parameters.contains("shell"));
    CHECK(parameters["provider"] == "useradd");
    std::vector<std::string> names;
    for (const auto& [name, value] : parameters.items()) names.push_back(name);
    CHECK(std::is_sorted(names.begin() + 1, names.end()));
}

TEST_CASE("what is not there is absent", "[agent][inspection]") {
    CHECK(look("User", "no-such-user")[0]["parameters"] ==
          Json{{"ensure", "absent"}, {"provider", "useradd"}});
    CHECK(look("file", "/no/such/file")[0]["parameters"] ==
          Json{{"ensure", "absent"}, {"provider", "posix"}});
}

TEST_CASE("a file is shown with what only can be read", "[agent][inspection]") {
    const Json parameters = look("file", "/")[0]["parameters"];
    CHECK(parameters["ensure"] == "directory");
    CHECK(parameters["type"] == "directory");
    CHECK(parameters["mtime"].get<std::string>().size() == std::string("2026-01-02 03:04:05 +0000").size());
    CHECK_FALSE(parameters.contains("target"));
    CHECK_FALSE(parameters.contains("content"));
}

TEST_CASE("all resources of a type are sorted by title", "[agent][inspection]") {
    const auto titles = titles_of(look("group"));
    CHECK(titles.size() > 2);
    CHECK(std::is_sorted(titles.begin(), titles.end()));
    CHECK(std::find(titles.begin(), titles.end(), "root") != titles.end());
}

TEST_CASE("types whose resources cannot be listed are refused in words", "[agent][inspection]") {
    CHECK_THROWS_WITH(look("file"),
                      "Listing all files is not supported: name a file or a folder, such as file /etc");
    CHECK_THROWS_WITH(look("exec"),
                      "The resources of the type exec cannot be listed: name one, as in exec NAME");
    CHECK_THROWS_WITH(look("nowhere"), "The agent has no resource type 'nowhere'");
    CHECK_THROWS_AS(look("file", "relative"), ApplyError);
}

TEST_CASE("looking at a command does not run it", "[agent][inspection]") {
    CHECK(look("exec", "/no/such/program")[0]["parameters"]["returns"] == "notrun");
}

TEST_CASE("unit files are read as Puppet reads them", "[agent][service]") {
    const char* output =
        "UNIT FILE                 STATE           PRESET\n"
        "apt-daily.service         static          -\n"
        "cron.service              enabled         enabled\n"
        "getty@.service            enabled         enabled\n"
        "old.service               disabled\n"
        "hidden.service            masked          enabled\n"
        "made.service              generated       -\n"
        "\n"
        "6 unit files listed.\n";
    CHECK(parse_unit_files(output) ==
          std::vector<std::string>{"cron.service", "getty@.service", "old.service", "hidden.service"});
}

TEST_CASE("listed units are read with and without dots before them", "[agent][service]") {
    const char* output =
        "cron.service     loaded    active   running Regular background program processing daemon\n"
        "  dbus.socket    loaded    active   running D-Bus\n"
        "\u25cf gone.service   not-found inactive dead    gone.service\n"
        "* bad.service    loaded    failed   failed  bad.service\n"
        "Failed to list units: nobody there\n"
        "\n";
    const std::vector<std::pair<std::string, std::string>> units{{"cron.service", "active"},
                                                                 {"dbus.socket", "active"},
                                                                 {"gone.service", "inactive"},
                                                                 {"bad.service", "failed"}};
    CHECK(parse_units(output) == units);
}
