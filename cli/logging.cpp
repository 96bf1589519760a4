#include "cli/logging.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <nlohmann/json.hpp>
#include <thread>

#include "support/error.hpp"
#include "support/json/json_text.hpp"
#include "support/text.hpp"
#include "support/unique_fd.hpp"

namespace volley::cli {
namespace {

/// Results above these sizes are logged without their content; a gigabyte of output belongs to its owner
/// only.
constexpr std::size_t largest_logged_output = 16 * 1024;
constexpr std::size_t largest_logged_text = 64 * 1024;
constexpr std::size_t most_named_targets = 10;
constexpr std::size_t most_step_targets = 5;

std::string timestamp() {
    timeval now{};
    ::gettimeofday(&now, nullptr);
    tm local{};
    ::localtime_r(&now.tv_sec, &local);
    std::array<char, 32> text{};
    const std::size_t length = std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%S", &local);
    return fmt::format("{}.{:06}", std::string_view(text.data(), length), now.tv_usec);
}

std::string upper_name(LogLevel level) {
    std::string name(to_string(level));
    for (char& c : name) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    return name;
}

void write_all(int fd, std::string_view text) {
    while (!text.empty()) {
        const ssize_t n = ::write(fd, text.data(), text.size());
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return;  // a log that cannot be written must not stop the work
        text.remove_prefix(static_cast<std::size_t>(n));
    }
}

std::string colored(LogLevel level, std::string_view text) {
    switch (level) {
        case LogLevel::Warn:
            return fmt::format("\x1b[33m{}\x1b[0m\n", text);
        case LogLevel::Error:
            return fmt::format("\x1b[31m{}\x1b[0m\n", text);
        case LogLevel::Fatal:
            return fmt::format("\x1b[37;41m{}\x1b[0m\n", text);
        default:
            return fmt::format("{}\n", text);
    }
}

/// For what the screen shows already, while it is logged.
thread_local bool only_files = false;

struct OnlyFiles {
    explicit OnlyFiles(bool wanted) { only_files = wanted; }
    ~OnlyFiles() { only_files = false; }
    OnlyFiles(const OnlyFiles&) = delete;
    OnlyFiles& operator=(const OnlyFiles&) = delete;
};

std::string step_targets(std::span<const inventory::Target> on, std::size_t count) {
    if (on.size() != count || count > most_step_targets) return fmt::format("{} targets", count);
    std::vector<std::string> names;
    for (const inventory::Target& target : on) names.push_back(target.safe_name());
    return join(names, ", ");
}

/// A file of another user stays readable for him, and a second name of a file may be that of something
/// important.
bool is_our_own(int fd) {
    struct stat info {};
    return ::fstat(fd, &info) == 0 && S_ISREG(info.st_mode) && info.st_uid == ::geteuid() &&
           info.st_nlink == 1;
}

std::string logged_json(const planner::Result& result, const std::string& name) {
    if (name == result.target()) return result.to_json_text();
    Json json = result.to_json();
    json["target"] = name;
    return compact_json(json);
}

void log_finish(const planner::ActionFinished& step) {
    const auto& all = step.results.results();
    const auto failures =
        std::count_if(all.begin(), all.end(), [](const planner::Result& one) { return !one.ok(); });
    log(LogLevel::Info, "planner",
        fmt::format("Finished: {} with {} failure{} in {:.2f} sec", step.description, failures,
                    failures == 1 ? "" : "s", std::chrono::duration<double>(step.elapsed).count()));
}

}  // namespace

struct Logging::State {
    struct File {
        UniqueFd fd;
        LogLevel level;
    };

    explicit State(LogSettings the_settings) : settings(std::move(the_settings)) {}

    void open(const inventory::LogFile& file) {
        // Private: debug output contains much about the targets, and the folder may be shared.
        // Not waiting for whoever reads a FIFO, and emptied only when it is known to be a log of ours.
        const int flags =
            O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | (file.append ? O_APPEND : 0);
        const bool optional = file.path == settings.optional_file;
        UniqueFd fd(::open(file.path.c_str(), flags, 0600));
        if (!fd) {
            if (optional) return;
            throw Error("bolt/log-error",
                        "Failed to open log " + file.path.string() + ": " + std::strerror(errno));
        }
        if (optional && !is_our_own(fd.get())) return;
        if (optional) ::fchmod(fd.get(), 0600);
        if (!file.append) static_cast<void>(::ftruncate(fd.get(), 0));
        ::fcntl(fd.get(), F_SETFL, ::fcntl(fd.get(), F_GETFL) & ~O_NONBLOCK);
        files.push_back(File{std::move(fd), file.level});
    }

    void write(const LogRecord& record) const {
        if (record.level >= settings.console_level && !only_files) {
            if (settings.before_console) settings.before_console();
            const std::string text = console_text(record);
            write_all(settings.console_fd,
                      settings.console_color ? colored(record.level, text) : text + "\n");
        }
        std::string line;
        for (const File& file : files) {
            if (record.level < file.level) continue;
            if (line.empty()) {
                line = fmt::format("{} {:<6} [{}] [{}] {}\n", timestamp(), upper_name(record.level),
                                   std::this_thread::get_id() == main_thread ? "main" : "worker",
                                   record.logger, record.message);
            }
            write_all(file.fd.get(), line);
        }
    }

    /// Compatibility (LOG-002): the message alone. Who asks for debug messages wants to know when and from
    /// where.
    std::string console_text(const LogRecord& record) const {
        if (settings.console_level > LogLevel::Debug) return std::string(record.message);
        const std::string time = timestamp();
        return fmt::format("{} {:<5} [{}] {}", std::string_view(time).substr(time.find('T') + 1, 12),
                           upper_name(record.level), record.logger, record.message);
    }

    LogLevel lowest() const {
        LogLevel level = settings.console_level;
        for (const File& file : files) level = std::min(level, file.level);
        return level;
    }

    LogSettings settings;
    std::vector<File> files;
    std::thread::id main_thread = std::this_thread::get_id();
};

Logging::Logging(LogSettings settings) : state_(std::make_shared<State>(std::move(settings))) {
    for (const inventory::LogFile& file : state_->settings.files) state_->open(file);
    log_to([state = state_](const LogRecord& record) { state->write(record); }, state_->lowest());
}

Logging::~Logging() { log_to({}, LogLevel::Trace); }

LogLevel parse_log_level(const std::string& word) {
    std::vector<std::string> words;
    for (const LogLevel level : {LogLevel::Trace, LogLevel::Debug, LogLevel::Info, LogLevel::Warn,
                                 LogLevel::Error, LogLevel::Fatal}) {
        if (word == to_string(level)) return level;
        words.emplace_back(to_string(level));
    }
    const std::string meant = did_you_mean(word, words);
    throw Error("bolt/cli-error", "Unknown log level '" + word +
                                      "': use trace, debug, info, warn, error or fatal" +
                                      (meant.empty() ? "" : "." + meant));
}

void EventLog::log_result(const planner::Result& result) const {
    const std::string name = display_name_(result.target());
    const transports::Output* output = result.output();
    const std::size_t size = output != nullptr ? output->captured.merged().size() : 0;
    const bool fits = output != nullptr ? size <= largest_logged_output
                                        : json_text_fits(*result.shared_value(), largest_logged_text);
    if (fits) return log(LogLevel::Info, "planner", logged_json(result, name));
    const std::string left_out = output != nullptr
                                     ? fmt::format("{} bytes of output", size)
                                     : fmt::format("a value of more than {} KiB", largest_logged_text / 1024);
    log(LogLevel::Info, "planner",
        fmt::format("{} on {}: {}", result.ok() ? "Finished" : "Failed", name, left_out));
}

void EventLog::log_interruption(const planner::Interrupted& interrupted) const {
    std::vector<std::string> named = interrupted.running;
    const std::size_t others = named.size() > most_named_targets ? named.size() - most_named_targets : 0;
    named.resize(named.size() - others);
    std::string text = "Interrupted, stopping";
    if (!named.empty()) text += ": " + join(named, ", ");
    if (others != 0) text += fmt::format(" and {} more", others);
    if (quiet_) {
        log(LogLevel::Debug, "planner", text + ": standard output was closed.");
    } else {
        log(LogLevel::Warn, "planner", text + ". Press Ctrl-C again to exit at once.");
    }
}

void EventLog::on_event(const planner::Event& event) {
    const OnlyFiles guard(is_shown_ && is_shown_(event));
    log_event(event);
}

void EventLog::log_event(const planner::Event& event) {
    if (const auto* started = std::get_if<planner::ActionStarted>(&event)) {
        if (log_enabled(LogLevel::Info)) {
            log(LogLevel::Info, "planner",
                fmt::format("Starting: {} on {}", started->description,
                            step_targets(started->on, started->targets)));
        }
    } else if (const auto* begun = std::get_if<planner::TargetStarted>(&event)) {
        if (!log_enabled(LogLevel::Info) || begun->log_text.empty()) return;
        log(LogLevel::Info, "planner",
            fmt::format("{} on [\"{}\"]", begun->log_text, display_name_(begun->target)));
    } else if (const auto* finished = std::get_if<planner::TargetFinished>(&event)) {
        if (log_enabled(LogLevel::Info)) log_result(finished->result);
    } else if (const auto* done = std::get_if<planner::ActionFinished>(&event)) {
        if (log_enabled(LogLevel::Info)) log_finish(*done);
    } else if (const auto* taken = std::get_if<planner::ActionTaken>(&event)) {
        log(LogLevel::Info, "planner",
            fmt::format("Taken from the record: {} on {}", taken->description,
                        step_targets(taken->on, taken->on.size())));
    } else if (const auto* message = std::get_if<planner::Message>(&event)) {
        log(message->verbose ? LogLevel::Debug : LogLevel::Info, "planner", message->text);
    } else if (const auto* plan = std::get_if<planner::PlanStarted>(&event)) {
        log(LogLevel::Info, "planner", fmt::format("Starting: plan {}", plan->plan));
    } else if (const auto* ended = std::get_if<planner::PlanFinished>(&event)) {
        log(LogLevel::Info, "planner",
            fmt::format("Finished: plan {} in {:.2f} sec", ended->plan,
                        std::chrono::duration<double>(ended->elapsed).count()));
    } else if (const auto* container = std::get_if<planner::ContainerStarted>(&event)) {
        log(LogLevel::Info, "planner", fmt::format("Starting: run container '{}'", container->image));
    } else if (const auto* stopped = std::get_if<planner::ContainerFinished>(&event)) {
        log(LogLevel::Info, "planner",
            fmt::format("Finished: run container '{}' {}.", stopped->outcome.image,
                        stopped->outcome.ok() ? "succeeded" : "failed"));
    } else if (const auto* interrupted = std::get_if<planner::Interrupted>(&event)) {
        log_interruption(*interrupted);
    }
}

}  // namespace volley::cli
