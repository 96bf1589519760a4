#pragma once

#include <cstdint>
#include <ctime>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "apply/agent/values/word.hpp"

namespace volley::agent {

enum class Level : std::uint8_t { Debug, Info, Notice, Warning, Err, Alert, Emerg, Crit };
std::string_view level_name(Level level);
std::optional<Level> level_named(std::string_view name);

/// One line of the log, as reports hold it.
struct LogLine {
    Level level = Level::Notice;
    std::string source;  ///< "/Stage[main]/Main/File[/x]/ensure", "Puppet"
    std::string message;
    std::vector<Word> tags;
    timespec time{};
    Word file;
    std::int64_t line = 0;
};

timespec time_now();
/// "2026-01-02T03:04:05.123456789+00:00", in UTC; of the years 0 to 9999.
std::string time_text(const timespec& time);

}  // namespace volley::agent
