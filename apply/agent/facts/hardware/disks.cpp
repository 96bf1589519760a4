#include <algorithm>
#include <nlohmann/json.hpp>

#include "apply/agent/facts/groups.hpp"
#include "apply/agent/facts/hardware/hardware.hpp"
#include "apply/agent/facts/units.hpp"
#include "support/text.hpp"

namespace volley::agent {
namespace {

constexpr std::uint64_t sector_bytes = 512;

/// Numbers of disks are of their hardware or of udev's records. A disk that was taken away and one that came
/// are distinguished by the kernel's own count of disks, which it has since 5.15.
LastingQuestion question_to_lsblk(const FactHost& host) {
    const auto boot = host.boot();
    bool lasts = boot.has_value();
    std::string circumstances = boot.value_or("");
    std::vector<std::string> records{"/etc/ld.so.cache"};
    for (const std::string& name : host.names("/sys/block")) {
        const std::string folder = "/sys/block/" + name;
        const std::string count = host.word(folder + "/diskseq"), number = host.word(folder + "/dev");
        lasts = lasts && !count.empty() && !number.empty();
        circumstances += " " + name + "=" + count;
        records.push_back("/run/udev/data/b" + number);
    }
    const auto depends_on = [lasts, records](const std::string& program,
                                             const std::string&) -> std::optional<std::vector<std::string>> {
        if (!lasts || !is_compiled(program)) return std::nullopt;
        return records;
    };
    return {"lsblk", {"lsblk", "-dnP", "-o", "NAME,SERIAL,WWN"}, 5, depends_on, circumstances};
}

std::vector<std::string> disks_on(const FactHost& host) {
    std::vector<std::string> names = host.names("/sys/block");
    std::erase_if(names,
                  [&](const std::string& name) { return !host.exists("/sys/block/" + name + "/device"); });
    return names;
}

void begin_disks(const FactHost& host) {
    if (!disks_on(host).empty()) host.begin_asking(question_to_lsblk(host));
}

/// A number that only udev or the disk itself knows: what lsblk has collected.
void add_numbers(const FactHost& host, Json& disks) {
    const auto listed = host.answer_to(question_to_lsblk(host));
    if (!listed) return;
    for (const std::string& line : split(*listed, '\n')) {
        const DeviceTags tags = tags_in(line);
        std::string name = tag_named(tags, "NAME");
        std::replace(name.begin(), name.end(), '/', '!');  // as in /sys: cciss!c0d0
        const auto disk = disks.find(name);
        if (disk == disks.end()) continue;
        const std::string serial = tag_named(tags, "SERIAL");
        const std::string wwn = tag_named(tags, "WWN");
        if (!serial.empty()) (*disk)["serial"] = serial;
        if (!wwn.empty()) (*disk)["wwn"] = wwn;
    }
}

Json find_disks(const FactHost& host) {
    Json disks = Json::object();
    for (const std::string& name : disks_on(host)) {
        const std::string folder = "/sys/block/" + name;
        Json disk = Json::object();
        for (const char* field : {"model", "vendor"}) {
            if (const auto text = host.read(folder + "/device/" + field)) disk[field] = trim(*text);
        }
        if (const auto sectors = host.read(folder + "/size")) {
            const std::uint64_t bytes = leading_number(*sectors) * sector_bytes;
            disk["size_bytes"] = bytes;
            disk["size"] = human_bytes(bytes);
        }
        if (const auto rotates = host.read(folder + "/queue/rotational"))
            disk["type"] = trim(*rotates) == "0" ? "ssd" : "hdd";
        disks[name] = std::move(disk);
    }
    if (disks.empty()) return Json::object();
    add_numbers(host, disks);
    return Json{{"disks", std::move(disks)}};
}

}  // namespace

DeviceTags tags_in(std::string_view text) {
    DeviceTags tags;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t equals = text.find("=\"", at);
        if (equals == std::string_view::npos) break;
        const std::size_t blank = text.rfind(' ', equals);
        const std::size_t start = blank == std::string_view::npos || blank < at ? at : blank + 1;
        std::string value;
        std::size_t end = equals + 2;
        for (; end < text.size() && text[end] != '"'; ++end) {
            if (text[end] == '\\' && end + 1 < text.size() && (text[end + 1] == '"' || text[end + 1] == '\\'))
                ++end;
            value += text[end];
        }
        tags.emplace_back(text.substr(start, equals - start), std::move(value));
        at = end + 1;
    }
    return tags;
}

std::string tag_named(const DeviceTags& tags, std::string_view name) {
    const auto found =
        std::find_if(tags.begin(), tags.end(), [&](const auto& tag) { return tag.first == name; });
    return found == tags.end() ? std::string() : found->second;
}

const FactGroup& disk_facts() {
    static const FactGroup group{{"disks"}, find_disks, begin_disks};
    return group;
}

}  // namespace volley::agent
