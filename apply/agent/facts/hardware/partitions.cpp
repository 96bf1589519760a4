#include <algorithm>
#include <array>
#include <map>
#include <nlohmann/json.hpp>

#include "apply/agent/facts/groups.hpp"
#include "apply/agent/facts/hardware/hardware.hpp"
#include "apply/agent/facts/units.hpp"
#include "support/text.hpp"

namespace volley::agent {
namespace {

/// Fact, and what blkid and lsblk call it.
struct TagName {
    const char *fact, *blkid, *lsblk;
};
constexpr std::array<TagName, 5> tag_names = {{{"filesystem", "TYPE", "FSTYPE"},
                                               {"uuid", "UUID", "UUID"},
                                               {"label", "LABEL", "LABEL"},
                                               {"partuuid", "PARTUUID", "PARTUUID"},
                                               {"partlabel", "PARTLABEL", "PARTLABEL"}}};

/// What is known of devices beside their size: by blkid, or where it knows nothing by lsblk.
class DeviceContents {
public:
    explicit DeviceContents(const FactHost& host) {
        for (const std::string& line : split(host.output_of({"blkid"}).value_or(""), '\n')) {
            const std::size_t colon = line.find(": ");
            if (colon != std::string::npos)
                of_blkid_[line.substr(0, colon)] = tags_in(line.substr(colon + 2));
        }
        if (!of_blkid_.empty()) return;
        const auto listed =
            host.output_of({"lsblk", "-Pp", "-o", "NAME,FSTYPE,LABEL,UUID,PARTLABEL,PARTUUID"}, 5);
        for (const std::string& line : split(listed.value_or(""), '\n')) {
            DeviceTags tags = tags_in(line);
            std::string name = tag_named(tags, "NAME");
            of_lsblk_[std::move(name)] = std::move(tags);
        }
    }

    void add_to(Json& partition, const std::string& device) const {
        const bool blkid = !of_blkid_.empty();
        const auto& known = blkid ? of_blkid_ : of_lsblk_;
        const auto found = known.find(device);
        if (found == known.end()) return;
        for (const TagName& name : tag_names) {
            std::string value = tag_named(found->second, blkid ? name.blkid : name.lsblk);
            if (!value.empty()) partition[name.fact] = std::move(value);
        }
    }

private:
    std::map<std::string, DeviceTags> of_blkid_, of_lsblk_;
};

struct BlockDevice {
    std::string name, folder, backing_file;
};

/// Partitions of disks, devices of the device mapper, and loop devices that are in use.
std::vector<BlockDevice> partitions_on(const FactHost& host) {
    std::vector<BlockDevice> found;
    for (const std::string& name : host.names("/sys/block")) {
        const std::string folder = "/sys/block/" + name;
        if (host.is_folder(folder + "/device")) {
            for (const std::string& part : host.names(folder)) {
                const std::string inner = folder + "/" + part;
                if (part.find(name) != std::string::npos && !host.link_name(inner) && host.is_folder(inner))
                    found.push_back({"/dev/" + part, inner, {}});
            }
        } else if (host.is_folder(folder + "/dm")) {
            const std::string mapped = host.word(folder + "/dm/name");
            found.push_back({mapped.empty() ? "/dev/" + name : "/dev/mapper/" + mapped, folder, {}});
        } else if (host.is_folder(folder + "/loop")) {
            found.push_back({"/dev/" + name, folder, host.word(folder + "/loop/backing_file")});
        }
    }
    return found;
}

void begin_partitions(const FactHost& host) {
    if (!partitions_on(host).empty()) host.begin({"blkid"});
}

Json find_partitions(const FactHost& host) {
    const std::vector<BlockDevice> devices = partitions_on(host);
    if (devices.empty()) return Json::object();
    const DeviceContents contents(host);
    const std::vector<Mount> mounts = mounts_on(host);
    Json partitions = Json::object();
    for (const BlockDevice& device : devices) {
        const std::uint64_t bytes = leading_number(host.word(device.folder + "/size")) * 512;
        Json partition{{"size_bytes", bytes}, {"size", human_bytes(bytes)}};
        if (!device.backing_file.empty()) partition["backing_file"] = device.backing_file;
        contents.add_to(partition, device.name);
        const auto mounted = std::find_if(mounts.begin(), mounts.end(),
                                          [&](const Mount& mount) { return mount.device == device.name; });
        if (mounted != mounts.end()) partition["mount"] = mounted->path;
        partitions[device.name] = std::move(partition);
    }
    return Json{{"partitions", std::move(partitions)}};
}

}  // namespace

const FactGroup& partition_facts() {
    static const FactGroup group{{"partitions"}, find_partitions, begin_partitions};
    return group;
}

}  // namespace volley::agent
