// PowerShell remoting with a real engine in its server mode, `pwsh -s`, over its standard input and output.
#include <boost/asio/co_spawn.hpp>
#include <boost/system/system_error.hpp>
#include <catch2/catch.hpp>
#include <optional>

#include "tests/transports/shell/powershell/powershell_harness.hpp"
#include "transports/errors.hpp"
#include "transports/powershell_pipe/pipe_session.hpp"

namespace volley::transports::powershell_pipe {
namespace {

namespace asio = boost::asio;
using testing::err;
using testing::finish;
using testing::out;
using testing::powershell_engine;
using testing::TemporaryFolder;

/// A program as a PowerShell; `starts` are counted.
class Pipes final : public Connection {
public:
    Pipes(Runtime& runtime, std::vector<std::string> words)
        : words_(std::move(words)),
          session_(
              runtime.loop().get_executor(),
              [this](Input& input, OutputSink& output) {
                  ++starts;
                  return run_process(ProcessSettings(words_), input, output, std::chrono::milliseconds(500));
              },
              "there") {}
    Task<ExitStatus> execute(const Command&, Input&, OutputSink&) override {
        throw connect_error("there are no command lines");
    }
    bool alive() const noexcept override { return true; }
    Task<void> close() override { return session_.close(); }
    const std::string& user() const noexcept override { return user_; }
    PowerShellSession* powershell() noexcept override { return &session_; }

    int starts = 0;

private:
    std::vector<std::string> words_;
    std::string user_ = "me";
    PipeSession session_;
};

struct ServerMode {
    explicit ServerMode(const std::string& engine)
        : connection(runtime, {engine, "-s", "-nologo", "-noprofile"}) {
        target.name = target.safe_name = "there";
        target.options = std::make_shared<const Json>(Json{{"tmpdir", remote.path().string()}});
        shell = make_shell(connection, target, runtime);
    }
    /// Until the task is done: an engine that is kept never is.
    template <class T>
    T wait(Task<T> task) {
        std::exception_ptr failure;
        std::optional<T> result;
        asio::co_spawn(runtime.loop(), std::move(task), [&](std::exception_ptr error, T value) {
            failure = error;
            result.emplace(std::move(value));
        });
        until([&] { return failure || result; });
        if (failure) std::rethrow_exception(failure);
        return std::move(*result);
    }
    void wait(Task<void> task) {
        std::exception_ptr failure;
        bool done = false;
        asio::co_spawn(runtime.loop(), std::move(task), [&](std::exception_ptr error) {
            failure = error;
            done = true;
        });
        until([&] { return done; });
        if (failure) std::rethrow_exception(failure);
    }
    void until(const std::function<bool()>& done) {
        runtime.loop().restart();
        while (!done()) runtime.loop().run_one();
    }
    Output command(const std::string& line, RunOptions options = {}) {
        return wait(shell->run_command(line, std::move(options)));
    }

    TemporaryFolder local;
    TemporaryFolder remote;
    Runtime runtime;
    Pipes connection;
    TargetConfig target;
    std::unique_ptr<Shell> shell;
};

std::string error_of(const std::function<void()>& action) {
    try {
        action();
    } catch (const std::exception& error) {
        return error.what();
    }
    return "no error";
}

}  // namespace

TEST_CASE("PSRP over pwsh -s: output, errors, status and environment of commands", "[powershell][psrp]") {
    const std::string engine = powershell_engine();
    if (engine.empty()) return;
    ServerMode there(engine);
    CHECK(there.shell->features() == std::vector<std::string>{"powershell"});
    RunOptions run;
    run.environment = {{"A", "it's"}};
    const Output output = there.command("$env:A; Write-Host 'h'; Write-Error 'broken'; exit 3", run);
    CHECK(out(output) == "it's\r\nh\r\n");
    CHECK(err(output).find("broken") != std::string::npos);
    CHECK(output.status.code == 3);
    CHECK(there.connection.powershell()->version().starts_with("7."));
    const Output second = there.command("\"<$a>\"; Read-Host; throw 'again'");
    CHECK(out(second) == "<>\r\n");
    CHECK(err(second).find("nobody to answer") != std::string::npos);
    CHECK(second.status.code == 1);
    // Longer than a line of input, and than a fragment of output.
    const std::string word(3'000'000, 'y');
    CHECK(out(there.command("'" + word + "'")) == word + "\r\n");
    CHECK(there.connection.starts == 3);
    there.wait(there.connection.close());
}

TEST_CASE("PSRP over pwsh -s: scripts of the shell share an engine, which gets input", "[powershell][psrp]") {
    const std::string engine = powershell_engine();
    if (engine.empty()) return;
    ServerMode there(engine);
    std::string bytes;
    for (int at = 0; at < 1'500'000; ++at) bytes += static_cast<char>(at * 7 + at / 251);
    there.local.write("tree/data", bytes);
    there.local.write("tree/sub/empty", "");
    there.wait(there.shell->upload(there.local / "tree", there.remote.path().string(), {}));
    CHECK(read_file(there.remote / "tree/data", "x") == bytes);
    const auto got =
        there.wait(there.shell->download((there.remote / "tree").string(), there.local / "got", {}));
    CHECK(read_file(got / "data", "x") == bytes);
    CHECK(error_of([&] {
              there.wait(there.shell->download("/not/there", there.local / "no", {}));
          }).find("/not/there") != std::string::npos);
    CHECK(there.connection.starts == 1);
    there.command("exit 0");
    CHECK(there.connection.starts == 2);
    there.wait(there.connection.close());
}

TEST_CASE("PSRP over pwsh -s: a script that is cancelled is stopped, and cleans up", "[powershell][psrp]") {
    const std::string engine = powershell_engine();
    if (engine.empty()) return;
    ServerMode there(engine);
    const std::string sign = (there.local / "sign").string();
    const std::string end = (there.local / "end").string();
    auto running =
        there.shell->run_command("try { [IO.File]::WriteAllText('" + sign +
                                     "', \"begun`n\")\nwhile ($true) { [Threading.Thread]::Sleep(50) } }\n"
                                     "finally { [IO.File]::WriteAllText('" +
                                     end + "', \"ended`n\") }",
                                 {});
    CHECK_THROWS_AS(testing::finish_cancelled_when(
                        there.runtime.loop(), [&] { return testing::has_line(sign); }, std::move(running)),
                    boost::system::system_error);
    CHECK(testing::has_line(end));
    there.wait(there.connection.close());
}

TEST_CASE("PSRP over pipes: what the other side is not, or does not do, is one clear line",
          "[powershell][psrp]") {
    struct Row {
        std::string program, want;
    };
    const std::string ack = "echo \"<DataAck PSGuid='00000000-0000-0000-0000-000000000000' />\"; ";
    for (const Row& row :
         std::vector<Row>{{"echo Welcome", "its output is not PowerShell remoting: Welcome"},
                          {"echo no such program >&2; exit 127",
                           "PowerShell ended there with exit code 127: no such program"},
                          {"read x; " + ack + ack, "PowerShell acknowledged what was not sent"},
                          {"read x; " + ack + "exit 3", "PowerShell ended there with exit code 3"}}) {
        INFO(row.program);
        Runtime runtime;
        Pipes connection(runtime, {"/bin/sh", "-c", row.program});
        const PowerShellScript script(PowerShellUse::Action, "1");
        NoInput nothing;
        testing::Collector seen;
        std::string error;
        try {
            finish(runtime.loop(), connection.powershell()->run(script, nothing, seen));
        } catch (const DidNotStart& failure) {
            error = failure.reason();
        }
        CHECK(error == row.want);
        finish(runtime.loop(), connection.close());
    }
}

TEST_CASE("PSRP over pwsh -s: an engine that dies takes its command with it, and no other",
          "[powershell][psrp]") {
    const std::string engine = powershell_engine();
    if (engine.empty()) return;
    ServerMode there(engine);
    CHECK(error_of([&] { there.command("[Diagnostics.Process]::GetCurrentProcess().Kill()"); })
              .starts_with(
                  "The connection to there failed while a script may have been running: PowerShell ended"));
    CHECK(out(there.command("'still'")) == "still\r\n");
    there.wait(there.connection.close());
}

}  // namespace volley::transports::powershell_pipe
