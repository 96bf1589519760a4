// On a terminal, which util-linux's script provides.
#include <catch2/catch.hpp>

#include "tests/transports/shell/shell_harness.hpp"
#include "transports/errors.hpp"

namespace volley::transports {

using testing::one_file_task;
using testing::out;
using testing::ShellHarness;

namespace {

struct TtyHarness : ShellHarness {
    TtyHarness() { options["tty"] = true; }
};

bool have_script() { return std::filesystem::exists("/usr/bin/script"); }

}  // namespace

TEST_CASE("SSH-011 a plain command has a terminal, and its input ends", "[shell][tty]") {
    if (!have_script()) return;
    TtyHarness harness;
    const Output output = harness.command("test -t 0 && test -t 1 && echo terminal; cat; exit 3");
    CHECK(out(output) == "terminal\r\n");
    CHECK(output.status.code == 3);
}

TEST_CASE("SH-018 on a terminal a task's input and files of any size arrive whole", "[shell][tty]") {
    if (!have_script()) return;
    for (const std::size_t size : {2UL, 5'000UL, 100'000UL}) {
        DYNAMIC_SECTION(size) {
            TtyHarness harness;
            const auto file = harness.local.write(
                "task", "#!/bin/sh\ntest -t 1 && echo terminal; wc -c; tail -c 5 \"$0\"; exit 7\n#" +
                            std::string(9'000, 'x') + "\x04\x03\r\n end!\n");
            const Output output =
                harness.task(one_file_task(file, std::string(size, 'j'), {{"PT_a", "two\nlines"}}));
            CHECK(out(output) == "terminal\r\n" + std::to_string(size) + "\r\nend!\r\n");
            CHECK(output.status.code == 7);
            CHECK(harness.remote.empty());
        }
    }
}

TEST_CASE("on a terminal several files arrive", "[shell][tty]") {
    if (!have_script()) return;
    TtyHarness harness;
    TaskExecution task;
    task.executable = {harness.local.write("t", "#!/bin/sh\ncat \"${0%/*}\"/x/*\n"), "t"};
    for (int i = 0; i < 12; ++i) {
        const std::string name = "f" + std::to_string(i);
        task.files.push_back({harness.local.write(name, name.substr(1) + ","), "x/" + name});
    }
    CHECK(out(harness.task(task)) == "0,1,10,11,2,3,4,5,6,7,8,9,");
}

TEST_CASE("on a terminal files are transferred byte for byte", "[shell][tty]") {
    if (!have_script()) return;
    TtyHarness harness;
    std::string bytes;
    for (int i = 0; i < 50'000; ++i) bytes.push_back(static_cast<char>(i * 7 % 256));
    harness.upload(harness.local.write("f", bytes), (harness.remote / "f").string());
    CHECK(read_file(harness.remote / "f", "copy") == bytes);
    CHECK(read_file(harness.download((harness.remote / "f").string(), harness.local / "d"), "copy") == bytes);
}

}  // namespace volley::transports
