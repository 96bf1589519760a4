#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "planner/module_install/module_spec.hpp"
#include "planner/module_install/project_modules.hpp"
#include "support/error.hpp"

namespace volley::modules {
namespace {

std::vector<ModuleSpec> specs_of(const std::string& yaml) {
    const auto document = yaml::Document::parse(yaml, {.name = "bolt-project.yaml", .what = "project file"});
    return read_module_specs(document->root().find("modules"));
}

/// "KIND MESSAGE" of the fault.
std::string spec_fault_of(const std::string& entry) {
    try {
        specs_of("name: x\nmodules:\n- " + entry + "\n");
    } catch (const Error& error) {
        return error.info().kind() + " " + error.what();
    }
    return "no fault";
}

}  // namespace

TEST_CASE("MGT-001 modules are names, maps for the Forge and maps for git", "[modules]") {
    const auto specs = specs_of(
        "modules:\n- puppetlabs/apt\n- puppetlabs-stdlib\n- {name: Acme/db, version_requirement: '>= 1.0.0 < "
        "3.0.0', resolve: false}\n"
        "- {git: 'git@example.com:a/b.git', ref: main}\n- {git: https://example.com/c.git, ref: v1, name: "
        "acme/c, resolve: false}\n");
    REQUIRE(specs.size() == 5);
    CHECK(specs[0].name.full() == "puppetlabs/apt");
    CHECK(specs[1].name.full() == "puppetlabs/stdlib");
    CHECK(specs[1].name.slug() == "puppetlabs-stdlib");
    CHECK(specs[2].name.full() == "Acme/db");
    CHECK_FALSE(specs[2].resolve);
    CHECK(specs[2].range.includes(*parse_version("2.9.9")));
    CHECK_FALSE(specs[2].range.includes(*parse_version("3.0.0")));
    CHECK(specs[3].origin == Origin::Git);
    CHECK(specs[3].name.name.empty());
    CHECK(specs[4].name.full() == "c");
}

TEST_CASE("MGT-002 a wrong spec is one line with file, line and column", "[modules]") {
    struct Row {
        std::string entry, kind, message;
    };
    const Row rows[] = {
        {"apt", "bolt/validation-error",
         "bolt-project.yaml:3:3: Invalid name for Forge module specification: apt."},
        {"puppet_labs/apt", "bolt/validation-error", "Invalid name for Forge"},
        {"a/B", "bolt/validation-error", "Invalid name for Forge"},
        {"a/b/c", "bolt/validation-error", "Invalid name for Forge"},
        {"5", "bolt/validation-error", "Invalid module specification"},
        {"[a/b]", "bolt/validation-error", "Invalid module specification"},
        {"{name: a/b, color: red}", "bolt/validation-error", "Invalid module specification"},
        {"{git: https://x/y}", "bolt/validation-error", "Invalid module specification"},
        {"{name: a/b, version_requirement: nonsense}", "bolt/validation-error",
         "Invalid version requirement for Forge module specification a/b: \"nonsense\""},
        {"{name: a/b, version_requirement: 5.5}", "bolt/validation-error", "Invalid version requirement"},
        {"{name: a/b, version_requirement: '99999999999999999999.0.0'}", "bolt/validation-error",
         "Invalid version"},
        {"{name: a/b, resolve: 'yes'}", "bolt/validation-error",
         "Option 'resolve' for module spec a/b must be a Boolean"},
        {"{git: https://x/y, ref: r, resolve: 1}", "bolt/validation-error", "must be a Boolean"},
        {"{git: https://x/y, ref: r, resolve: false}", "bolt/validation-error",
         "Missing name for Git module specification: https://x/y."},
        {"{git: https://x/y, ref: r, name: A}", "bolt/validation-error",
         "Invalid name for Git module specification: A."},
        {"{git: x/y, ref: r}", "bolt/validation-error", "Invalid URI x/y. Valid URIs must begin with 'git@'"},
        {"{git: 'https://', ref: r}", "bolt/validation-error", "Invalid URI"},
        {"{git: 'ext::sh -c x', ref: r}", "bolt/validation-error", "Invalid URI"},
        {"{git: '--upload-pack=x', ref: r}", "bolt/validation-error", "Invalid URI"},
        {"{git: 'ssh://-oProxyCommand=x/y', ref: r}", "bolt/validation-error", "Invalid URI"},
        {"{git: https://x/y, ref: --upload-pack=x}", "bolt/validation-error",
         "Invalid ref '--upload-pack=x'"},
        {"{git: https://x/y, ref: 'a:b'}", "bolt/validation-error", "Invalid ref"},
        {"a/b\n- c/b", "bolt/duplicate-spec-name-error",
         "Detected multiple module specifications with name b (bolt-project.yaml:3:3, "
         "bolt-project.yaml:4:3):\n- name: a/b"},
    };
    for (const Row& row : rows) {
        INFO(row.entry);
        const std::string fault = spec_fault_of(row.entry);
        CHECK_THAT(fault, Catch::StartsWith(row.kind + " "));
        CHECK_THAT(fault, Catch::Contains(row.message));
    }
}

TEST_CASE("MGT-008 a module is added to the project file, and everything else stays as it was", "[modules]") {
    struct Row {
        std::string before, after;
    };
    const Row rows[] = {
        {"name: x\n", "name: x\nmodules:\n- a/b\n"},
        {"name: x # mine\nmodules: []\n", "name: x # mine\nmodules: \n- a/b\n"},
        {"modules: [c/d]\nname: x\n", "modules: [c/d, a/b]\nname: x\n"},
        {"modules:\n- c/d\n# end\nname: x\n", "modules:\n- c/d\n- a/b\n# end\nname: x\n"},
        {"modules:\n  - name: c/d\n    version_requirement: 1.x\n\nname: x",
         "modules:\n  - name: c/d\n    version_requirement: 1.x\n  - a/b\n\nname: x\n"},
        {"modules:\n", "modules:\n- a/b\n"},
    };
    for (const Row& row : rows) {
        INFO(row.before);
        CHECK(with_module(row.before, "a/b", "bolt-project.yaml") == row.after);
    }
    CHECK(with_module("{modules: [c/d], name: x}\n", "a/b", "bolt-project.yaml") ==
          "---\nmodules:\n- c/d\n- a/b\nname: x\n");
    CHECK(with_module("modules: [c/d,\n  e/f]\n", "a/b", "bolt-project.yaml") ==
          "---\nmodules:\n- c/d\n- e/f\n- a/b\n");
    CHECK_THROWS_AS(with_module("- x\n", "a/b", "bolt-project.yaml"), Error);
    CHECK_THROWS_AS(with_module("modules: x\n", "a/b", "bolt-project.yaml"), Error);
}

}  // namespace volley::modules
