#include "apply/agent/transaction/log.hpp"

#include <array>
#include <cstdio>

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
    std::array<char, 80> text{};
    std::snprintf(text.data(), text.size(), "%04d-%02d-%02dT%02d:%02d:%02d.%09ld+00:00", parts.tm_year + 1900,
                  parts.tm_mon + 1, parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec, time.tv_nsec);
    return text.data();
}

}  // namespace volley::agent
