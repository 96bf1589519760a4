#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif

#include <algorithm>
#include <array>
#include <cstring>
#include <nlohmann/json.hpp>

#include "apply/agent/facts/groups.hpp"
#include "apply/agent/facts/hardware/hardware.hpp"
#include "apply/agent/facts/units.hpp"
#include "support/text.hpp"

namespace volley::agent {
namespace {

using NamePair = std::pair<std::string_view, std::string_view>;

bool mentions(const std::optional<std::string>& text, std::string_view part) {
    return text && text->find(part) != std::string::npos;
}

/// A field of /proc/self/status; empty when it is not there.
std::string status_field(const FactHost& host, std::string_view name) {
    for (const std::string& line : host.lines("/proc/self/status")) {
        if (line.starts_with(name)) return std::string(trim(std::string_view(line).substr(name.size())));
    }
    return {};
}

std::string openvz_kind(const FactHost& host) {
    if (host.names("/proc/vz").empty() || host.exists("/proc/lve/list")) return {};
    const std::string id = status_field(host, "envID:");
    if (id.empty()) return {};
    return id == "0" ? "openvzhn" : "openvzve";
}

std::string vserver_kind(const FactHost& host) {
    for (const char* name : {"s_context:", "VxID:"}) {
        const std::string id = status_field(host, name);
        if (!id.empty()) return id == "0" ? "vserver_host" : "vserver";
    }
    return {};
}

std::string xen_kind(const FactHost& host) {
    if (host.exists("/dev/xen/evtchn")) return "xen0";
    return host.exists("/proc/xen") || host.exists("/dev/xvda1") ? "xenu" : "";
}

std::string vmware_product(const FactHost& host) {
    const std::vector<std::string> words = split(trim(host.output_of({"vmware", "-v"}).value_or("")), ' ');
    return words.size() == 2 ? lower(words[0]) + "_" + lower(words[1]) : std::string();
}

/// By the vendors of the devices on the PCI bus: what lspci would show, without it.
std::string hypervisor_of_bus(const FactHost& host) {
    static constexpr std::array<NamePair, 6> vendors = {{{"0x80ee", "virtualbox"},
                                                         {"0x5853", "xenhvm"},
                                                         {"0x1414", "hyperv"},
                                                         {"0x15ad", "vmware"},
                                                         {"0x1ab8", "parallels"},
                                                         {"0x1af4", "kvm"}}};
    for (const std::string& device : host.names("/sys/bus/pci/devices")) {
        const std::string vendor = host.word("/sys/bus/pci/devices/" + device + "/vendor");
        for (const auto& [id, name] : vendors) {
            if (vendor == id) return std::string(name);
        }
    }
    return {};
}

/// By what the processor says of the hypervisor below it.
std::string hypervisor_of_processor([[maybe_unused]] const FactHost& host) {
#if defined(__x86_64__) || defined(__i386__)
    static constexpr std::array<NamePair, 9> signatures = {{{"KVMKVMKVM", "kvm"},
                                                            {"TCGTCGTCGTCG", "qemu"},
                                                            {"Linux KVM Hv", "kvm"},
                                                            {"Microsoft Hv", "hyperv"},
                                                            {"VMwareVMware", "vmware"},
                                                            {"XenVMMXenVMM", "xenhvm"},
                                                            {"VBoxVBoxVBox", "virtualbox"},
                                                            {"prl hyperv  ", "parallels"},
                                                            {"bhyve bhyve ", "bhyve"}}};
    constexpr unsigned hypervisor_bit = 1U << 31U, hypervisor_leaf = 0x40000000U;
    unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
    if (!host.is_running() || __get_cpuid(1, &eax, &ebx, &ecx, &edx) == 0 || (ecx & hypervisor_bit) == 0)
        return {};
    __cpuid(hypervisor_leaf, eax, ebx, ecx, edx);
    const std::array<unsigned, 3> words = {ebx, ecx, edx};
    std::array<char, 13> text{};
    std::memcpy(text.data(), words.data(), sizeof words);
    for (const auto& [signature, name] : signatures) {
        if (std::string_view(text.data()) == signature) return std::string(name);
    }
#endif
    return {};
}

/// The script takes a third of a second. What it reads changes with the boot or with the programs that it
/// asks; whether there is a Xen may be seen a little later than the boot.
LastingQuestion question_to_virt_what(const FactHost& host) {
    const auto boot = host.boot();
    const auto depends_on = [&host, known = boot.has_value()](
                                const std::string& program,
                                const std::string&) -> std::optional<std::vector<std::string>> {
        const auto script = host.read(program);
        const bool genuine = script && script->find("Generated from virt-what.in") != std::string::npos;
        if (!known || !genuine) return std::nullopt;
        std::vector<std::string> files{"/proc/xen/capabilities", "/sys/hypervisor/type"};
        for (const char* asked : {"dmidecode", "virt-what-cpuid-helper"}) {
            for (std::string& path : FactHost::program_candidates(asked)) files.push_back(std::move(path));
            for (const char* folder : {"/usr/libexec/", "/usr/lib/virt-what/"})
                files.push_back(std::string(folder) + asked);
        }
        return files;
    };
    return {"virt-what", {"virt-what"}, 20, depends_on, boot.value_or("")};
}

/// What is known of the firmware and the programs, asked once.
struct Signs {
    explicit Signs(const FactHost& host)
        : container(container_on(host)),
          bios_vendor(dmi_field(host, "bios_vendor")),
          manufacturer(dmi_field(host, "sys_vendor")),
          product(dmi_field(host, "product_name")),
          virt_what(hypervisor_of_virt_what(host.answer_to(question_to_virt_what(host)).value_or(""))),
          bus(hypervisor_of_bus(host)),
          processor(hypervisor_of_processor(host)),
          of_product(hypervisor_of_product(product.value_or(""))),
          openvz(openvz_kind(host)) {}

    Container container;
    std::optional<std::string> bios_vendor, manufacturer, product;
    std::string virt_what, bus, processor, of_product, openvz;
};

/// The first sign counts, in Facter's order. What the processor says comes last: Facter does not look there,
/// and finds nothing on a machine without virt-what and lspci.
std::string virtual_kind(const FactHost& host, const Signs& signs) {
    if (!signs.container.kind.empty()) return signs.container.kind;
    if (mentions(signs.bios_vendor, "Google")) return "gce";
    std::string virt_what = signs.virt_what == "linux_vserver" ? vserver_kind(host) : signs.virt_what;
    if (!virt_what.empty()) return virt_what;
    for (std::string kind : {vmware_product(host), signs.openvz, vserver_kind(host), xen_kind(host)}) {
        if (!kind.empty()) return kind;
    }
    if (mentions(signs.bios_vendor, "Amazon EC2")) return "kvm";
    for (const std::string& kind : {signs.of_product, signs.bus, signs.processor}) {
        if (!kind.empty()) return kind;
    }
    return "physical";
}

/// The text after a mark in what dmidecode prints, up to a blank.
std::string after_in_dmi(const FactHost& host, std::string_view mark) {
    const std::string text = host.output_of({"dmidecode"}).value_or("");
    const std::size_t at = text.find(mark);
    if (at == std::string::npos) return {};
    const std::size_t start = at + mark.size();
    return text.substr(start, text.find_first_of(" \t\n", start) - start);
}

Json kvm_details(const Signs& signs) {
    if (signs.manufacturer == "Google") return Json{{"google", true}};
    if (signs.manufacturer && signs.manufacturer->starts_with("OpenStack")) return Json{{"openstack", true}};
    if (signs.manufacturer && signs.manufacturer->starts_with("Amazon")) return Json{{"amazon", true}};
    return Json::object();
}

Json virtualbox_details(const FactHost& host) {
    Json details = Json::object();
    const std::string version = after_in_dmi(host, "vboxVer_");
    const std::string revision = after_in_dmi(host, "vboxRev_");
    if (!version.empty()) details["version"] = version;
    if (!revision.empty()) details["revision"] = revision;
    return details;
}

Json hypervisors_on(const FactHost& host, const Signs& signs, const std::string& kind) {
    const auto any = [&](std::string_view name) {
        return signs.virt_what == name || signs.bus == name || signs.processor == name;
    };
    Json found = Json::object();
    if (const Container& box = signs.container; !box.kind.empty())
        found[box.kind] = box.value.empty() ? Json::object() : Json{{box.key, box.value}};
    if (mentions(signs.manufacturer, "Microsoft") || signs.product == "Virtual Machine")
        found["hyperv"] = Json::object();
    const bool other_product = signs.of_product == "virtualbox" || signs.of_product == "parallels";
    if (!other_product && (any("kvm") || mentions(signs.bios_vendor, "Amazon EC2") ||
                           mentions(signs.bios_vendor, "Google") || mentions(signs.product, "OpenStack")))
        found["kvm"] = kvm_details(signs);
    if (!signs.openvz.empty())
        found["openvz"] =
            Json{{"id", leading_number(status_field(host, "envID:"))}, {"host", signs.openvz == "openvzhn"}};
    if (signs.product == "VirtualBox" || any("virtualbox")) found["virtualbox"] = virtualbox_details(host);
    if (any("vmware") || signs.product == "VMware" || signs.manufacturer == "VMware, Inc.")
        found["vmware"] = Json::object();
    if (kind.find("xen") != std::string::npos)
        found["xen"] =
            Json{{"context", signs.of_product == "xenhvm" || signs.bus == "xenhvm" ? "hvm" : "pv"},
                 {"privileged", host.word("/proc/xen/capabilities") == "control_d" || kind == "xen0"}};
    return found;
}

/// As the firmware says; Facter asks the metadata servers, and waits for them.
std::string cloud_on(const FactHost& host, const Signs& signs, const std::string& kind) {
    constexpr std::string_view tag_of_azure = "7783-7084-3265-9085-8269-3286-77";
    if (kind == "gce") return "gce";
    if (mentions(signs.bios_vendor, "Amazon EC2") || mentions(signs.manufacturer, "Amazon EC2")) return "aws";
    return kind == "hyperv" && dmi_field(host, "chassis_asset_tag") == tag_of_azure ? "azure" : "";
}

Json xen_domains(const FactHost& host) {
    Json domains = Json::array();
    const char* tool = host.exists("/usr/sbin/xl") ? "/usr/sbin/xl" : "/usr/sbin/xm";
    for (const std::string& line : split(host.output_of({tool, "list"}).value_or(""), '\n')) {
        const std::string name = line.substr(0, line.find_first_of(" \t"));
        if (!name.empty() && name != "Name" && name != "Domain-0") domains.push_back(name);
    }
    return domains;
}

void begin_virtual(const FactHost& host) { host.begin_asking(question_to_virt_what(host)); }

Json find_virtual(const FactHost& host) {
    static constexpr std::array<std::string_view, 6> physical = {
        "physical", "xen0", "vmware_server", "vmware_workstation", "openvzhn", "vserver_host"};
    const Signs signs(host);
    const std::string kind = virtual_kind(host, signs);
    Json facts{{"virtual", kind},
               {"is_virtual", std::find(physical.begin(), physical.end(), kind) == physical.end()}};
    Json hypervisors = hypervisors_on(host, signs, kind);
    if (!hypervisors.empty()) facts["hypervisors"] = std::move(hypervisors);
    const std::string cloud = cloud_on(host, signs, kind);
    if (!cloud.empty()) facts["cloud"] = Json{{"provider", cloud}};
    if (kind == "xen0") facts["xen"] = Json{{"domains", xen_domains(host)}};
    return facts;
}

}  // namespace

std::string hypervisor_of_virt_what(std::string_view output) {
    std::vector<std::string> words = split(trim(output), '\n');
    const auto has = [&](std::string_view word) {
        return std::find(words.begin(), words.end(), word) != words.end();
    };
    if (words[0].empty()) return {};
    if (has("xen")) {
        if (has("xen-domU") || has("xen-domu")) return "xenu";
        if (has("xen-hvm")) return "xenhvm";
        if (has("xen-dom0")) return "xen0";
    }
    if (words[0].starts_with("ibm_systemz")) return "zlinux";
    if (words[0].starts_with("linux_vserver")) return "linux_vserver";
    if (words[0] == "redhat" && words.size() > 1) return words[1];
    return words[0];
}

std::string hypervisor_of_product(std::string_view product) {
    static constexpr std::array<NamePair, 11> products = {{{"VMware", "vmware"},
                                                           {"VirtualBox", "virtualbox"},
                                                           {"Parallels", "parallels"},
                                                           {"KVM", "kvm"},
                                                           {"Virtual Machine", "hyperv"},
                                                           {"RHEV Hypervisor", "rhev"},
                                                           {"oVirt Node", "ovirt"},
                                                           {"HVM domU", "xenhvm"},
                                                           {"Bochs", "bochs"},
                                                           {"OpenBSD", "vmm"},
                                                           {"BHYVE", "bhyve"}}};
    for (const auto& [part, name] : products) {
        if (product.find(part) != std::string_view::npos) return std::string(name);
    }
    return {};
}

const FactGroup& virtual_facts() {
    static const FactGroup group{
        {"virtual", "is_virtual", "hypervisors", "cloud", "xen"}, find_virtual, begin_virtual};
    return group;
}

}  // namespace volley::agent
