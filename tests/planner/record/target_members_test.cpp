#include "planner/record/target_members.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <unordered_map>

#include "tests/inventory/world.hpp"

namespace volley::planner {
namespace {

using inventory::Target;

constexpr const char* three = "targets: [{name: a, uri: 'ssh://a:22'}, {uri: 'u:secret@b'}, c]";

Action command() {
    Action action;
    action.what = CommandAction{"true", {}};
    return action;
}

}  // namespace

TEST_CASE("members name targets as they may be shown, with an id where a plan may be resumed", "[record]") {
    inventory::testing::World world;
    const auto inventory = world.load(three);
    const std::vector<Target> on{inventory->target("a"), inventory->target("u:secret@b")};
    TargetMembers plain;
    const TargetMembers::Shared members = plain.of(command(), on);
    CHECK(members->names == R"("a","u@b")");
    CHECK(members->members == std::vector<std::string>{R"("target":"a")", R"("target":"u@b")"});
    TargetMembers identified;
    identified.identify_with(ProjectKey("a secret"));
    const Json first = Json::parse("{" + identified.of(command(), on)->members.front() + "}");
    CHECK(first["target"] == "a");
    CHECK(first["id"] == TargetIds(ProjectKey("a secret")).of(command(), on.front()));
    CHECK(plain.of(command(), {})->members.empty());
}

TEST_CASE("steps share members until targets or what identifies them are other ones", "[record]") {
    inventory::testing::World world;
    const auto inventory = world.load(three);
    std::vector<Target> on{inventory->target("a"), inventory->target("c")};
    TargetMembers members;
    members.identify_with(ProjectKey("a secret"));
    const TargetMembers::Shared first = members.of(command(), on);
    CHECK(members.of(command(), on) == first);

    on.back().set_config({"ssh", "port"}, 2222);
    const TargetMembers::Shared moved = members.of(command(), on);
    CHECK(moved->members.front() == first->members.front());
    CHECK(moved->members.back() != first->members.back());

    // Arguments of its own make a target another one, in this step only.
    Action special = command();
    TaskAction task;
    task.arguments_of = std::make_shared<const std::unordered_map<std::string, tasks::Arguments>>(
        std::unordered_map<std::string, tasks::Arguments>{{"a", {}}, {"c", {}}});
    special.what = task;
    const TargetMembers::Shared own = members.of(special, on);
    CHECK(own->members.front() != moved->members.front());
    CHECK(members.of(command(), on) == moved);

    on.pop_back();
    CHECK(members.of(command(), on)->members == std::vector<std::string>{moved->members.front()});
}

}  // namespace volley::planner
