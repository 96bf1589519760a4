#include <catch2/catch.hpp>

#include "apply/agent/machine/os_release.hpp"
#include "apply/agent/types/package/applications/flatpak.hpp"
#include "apply/agent/types/package/applications/gem.hpp"
#include "apply/agent/types/package/applications/npm.hpp"
#include "apply/agent/types/package/applications/pip.hpp"
#include "apply/agent/types/package/applications/snap.hpp"
#include "apply/agent/types/package/system/apk.hpp"
#include "apply/agent/types/package/system/apt.hpp"
#include "apply/agent/types/package/system/pacman.hpp"
#include "apply/agent/types/package/system/yum.hpp"
#include "apply/agent/types/package/system/zypper.hpp"

using namespace volley::agent;
using Texts = std::map<std::string, std::string>;
using List = std::vector<std::string>;

TEST_CASE("systems are recognised by os-release", "[agent][package]") {
    struct Row {
        const char *text, *id, *family;
        int major;
    };
    static constexpr Row rows[] = {
        {"ID=debian\nVERSION_ID=\"12\"\n", "debian", "debian", 12},
        {"ID=ubuntu\nID_LIKE=debian\nVERSION_ID=\"22.04\"\n", "ubuntu", "debian", 22},
        {"ID=\"rocky\"\nID_LIKE=\"rhel centos fedora\"\nVERSION_ID=\"9.3\"\n", "rocky", "redhat", 9},
        {"ID=\"opensuse-leap\"\nID_LIKE=\"suse opensuse\"\nVERSION_ID=\"15.5\"\n", "opensuse-leap", "suse",
         15},
        {"ID=arch\nBUILD_ID=rolling\n", "arch", "arch", 0},
        {"ID=alpine\nVERSION_ID=3.18.4\n", "alpine", "alpine", 3},
        {"ID=unheard\nID_LIKE='ubuntu debian'\n", "unheard", "debian", 0},
        {"", "linux", "linux", 0},
    };
    for (const Row& row : rows) {
        CAPTURE(row.text);
        const OsRelease found = parse_os_release(row.text);
        CHECK(found.id == row.id);
        CHECK(found.family == row.family);
        CHECK(found.major == row.major);
    }
}

TEST_CASE("each system has its own package manager", "[agent][package]") {
    const auto name_for = [](const char* text) {
        return default_package_provider(parse_os_release(text)).name;
    };
    CHECK(name_for("ID=debian") == "apt");
    CHECK(name_for("ID=ubuntu") == "apt");
    CHECK(name_for("ID=rhel\nVERSION_ID=7.9") == "yum");
    CHECK(name_for("ID=centos\nVERSION_ID=8") == "dnf");
    CHECK(name_for("ID=fedora\nVERSION_ID=39") == "dnf");
    CHECK(name_for("ID=amzn\nVERSION_ID=2") == "yum");
    CHECK(name_for("ID=amzn\nVERSION_ID=2023") == "dnf");
    CHECK(name_for("ID=sles\nVERSION_ID=15.5") == "zypper");
    CHECK(name_for("ID=opensuse-tumbleweed") == "zypper");
    CHECK(name_for("ID=manjaro") == "pacman");
    CHECK(name_for("ID=alpine") == "apk");
}

TEST_CASE("lines of dpkg-query are read", "[agent][package]") {
    DpkgEntry entry;
    REQUIRE(parse_dpkg_line("hold ok installed bash 5.2-1", entry));
    CHECK(entry.state().ensure == Value(std::string("5.2-1")));
    CHECK(entry.state().mark == "hold");
    REQUIRE(parse_dpkg_line("deinstall ok config-files cups 2.4", entry));
    CHECK(entry.state().ensure == absent());
    CHECK(entry.state().mark == "none");
    REQUIRE(parse_dpkg_line("unknown ok not-installed awk ", entry));
    CHECK(entry.state().ensure == Value::symbol("purged"));
    CHECK_FALSE(parse_dpkg_line("no such line", entry));
}

TEST_CASE("candidates of apt are read", "[agent][package]") {
    CHECK(parse_apt_policy("tiny-a:\n  Installed: (none)\n  Candidate: 2.0\n  Version table:\n     2.0 500\n "
                           "       500 file:/r ./ Packages\n"
                           "tiny-b:\n  Installed: 1.0\n  Candidate: 1.0\n") ==
          Texts{{"tiny-a", "2.0"}, {"tiny-b", "1.0"}});
    const auto packages = parse_apt_simulation(
        "NOTE: ...\nInst tiny-a (2.0 lab [all])\nInst b:i386 [1.0] (1.1-1 x:12/y [i386]) []\nConf tiny-a "
        "(2.0 lab [all])");
    CHECK(packages == List{"tiny-a=2.0", "b=1.1-1"});
    CHECK_FALSE(parse_apt_simulation("Remv c [1.0]\nInst d (1.0 lab [all])"));
}

TEST_CASE("packages are installed together up to the one that another needs", "[agent][package]") {
    const auto shown = parse_apt_show(
        "Package: b\nVersion: 1\nDepends: libc6 (>= 2.3), a (>= 1) | other:any\nProvides: virtual-b (= 1)\n\n"
        "Package: a\nDepends: libc6\n\nPackage: c\nPre-Depends: x\nRecommends: y, virtual-b\n");
    REQUIRE(shown.size() == 3);
    CHECK(shown[0].needs == List{"libc6", "a", "other"});
    CHECK(shown[0].provides == List{"virtual-b"});
    CHECK(independent_packages({"a", "c"}, shown) == 2);
    const std::vector<AptCandidate> two(shown.begin(), shown.begin() + 2);
    CHECK(independent_packages({"a", "b"}, two) == 2);         // a is asked for first anyway
    CHECK(independent_packages({"b", "a"}, shown) == 1);       // a comes along with b
    CHECK(independent_packages({"a", "b", "c"}, shown) == 1);  // b may come along with c, by its other name
    CHECK(independent_packages({"b", "c"}, shown) == 2);
}

TEST_CASE("lists of rpm are read", "[agent][package]") {
    const auto found = parse_rpm_list(
        "bash 0 5.1 2.el9 x86_64\nbind 32 9.16 1 x86_64\nkernel 0 5.1 1 x86_64\nkernel 0 5.2 1 x86_64\n"
        "glibc 0 2.34 1 i686\nglibc 0 2.34 1 x86_64\nnot one\n");
    REQUIRE(found.size() == 4);
    CHECK(found.at("bash").ensure() == "5.1-2.el9");
    CHECK(found.at("bind").ensure() == "32:9.16-1");
    CHECK(found.at("kernel").ensure() == "5.1-1; 5.2-1");
    CHECK(found.at("glibc").ensure() == "2.34-1");
}

TEST_CASE("updates of yum and dnf are read", "[agent][package]") {
    const auto updates = parse_yum_updates(
        "Loaded plugins: fastestmirror\n\nbash.x86_64      4.2.46-34.el7     base\nbind.i686   32:9.11-1  "
        "updates\n"
        "a-very-long-name-that-breaks-the-line.noarch\n     1.0-1\n      updates\n\nObsoleting "
        "Packages\nold.noarch 1-1 base\n");
    CHECK(updates == Texts{{"a-very-long-name-that-breaks-the-line", "0:1.0-1"},
                           {"a-very-long-name-that-breaks-the-line.noarch", "0:1.0-1"},
                           {"bash", "0:4.2.46-34.el7"},
                           {"bash.x86_64", "0:4.2.46-34.el7"},
                           {"bind", "32:9.11-1"},
                           {"bind.i686", "32:9.11-1"}});
    CHECK(parse_yum_versions("Installed Packages\ntiny-r.noarch 1.0-1 @lab\nAvailable "
                             "Packages\ntiny-r.noarch  1.0-1  lab\ntiny-r.noarch  2.0-1  lab\n") ==
          List{"1.0-1", "2.0-1"});
}

TEST_CASE("tables of zypper are read", "[agent][package]") {
    const auto rows = parse_zypper_table(
        "Loading repository data...\nS | Repository | Name | Current Version | Available Version | Arch\n"
        "--+-----+----\nv | lab | tiny-r | 1.0-1 | 2.0-1 | noarch\n");
    REQUIRE(rows.size() == 2);
    CHECK(rows[1] == List{"v", "lab", "tiny-r", "1.0-1", "2.0-1", "noarch"});
}

TEST_CASE("packages and groups of pacman are read", "[agent][package]") {
    const auto packages = parse_pacman_packages("bash 5.2-1\nzlib 1:1.3-1\nerror: no database\n");
    CHECK(packages == Texts{{"bash", "5.2-1"}, {"zlib", "1:1.3-1"}});
    const auto groups = parse_pacman_groups("base bash\nbase zlib\ndevel gcc\n");
    CHECK(pacman_group_version(groups.at("base"), packages) == "bash 5.2-1, zlib 1:1.3-1");
    CHECK(pacman_group_version(groups.at("devel"), packages).empty());
}

TEST_CASE("packages of apk are read", "[agent][package]") {
    CHECK(parse_apk_list("musl-1.2.4-r2\nca-certificates-bundle-20230506-r0\nWARNING: opening x-1-r1\n") ==
          Texts{{"musl", "1.2.4-r2"}, {"ca-certificates-bundle", "20230506-r0"}});
    CHECK(parse_apk_policy(
              "musl policy:\n  1.2.4-r1:\n    lib/apk/db/installed\n  1.2.4-r2:\n    https://x/main\n") ==
          "1.2.4-r2");
    CHECK(parse_apk_policy("musl policy:\n  1.2.4-r2:\n    lib/apk/db/installed\n    https://x/main\n") ==
          "1.2.4-r2");
    CHECK(parse_apk_policy("own policy:\n  1-r0:\n    lib/apk/db/installed\n").empty());
}

TEST_CASE("packages of pip are read", "[agent][package]") {
    CHECK(parse_pip_freeze("PyYAML==6.0\nfoo===1.0+x\n-e git+https://x#egg=y\nbar @ file:///x\n") ==
          Texts{{"foo", "1.0+x"}, {"pyyaml", "6.0"}});
    CHECK(parse_pip_versions("ERROR: Could not find a version that satisfies the requirement "
                             "x==versionplease (from versions: 1.10, 1.9, 2.0rc1)\nERROR: No") ==
          List{"1.9", "1.10", "2.0rc1"});
    CHECK(parse_pip_versions("ERROR: ... (from versions: none)").empty());
    CHECK(parse_pip_own_version("pip 23.0.1 from /usr/lib/python3/dist-packages/pip (python 3.11)") ==
          "23.0.1");
}

TEST_CASE("lists of gem are read", "[agent][package]") {
    const auto [gems, other_lines] = parse_gem_list(
        "Ignoring nokogiri-1.1 because its extensions are not built. Try: gem pristine nokogiri (or so)\n"
        "\nbundler (default: 2.3.7)\njson (2.6.1 ruby java, 2.5)\nrake (13.0.6, default: 12.0)\nodd ()\n");
    REQUIRE(gems.size() == 3);
    REQUIRE(other_lines.size() == 2);
    CHECK(other_lines[0].starts_with("Ignoring nokogiri-1.1"));
    CHECK(other_lines[1] == "odd ()");
    CHECK(gems.at("bundler") == List{"2.3.7"});
    CHECK(gems.at("json") == List{"2.6.1", "2.5"});
    CHECK(gems.at("rake") == List{"13.0.6", "12.0"});
}

TEST_CASE("packages of npm are read", "[agent][package]") {
    CHECK(
        parse_npm_list(
            R"({"name":"lib","dependencies":{"npm":{"version":"9.2.0"},"x":{"missing":true,"version":"1"},"@a/b":{"version":"1.0.0"}}})") ==
        Texts{{"@a/b", "1.0.0"}, {"npm", "9.2.0"}});
    CHECK(parse_npm_list("{}").empty());
    CHECK(parse_npm_list("npm ERR!").empty());
}

TEST_CASE("snaps are read", "[agent][package]") {
    const auto snaps = parse_snap_list(
        "Name    Version    Rev    Tracking         Publisher   Notes\ncore22  20230801   864    "
        "latest/stable    canonical   base\n"
        "lxd     5.0        100    5.0/stable       canonical   held,classic\n");
    REQUIRE(snaps.size() == 2);
    CHECK(snaps.at("core22").version == "20230801");
    CHECK(snaps.at("core22").tracking == "latest/stable");
    CHECK_FALSE(snaps.at("core22").held);
    CHECK(snaps.at("lxd").held);
    CHECK(parse_snap_list("No snaps are installed yet. Try 'snap install hello-world'.").empty());
    CHECK(is_snap_channel("edge"));
    CHECK(is_snap_channel("5.0/candidate/fix"));
    CHECK_FALSE(is_snap_channel("5.0"));
}

TEST_CASE("applications of flatpak are read", "[agent][package]") {
    CHECK(parse_flatpak_list("org.gnome.Maps\t45.1\tabc123\norg.x.Y\t\tdef456\n\n") ==
          Texts{{"org.gnome.Maps", "45.1"}, {"org.x.Y", "def456"}});
}
