#include <map>
#include <nlohmann/json.hpp>

#include "apply/agent/facts/groups.hpp"
#include "apply/agent/facts/hardware/hardware.hpp"
#include "apply/agent/facts/units.hpp"
#include "support/text.hpp"

namespace volley::agent {
namespace {

Json memory_part(std::uint64_t total, std::uint64_t available) {
    const std::uint64_t used = total - std::min(total, available);
    return Json{{"total", human_bytes(total)},         {"total_bytes", total},
                {"available", human_bytes(available)}, {"available_bytes", available},
                {"used", human_bytes(used)},           {"used_bytes", used},
                {"capacity", percentage(used, total)}};
}

Json find_memory(const FactHost& host) {
    const auto text = host.read("/proc/meminfo");
    Json memory = text ? memory_of(*text) : Json::object();
    return memory.empty() ? Json::object() : Json{{"memory", std::move(memory)}};
}

}  // namespace

Json memory_of(std::string_view meminfo) {
    std::map<std::string, std::uint64_t> bytes;
    for (const std::string& line : split(meminfo, '\n')) {
        const std::size_t colon = line.find(':');
        if (colon != std::string::npos)
            bytes[line.substr(0, colon)] =
                leading_number(trim(std::string_view(line).substr(colon + 1))) * 1024;
    }
    Json memory = Json::object();
    // Kernels before 3.14 do not say what is available.
    const auto said = bytes.find("MemAvailable");
    const std::uint64_t available =
        said != bytes.end() ? said->second : bytes["MemFree"] + bytes["Buffers"] + bytes["Cached"];
    if (const std::uint64_t total = bytes["MemTotal"]; total > 0)
        memory["system"] = memory_part(total, available);
    if (const std::uint64_t total = bytes["SwapTotal"]; total > 0)
        memory["swap"] = memory_part(total, bytes["SwapFree"]);
    return memory;
}

const FactGroup& memory_facts() {
    static const FactGroup group{{"memory"}, find_memory};
    return group;
}

}  // namespace volley::agent
