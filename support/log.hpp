#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace volley {

enum class LogLevel { Trace, Debug, Info, Warn, Error, Fatal };

std::string_view to_string(LogLevel level) noexcept;

struct LogRecord {
    LogLevel level = LogLevel::Info;
    std::string_view logger;  // the component that logs, e.g. "transports.ssh"
    std::string_view message;
};

/// The process's log. Any thread may call it. Messages logged before `log_to` is first called are kept and
/// delivered then (LOG-007). The program decides where they go (cli/logging); components only log here.
/// A sensitive value never comes here: callers redact first.
void log(LogLevel level, std::string_view logger, std::string_view message);

/// A warning with its stable id, shown as "text [ID: id]" unless the id is disabled (LOG-008), be it
/// after the warning but before the kept ones are delivered.
void log_warning(std::string_view id, std::string_view logger, std::string_view message);
/// The same at most once per id and process.
void log_warning_once(std::string_view id, std::string_view logger, std::string_view message);
void disable_warning(std::string_view id);

/// True when somebody listens at this level; saves building a message nobody reads.
bool log_enabled(LogLevel level) noexcept;

/// Where records go from now on, and the lowest level that is wanted. The sink is called under a lock.
/// An empty sink: keep records again (tests).
void log_to(std::function<void(const LogRecord&)> sink, LogLevel lowest);

}  // namespace volley
