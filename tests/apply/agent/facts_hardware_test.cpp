#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "apply/agent/facts/hardware/hardware.hpp"
#include "facts_root.hpp"

using namespace volley;
using namespace volley::agent;

TEST_CASE("memory is what the kernel says is available", "[agent][facts]") {
    const Json found = memory_of(
        "MemTotal:        8000000 kB\nMemFree:  100 kB\nMemAvailable:    6000000 kB\nBuffers: 1 kB\nCached: "
        "1 kB\n"
        "SwapTotal:       1000000 kB\nSwapFree:         250000 kB\n");
    CHECK(found["system"]["total_bytes"] == 8192000000);
    CHECK(found["system"]["available_bytes"] == 6144000000);
    CHECK(found["system"]["used_bytes"] == 2048000000);
    CHECK(found["system"]["capacity"] == "25.00%");
    CHECK(found["system"]["total"] == "7.63 GiB");
    CHECK(found["swap"]["capacity"] == "75.00%");
    // Kernels before 3.14 have no MemAvailable.
    const Json old =
        memory_of("MemTotal: 100 kB\nMemFree: 10 kB\nBuffers: 20 kB\nCached: 30 kB\nSwapTotal: 0 kB\n");
    CHECK(old["system"]["available_bytes"] == 60 * 1024);
    CHECK_FALSE(old.contains("swap"));
    CHECK(memory_of("").empty());
}

TEST_CASE("processors are counted", "[agent][facts]") {
    const Json found = processors_of(
        "processor\t: 0\nmodel name\t: AMD EPYC\ncpu MHz\t\t: 2445.404\nphysical id\t: 0\n\n"
        "processor\t: 1\nmodel name\t: AMD EPYC\ncpu MHz\t\t: 2499.998\nphysical id\t: 1\n");
    CHECK(found.dump() ==
          R"({"count":2,"models":["AMD EPYC","AMD EPYC"],"physicalcount":2,"speed":"2.50 GHz"})");
    const Json arm = processors_of("processor\t: 0\nBogoMIPS\t: 50.00\nCPU part\t: 0xd0c\n");
    CHECK(arm.dump() == R"({"count":1,"models":[]})");
    CHECK(cpus_in("0-3,8") == 5);
    CHECK(cpus_in("0") == 1);
    CHECK(cpus_in("") == 0);
    CHECK(cpus_in("5-2") == 0);
}

TEST_CASE("mounts are those of devices, with escaped names", "[agent][facts]") {
    const auto found = mounts_of(
        "/dev/vda / ext4 rw,relatime 0 0\n"
        "proc /proc proc rw 0 0\n"
        "tmpfs /proc/acpi tmpfs ro 0 0\n"
        "sysfs /sys sysfs rw 0 0\n"
        "systemd-1 /mnt/auto autofs rw 0 0\n"
        "/dev/sdb /mnt/a\\040b\\134 xfs rw 0 0\n"
        "broken\n");
    REQUIRE(found.size() == 3);
    CHECK(found[0].options == std::vector<std::string>{"rw", "relatime"});
    CHECK(found[1].path == "/proc/acpi");
    CHECK(found[2].path == "/mnt/a b\\");
    const FactsRoot root{{"/proc/self/mounts", "/dev/root / ext4 rw 0 0\n"},
                         {"/proc/cmdline", "quiet root=/dev/vda1 ro\n"}};
    CHECK(mounts_on(root.host())[0].device == "/dev/vda1");
}

TEST_CASE("tags of blkid are read whatever is in them", "[agent][facts]") {
    const DeviceTags tags =
        tags_in(R"(LABEL="my disk" UUID="12-34" PARTLABEL="a \"b\" c=\"d\"" TYPE="ext4")");
    CHECK(tag_named(tags, "LABEL") == "my disk");
    CHECK(tag_named(tags, "PARTLABEL") == R"(a "b" c="d")");
    CHECK(tag_named(tags, "TYPE") == "ext4");
    CHECK(tag_named(tags, "NOSUCH").empty());
    CHECK(tags_in("").empty());
    CHECK(tags_in("UUID=\"open").size() == 1);
}

TEST_CASE("firmware has words for numbers", "[agent][facts]") {
    CHECK(chassis_name("9") == "Laptop");
    CHECK(chassis_name("1") == "Other");
    for (const char* nothing : {"2", "0", "33", "", "x"}) CHECK(chassis_name(nothing) == std::nullopt);
    const FactsRoot root{{"/sys/class/dmi/id/bios_vendor", " Acme \n"},
                         {"/sys/class/dmi/id/board_name", "\n"}};
    CHECK(dmi_field(root.host(), "bios_vendor") == "Acme");
    CHECK(dmi_field(root.host(), "board_name") == std::nullopt);
}

TEST_CASE("containers and hypervisors are recognised", "[agent][facts]") {
    using std::string_literals::operator""s;
    const Container docker = container_of("12:cpu:/docker/0123abc\n11:x:/\n", "", "");
    CHECK(docker.kind == "docker");
    CHECK(docker.value == "0123abc");
    CHECK(container_of("0::/\n", "A=b\0container=lxc\0"s, "").kind == "lxc");
    const Container nspawn = container_of("0::/\n", "container=systemd-nspawn\0X=y\0"s, "abc\n");
    CHECK(nspawn.kind == "systemd_nspawn");
    CHECK(nspawn.value == "abc");
    CHECK(container_of("0::/\n", "TERM=linux\0"s, "abc").kind.empty());

    struct Row {
        const char *printed, *kind;
    };
    static constexpr Row rows[] = {{"", ""},
                                   {"kvm\n", "kvm"},
                                   {"xen\nxen-domU\n", "xenu"},
                                   {"xen\nxen-hvm\naws\n", "xenhvm"},
                                   {"redhat\nkvm\n", "kvm"},
                                   {"ibm_systemz\nibm_systemz-lpar\n", "zlinux"},
                                   {"vmware\n", "vmware"}};
    for (const Row& row : rows) CHECK(hypervisor_of_virt_what(row.printed) == row.kind);
    CHECK(hypervisor_of_product("VMware Virtual Platform") == "vmware");
    CHECK(hypervisor_of_product("Virtual Machine") == "hyperv");
    CHECK(hypervisor_of_product("PowerEdge R640").empty());
}
