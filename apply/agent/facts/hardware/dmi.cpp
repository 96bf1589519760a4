#include <array>
#include <nlohmann/json.hpp>

#include "apply/agent/facts/groups.hpp"
#include "apply/agent/facts/hardware/hardware.hpp"
#include "apply/agent/facts/units.hpp"
#include "support/text.hpp"

namespace volley::agent {
namespace {

/// Where the fact stands in `dmi`, and the file it is read from. Without a part it stands in `dmi` itself.
struct DmiRow {
    const char *part, *fact, *file;
};
constexpr std::array<DmiRow, 13> dmi_rows = {{{"bios", "release_date", "bios_date"},
                                              {"bios", "vendor", "bios_vendor"},
                                              {"bios", "version", "bios_version"},
                                              {"board", "asset_tag", "board_asset_tag"},
                                              {"board", "manufacturer", "board_vendor"},
                                              {"board", "product", "board_name"},
                                              {"board", "serial_number", "board_serial"},
                                              {"chassis", "asset_tag", "chassis_asset_tag"},
                                              {"chassis", "type", "chassis_type"},
                                              {nullptr, "manufacturer", "sys_vendor"},
                                              {"product", "name", "product_name"},
                                              {"product", "serial_number", "product_serial"},
                                              {"product", "uuid", "product_uuid"}}};

Json find_dmi(const FactHost& host) {
    Json dmi = Json::object();
    for (const DmiRow& row : dmi_rows) {
        auto value = dmi_field(host, row.file);
        if (value && std::string_view(row.file) == "chassis_type") value = chassis_name(*value);
        if (!value) continue;
        Json& place = row.part == nullptr ? dmi : dmi[row.part];
        place[row.fact] = *value;
    }
    return dmi.empty() ? Json::object() : Json{{"dmi", std::move(dmi)}};
}

}  // namespace

std::optional<std::string> dmi_field(const FactHost& host, std::string_view name) {
    std::string text = host.word("/sys/class/dmi/id/" + std::string(name));
    if (text.empty()) return std::nullopt;
    return scrub_utf8(text);
}

std::optional<std::string> chassis_name(std::string_view number) {
    // The System Management BIOS reference, "System Enclosure or Chassis Types", from 1; 2 is "unknown".
    static constexpr std::array<const char*, 32> names = {"Other",
                                                          nullptr,
                                                          "Desktop",
                                                          "Low Profile Desktop",
                                                          "Pizza Box",
                                                          "Mini Tower",
                                                          "Tower",
                                                          "Portable",
                                                          "Laptop",
                                                          "Notebook",
                                                          "Hand Held",
                                                          "Docking Station",
                                                          "All in One",
                                                          "Sub Notebook",
                                                          "Space-Saving",
                                                          "Lunch Box",
                                                          "Main System Chassis",
                                                          "Expansion Chassis",
                                                          "SubChassis",
                                                          "Bus Expansion Chassis",
                                                          "Peripheral Chassis",
                                                          "Storage Chassis",
                                                          "Rack Mount Chassis",
                                                          "Sealed-Case PC",
                                                          "Multi-system",
                                                          "CompactPCI",
                                                          "AdvancedTCA",
                                                          "Blade",
                                                          "Blade Enclosure",
                                                          "Tablet",
                                                          "Convertible",
                                                          "Detachable"};
    const std::uint64_t index = leading_number(number);
    if (index == 0 || index > names.size() || names.at(index - 1) == nullptr) return std::nullopt;
    return names.at(index - 1);
}

const FactGroup& dmi_facts() {
    static const FactGroup group{{"dmi"}, find_dmi};
    return group;
}

}  // namespace volley::agent
