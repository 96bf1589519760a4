#include <unistd.h>

#include <array>
#include <charconv>
#include <ctime>
#include <nlohmann/json.hpp>

#include "apply/agent/facts/groups.hpp"
#include "apply/agent/facts/hardware/hardware.hpp"
#include "apply/agent/facts/system/system.hpp"
#include "apply/agent/facts/units.hpp"
#include "support/text.hpp"

namespace volley::agent {
namespace {

/// Seconds since the first process started, which is what a container is as old as.
std::uint64_t age_of_first_process(const FactHost& host, std::uint64_t uptime) {
    constexpr std::size_t start_field = 19;  // counted from after the name, which ends in the last ')'
    const std::string stat = host.word("/proc/1/stat");
    const std::vector<std::string> fields =
        split(trim(std::string_view(stat).substr(stat.rfind(')') + 1)), ' ');
    const long ticks = ::sysconf(_SC_CLK_TCK);
    if (fields.size() <= start_field || ticks <= 0) return uptime;
    const std::uint64_t started = leading_number(fields[start_field]) / static_cast<std::uint64_t>(ticks);
    return uptime - std::min(uptime, started);
}

std::string zone_name() {
    const std::time_t now = std::time(nullptr);
    std::tm local{};
    ::localtime_r(&now, &local);
    return local.tm_zone == nullptr ? "UTC" : local.tm_zone;
}

Json find_times(const FactHost& host) {
    Json facts{{"timezone", zone_name()}};
    if (const auto text = host.read("/proc/uptime")) {
        std::uint64_t seconds = leading_number(*text);
        if (container_on(host).kind == "docker") seconds = age_of_first_process(host, seconds);
        facts["system_uptime"] = uptime_of(seconds);
    }
    Json averages = load_averages_of(host.word("/proc/loadavg"));
    if (!averages.empty()) facts["load_averages"] = std::move(averages);
    return facts;
}

}  // namespace

Json uptime_of(std::uint64_t seconds) {
    const std::uint64_t hours = seconds / 3600, days = hours / 24, minutes = seconds / 60 % 60;
    std::string words = std::to_string(days) + " days";
    if (days == 1) words = "1 day";
    if (days == 0)
        words = std::to_string(hours) + (minutes < 10 ? ":0" : ":") + std::to_string(minutes) + " hours";
    return Json{{"seconds", seconds}, {"hours", hours}, {"days", days}, {"uptime", words}};
}

Json load_averages_of(std::string_view text) {
    static constexpr std::array<const char*, 3> names = {"1m", "5m", "15m"};
    const std::vector<std::string> words = split(text, ' ');
    Json averages = Json::object();
    for (std::size_t i = 0; i < names.size() && words.size() >= names.size(); ++i) {
        double number = 0;
        std::from_chars(words[i].data(), words[i].data() + words[i].size(), number);
        averages[names.at(i)] = number;
    }
    return averages;
}

const FactGroup& time_facts() {
    static const FactGroup group{{"timezone", "system_uptime", "load_averages"}, find_times};
    return group;
}

}  // namespace volley::agent
