#pragma once

#include <filesystem>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "support/files.hpp"
#include "support/log.hpp"
#include "support/text.hpp"
#include "tests/transports/process/loop.hpp"
#include "transports/process/run.hpp"
#include "transports/runtime.hpp"
#include "transports/shell/shell.hpp"

namespace volley::testing {

/// A folder that goes away with the object.
class TemporaryFolder {
public:
    TemporaryFolder() : path_(std::filesystem::temp_directory_path() / ("volley-test-" + random_uuid())) {
        std::filesystem::create_directory(path_);
    }
    ~TemporaryFolder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    const std::filesystem::path& path() const noexcept { return path_; }
    std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
    std::filesystem::path write(const std::string& name, std::string_view content,
                                unsigned mode = 0644) const {
        const std::filesystem::path file = path_ / name;
        std::filesystem::create_directories(file.parent_path());
        std::ofstream(file, std::ios::binary) << content;
        std::filesystem::permissions(file, static_cast<std::filesystem::perms>(mode));
        return file;
    }
    bool empty() const { return std::filesystem::is_empty(path_); }

private:
    std::filesystem::path path_;
};

/// The same without an end: a terminal has none, and `script` throws away what it has not passed on by then.
class Endless final : public transports::Input {
public:
    explicit Endless(transports::Input& inner) : inner_(inner) {}
    std::size_t read(std::span<char> buffer) override { return inner_.read(buffer); }
    bool finished() const noexcept override { return false; }
    void on_ready(std::function<void()> wake) override { inner_.on_ready(std::move(wake)); }

private:
    transports::Input& inner_;
};

/// What a login shell does with a line over ssh: `words... -c line`. Records the lines.
class LoginShell final : public transports::Connection {
public:
    explicit LoginShell(std::vector<std::string> words) : words_(std::move(words)), user_(login_name()) {}

    transports::Task<transports::ExitStatus> execute(const transports::Command& command,
                                                     transports::Input& input,
                                                     transports::OutputSink& sink) override {
        lines.push_back(command.line);
        std::vector<std::string> argv = words_;
        argv.insert(argv.end(), {"-c", command.line});
        if (command.tty) {
            // util-linux's script provides a terminal.
            const std::string line = "exec " + shell_join(argv);
            argv = {"script", "-qefc", line, "/dev/null"};
        }
        transports::ProcessSettings settings{argv};
        settings.environment = environment;
        settings.directory = directory;
        Endless endless(input);
        transports::Input& source = command.tty ? static_cast<transports::Input&>(endless) : input;
        auto run = transports::run_process(std::move(settings), source, sink, std::chrono::milliseconds(500));
        co_return co_await std::move(run);
    }
    bool alive() const noexcept override { return true; }
    transports::Task<void> close() override { co_return; }
    const std::string& user() const noexcept override { return user_; }

    std::vector<std::string> lines;
    std::vector<std::pair<std::string, std::string>> environment;
    std::filesystem::path directory;
    transports::FileCopier* copier() noexcept override { return copier_; }
    void set_copier(transports::FileCopier* copier) { copier_ = copier; }
    void set_user(std::string user) { user_ = std::move(user); }
    void set_words(std::vector<std::string> words) { words_ = std::move(words); }

private:
    std::vector<std::string> words_;
    std::string user_;
    transports::FileCopier* copier_ = nullptr;
};

/// A shell over a login shell, with a folder for its temporary directories that must be empty afterwards.
struct ShellHarness {
    explicit ShellHarness(std::vector<std::string> login_shell = {"/bin/sh"})
        : connection(std::move(login_shell)) {
        config.name = "harness";
        config.safe_name = "harness";
        config.transport = "ssh";
        options["tmpdir"] = remote.path().string();
        log_to([this](const LogRecord& record) { warnings += std::string(record.message) + "\n"; },
               LogLevel::Warn);
    }
    ~ShellHarness() { log_to({}, LogLevel::Warn); }
    ShellHarness(const ShellHarness&) = delete;
    ShellHarness& operator=(const ShellHarness&) = delete;

    transports::Shell& shell() {
        if (!shell_) {
            config.options = std::make_shared<const Json>(options);
            shell_ = transports::make_shell(connection, config, runtime);
        }
        return *shell_;
    }

    transports::Output command(std::string line, transports::RunOptions run = {}) {
        auto task = shell().run_command(std::move(line), std::move(run));
        return finish(runtime.loop(), std::move(task));
    }
    transports::Output script(const std::filesystem::path& file, std::vector<std::string> arguments = {},
                              std::vector<std::string> interpreter = {}, transports::RunOptions run = {}) {
        auto task = shell().run_script(file, std::move(arguments), std::move(interpreter), std::move(run));
        return finish(runtime.loop(), std::move(task));
    }
    transports::Output task(transports::TaskExecution execution, transports::RunOptions run = {}) {
        auto job = shell().run_task(std::move(execution), std::move(run));
        return finish(runtime.loop(), std::move(job));
    }
    void upload(const std::filesystem::path& from, const std::string& to, transports::RunOptions run = {}) {
        auto job = shell().upload(from, to, std::move(run));
        finish(runtime.loop(), std::move(job));
    }
    std::filesystem::path download(const std::string& from, const std::filesystem::path& to,
                                   transports::RunOptions run = {}) {
        auto job = shell().download(from, to, std::move(run));
        return finish(runtime.loop(), std::move(job));
    }

    transports::Runtime runtime;
    TemporaryFolder local;
    TemporaryFolder remote;
    LoginShell connection;
    transports::TargetConfig config;
    Json options = Json::object();
    std::string warnings;

private:
    std::unique_ptr<transports::Shell> shell_;
};

inline std::string out(const transports::Output& output) {
    return output.captured.text(transports::Stream::Out);
}
inline std::string err(const transports::Output& output) {
    return output.captured.text(transports::Stream::Err);
}

/// A task that is one file, with this input.
inline transports::TaskExecution one_file_task(
    const std::filesystem::path& file, std::optional<std::string> standard_input,
    std::vector<std::pair<std::string, std::string>> environment = {}) {
    transports::TaskExecution task;
    task.name = "harness";
    task.executable = {file, file.filename().string()};
    task.input = [=](const std::string&) {
        transports::TaskExecution::TaskInput input;
        input.standard_input = standard_input;
        input.environment = environment;
        return input;
    };
    return task;
}

}  // namespace volley::testing
