#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "apply/agent/facts/facts.hpp"
#include "apply/agent/facts/legacy.hpp"
#include "apply/agent/facts/system/system.hpp"
#include "apply/agent/facts/units.hpp"
#include "facts_root.hpp"

using namespace volley;
using namespace volley::agent;

TEST_CASE("sizes are shown as Facter shows them", "[agent][facts]") {
    struct Row {
        std::uint64_t bytes;
        const char* text;
    };
    // The right column is what Facter::Util::Facts::UnitConverter of Facter 4.3 answers.
    static constexpr Row rows[] = {{0, "0 bytes"},
                                   {1023, "1023 bytes"},
                                   {1024, "1.00 KiB"},
                                   {1536, "1.50 KiB"},
                                   {1048575, "1.00 MiB"},
                                   {12630552576, "11.76 GiB"},
                                   {274877906944, "256.00 GiB"},
                                   {1099511627775, "1.00 TiB"},
                                   {1152921504606846976, "1.00 EiB"}};
    for (const Row& row : rows) CHECK(human_bytes(row.bytes) == row.text);
    CHECK(human_hertz(0).empty());
    CHECK(human_hertz(2'445'000'000) == "2.45 GHz");
    CHECK(human_hertz(2'435'000'000) == "2.44 GHz");
    CHECK(human_hertz(800'000'000) == "800.00 MHz");
    CHECK(percentage(1665130496, 25276514304) == "6.59%");
}

TEST_CASE("versions of the kernel are taken apart", "[agent][facts]") {
    struct Row {
        const char *release, *version, *major;
    };
    static constexpr Row rows[] = {{"5.10.0-21-amd64", "5.10.0", "5.10"},
                                   {"6.18.44-fc-v595", "6.18.44", "6.18"},
                                   {"3.10.0-1160.el7.x86_64", "3.10.0", "3.10"},
                                   {"6.1", "6.1", "6.1"},
                                   {"6", "6", "6"}};
    for (const Row& row : rows) {
        const Json facts = kernel_of("Linux", row.release);
        CHECK(facts["kernelversion"] == row.version);
        CHECK(facts["kernelmajversion"] == row.major);
        CHECK(facts["kernelrelease"] == row.release);
    }
}

TEST_CASE("every system has its name, family and release", "[agent][facts]") {
    struct Row {
        const char* what;
        std::string os_release, path, text;  // path and text: a further file
        const char* facts;
    };
    const Row rows[] = {
        {"Debian",
         "NAME=\"Debian GNU/Linux\"\nID=debian\nVERSION_ID=\"12\"\nVERSION_CODENAME=bookworm\n"
         "PRETTY_NAME=\"Debian GNU/Linux 12 (bookworm)\"\n",
         "/etc/debian_version", "12.11\n",
         R"j({"name":"Debian","family":"Debian","hardware":"x86_64","architecture":"amd64",
             "release":{"full":"12.11","major":"12","minor":"11"},
             "distro":{"codename":"bookworm","description":"Debian GNU/Linux 12 (bookworm)","id":"Debian",
                       "release":{"full":"12.11","major":"12","minor":"11"}}})j"},
        {"Debian that is not released",
         "NAME=\"Debian GNU/Linux\"\nID=debian\nPRETTY_NAME=\"Debian GNU/Linux trixie/sid\"\n",
         "/etc/debian_version", "trixie/sid\n",
         R"j({"name":"Debian","family":"Debian","hardware":"x86_64","architecture":"amd64",
             "release":{"full":"trixie/sid","major":"trixie/sid"},
             "distro":{"description":"Debian GNU/Linux trixie/sid","id":"Debian",
                       "release":{"full":"trixie/sid","major":"trixie/sid"}}})j"},
        {"Ubuntu",
         "NAME=\"Ubuntu\"\nVERSION_ID=\"22.04\"\nID=ubuntu\nID_LIKE=debian\nVERSION_CODENAME=jammy\n"
         "PRETTY_NAME=\"Ubuntu 22.04.3 LTS\"\n",
         "/etc/debian_version", "bookworm/sid\n",
         R"j({"name":"Ubuntu","family":"Debian","hardware":"x86_64","architecture":"amd64",
             "release":{"full":"22.04","major":"22.04"},
             "distro":{"codename":"jammy","description":"Ubuntu 22.04.3 LTS","id":"Ubuntu",
                       "release":{"full":"22.04","major":"22.04"}}})j"},
        {"Rocky Linux",
         "NAME=\"Rocky Linux\"\nVERSION_ID=\"9.2\"\nID=\"rocky\"\nID_LIKE=\"rhel centos fedora\"\n",
         "/etc/redhat-release", "Rocky Linux release 9.2 (Blue Onyx)\n",
         R"j({"name":"Rocky","family":"RedHat","hardware":"x86_64","architecture":"x86_64",
             "release":{"full":"9.2","major":"9","minor":"2"},
             "distro":{"description":"Rocky Linux release 9.2 (Blue Onyx)",
            "id" : "Rocky", "codename" : "Blue Onyx", "release" : {
            "full" : "9.2", "major" : "9", "minor" : "2"
        }
    }
})j"},
        {"Red Hat",
         "NAME=\"Red Hat Enterprise Linux\"\nVERSION_ID=\"8.8\"\nID=\"rhel\"\nID_LIKE=\"fedora\"\n",
         "/etc/redhat-release", "Red Hat Enterprise Linux release 8.8 (Ootpa)\n",
         R"j({"name":"RedHat","family":"RedHat","hardware":"x86_64","architecture":"x86_64",
             "release":{"full":"8.8","major":"8","minor":"8"},
             "distro":{"description":"Red Hat Enterprise Linux release 8.8 (Ootpa)",
        "id" : "RedHatEnterprise", "codename" : "Ootpa", "release" : {
        "full" : "8.8", "major" : "8", "minor" : "8"
    }
}
})j"},
        {"Fedora", "NAME=\"Fedora Linux\"\nVERSION_ID=38\nID=fedora\n", "/etc/redhat-release",
         "Fedora release 38 (Thirty Eight)\n",
         R"j({"name":"Fedora","family":"RedHat","hardware":"x86_64","architecture":"x86_64",
             "release":{"full":"38","major":"38"},
             "distro":{"description":"Fedora release 38 (Thirty Eight)",
        "id" : "Fedora", "codename" : "Thirty Eight", "release" : {
        "full" : "38", "major" : "38"
    }
}
})j"},
        {"SLES",
         "NAME=\"SLES\"\nVERSION_ID=\"15.4\"\nID=\"sles\"\nPRETTY_NAME=\"SUSE Linux Enterprise Server 15 "
         "SP4\"\n",
         "/etc/x", "",
         R"j({"name":"SLES","family":"Suse","hardware":"x86_64","architecture":"x86_64",
             "release":{"full":"15.4","major":"15","minor":"4"},
             "distro":{"codename":"n/a","description":"SUSE Linux Enterprise Server 15 SP4","id":"SUSE",
                       "release":{"full":"15.4","major":"15","minor":"4"}}})j"},
        {"openSUSE",
         "NAME=\"openSUSE Leap\"\nVERSION_ID=\"15.5\"\nID=\"opensuse-leap\"\nID_LIKE=\"suse opensuse\"\n",
         "/etc/x", "",
         R"j({"name":"openSUSE","family":"Suse","hardware":"x86_64","architecture":"x86_64",
             "release":{"full":"15.5","major":"15","minor":"5"},
             "distro":{"codename":"n/a","id":"SUSE","release":{"full":"15.5","major":"15","minor":"5"}}})j"},
        {"Alpine", "NAME=\"Alpine Linux\"\nID=alpine\nVERSION_ID=3.18.4\n", "/etc/alpine-release", "3.18.4\n",
         R"j({"name":"Alpine","family":"Alpine","hardware":"x86_64","architecture":"x86_64",
             "release":{"full":"3.18.4","major":"3","minor":"18"}})j"},
        {"Arch", "NAME=\"Arch Linux\"\nID=arch\n", "/etc/x", "",
         R"j({"name":"Archlinux","family":"Archlinux","hardware":"x86_64","architecture":"x86_64"})j"},
        {"Amazon", "NAME=\"Amazon Linux\"\nVERSION_ID=\"2023\"\nID=\"amzn\"\nID_LIKE=\"fedora\"\n",
         "/etc/system-release", "Amazon Linux release 2023 (Amazon Linux)\n",
         R"j({"name":"Amazon","family":"RedHat","hardware":"x86_64","architecture":"x86_64",
             "release":{"full":"2023","major":"2023"},
             "distro":{"description":"Amazon Linux release 2023 (Amazon Linux)",
        "id" : "Amazon", "codename" : "Amazon Linux", "release" : {
        "full" : "2023", "major" : "2023"
    }
}
})j"},
    };
    for (const Row& row : rows) {
        INFO(row.what);
        const FactsRoot root{{"/etc/os-release", row.os_release}, {row.path, row.text}};
        const Json want = Json::parse(row.facts);
        const Json found = os_on(root.host(), "x86_64");
        CAPTURE(found.dump());
        CHECK(found.size() == want.size());
        for (const auto& [key, value] : want.items()) {
            INFO(key);
            CHECK(found.contains(key));
            if (found.contains(key))
                CHECK(nlohmann::json::parse(found[key].dump()) == nlohmann::json::parse(value.dump()));
        }
    }
}

TEST_CASE("selinux is only there with its file system and its configuration", "[agent][facts]") {
    CHECK(selinux_on(FactsRoot{{"/etc/selinux/config", "SELINUX=enforcing\n"}}.host()).dump() ==
          R"({"enabled":false})");
    const FactsRoot root{
        {"/proc/self/mounts", "sysfs /sys sysfs rw 0 0\nselinuxfs /sys/fs/selinux selinuxfs rw 0 0\n"},
        {"/etc/selinux/config", "# x\nSELINUX=permissive\nSELINUXTYPE=targeted\n"},
        {"/sys/fs/selinux/enforce", "1"},
        {"/sys/fs/selinux/policyvers", "33"}};
    const Json found = selinux_on(root.host());
    CHECK(found["enabled"] == true);
    CHECK(found["enforced"] == true);
    CHECK(found["current_mode"] == "enforcing");
    CHECK(found["config_mode"] == "permissive");
    CHECK(found["config_policy"] == "targeted");
    CHECK(found["policy_version"] == "33");
}

TEST_CASE("times are counted in words", "[agent][facts]") {
    struct Row {
        std::uint64_t seconds;
        const char* words;
    };
    static constexpr Row rows[] = {{59, "0:00 hours"},
                                   {3720, "1:02 hours"},
                                   {86399, "23:59 hours"},
                                   {86400, "1 day"},
                                   {200000, "2 days"}};
    for (const Row& row : rows) {
        const Json found = uptime_of(row.seconds);
        CHECK(found["uptime"] == row.words);
        CHECK(found["seconds"] == row.seconds);
    }
    CHECK(load_averages_of("0.55 1.50 2.00 1/200 4711").dump() == R"({"1m":0.55,"5m":1.5,"15m":2.0})");
    CHECK(load_averages_of("").empty());
}

TEST_CASE("lists of the kernel and keys become facts", "[agent][facts]") {
    CHECK(filesystems_of("nodev\tsysfs\n\text4\n\tbtrfs\n\tfuseblk\nnodev\ttmpfs\n") == "btrfs,ext4");
    const Json key = ssh_key_of(
        "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIPrCMJQfK3REfVCHdCJz6Oofeq2+qyTbcYEQ1Z9lTIwc root@vm\n");
    CHECK(key["ed25519"]["type"] == "ssh-ed25519");
    CHECK(key["ed25519"]["fingerprints"]["sha1"] == "SSHFP 4 1 3acc1a8a3b463025e76c7b28aed870f096bcbc24");
    CHECK(ssh_key_of("ssh-unknown AAAA").empty());
    CHECK(ssh_key_of("").empty());
}

TEST_CASE("facts are found by paths, and hidden ones under other names", "[agent][facts]") {
    const Json facts = Json::parse(
        R"({"os":{"family":"Debian","release":{"full":"12.11","major":"12"}},
            "memory":{"system":{"total_bytes":3145728}},
            "mountpoints":{"/":{"size":"1 GiB"},"/a.b":{"size":"2 GiB"}},
            "processors":{"models":["A","B"]},
            "networking":{"interfaces":{"eth0.5":{"ip":"192.0.2.1","bindings":[{"address":"192.0.2.1"}]},"lo":{"mtu":1}}}})");
    struct Row {
        const char *path, *want;
    };
    static constexpr Row rows[] = {{"os.release.major", "\"12\""},
                                   {"mountpoints./.size", "\"1 GiB\""},
                                   {"mountpoints./a.b.size", "\"2 GiB\""},
                                   {"networking.interfaces.eth0.5.bindings.0.address", "\"192.0.2.1\""},
                                   {"processors.models.1", "\"B\""},
                                   {"processors.models.2", nullptr},
                                   {"processors.models.x", nullptr},
                                   {"os.nosuch", nullptr},
                                   {"os.family.x", nullptr},
                                   {"", nullptr}};
    for (const Row& row : rows) {
        INFO(row.path);
        const Json* found = fact_at(facts, row.path);
        CHECK((found == nullptr) == (row.want == nullptr));
        if (found != nullptr && row.want != nullptr) CHECK(found->dump() == row.want);
    }
    const Json legacy = legacy_facts(FactsRoot{}.host(), facts);
    CHECK(legacy["osfamily"] == "Debian");
    CHECK(legacy["memorysize_mb"].dump() == "3.0");
    CHECK(legacy["processor1"] == "B");
    CHECK(legacy["interfaces"] == "eth0.5,lo");
    CHECK(legacy["ipaddress_eth0.5"] == "192.0.2.1");
    CHECK(legacy["dhcp_servers"].dump() == R"({"system":null})");
}
