#include "support/log.hpp"

#include <atomic>
#include <mutex>
#include <set>
#include <vector>

#include "support/unicode/printable.hpp"

namespace volley {
namespace {

struct PendingRecord {
    LogLevel level;
    std::string logger;
    std::string message;
    std::string warning_id;  // empty: not a warning that can be disabled
};

struct State {
    std::mutex mutex;
    std::function<void(const LogRecord&)> sink;
    std::vector<PendingRecord> pending;
    std::set<std::string, std::less<>> disabled;
    std::set<std::string, std::less<>> shown;
    std::atomic<LogLevel> lowest{LogLevel::Trace};
};

State& state() {
    static State the_state;
    return the_state;
}

void deliver(LogLevel level, std::string_view logger, std::string_view text, std::string_view warning_id) {
    if (!log_enabled(level)) return;
    // Much of what is logged are others' words (SEC-17.1).
    const std::string message = printable(text, "\n\t");
    State& s = state();
    const std::lock_guard guard(s.mutex);
    if (s.disabled.contains(warning_id)) return;
    if (s.sink) {
        s.sink(LogRecord{level, logger, message});
    } else {
        s.pending.push_back(PendingRecord{level, std::string(logger), message, std::string(warning_id)});
    }
}

}  // namespace

std::string_view to_string(LogLevel level) noexcept {
    switch (level) {
        case LogLevel::Trace:
            return "trace";
        case LogLevel::Debug:
            return "debug";
        case LogLevel::Info:
            return "info";
        case LogLevel::Warn:
            return "warn";
        case LogLevel::Error:
            return "error";
        case LogLevel::Fatal:
            return "fatal";
    }
    return "info";
}

bool log_enabled(LogLevel level) noexcept { return level >= state().lowest.load(std::memory_order_relaxed); }

void log(LogLevel level, std::string_view logger, std::string_view message) {
    deliver(level, logger, message, {});
}

void log_warning(std::string_view id, std::string_view logger, std::string_view message) {
    std::string text(message);
    text += " [ID: ";
    text += id;
    text += ']';
    deliver(LogLevel::Warn, logger, text, id);
}

void log_warning_once(std::string_view id, std::string_view logger, std::string_view message) {
    {
        State& s = state();
        const std::lock_guard guard(s.mutex);
        if (!s.shown.emplace(id).second) return;
    }
    log_warning(id, logger, message);
}

void disable_warning(std::string_view id) {
    State& s = state();
    const std::lock_guard guard(s.mutex);
    s.disabled.emplace(id);
}

void log_to(std::function<void(const LogRecord&)> sink, LogLevel lowest) {
    State& s = state();
    const std::lock_guard guard(s.mutex);
    s.sink = std::move(sink);
    s.lowest.store(s.sink ? lowest : LogLevel::Trace, std::memory_order_relaxed);
    if (!s.sink) {
        s.shown.clear();
        s.disabled.clear();
        return;
    }
    std::vector<PendingRecord> pending;
    pending.swap(s.pending);
    for (const PendingRecord& record : pending) {
        // Warnings of the configuration's own reading are older than what it says about them (LOG-008).
        const bool wanted = record.level >= lowest && !s.disabled.contains(record.warning_id);
        if (wanted) s.sink(LogRecord{record.level, record.logger, record.message});
    }
}

}  // namespace volley
