#include "apply/agent/transaction/log.hpp"

#include <array>

namespace volley::agent {
namespace {
constexpr std::array<std::string_view, 8> level_names = {"debug", "info",  "notice", "warning",
                                                         "err",   "alert", "emerg",  "crit"};
}

std::string_view level_name(Level level) { return level_names[static_cast<std::size_t>(level)]; }

std::optional<Level> level_named(std::string_view name) {
    for (std::size_t i = 0; i < level_names.size(); ++i) {
        if (level_names[i] == name) return static_cast<Level>(i);
    }
    return std::nullopt;
}

timespec time_now() {
    timespec now{};
    ::clock_gettime(CLOCK_REALTIME, &now);
    return now;
}

std::string time_text(const timespec& time) {
    tm parts{};
    ::gmtime_r(&time.tv_sec, &parts);
    std::string text = "0000-00-00T00:00:00.000000000+00:00";
    const auto put = [&text](std::size_t at, std::size_t digits, std::int64_t number) {
        for (; digits > 0; number /= 10) text[at + --digits] = static_cast<char>('0' + number % 10);
    };
    put(0, 4, parts.tm_year + 1900);
    put(5, 2, parts.tm_mon + 1);
    put(8, 2, parts.tm_mday);
    put(11, 2, parts.tm_hour);
    put(14, 2, parts.tm_min);
    put(17, 2, parts.tm_sec);
    put(20, 9, time.tv_nsec);
    return text;
}

}  // namespace volley::agent
