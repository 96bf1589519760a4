// On a real engine: what scripts, tasks and files are to a target whose login shell is PowerShell.
#include "transports/shell/powershell/powershell_shell.hpp"

#include <boost/system/system_error.hpp>
#include <catch2/catch.hpp>

#include "tests/transports/shell/powershell/powershell_harness.hpp"
#include "transports/errors.hpp"

namespace volley::transports {

using testing::err;
using testing::out;
using testing::powershell_engine;
using testing::PowerShellHarness;

namespace {

constexpr std::string_view awkward = "a'b \"c\" $HOME `id` $(id) \u2019 \\n \\\\ *\n\ttwo lines %s é'@\n";

std::string error_of(const std::function<void()>& action) {
    try {
        action();
    } catch (const TransportError& error) {
        return std::string(error.info().issue_code()) + " " + error.what();
    }
    return "no error";
}

TaskExecution task_of(const std::filesystem::path& file, TaskExecution::TaskInput input) {
    TaskExecution task;
    task.name = "harness";
    task.executable = {file, file.filename().string()};
    task.input = [input](const std::string&) { return input; };
    return task;
}

TaskExecution::TaskInput named(std::string json) {
    TaskExecution::TaskInput input;
    input.named_arguments = std::move(json);
    return input;
}

}  // namespace

TEST_CASE("TRN-007 TRN-008 PS-004 what a target with PowerShell has", "[powershell]") {
    testing::ShellHarness harness;
    harness.options["login-shell"] = "powershell";
    CHECK(harness.shell().features() == std::vector<std::string>{"powershell"});
    CHECK(harness.shell().default_input_method(".PS1") == "powershell");
    CHECK(harness.shell().default_input_method(".rb") == "both");
    testing::ShellHarness hinted;
    hinted.options["login-shell"] = "bash";
    hinted.config.runs_powershell = true;
    CHECK(hinted.shell().features() == std::vector<std::string>{"powershell"});
    testing::ShellHarness local;
    local.config.runs_powershell = true;
    CHECK(local.shell().features() == std::vector<std::string>{"shell"});
}

TEST_CASE("PS-012 run-as is refused", "[powershell]") {
    testing::ShellHarness harness;
    harness.options["login-shell"] = "powershell";
    RunOptions run;
    run.run_as = "somebody";
    CHECK(error_of([&] { harness.command("whoami", run); }) ==
          "RUN_AS_ERROR run-as is not supported when using PowerShell (harness as somebody)");
    CHECK(harness.connection.lines.empty());
}

TEST_CASE("PS-002 only known extensions are run", "[powershell]") {
    testing::ShellHarness harness;
    harness.options["login-shell"] = "powershell";
    harness.options["interpreters"] = {{"py", "python.exe"}};
    harness.options["extensions"] = {".sh"};
    CHECK(error_of([&] { harness.script(harness.local.write("a.exe", "")); }) ==
          "FILETYPE_ERROR File extension .exe is not enabled, to run it please add to 'winrm: extensions'");
    const PowerShellOptions options([&] {
        TargetConfig config;
        config.options = std::make_shared<const Json>(harness.options);
        return config;
    }());
    CHECK(options.extensions == std::set<std::string>{".ps1", ".rb", ".pp", ".py", ".sh"});
}

TEST_CASE("PS-010 a command's output and status", "[powershell]") {
    const std::string engine = powershell_engine();
    if (engine.empty()) return;
    PowerShellHarness harness(engine);
    CHECK(out(harness.command("'hello'; 6 * 7")) == "hello\r\n42\r\n");
    CHECK(harness.command("exit 7").status.code == 7);
    CHECK(harness.command("sh -c 'exit 3'").status.code == 3);
    CHECK(harness.command("sh -c 'exit 3'; 'fine'").status.code == 0);
    CHECK(harness.command("Write-Error bad").status.code == 1);
    const Output thrown = harness.command("throw 'broken'");
    CHECK(thrown.status.code == 1);
    CHECK(err(thrown).find("broken") != std::string::npos);
    CHECK(out(harness.command("'x' * 300000")).size() == 300'002);
    CHECK(out(harness.command("'" + std::string(300'000, 'y') + "'.Length")) == "300000\r\n");
}

TEST_CASE("PS-007 PS-014 environment variables arrive literally and in no command line", "[powershell]") {
    const std::string engine = powershell_engine();
    if (engine.empty()) return;
    PowerShellHarness harness(engine);
    RunOptions run;
    run.environment = {{"SECRET", std::string(awkward)}};
    const Output output =
        harness.command("[Console]::Out.Write($env:SECRET); sh -c 'printf %s \"$SECRET\"'", run);
    CHECK(out(output).substr(0, awkward.size()) == awkward);
    CHECK(out(output).find("two lines", awkward.size()) != std::string::npos);
    REQUIRE(harness.connection.lines.size() == 1);
    CHECK(harness.connection.lines[0].find("SECRET") == std::string::npos);
}

TEST_CASE("PS-005 TSK-024 a .ps1 task gets those named values that it declares, typed", "[powershell]") {
    const std::string engine = powershell_engine();
    if (engine.empty()) return;
    PowerShellHarness harness(engine);
    const auto file =
        harness.local.write("t.ps1",
                            "param([int]$count, [string[]]$names, [hashtable]$more, $text, "
                            "[switch]$flag, $_installdir)\n"
                            "\"$count $($count.GetType().Name) $($names.Count) $($more.a.Count) $flag\"\n"
                            "[Console]::Out.Write($text)\n\"|$($args.Count)\"\n"
                            "\"dir $([IO.Directory]::Exists($_installdir))\"\n");
    TaskExecution task = task_of(file, {});
    task.input = [](const std::string& directory) {
        Json values{{"count", 5},      {"names", {"one"}}, {"more", {{"a", {1, 2, 3}}}},
                    {"text", awkward}, {"flag", true},     {"_installdir", directory},
                    {"_task", "x"}};
        return named(values.dump());
    };
    const Output output = harness.task(task);
    INFO(err(output));
    CHECK(out(output).find("5 Int32 1 3 True\r\n") != std::string::npos);
    CHECK(out(output).find(std::string(awkward)) != std::string::npos);
    CHECK(out(output).find("|0\r\n") != std::string::npos);
    CHECK(out(output).find("dir True\r\n") != std::string::npos);
    CHECK(output.status.code == 0);
    CHECK(harness.remote.empty());
    CHECK(harness.connection.lines.size() == 1);
    CHECK(harness.connection.lines[0].find("count") == std::string::npos);
}

TEST_CASE("PS-010 how a task ends", "[powershell]") {
    const std::string engine = powershell_engine();
    if (engine.empty()) return;
    struct Row {
        std::string_view name, text;
        int status;
        std::string_view error;
    };
    static constexpr Row rows[] = {
        {"well", "'fine'", 0, ""},
        {"exit", "'before'; exit 5", 5, ""},
        {"an exception", "throw 'broken'", 1, "[broken] Exception "},
        {"a failed program last", "sh -c 'exit 3'", 0, ""},
        {"an error in the middle", "Write-Error bad; 'fine'", 0, "bad"},
        {"no such program", "nothing-like-this; 'fine'", 1, "[CommandNotFoundException] Exception "},
    };
    for (const Row& row : rows) {
        DYNAMIC_SECTION(row.name) {
            PowerShellHarness harness(engine);
            const Output output = harness.task(task_of(harness.local.write("t.ps1", row.text), named("{}")));
            INFO(out(output) << err(output));
            CHECK(output.status.code == row.status);
            CHECK(err(output).find(row.error) != std::string::npos);
            CHECK(harness.remote.empty());
            CHECK(harness.connection.lines.size() == 1);
        }
    }
}

TEST_CASE("PS-006 PS-003 other input methods and programs", "[powershell]") {
    const std::string engine = powershell_engine();
    if (engine.empty()) return;
    PowerShellHarness harness(engine);
    TaskExecution::TaskInput both;
    both.standard_input = R"({"text":"d\u00e4 it's"})";
    both.environment = {{"PT_text", "dä it's"}, {"PT_long", std::string(40'000, 'x')}};
    for (const char* file : {"t.rb", "t.pp"}) {
        DYNAMIC_SECTION(file) {
            const auto script =
                harness.local.write(file, "cat; echo \"$PT_text.$PT_long\"; echo bad >&2; exit 4\n");
            const Output output = harness.task(task_of(script, both));
            CHECK(out(output) == "{\"text\":\"d\\u00e4 it's\"}\r\ndä it's.\r\n");
            CHECK(err(output).find("bad") != std::string::npos);
            CHECK(output.status.code == 4);
            CHECK(harness.warnings.find("PT_long is too long") != std::string::npos);
            CHECK(harness.remote.empty());
        }
    }
    TaskExecution::TaskInput standard_input;
    standard_input.standard_input = R"({"a":1})";
    const auto read = harness.local.write("in.ps1", "'got ' + [Console]::In.ReadLine(); exit 6");
    const Output output = harness.task(task_of(read, standard_input));
    CHECK(out(output) == "got {\"a\":1}\r\n");
    CHECK(output.status.code == 6);
    TaskExecution missing = task_of(harness.local.write("m.rb", ""), {});
    missing.interpreter = {"no-such-program.exe"};
    const Output not_there = harness.task(missing);
    CHECK(not_there.status.code == 1);
    CHECK(err(not_there).find("Could not find executable 'no-such-program.exe'") != std::string::npos);
}

TEST_CASE("PS-009 scripts get arguments or named values", "[powershell]") {
    const std::string engine = powershell_engine();
    if (engine.empty()) return;
    PowerShellHarness harness(engine);
    const auto file = harness.local.write("s.ps1", "param($a, $b)\n\"$a|$b|$($args -join ',')\"\nexit 3\n");
    const Output positional = harness.script(file, {"-b", "it's $x", "", "end"});
    CHECK(out(positional) == "-b|it's $x|,end\r\n");
    CHECK(positional.status.code == 3);
    CHECK(harness.remote.empty());
    RunOptions run;
    run.named_arguments = R"({"b": [1, 2], "c": 3})";
    CHECK(out(harness.script(file, {}, {}, run)) == "|1 2|\r\n");
    const auto shell = harness.local.write("s.rb", "printf '<%s>' \"$@\"; exit 2\n");
    const Output program = harness.script(shell, {"a b", "", "c\"d", "e\\"});
    CHECK(out(program) == "<a b><><c\"d><e\\>\r\n");
    CHECK(program.status.code == 2);
}

TEST_CASE("PS-011 TSK-028 files of a task, few or many, are there and go away", "[powershell]") {
    const std::string engine = powershell_engine();
    if (engine.empty()) return;
    for (const std::size_t size : {std::size_t(10), std::size_t(2'000'000)}) {
        DYNAMIC_SECTION(size) {
            PowerShellHarness harness(engine);
            TaskExecution task = task_of(
                harness.local.write("t.ps1",
                                    "param($_installdir)\n[IO.File]::ReadAllText(\"$_installdir/m/files/"
                                    "a b\").Length\n[IO.Directory]::Exists(\"$_installdir/m/tasks\")"),
                {});
            task.executable.remote = "m/tasks/t.ps1";
            task.files = {{harness.local.write("f", std::string(size, 'z')), "m/files/a b"},
                          {harness.local.write("g", ""), "m/files/" + std::string(150, 'n')}};
            task.input = [](const std::string& directory) {
                return named(Json{{"_installdir", directory}}.dump());
            };
            const Output output = harness.task(task);
            INFO(err(output));
            CHECK(out(output) == std::to_string(size) + "\r\nTrue\r\n");
            CHECK(harness.remote.empty());
        }
    }
}

TEST_CASE("PS-011 a directory that is kept, one that cannot be made, one in use", "[powershell]") {
    const std::string engine = powershell_engine();
    if (engine.empty()) return;
    PowerShellHarness kept(engine);
    kept.options["cleanup"] = false;
    CHECK(out(kept.script(kept.local.write("s.ps1", "'x'"))) == "x\r\n");
    CHECK(kept.warnings.find("Skipping cleanup of tmpdir " + kept.remote.path().string() + "/") !=
          std::string::npos);
    CHECK_FALSE(kept.remote.empty());
    PowerShellHarness impossible(engine);
    impossible.options["tmpdir"] = "/proc/nothing";
    CHECK(error_of([&] {
              impossible.script(impossible.local.write("s.ps1", "'x'"));
          }).find("TMPDIR_ERROR ") == 0);
    // What the script's own process could not remove is removed after it.
    PowerShellHarness killed(engine);
    const Output output = killed.script(killed.local.write("s.ps1", "[Environment]::Exit(9)"));
    CHECK(output.status.code == 9);
    CHECK(killed.remote.empty());
    CHECK(killed.connection.lines.size() == 2);
    PowerShellHarness variable(engine);
    variable.connection.environment.emplace_back("PLACE", variable.remote.path().string());
    variable.options["tmpdir"] = "$env:PLACE/below";
    const Output place = variable.script(variable.local.write("s.ps1", "$PSScriptRoot"));
    CHECK(out(place).find(variable.remote.path().string() + "/below/") == 0);
}

TEST_CASE("PS-011 cancelled, a task's directory goes", "[powershell]") {
    const std::string engine = powershell_engine();
    if (engine.empty()) return;
    PowerShellHarness harness(engine);
    const std::string sign = (harness.local / "sign").string();
    const auto file = harness.local.write(
        "s.ps1", "[IO.File]::WriteAllText('" + sign + "', \"begun`n\"); [Threading.Thread]::Sleep(300000)");
    auto job = harness.shell().run_script(file, {}, {}, {});
    CHECK_THROWS_AS(testing::finish_cancelled_when(
                        harness.runtime.loop(), [&] { return testing::has_line(sign); }, std::move(job)),
                    boost::system::system_error);
    CHECK(harness.remote.empty());
}

TEST_CASE("SH-022 SH-023 files and directories go up and down whole", "[powershell]") {
    const std::string engine = powershell_engine();
    if (engine.empty()) return;
    PowerShellHarness harness(engine);
    std::string bytes;
    for (int at = 0; at < 700'000; ++at) bytes += static_cast<char>(at * 7 + at / 251);
    const auto file = harness.local.write("data.bin", bytes);
    const std::string there = (harness.remote / "data.bin").string();
    harness.upload(file, harness.remote.path().string());  // into a directory
    CHECK(read_file(there, "x") == bytes);
    harness.upload(harness.local.write("e/data.bin", ""), there);  // over a file
    CHECK(std::filesystem::file_size(there) == 0);
    harness.upload(file, (harness.remote / "new/below").string());
    CHECK(read_file(harness.remote / "new/below", "x") == bytes);

    const auto got = harness.download((harness.remote / "new/below").string(), harness.local / "got");
    CHECK(got == harness.local / "got/below");
    CHECK(read_file(got, "x") == bytes);
    harness.download(there, harness.local / "got");
    CHECK(std::filesystem::file_size(harness.local / "got/data.bin") == 0);

    harness.local.write("tree/a b", "one");
    harness.local.write("tree/sub/" + std::string(120, 'l'), bytes);
    harness.local.write("tree/sub/empty", "");
    std::filesystem::create_directory(harness.local / "tree/nothing");
    harness.upload(harness.local / "tree", (harness.remote / "copy").string());
    harness.download((harness.remote / "copy").string(), harness.local / "got");
    for (const std::filesystem::path& root : {harness.remote / "copy", harness.local / "got/copy"}) {
        CHECK(read_file(root / "a b", "x") == "one");
        CHECK(read_file(root / "sub" / std::string(120, 'l'), "x") == bytes);
        CHECK(std::filesystem::file_size(root / "sub/empty") == 0);
        CHECK(std::filesystem::is_directory(root / "nothing"));
    }
    std::size_t hidden = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(harness.remote.path()))
        hidden += entry.path().filename().string().starts_with(".volley") ? 1 : 0;
    CHECK(hidden == 0);

    CHECK(error_of([&] {
              harness.upload(harness.local / "tree", harness.remote.path().string() + "/copy/..");
          }) == "no error");
    const std::string again =
        error_of([&] { harness.upload(harness.local / "tree", harness.remote.path().string()); });
    CHECK(again.find("MV_ERROR Could not upload '") == 0);
    CHECK(again.find("already exists and is a directory") != std::string::npos);
    const std::string missing = error_of([&] { harness.download("/nothing/here", harness.local / "got"); });
    CHECK(missing.find("DOWNLOAD_ERROR Could not download '/nothing/here' from harness: ") == 0);
    CHECK_FALSE(std::filesystem::exists(harness.local / "got/here"));
}

TEST_CASE("SH-022 an upload that is cancelled leaves nothing", "[powershell]") {
    const std::string engine = powershell_engine();
    if (engine.empty()) return;
    PowerShellHarness harness(engine);
    const auto file = harness.local.write("big", "");
    std::filesystem::resize_file(file, std::uintmax_t(1) << 33);
    auto job = harness.shell().upload(file, harness.remote.path().string(), {});
    CHECK_THROWS_AS(testing::finish_cancelled_when(
                        harness.runtime.loop(), [&] { return !harness.remote.empty(); }, std::move(job)),
                    boost::system::system_error);
    CHECK(harness.remote.empty());
}

TEST_CASE("powershell.exe is started where the login shell is another one", "[powershell]") {
    const std::string engine = powershell_engine();
    if (engine.empty()) return;
    PowerShellHarness harness(engine);
    harness.options["login-shell"] = "bash";
    harness.config.runs_powershell = true;
    harness.connection.set_words({"/bin/sh"});
    CHECK(out(harness.command("'hello'")) == "hello\r\n");
    CHECK(out(harness.script(harness.local.write("s.ps1", "\"$args\""), {"x"})) == "x\r\n");
    CHECK(harness.remote.empty());
}

}  // namespace volley::transports
