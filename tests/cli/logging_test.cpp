#include "cli/logging.hpp"

#include <sys/stat.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>

#include "support/error.hpp"
#include "support/files.hpp"
#include "support/text.hpp"
#include "tests/cli/screen.hpp"

namespace volley::cli {
namespace {

struct Folder {
    Folder() : path(std::filesystem::temp_directory_path() / ("volley-test-" + random_uuid())) {
        std::filesystem::create_directory(path);
    }
    ~Folder() { std::filesystem::remove_all(path); }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    std::filesystem::path path;
};

unsigned mode_of(const std::filesystem::path& file) {
    struct stat info {};
    REQUIRE(::stat(file.c_str(), &info) == 0);
    return info.st_mode & 0777U;
}

LogSettings settings_for(const Screen& screen) {
    LogSettings settings;
    settings.console_fd = screen.output.get();
    return settings;
}

TEST_CASE("LOG-001 LOG-002 the console shows warnings and worse, as plain messages", "[cli]") {
    Screen screen;
    const Logging logging(settings_for(screen));
    log(LogLevel::Info, "test", "quiet");
    log(LogLevel::Warn, "test", "careful");
    log(LogLevel::Error, "test", "broken");
    CHECK(screen.text() == "careful\nbroken\n");
}

TEST_CASE("LOG-002 colors only when asked for", "[cli]") {
    Screen screen;
    LogSettings settings = settings_for(screen);
    settings.console_color = true;
    settings.console_level = LogLevel::Info;
    const Logging logging(std::move(settings));
    log(LogLevel::Info, "test", "a");
    log(LogLevel::Warn, "test", "b");
    log(LogLevel::Error, "test", "c");
    CHECK(screen.text() == "a\n\x1b[33mb\x1b[0m\n\x1b[31mc\x1b[0m\n");
}

TEST_CASE("LOG-003 lines in files carry time, level, thread and component", "[cli]") {
    const Folder folder;
    Screen screen;
    LogSettings settings = settings_for(screen);
    settings.files = {{folder.path / "a.log", LogLevel::Debug, true},
                      {folder.path / "b.log", LogLevel::Warn, true}};
    {
        const Logging logging(std::move(settings));
        log(LogLevel::Debug, "transports.ssh", "detail");
        log(LogLevel::Trace, "transports.ssh", "too fine");
        log(LogLevel::Warn, "cli", "careful");
    }
    const std::regex line(
        R"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6} DEBUG  \[main\] \[transports\.ssh\] detail\n)"
        R"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6} WARN   \[main\] \[cli\] careful\n)");
    CHECK(std::regex_match(read_file(folder.path / "a.log", "log"), line));
    CHECK_THAT(read_file(folder.path / "b.log", "log"), Catch::EndsWith("[cli] careful\n"));
}

TEST_CASE("LOG-003 LOG-004 append, begin anew, and private to the user", "[cli]") {
    const Folder folder;
    Screen screen;
    const auto run = [&](bool append) {
        LogSettings settings = settings_for(screen);
        settings.files = {{folder.path / "x.log", LogLevel::Debug, append}};
        settings.optional_file = folder.path / "x.log";
        const Logging logging(std::move(settings));
        log(LogLevel::Debug, "t", "one");
    };
    const auto lines = [&] {
        const std::string text = read_file(folder.path / "x.log", "log");
        return std::count(text.begin(), text.end(), '\n');
    };
    run(true);
    run(true);
    CHECK(lines() == 2);
    run(false);
    CHECK(lines() == 1);
    CHECK(mode_of(folder.path / "x.log") == 0600U);
    SECTION("also when an older one was open to others") {
        ::chmod((folder.path / "x.log").c_str(), 0644);
        run(false);
        CHECK(mode_of(folder.path / "x.log") == 0600U);
    }
}

TEST_CASE("LOG-004 ERR-045 only bolt-debug.log may be missing", "[cli]") {
    Screen screen;
    LogSettings settings = settings_for(screen);
    settings.files = {{"/nonexistent/bolt-debug.log", LogLevel::Debug, false}};
    SECTION("silently") {
        settings.optional_file = "/nonexistent/bolt-debug.log";
        CHECK_NOTHROW(Logging(settings));
    }
    SECTION("another file is an error") {
        try {
            const Logging logging(settings);
            FAIL("no error");
        } catch (const Error& error) {
            CHECK(error.info().kind() == "bolt/log-error");
            CHECK_THAT(error.what(), Catch::StartsWith("Failed to open log /nonexistent/bolt-debug.log: "));
        }
    }
}

TEST_CASE("LOG-007 LOG-008 early warnings wait, carry their id, and can be switched off", "[cli]") {
    Screen screen;
    log_warning("unknown_option", "config", "odd key");
    disable_warning("other_option");
    const Logging logging(settings_for(screen));
    CHECK(screen.text() == "odd key [ID: unknown_option]\n");
    log_warning("other_option", "config", "odd key");
    log_warning_once("once", "config", "first");
    log_warning_once("once", "config", "second");
    CHECK(screen.text() == "first [ID: once]\n");
}

TEST_CASE("LOG-011 results go to the log, without passwords and not by the gigabyte", "[cli]") {
    Screen screen;
    LogSettings settings = settings_for(screen);
    settings.console_level = LogLevel::Info;
    const Logging logging(std::move(settings));
    EventLog events(
        [](std::string_view name) { return name == "u:pw@h" ? std::string("u@h") : std::string(name); });
    const auto finish = [&](const std::string& target, std::size_t size) {
        transports::Output output;
        output.captured.append(transports::Stream::Out, std::string(size, 'x'));
        const auto result = planner::Result::of_command(target, "command", "true", std::move(output));
        events.on_event(planner::TargetFinished{result, std::chrono::seconds(1)});
        return screen.text();
    };
    events.on_event(planner::TargetStarted{"u:pw@h", "look around", "Running command 'true'"});
    CHECK(screen.text() == "Running command 'true' on [\"u@h\"]\n");
    CHECK(Json::parse(finish("a", 3))["value"]["stdout"] == "xxx");
    CHECK(finish("a", 1'000'000) == "Finished on a: 1000000 bytes of output\n");
    const Json renamed = Json::parse(finish("u:pw@h", 3));
    CHECK((renamed["target"] == "u@h" && renamed["value"]["stdout"] == "xxx"));
    const auto task = planner::Result::of_value("u:pw@h", "task", "m::t", Json{{"answer", 42}});
    events.on_event(planner::TargetFinished{task, std::chrono::seconds(1)});
    const Json printed = Json::parse(screen.text());
    CHECK((printed["target"] == "u@h" && printed["value"]["answer"] == 42));
    const auto long_value =
        planner::Result::of_value("a", "task", "m::t", Json{{"text", std::string(65 * 1024, 'x')}});
    events.on_event(planner::TargetFinished{long_value, std::chrono::seconds(1)});
    CHECK(screen.text() == "Finished on a: a value of more than 64 KiB\n");
}

TEST_CASE("USER-B5 what the screen shows already is not repeated there", "[cli]") {
    const Folder folder;
    Screen screen;
    LogSettings settings = settings_for(screen);
    settings.console_level = LogLevel::Info;
    settings.files = {{folder.path / "a.log", LogLevel::Info, true}};
    const Logging logging(std::move(settings));
    EventLog events(
        [](std::string_view name) { return std::string(name); },
        [](const planner::Event& event) { return std::holds_alternative<planner::Message>(event); });
    events.on_event(planner::Message{"hello"});
    events.on_event(planner::PlanStarted{"p"});
    CHECK(screen.text() == "Starting: plan p\n");
    CHECK_THAT(read_file(folder.path / "a.log", "log"),
               Catch::Contains("hello") && Catch::Contains("Starting: plan p"));
}

TEST_CASE("USER-B5 with debug messages the console says when, how bad, and who", "[cli]") {
    Screen screen;
    LogSettings settings = settings_for(screen);
    settings.console_level = LogLevel::Debug;
    const Logging logging(std::move(settings));
    log(LogLevel::Debug, "transports.ssh", "web: connecting");
    CHECK(std::regex_match(
        screen.text(), std::regex(R"(\d\d:\d\d:\d\d\.\d{3} DEBUG \[transports\.ssh\] web: connecting\n)")));
}

TEST_CASE("an interruption prints what each target was doing", "[cli]") {
    Screen screen;
    const Logging logging(settings_for(screen));
    EventLog events([](std::string_view name) { return std::string(name); });
    events.on_event(planner::Interrupted{{"a: connecting", "b: running"}});
    CHECK(screen.text() ==
          "Interrupted, stopping: a: connecting, b: running. Press Ctrl-C again to exit at once.\n");
    events.on_event(planner::Interrupted{std::vector<std::string>(12, "x")});
    CHECK_THAT(screen.text(), Catch::Contains("x and 2 more."));
    events.on_event(planner::Interrupted{});
    CHECK(screen.text() == "Interrupted, stopping. Press Ctrl-C again to exit at once.\n");
    events.leave_quietly();
    events.on_event(planner::Interrupted{{"a: running"}});
    CHECK(screen.text().empty());
}

}  // namespace
}  // namespace volley::cli
