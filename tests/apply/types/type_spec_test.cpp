#include "apply/types/type_spec.hpp"

#include <catch2/catch.hpp>
#include <set>

#include "apply/types/resource_type.hpp"
#include "language/types/parse.hpp"

namespace volley {

namespace {

/// What is described in the agent's sources: tests/acceptance/test_agentless.py looks at that.
bool is_agents_type(std::string_view name) {
    static const std::set<std::string_view> names = {
#define VOLLEY_AGENT_TYPE(type) #type,
#include "apply/agent/types/registry.def"
#undef VOLLEY_AGENT_TYPE
    };
    return names.contains(name);
}

}  // namespace

TEST_CASE("each described type has a namevar, documentation and values that are types", "[types]") {
    for (const TypeSpec* spec : core_types()) {
        INFO(spec->name);
        CHECK_FALSE(spec->namevars().empty());
        const bool described_here = !is_agents_type(spec->name);
        CHECK(spec->doc.empty() != described_here);
        std::set<std::string_view> names;
        for (const AttributeSpec& one : spec->attributes) {
            INFO(one.name);
            CHECK(names.insert(one.name).second);
            CHECK_FALSE(is_metaparameter(one.name));
            CHECK(one.doc.empty() == one.values.empty());
            if (described_here) CHECK_FALSE(one.doc.empty());
            if (!one.values.empty()) CHECK_NOTHROW(parse_type(std::string(one.values)));
        }
    }
}

TEST_CASE("BND-020 the types of the modules that come with an agent are known without these modules",
          "[types]") {
    const std::pair<std::string_view, std::string_view> vendored[] = {
        {"augeas", "augeas_core"},    {"host", "host_core"}, {"scheduled_task", "scheduled_task"},
        {"sshkey", "sshkeys_core"},   {"zfs", "zfs_core"},   {"ssh_authorized_key", "sshkeys_core"},
        {"zpool", "zfs_core"},        {"cron", "cron_core"}, {"mount", "mount_core"},
        {"yumrepo", "yumrepo_core"},  {"zone", "zone_core"}, {"selboolean", "selinux_core"},
        {"selmodule", "selinux_core"}};
    for (const auto& [type, module] : vendored) {
        INFO(type);
        const TypeSpec* spec = find_core_type(type);
        REQUIRE(spec != nullptr);
        CHECK(spec->module == module);
    }
}

TEST_CASE("titles are split as the types say", "[types]") {
    LanguageHost host;
    ResourceTypes types(host);
    using Split = std::vector<std::pair<std::string_view, std::string>>;
    CHECK(types.find("File")->split_title("/tmp/a//") == Split{{"path", "/tmp/a"}});
    CHECK(types.find("sshkey")->split_title("web1@ssh-rsa") == Split{{"name", "web1"}, {"type", "ssh-rsa"}});
    CHECK(types.find("sshkey")->split_title("web1") == Split{{"name", "web1"}});
    CHECK(types.find("package")->split_title("ntp") == Split{{"name", "ntp"}});
    CHECK_FALSE(types.find("exec")->isomorphic());
}

}  // namespace volley
