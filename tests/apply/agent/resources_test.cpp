#include <algorithm>
#include <catch2/catch.hpp>
#include <string>

#include "apply/agent/transaction/run.hpp"
#include "apply/agent/types/instance.hpp"
#include "apply/agent/values/errors.hpp"

using namespace volley::agent;

namespace {

/// Makes Resources[type] with these attributes; the references of what it would remove.
std::vector<std::string> removed_by(const std::string& type,
                                    const std::vector<std::pair<std::string, std::string>>& attributes) {
    Run run{Catalog(), Settings()};
    auto resource = found_resource("resources", type);
    for (const auto& [name, value] : attributes) resource->set(name, Value(value));
    Resource& added = run.catalog.add(std::move(resource));
    make_instance(added, run);
    std::vector<std::string> references;
    for (const auto& one : added.instance->generate()) references.push_back(one->reference());
    return references;
}

}  // namespace

TEST_CASE("users that the system needs are not removed", "[agent][resources]") {
    const auto has_root = [](const std::vector<std::string>& references) {
        return std::find(references.begin(), references.end(), "User[root]") != references.end();
    };
    CHECK(removed_by("user", {}).empty());
    CHECK_FALSE(has_root(removed_by("user", {{"purge", "true"}})));
    CHECK_FALSE(has_root(removed_by("user", {{"purge", "true"}, {"unless_system_user", "5"}})));
    CHECK(removed_by("user", {{"purge", "true"}, {"unless_system_user", "4000000000"}}).empty());
    CHECK(has_root(removed_by("user", {{"purge", "true"}, {"unless_system_user", "false"}})));
}

TEST_CASE("what cannot be removed is an error before anything changes", "[agent][resources]") {
    CHECK_THROWS_WITH(removed_by("nowhere", {}),
                      "Parameter name failed on Resources[nowhere]: Could not find resource type 'nowhere'");
    CHECK_THROWS_WITH(removed_by("exec", {{"purge", "true"}}),
                      "Parameter purge failed on Resources[exec]: Purging is only supported on types that "
                      "accept 'ensure'");
    CHECK_THROWS_WITH(removed_by("stage", {{"purge", "true"}}),
                      "Parameter purge failed on Resources[stage]: Purging is only supported on types that "
                      "accept 'ensure'");
    CHECK_THROWS_WITH(
        removed_by("user", {{"purge", "maybe"}}),
        "Parameter purge failed on Resources[user]: Munging failed for value \"maybe\" in class "
        "purge: expected a boolean value");
    CHECK_THROWS_WITH(removed_by("file_line", {{"purge", "true"}}),
                      "The agent cannot list what there is of the type file_line");
    CHECK(removed_by("file", {{"purge", "true"}}).empty());
    CHECK(removed_by("ssh_authorized_key", {{"purge", "true"}}).empty());
    CHECK_THROWS_AS(removed_by("user", {{"unless_uid", "x"}}), ApplyError);
    CHECK_THROWS_AS(removed_by("user", {{"unless_system_user", "x"}}), ApplyError);
}
