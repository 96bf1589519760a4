#include <signal.h>

#include <boost/system/system_error.hpp>
#include <catch2/catch.hpp>

#include "tests/transports/shell/shell_harness.hpp"
#include "transports/errors.hpp"

namespace volley::transports {

using testing::err;
using testing::one_file_task;
using testing::out;
using testing::ShellHarness;

namespace {

// Every login shell that this machine has.
std::vector<std::vector<std::string>> login_shells() {
    std::vector<std::vector<std::string>> shells;
    for (const char* path : {"/bin/sh", "/bin/dash", "/bin/bash", "/bin/zsh", "/bin/ksh", "/bin/mksh",
                             "/bin/csh", "/bin/tcsh", "/usr/bin/fish"})
        if (std::filesystem::exists(path)) shells.push_back({path});
    if (std::filesystem::exists("/bin/busybox")) shells.push_back({"/bin/busybox", "sh"});
    return shells;
}

constexpr std::string_view awkward = "a'b \"c\" $HOME `id` !x \\n \\\\ *\n\ttwo lines %s é\n";

std::string issue_code_of(const std::function<void()>& action) {
    try {
        action();
    } catch (const TransportError& error) {
        return error.info().issue_code();
    }
    return "no error";
}

}  // namespace

TEST_CASE("SH-010 a plain command reaches the login shell as it is", "[shell]") {
    ShellHarness harness({"/bin/bash"});
    const Output output = harness.command("[[ abc == a* ]] && echo $BASH | tr -d '\\n'; exit 5");
    CHECK(out(output) == "/bin/bash");
    CHECK(output.status.code == 5);
    CHECK(harness.connection.lines ==
          std::vector<std::string>{"[[ abc == a* ]] && echo $BASH | tr -d '\\n'; exit 5"});
}

TEST_CASE("SH-027 a command's standard input is at its end", "[shell]") {
    ShellHarness harness;
    CHECK(out(harness.command("cat; echo end")) == "end\n");
    RunOptions options;
    options.environment = {{"A", "1"}};
    CHECK(out(harness.command("cat; echo end", options)) == "end\n");
}

TEST_CASE("SH-016 environment variables arrive literally under every login shell and in no command line",
          "[shell]") {
    for (const auto& words : login_shells()) {
        DYNAMIC_SECTION(join(words, " ")) {
            ShellHarness harness(words);
            RunOptions options;
            options.environment = {{"SECRET", std::string(awkward)}};
            const Output output = harness.command("printf '%s' \"$SECRET\"; exit 3", options);
            CHECK(out(output) == awkward);
            CHECK(err(output).empty());
            CHECK(output.status.code == 3);
            REQUIRE(harness.connection.lines.size() == 1);
            CHECK(harness.connection.lines[0].find("HOME") == std::string::npos);
        }
    }
}

TEST_CASE("SH-016 a variable may have a name that no shell allows", "[shell]") {
    ShellHarness harness;
    RunOptions options;
    options.environment = {{"not-a-name", "it's x"}, {"A", "1"}};
    const auto file = harness.local.write("s", "");
    CHECK(out(harness.script(file, {}, {"printenv", "not-a-name", "A"}, options)) == "it's x\n1\n");
}

TEST_CASE("SH-001 SH-003 SH-020 a script runs under every login shell in one go and leaves nothing",
          "[shell]") {
    for (const auto& words : login_shells()) {
        DYNAMIC_SECTION(join(words, " ")) {
            ShellHarness harness(words);
            const auto file = harness.local.write(
                "it's a script.sh",
                "#!/bin/sh\nprintf '<%s>' \"$@\"; cat; ls -ld \"$(dirname \"$0\")\" >&2; exit 42\n");
            const Output output = harness.script(file, {std::string(awkward), "", "last"});
            CHECK(out(output) == "<" + std::string(awkward) + "><><last>");
            CHECK(err(output).rfind("drwx------", 0) == 0);
            CHECK(output.status.code == 42);
            CHECK(harness.connection.lines.size() == 1);
            CHECK(harness.remote.empty());
        }
    }
}

TEST_CASE("TSK-024 SH-017 a task gets its input and environment under every login shell", "[shell]") {
    for (const auto& words : login_shells()) {
        DYNAMIC_SECTION(join(words, " ")) {
            ShellHarness harness(words);
            const auto file = harness.local.write("task.sh", "#!/bin/sh\ncat; printf '|%s' \"$PT_text\"\n");
            const std::string json = "{\"text\":\"it's \\n \\\"x\\\" $HOME\"}";
            const Output output =
                harness.task(one_file_task(file, json, {{"PT_text", std::string(awkward)}}));
            CHECK(out(output) == json + "|" + std::string(awkward));
            CHECK(err(output).empty());
            CHECK(output.status.code == 0);
            CHECK(harness.remote.empty());
            CHECK(harness.connection.lines.size() == 1);
        }
    }
}

TEST_CASE("input of every size arrives whole", "[shell]") {
    for (const std::size_t size : {0UL, 1UL, 16'384UL, 16'385UL, 65'536UL, 3'000'000UL}) {
        DYNAMIC_SECTION(size) {
            ShellHarness harness;
            const auto file = harness.local.write("count", "#!/bin/sh\nwc -c | tr -d ' '\n");
            CHECK(out(harness.task(one_file_task(file, std::string(size, '7')))) ==
                  std::to_string(size) + "\n");
            CHECK(harness.remote.empty());
        }
    }
}

TEST_CASE("a parameter too long for the environment is left to standard input", "[shell]") {
    ShellHarness harness;
    const auto file = harness.local.write("task", "#!/bin/sh\nwc -c; echo \"${PT_big-unset} $PT_small\"\n");
    const std::string big(200'000, 'x');
    const Output output = harness.task(one_file_task(file, big, {{"PT_big", big}, {"PT_small", "s"}}));
    CHECK(out(output) == "200000\nunset s\n");
    CHECK_THAT(harness.warnings, Catch::Contains("PT_big is too long"));
}

TEST_CASE("a task that does not read its input ends normally", "[shell]") {
    ShellHarness harness;
    const auto file = harness.local.write("task", "#!/bin/sh\nexec 0<&-\necho ok\n");
    const Output output = harness.task(one_file_task(file, std::string(16'000, 'x')));
    CHECK(out(output) == "ok\n");
    CHECK(err(output).empty());
    CHECK(output.status.code == 0);
}

TEST_CASE("the exit code of a task survives the cleanup, a signal as 128 and its number", "[shell]") {
    for (const auto& words : login_shells()) {
        DYNAMIC_SECTION(join(words, " ")) {
            ShellHarness harness(words);
            const auto file = harness.local.write("task", "#!/bin/sh\nkill -KILL $$\n");
            const Output output =
                harness.task(one_file_task(file, "{\"password\":\"hunter2\"}", {{"PT_password", "hunter2"}}));
            CHECK(output.status.code == 137);
            // A shell that reports a killed command quotes it.
            CHECK(err(output).empty());
            CHECK(harness.remote.empty());
        }
    }
}

TEST_CASE("SH-030 a script's output passes unchanged, NUL and invalid UTF-8 too", "[shell]") {
    ShellHarness harness;
    const auto file = harness.local.write("s", "#!/bin/sh\nprintf 'a\\000b\\377'\nprintf '[[x' >&2\n");
    const Output output = harness.script(file);
    CHECK(out(output) == std::string("a\0b\xff", 4));
    CHECK(err(output) == "[[x");
}

TEST_CASE("a script is sent byte for byte", "[shell]") {
    ShellHarness harness;
    std::string content = "#!/bin/sh\ntail -n +3 \"$0\"; exit\n";
    std::string rest;
    for (int i = 0; i < 100'000; ++i) rest.push_back(static_cast<char>(i * 7 % 256));
    const Output output = harness.script(harness.local.write("s", content + rest));
    const std::size_t first_newline = rest.find('\n');
    CHECK(first_newline != std::string::npos);
    CHECK(rest.find(out(output)) == 0);
    CHECK(out(output).size() == rest.size());
}

TEST_CASE("what a login shell prints before the task is not the task's output", "[shell]") {
    ShellHarness harness({"/bin/bash"});
    const auto banner = harness.local.write("banner", "echo Welcome; echo warned >&2\n");
    harness.connection.environment = {{"BASH_ENV", banner.string()}};
    const auto file = harness.local.write("task.py", "#!/bin/sh\nprintf '{}'\n");
    const Output output = harness.task(one_file_task(file, "{}"));
    CHECK(out(output) == "{}");
    CHECK(err(output).empty());
}

TEST_CASE("SH-019 interpreter words precede the path", "[shell]") {
    ShellHarness harness;
    const auto file = harness.local.write("code.x", "echo \"$0|$1\"\n");
    const Output output = harness.script(file, {"arg"}, {"/bin/sh", "-e"});
    CHECK(out(output).find("/code.x|arg\n") != std::string::npos);
    CHECK(out(output).rfind(harness.remote.path().string(), 0) == 0);
}

TEST_CASE("SH-025 TSK-028 extra files keep their places and modes", "[shell]") {
    for (const int count : {1, 3, 20}) {
        DYNAMIC_SECTION(count << " files") {
            ShellHarness harness;
            const auto main_file =
                harness.local.write("main.sh",
                                    "#!/bin/sh\ncd \"$PT__installdir\" && find . -type f | sort "
                                    "&& cat lib/files/f0 && lib/files/tool\n");
            TaskExecution task;
            task.executable = {main_file, "mine/tasks/main.sh"};
            std::string names;
            for (int i = 0; i < count; ++i) {
                const std::string name = "f" + std::to_string(i);
                task.files.push_back(
                    {harness.local.write(name, "content " + name + "\n"), "lib/files/" + name});
            }
            task.files.push_back(
                {harness.local.write("tool", "#!/bin/sh\necho tool\n", 0755), "lib/files/tool"});
            task.input = [](const std::string& directory) {
                TaskExecution::TaskInput input;
                input.environment = {{"PT__installdir", directory}};
                return input;
            };
            const Output output = harness.task(task);
            INFO(err(output));
            CHECK(out(output).find("./mine/tasks/main.sh\ncontent f0\ntool\n") != std::string::npos);
            CHECK(split(out(output), '\n').size() == static_cast<std::size_t>(count) + 5);
            CHECK(harness.connection.lines.size() == 1);
            CHECK(harness.remote.empty());
        }
    }
}

TEST_CASE("a target without tar gets many files all the same", "[shell]") {
    ShellHarness harness({"/bin/sh"});
    const testing::TemporaryFolder bin;
    for (const char* tool : {"sh", "mkdir", "cat", "wc", "chmod", "rm", "tail", "head", "ls"})
        std::filesystem::create_symlink(std::string("/bin/") + tool, bin / tool);
    harness.connection.environment = {{"PATH", bin.path().string()}};
    TaskExecution task;
    task.executable = {harness.local.write("t", "#!/bin/sh\nls \"${0%/*}/x\" | wc -l\n"), "t"};
    for (int i = 0; i < 12; ++i) {
        const std::string name = "f" + std::to_string(i);
        task.files.push_back({harness.local.write(name, name), "x/" + name});
    }
    CHECK(out(harness.task(task)) == "12\n");
    CHECK(harness.connection.lines.size() == 2);
    CHECK(out(harness.task(task)) == "12\n");
    CHECK(harness.connection.lines.size() == 3);  // it is remembered
}

TEST_CASE("SH-001 a temporary directory that cannot be made is an error of its own", "[shell]") {
    ShellHarness harness;
    harness.options["tmpdir"] = "/no/such/place";
    const auto file = harness.local.write("s", "#!/bin/sh\n");
    try {
        harness.script(file);
        FAIL("no error");
    } catch (const TransportError& error) {
        CHECK(error.info().issue_code() == "TMPDIR_ERROR");
        CHECK(error.info().kind() == "puppetlabs.tasks/task_file_error");
        CHECK_THAT(error.what(), Catch::Contains("No such file or directory"));
    }
}

TEST_CASE("SH-002 a script-dir that exists is an error, else it is used", "[shell]") {
    ShellHarness harness;
    harness.options["script-dir"] = "mine";
    const auto file = harness.local.write("s", "#!/bin/sh\necho $0\n");
    CHECK(out(harness.script(file)) == (harness.remote / "mine").string() + "/s\n");
    CHECK(harness.remote.empty());
    std::filesystem::create_directory(harness.remote / "mine");
    CHECK(issue_code_of([&] { harness.script(file); }) == "TMPDIR_ERROR");
    CHECK(std::filesystem::exists(harness.remote / "mine"));  // not ours, not removed
}

TEST_CASE("SH-004 with cleanup off the directory stays and a warning says where", "[shell]") {
    ShellHarness harness;
    harness.options["cleanup"] = false;
    harness.script(harness.local.write("s", "#!/bin/sh\n"));
    CHECK_FALSE(harness.remote.empty());
    CHECK_THAT(harness.warnings,
               Catch::Contains("Skipping cleanup of tmpdir " + harness.remote.path().string()));
}

TEST_CASE("SH-021 exit code 126 explains noexec", "[shell]") {
    ShellHarness harness;
    const Output output = harness.script(harness.local.write("s", "#!/bin/sh\nexit 126\n"));
    CHECK(output.status.code == 126);
    CHECK_THAT(err(output), Catch::Contains("noexec") && Catch::Contains("--tmpdir"));
}

TEST_CASE("SH-024 a process that a task leaves behind is not waited for", "[shell]") {
    ShellHarness harness;
    const Output output = harness.script(harness.local.write("s", "#!/bin/sh\nsleep 300 &\necho $!\n"));
    const long left = std::stol(out(output));
    CHECK(::kill(static_cast<pid_t>(left), SIGKILL) == 0);  // it was still there
    CHECK(testing::gone(left));
}

TEST_CASE("a login shell that runs nothing is an error that shows its words", "[shell]") {
    ShellHarness harness({"/bin/sh", "-c", "echo This account is not available; exit 1", "-"});
    const auto file = harness.local.write("s", "#!/bin/sh\n");
    try {
        harness.script(file);
        FAIL("no error");
    } catch (const TransportError& error) {
        CHECK(error.info().issue_code() == "EXEC_ERROR");
        CHECK_THAT(error.what(),
                   Catch::Contains("This account is not available") && Catch::Contains("exit code 1"));
    }
}

TEST_CASE("a NUL byte in an argument is refused", "[shell]") {
    ShellHarness harness;
    const auto file = harness.local.write("s", "#!/bin/sh\n");
    CHECK(issue_code_of([&] { harness.script(file, {std::string("a\0b", 3)}); }) == "EXEC_ERROR");
}

TEST_CASE("a task file outside of its directory is refused", "[shell]") {
    ShellHarness harness;
    const auto file = harness.local.write("s", "#!/bin/sh\n");
    for (const char* name : {"../s", "/s", "a/../../s", ""}) {
        TaskExecution task = one_file_task(file, std::nullopt);
        task.executable.remote = name;
        CHECK(issue_code_of([&] { harness.task(task); }) == "WRITE_ERROR");
    }
}

TEST_CASE("cancelled, a task is stopped with its children and its directory goes", "[shell]") {
    for (const char* script : {"#!/bin/sh\necho $$ >PIDFILE; sleep 300\n",
                               "#!/bin/sh\ntrap '' TERM HUP INT; echo $$ >PIDFILE; sleep 300; sleep 300\n"}) {
        DYNAMIC_SECTION(script) {
            ShellHarness harness;
            std::string text = script;
            text.replace(text.find("PIDFILE"), 7, (harness.local / "pid").string());
            auto job = harness.shell().run_script(harness.local.write("s", text), {}, {}, {});
            const auto started = [&] { return testing::has_line(harness.local / "pid"); };
            CHECK_THROWS_AS(testing::finish_cancelled_when(harness.runtime.loop(), started, std::move(job)),
                            boost::system::system_error);
            CHECK(harness.remote.empty());
            CHECK(testing::gone(std::stol(read_file(harness.local / "pid", "pid"))));
        }
    }
}

TEST_CASE("TRN-007 TSK-023 what every target with this shell has", "[shell]") {
    ShellHarness harness;
    CHECK(harness.shell().features() == std::vector<std::string>{"shell"});
    CHECK(harness.shell().default_input_method(".ps1") == "both");
}

}  // namespace volley::transports
