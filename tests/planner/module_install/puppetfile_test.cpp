#include "planner/module_install/puppetfile.hpp"

#include <catch2/catch.hpp>

#include "planner/module_install/project_modules.hpp"
#include "support/error.hpp"

namespace volley::modules {
namespace {

Puppetfile puppetfile_of(const std::string& text) { return parse_puppetfile(text, "/p/Puppetfile"); }

std::string puppetfile_fault_of(const std::string& text) {
    try {
        puppetfile_of(text);
    } catch (const Error& error) {
        return error.info().kind() + " " + error.what();
    }
    return "no fault";
}

std::string check_fault(const std::string& text, const std::vector<ModuleSpec>& specs) {
    try {
        check_puppetfile_satisfies(puppetfile_of(text), specs);
    } catch (const Error& error) {
        return error.info().kind() + " " + error.what();
    }
    return "satisfied";
}

}  // namespace

TEST_CASE("MGT-005 a Puppetfile is read as people and programs write it", "[modules]") {
    const Puppetfile read = puppetfile_of(
        "# comment\nforge 'https://forge.example.com'\nmoduledir '.modules'\n\n"
        "mod 'puppetlabs/apt', '9.0.0'\nmod \"puppetlabs-stdlib\", \"8.1.0\" # "
        "trailing\nmod('acme/free')\nmod 'acme/new', :latest\n"
        "mod 'c',\n  git: 'https://example.com/c.git',\n  ref: '0123456789012345678901234567890123456789'\n"
        "mod 'd', :git => 'git@example.com:d.git', :tag => 'v1'\nmod 'e', :git => 'ssh://x/e', exclude_spec: "
        "true\nmod 'own', local: true\n");
    REQUIRE(read.modules.size() == 8);
    CHECK(read.modules[0].to_text() == "mod 'puppetlabs/apt', '9.0.0'\n");
    CHECK(read.modules[1].to_text() == "mod 'puppetlabs/stdlib', '8.1.0'\n");
    CHECK(read.modules[2].to_text() == "mod 'acme/free'\n");
    CHECK(read.modules[3].latest);
    CHECK(
        read.modules[4].to_text() ==
        "mod 'c',\n  git: 'https://example.com/c.git',\n  ref: '0123456789012345678901234567890123456789'\n");
    CHECK(read.modules[5].ref == "v1");
    CHECK(read.modules[6].ref == "HEAD");
    CHECK(read.modules[7].kind == PuppetfileModule::Kind::Local);
}

TEST_CASE("MGT-005 what is written reads back as the same modules", "[modules]") {
    const Puppetfile read = puppetfile_of(
        "mod 'a/b', '1.2.3-rc1'\nmod 'c', git: 'https://x/it\\'s', branch: 'm'\nmod 'own', local: true\n");
    const std::string text = read.to_text(true);
    CHECK_THAT(text, Catch::Contains("moduledir '.modules'\n"));
    CHECK(puppetfile_of(text).to_text(true) == text);
    CHECK(puppetfile_of(text).modules[1].git == "https://x/it's");
}

TEST_CASE("MGT-005 a Puppetfile that cannot be understood names the line", "[modules]") {
    struct Row {
        std::string text, kind, message;
    };
    const Row rows[] = {
        {"mod 'a/b', [", "bolt/puppetfile-parsing", "Unable to parse Puppetfile /p/Puppetfile"},
        {"\nmod 'a/b', \"#{x}\"", "bolt/puppetfile-parsing", "line 2"},
        {"system('rm -rf /')", "bolt/puppetfile-parsing", "only 'mod', 'forge' and 'moduledir'"},
        {"mod", "bolt/puppetfile-parsing", "line 1"},
        {"if true\n mod 'a/b'\nend", "bolt/puppetfile-parsing", "line 1"},
        {"mod 'a/b', '1.0.0', '2'", "bolt/puppetfile-parsing", "'mod' takes"},
        {"mod 'b', '1.0.0'", "bolt/validation-error", "'b' is not a Puppet Forge or Git module"},
        {"mod 'a/b', 'one'", "bolt/validation-error", "Invalid version for Forge module a/b: \"one\""},
        {"mod 'a/b', svn: 'x'", "bolt/validation-error", "the option 'svn'"},
        {"mod 'b', git: '-x'", "bolt/validation-error", "which must begin with"},
        {"mod 'b', git: 'https://x/y', ref: '-x'", "bolt/validation-error", "invalid ref"},
        {"mod '../b', git: 'https://x/y'", "bolt/validation-error", "is not a Puppet Forge or Git module"},
        {"mod 'a/b', '1.0.0'\nmod 'c/b', '1.0.0'", "bolt/validation-error",
         "line 2: module 'b' is listed twice"},
    };
    for (const Row& row : rows) {
        INFO(row.text);
        const std::string fault = puppetfile_fault_of(row.text);
        CHECK_THAT(fault, Catch::StartsWith(row.kind + " "));
        CHECK_THAT(fault, Catch::Contains(row.message));
    }
    CHECK_THAT(puppetfile_fault_of("mod 'a/b' # \xff"), Catch::Contains("not UTF-8"));
    CHECK_THAT(puppetfile_fault_of(std::string(2 << 20, '#')), Catch::Contains("larger than 1 MiB"));
    CHECK_THAT(puppetfile_fault_of("mod " + std::string(100000, '(')),
               Catch::StartsWith("bolt/puppetfile-parsing"));
}

TEST_CASE("MGT-006 a Puppetfile has to hold what the project asks for", "[modules]") {
    ModuleSpec spec = forge_spec("Puppetlabs/apt");
    spec.range = *VersionRequirement::parse(">= 9.0.0");
    spec.version_requirement = ">= 9.0.0";
    CHECK(check_fault("mod 'puppetlabs/apt', '9.1.0'", {spec}) == "satisfied");
    CHECK_THAT(check_fault("mod 'puppetlabs/apt', '8.1.0'", {spec}),
               Catch::StartsWith("bolt/missing-module-specs") &&
                   Catch::Contains(
                       "- name: Puppetlabs/apt\n  version_requirement: \">= 9.0.0\"\n\nThis Puppetfile"));
    CHECK_THAT(check_fault("mod 'other/apt', '9.1.0'", {spec}),
               Catch::StartsWith("bolt/missing-module-specs"));
    CHECK_THAT(check_fault("mod 'puppetlabs/apt', '9.1.0'\nmod 'a/b'", {spec}),
               Catch::StartsWith("bolt/missing-module-version-specs") && Catch::Contains("mod 'a/b'"));
    ModuleSpec git{.origin = Origin::Git, .git = "https://x/y", .ref = "main"};
    CHECK(check_fault("mod 'y', git: 'https://x/y', ref: 'abc'", {git}) == "satisfied");
    CHECK_THAT(check_fault("mod 'y', git: 'https://x/z', ref: 'abc'", {git}),
               Catch::Contains("- git: https://x/y\n  ref: main"));
}

TEST_CASE("MGT-008 what changes between two Puppetfiles is reported", "[modules]") {
    const auto changes = puppetfile_changes(
        puppetfile_of(
            "mod 'a/up', '1.0.0'\nmod 'a/down', '2.0.0'\nmod 'a/same', '1.0.0'\nmod 'a/gone', '1.0.0'\n"),
        puppetfile_of(
            "mod 'a/up', '1.10.0'\nmod 'a/down', '1.0.0'\nmod 'a/same', '1.0.0'\nmod 'a/new', '3.0.0'\n"));
    CHECK(changes == std::vector<std::string>{"Adding the following modules:\na/new 3.0.0\n",
                                              "Upgrading the following modules:\na/up 1.0.0 to 1.10.0\n",
                                              "Downgrading the following modules:\na/down 2.0.0 to 1.0.0\n",
                                              "Removing the following modules:\na/gone 1.0.0\n"});
}

}  // namespace volley::modules
