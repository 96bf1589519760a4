#include "planner/apply/policies.hpp"

#include <stdlib.h>

#include <catch2/catch.hpp>
#include <fstream>

#include "support/error.hpp"
#include "support/files.hpp"

namespace volley::planner {
namespace {

namespace fs = std::filesystem;

/// A project called "site" on the disk, gone afterwards.
class PolicyProject {
public:
    explicit PolicyProject(const std::string& text) {
        std::string name = (fs::temp_directory_path() / "volley-policies-XXXXXX").string();
        project.path = ::mkdtemp(name.data());
        project.name = "site";
        std::ofstream(project.project_file()) << text;
    }
    ~PolicyProject() { fs::remove_all(project.path); }
    PolicyProject(const PolicyProject&) = delete;
    PolicyProject& operator=(const PolicyProject&) = delete;

    inventory::Project project;
};

std::string kind_of_failure(const inventory::Project& project, const std::string& name) {
    try {
        create_policy(project, name);
    } catch (const Error& error) {
        return error.info().kind();
    }
    return "none";
}

}  // namespace

TEST_CASE("APL-026 a new policy is added to the list as it is written", "[apply]") {
    struct Row {
        std::string_view name, before, after;
    };
    static constexpr Row rows[] = {
        {"no list yet", "name: site\n", "name: site\npolicies:\n- site::new\n"},
        {"an empty one", "policies: []\nname: site\n", "policies: [site::new]\nname: site\n"},
        {"on one line", "policies: [a, b] # two\n", "policies: [a, b, site::new] # two\n"},
        {"a block", "policies:\n- a\n# and\n- b\n\nname: site\n",
         "policies:\n- a\n# and\n- b\n- site::new\n\nname: site\n"},
        {"indented", "policies:\n    - a\nx: {y: 1}\n", "policies:\n    - a\n    - site::new\nx: {y: 1}\n"},
        {"without a newline at the end", "name: site", "name: site\npolicies:\n- site::new\n"},
        {"listed already", "policies: [site::new]\n", "policies: [site::new]\n"},
    };
    for (const Row& row : rows) {
        DYNAMIC_SECTION(row.name) {
            const PolicyProject folder{std::string(row.before)};
            CHECK(create_policy(folder.project, "site::new") == folder.project.path / "manifests/new.pp");
            CHECK(read_file(folder.project.project_file(), "project") == row.after);
            CHECK(read_file(folder.project.path / "manifests/new.pp", "policy") ==
                  "class site::new {\n\n}\n");
        }
    }
}

TEST_CASE("APL-026 ERR-034 names of policies", "[apply]") {
    PolicyProject folder("name: site\n");
    CHECK(create_policy(folder.project, "site") == folder.project.path / "manifests/init.pp");
    CHECK(create_policy(folder.project, "site::a::b") == folder.project.path / "manifests/a/b.pp");
    CHECK(kind_of_failure(folder.project, "site::a::b") == "bolt/existing-policy-error");
    for (const char* name : {"other", "other::x", "site::", "site::A", "site::../x", "::x", ""}) {
        INFO(name);
        CHECK(kind_of_failure(folder.project, name) == "bolt/validation-error");
    }
    folder.project.name.reset();
    CHECK(kind_of_failure(folder.project, "site::x") == "bolt/validation-error");
}

TEST_CASE("APL-026 a list that cannot be added to is left alone", "[apply]") {
    for (const char* text : {"policies: [a,\n  b]\n", "\"policies\": [a]\n", "{name: site, policies: [a]}\n",
                             "policies: {a: b}\n"}) {
        INFO(text);
        const PolicyProject folder(text);
        CHECK(kind_of_failure(folder.project, "site::new") == "bolt/file-error");
        CHECK(read_file(folder.project.project_file(), "project") == text);
        CHECK_FALSE(fs::exists(folder.project.path / "manifests/new.pp"));
    }
}

}  // namespace volley::planner
