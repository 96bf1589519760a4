#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "inventory/config/config.hpp"
#include "planner/event.hpp"
#include "support/log.hpp"

namespace volley::cli {

struct LogSettings {
    LogLevel console_level = LogLevel::Warn;
    bool console_color = false;  ///< the wish and a terminal on standard error
    std::vector<inventory::LogFile> files;
    std::filesystem::path
        optional_file;  ///< bolt-debug.log: left out silently when it cannot be opened (LOG-004)
    std::function<void()> before_console;  ///< takes the status line away
    int console_fd = 2;
};

/// Where the process's log goes (LOG-001 to LOG-008): standard error and files, from construction to
/// destruction. One at a time. Throws Error bolt/log-error when a file cannot be opened.
class Logging {
public:
    explicit Logging(LogSettings settings);
    ~Logging();
    Logging(const Logging&) = delete;
    Logging& operator=(const Logging&) = delete;

private:
    struct State;
    std::shared_ptr<State> state_;
};

/// Throws Error bolt/cli-error for a word that is not a level.
LogLevel parse_log_level(const std::string& word);

/// Writes what happens on targets to the log (LOG-011, OUT-035).
class EventLog final : public planner::EventListener {
public:
    /// `display_name`: a target's name without the password that its URI may hold. `is_shown`: true for
    /// events that the outputter prints for people; the console, which is the same screen, does not repeat
    /// them.
    explicit EventLog(std::function<std::string(std::string_view)> display_name,
                      std::function<bool(const planner::Event&)> is_shown = {})
        : display_name_(std::move(display_name)), is_shown_(std::move(is_shown)) {}
    void on_event(const planner::Event& event) override;
    /// The reader of the output left (`volley ... | head`): the end that this brings about is no news.
    void leave_quietly() noexcept { quiet_ = true; }

private:
    void log_event(const planner::Event& event);
    void log_result(const planner::Result& result) const;
    void log_interruption(const planner::Interrupted& interrupted) const;

    std::function<std::string(std::string_view)> display_name_;
    std::function<bool(const planner::Event&)> is_shown_;
    bool quiet_ = false;
};

}  // namespace volley::cli
