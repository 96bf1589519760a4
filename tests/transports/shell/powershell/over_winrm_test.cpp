// The shell over PowerShell remoting: a real engine that the WinRM double starts, and how many requests
// actions take.
#include <boost/system/system_error.hpp>
#include <catch2/catch.hpp>
#include <sstream>

#include "tests/transports/shell/powershell/powershell_harness.hpp"
#include "tests/transports/winrm/double_fixture.hpp"
#include "transports/shell/powershell/scripts.hpp"
#include "transports/winrm/winrm_connection.hpp"

namespace volley::transports {

using testing::err;
using testing::finish;
using testing::out;
using testing::powershell_engine;
using testing::TemporaryFolder;
using tests::WinrmDouble;

namespace {

/// A double of Windows with a real engine, and the shell of its connection.
struct Windows {
    explicit Windows(const std::string& engine) : service({"--basic", "--engine", engine}) {
        target = service.target(Json{{"basic-auth-only", true}, {"tmpdir", remote.path().string()}}.dump());
        connection = finish(runtime.loop(), winrm::connect_winrm(network, target));
        shell = make_shell(*connection, target, runtime);
    }
    template <class T>
    T wait(Task<T> task) {
        return finish(runtime.loop(), std::move(task));
    }
    /// The requests from the first to the last, when everything was tidied up.
    std::size_t close() {
        finish(runtime.loop(), connection->close());
        std::istringstream words(service.requests());
        std::size_t count = 0;
        for (std::string word; words >> word;) count += word != "terminate" && word != "crtl_c" ? 1 : 0;
        return count;
    }

    WinrmDouble service;
    TemporaryFolder local;
    TemporaryFolder remote;
    Runtime runtime;
    std::shared_ptr<winrm::Network> network = std::make_shared<winrm::Network>(runtime);
    TargetConfig target;
    std::unique_ptr<Connection> connection;
    std::unique_ptr<Shell> shell;
};

// Of the bounds 10 and 18 two requests are the login's.
constexpr std::size_t login = 2;

TaskExecution named_task(const std::filesystem::path& file, std::vector<PlacedFile> files) {
    TaskExecution task;
    task.name = "harness";
    task.executable = {file, file.filename().string()};
    task.files = std::move(files);
    task.input = [](const std::string& directory) {
        TaskExecution::TaskInput input;
        input.named_arguments = Json{{"place", directory}, {"count", 3}}.dump();
        return input;
    };
    return task;
}

}  // namespace

TEST_CASE("WRM-005 a command takes at most 10 requests", "[powershell][winrm]") {
    const std::string engine = powershell_engine();
    if (engine.empty()) return;
    Windows windows(engine);
    CHECK(windows.shell->features() == std::vector<std::string>{"powershell"});
    RunOptions run;
    run.environment = {{"A", "it's"}};
    auto command = windows.shell->run_command("$env:A; exit 3", run);
    const Output output = windows.wait(std::move(command));
    CHECK(out(output) == "it's\r\n");
    CHECK(output.status.code == 3);
    const std::size_t requests = windows.close();
    INFO(windows.service.requests());
    CHECK(requests + login <= 10);
}

TEST_CASE("WRM-005 nothing is printed for an object that is $null", "[powershell][winrm]") {
    const std::string engine = powershell_engine();
    if (engine.empty()) return;
    Windows windows(engine);
    const Output output = windows.wait(
        windows.shell->run_command("1; $null; [Environment]::GetEnvironmentVariable('none'); 2", {}));
    CHECK(out(output) == "1\r\n2\r\n");
    CHECK(output.status.code == 0);
    windows.close();
}

TEST_CASE("PS-005 PS-011 a task takes at most 18 requests, with its files and its directory",
          "[powershell][winrm]") {
    const std::string engine = powershell_engine();
    if (engine.empty()) return;
    for (const std::size_t size : {std::size_t(100), std::size_t(700'000)}) {
        DYNAMIC_SECTION(size) {
            Windows windows(engine);
            const auto file =
                windows.local.write("t.ps1",
                                    "param([int]$count, $place)\n$count + "
                                    "1\n[IO.File]::ReadAllText(\"$place/data\").Length\nexit 5\n");
            auto running = windows.shell->run_task(
                named_task(file, {{windows.local.write("data", std::string(size, 'x')), "data"}}), {});
            const Output output = windows.wait(std::move(running));
            INFO(err(output));
            CHECK(out(output) == "4\r\n" + std::to_string(size) + "\r\n");
            CHECK(output.status.code == 5);
            CHECK(windows.remote.empty());
            const std::size_t requests = windows.close();
            INFO(windows.service.requests());
            CHECK(requests + login <= 18);
        }
    }
}

TEST_CASE("PS-011 a task over WinRM that is cancelled leaves nothing", "[powershell][winrm]") {
    const std::string engine = powershell_engine();
    if (engine.empty()) return;
    Windows windows(engine);
    const std::string sign = (windows.local / "sign").string();
    const auto file =
        windows.local.write("t.ps1", "[IO.File]::WriteAllText('" + sign +
                                         "', \"begun`n\")\nwhile ($true) { [Threading.Thread]::Sleep(50) }");
    auto running = windows.shell->run_script(file, {}, {}, {});
    std::string warnings;
    log_to([&](const LogRecord& record) { warnings += std::string(record.message) + "\n"; }, LogLevel::Warn);
    CHECK_THROWS_AS(testing::finish_cancelled_when(
                        windows.runtime.loop(), [&] { return testing::has_line(sign); }, std::move(running)),
                    boost::system::system_error);
    log_to({}, LogLevel::Warn);
    INFO(windows.service.requests());
    CHECK(warnings == "");
    CHECK(windows.remote.empty());
    windows.close();
}

TEST_CASE("SH-022 SH-023 WRM-007 files over WinRM", "[powershell][winrm]") {
    const std::string engine = powershell_engine();
    if (engine.empty()) return;
    Windows windows(engine);
    std::string bytes;
    for (int at = 0; at < 1'500'000; ++at) bytes += static_cast<char>(at * 7 + at / 251);
    windows.local.write("tree/data", bytes);
    windows.local.write("tree/sub/empty", "");
    finish(windows.runtime.loop(),
           windows.shell->upload(windows.local / "tree", windows.remote.path().string(), {}));
    CHECK(read_file(windows.remote / "tree/data", "x") == bytes);
    const auto got =
        windows.wait(windows.shell->download((windows.remote / "tree").string(), windows.local / "got", {}));
    CHECK(read_file(got / "data", "x") == bytes);
    CHECK(std::filesystem::file_size(got / "sub/empty") == 0);
    windows.close();
}

TEST_CASE("WRM-007 what is placed may be larger than PowerShell's limit for the input of a command",
          "[powershell][winrm]") {
    const std::string engine = powershell_engine();
    if (engine.empty()) return;
    Windows windows(engine);
    // Windows limits a command to 50 MB; here a command limits itself to 1 MB, as its engine would have done.
    const std::string limited =
        "begin {\n"
        "$at = $Host\n"
        "foreach ($name in 'ExternalHost', '_transportManager', 'Fragmentor', 'DeserializationContext') {\n"
        "$at = $at.GetType().InvokeMember($name, 'Instance, Public, NonPublic, GetField, GetProperty', "
        "$null, $at, $null) }\n"
        "[void]$at.GetType().InvokeMember('MaximumAllowedMemory', 'Instance, NonPublic, SetProperty', $null, "
        "$at, @([Nullable[int]]1000000))\n"
        "$count = 0\n";
    const std::string counting = "}\nprocess { $count += $_.Length }\nend { $count }";
    const auto count = [&](const std::string& lift) {
        testing::Collector seen;
        const std::string bytes(3'000'000, 'x');
        TextInput input(bytes);
        const PowerShellScript script(PowerShellUse::Housekeeping, limited + lift + counting);
        windows.wait(windows.connection->powershell()->run(script, input, seen));
        return seen.out();
    };
    const std::string lift = powershell_text("lift");
    CHECK_FALSE(count("").starts_with("3000000"));
    CHECK(count(lift + "& $volleyLift\n") == "3000000\r\n");
    CHECK(powershell_text("upload").find(lift) != std::string::npos);
    CHECK(powershell_text("place").find(lift) != std::string::npos);
    windows.close();
}

}  // namespace volley::transports
