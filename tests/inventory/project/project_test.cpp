#include "inventory/project/project.hpp"

#include <catch2/catch.hpp>

#include "tests/inventory/world.hpp"

using namespace volley;
using namespace volley::inventory;
using namespace volley::inventory::testing;
namespace fs = std::filesystem;

TEST_CASE("PRJ-001 BOLT_PROJECT wins over --project, which wins over discovery", "[project]") {
    World world;
    fs::create_directories(world.root / "one");
    fs::create_directories(world.root / "two");
    CHECK(find_project(world.process(), std::nullopt).path == world.project);
    CHECK(find_project(world.process(), std::nullopt).type == ProjectType::Local);
    CHECK(find_project(world.process(), "../one").path == world.root / "one");
    CHECK(find_project(world.process(), "../one").type == ProjectType::Option);
    world.environment["BOLT_PROJECT"] = (world.root / "two").string();
    CHECK(find_project(world.process(), "../one").path == world.root / "two");
    CHECK(find_project(world.process(), "../one").type == ProjectType::Environment);
}

TEST_CASE("PRJ-002 a Boltdir below --project is the project", "[project]") {
    World world;
    fs::create_directories(world.root / "one" / "Boltdir");
    CHECK(find_project(world.process(), "../one").path == world.root / "one" / "Boltdir");
}

TEST_CASE("PRJ-003 discovery goes up and prefers a Boltdir", "[project]") {
    World world;
    ProcessContext below = world.process();
    below.working_directory = world.project / "a" / "b";
    fs::create_directories(below.working_directory);
    CHECK(find_project(below, std::nullopt).path == world.project);
    fs::create_directories(world.project / "a" / "Boltdir");
    const Project project = find_project(below, std::nullopt);
    CHECK(project.path == world.project / "a" / "Boltdir");
    CHECK(project.type == ProjectType::Embedded);
}

TEST_CASE("PRJ-004 ENV-008 without a project the user's default one is made, or the system's is used",
          "[project]") {
    World world;
    ProcessContext elsewhere = world.process();
    elsewhere.working_directory = world.home;
    const Project user = find_project(elsewhere, std::nullopt);
    CHECK(user.path == world.home / ".puppetlabs" / "bolt");
    CHECK(user.type == ProjectType::User);
    CHECK(fs::is_directory(user.path));
    elsewhere.home.clear();
    CHECK(find_project(elsewhere, std::nullopt).path == world.system);
    CHECK(find_project(elsewhere, std::nullopt).type == ProjectType::System);
}

TEST_CASE("PRJ-005 a missing --project directory is an error", "[project]") {
    World world;
    CHECK(error_of([&] { find_project(world.process(), "nowhere"); }) ==
          "bolt/project-error: Could not find project at " + (world.project / "nowhere").string());
}

TEST_CASE("PRJ-006 a project that everybody can write is refused unless BOLT_PROJECT names it", "[project]") {
    World world;
    fs::permissions(world.project, fs::perms::others_write, fs::perm_options::add);
    CHECK(error_of([&] {
              find_project(world.process(), std::nullopt);
          }).starts_with("bolt/world-writable-error: "));
    world.environment["BOLT_PROJECT"] = world.project.string();
    CHECK(find_project(world.process(), std::nullopt).path == world.project);
}

TEST_CASE("PRJ-007 a bolt.yaml marks no project", "[project]") {
    World world;
    world.write(world.root / "old" / "bolt.yaml", "modulepath: x\n");
    ProcessContext old = world.process();
    old.working_directory = world.root / "old";
    CHECK(find_project(old, std::nullopt).type == ProjectType::User);
}

TEST_CASE("LAY-001 LAY-002 LAY-003 LAY-008 LAY-009 LAY-013 a project's files have fixed places",
          "[project]") {
    Project project;
    project.path = "/srv/p";
    CHECK(project.project_file() == "/srv/p/bolt-project.yaml");
    CHECK(project.default_inventory_file() == "/srv/p/inventory.yaml");
    CHECK(project.default_hiera_config() == "/srv/p/hiera.yaml");
    CHECK(project.downloads() == "/srv/p/downloads");
    CHECK(project.default_rerun_file() == "/srv/p/.rerun.json");
    CHECK(project.debug_log() == "/srv/p/bolt-debug.log");
}
