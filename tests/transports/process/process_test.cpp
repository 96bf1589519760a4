#include "transports/process/process.hpp"

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <boost/system/system_error.hpp>
#include <catch2/catch.hpp>
#include <stdexcept>
#include <thread>

#include "support/text.hpp"
#include "tests/large_text.hpp"
#include "tests/transports/process/loop.hpp"
#include "tests/transports/shell/shell_harness.hpp"
#include "transports/process/run.hpp"
#include "transports/runtime.hpp"

namespace volley::transports {
namespace {

using namespace std::chrono_literals;
using testing::Collector;
using testing::finish;
using testing::finish_cancelled_when;

struct ProcessFixture {
    Runtime runtime;
    Collector sink;
    NoInput nothing;

    ExitStatus run(ProcessSettings settings, Input& input) {
        auto task = run_process(std::move(settings), input, sink);
        return finish(runtime.loop(), std::move(task));
    }
    ExitStatus run(std::string line) { return run(ProcessSettings::shell(std::move(line)), nothing); }
};

class Throws final : public OutputSink {
public:
    void on_output(Stream, std::string_view) override { throw std::runtime_error("enough"); }
};

class Counter final : public OutputSink {
public:
    void on_output(Stream, std::string_view bytes) override { total += bytes.size(); }
    std::size_t total = 0;
};

bool have_children() { return ::waitpid(-1, nullptr, WNOHANG) >= 0 || errno != ECHILD; }

// For the calling thread and its children from now on, as strict containers do.
bool refuse_pidfd_open() {
    sock_filter steps[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_pidfd_open, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    const sock_fprog program{sizeof steps / sizeof *steps, steps};
    return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0 &&
           ::syscall(SYS_pidfd_open, ::getpid(), 0) < 0;
}

bool alive(pid_t pid) { return ::kill(pid, 0) == 0; }

}  // namespace

TEST_CASE("a process returns both streams and its exit code", "[process]") {
    ProcessFixture fixture;
    const ExitStatus status = fixture.run("printf out; printf err >&2; exit 3");
    CHECK(status.code == 3);
    CHECK(status.signal.empty());
    CHECK(fixture.sink.out() == "out");
    CHECK(fixture.sink.err() == "err");
    CHECK_FALSE(have_children());
}

TEST_CASE("a process ended by a signal has 128 plus its number and the name", "[process]") {
    ProcessFixture fixture;
    const ExitStatus status = fixture.run("kill -KILL $$");
    CHECK(status.code == 137);
    CHECK(status.signal == "KILL");
}

TEST_CASE("SH-028 output is merged in order of arrival", "[process]") {
    // Each part is written when the one before has arrived, as a file of its name shows.
    class Acknowledging final : public OutputSink {
    public:
        explicit Acknowledging(const testing::TemporaryFolder& place) : place_(place) {}
        void on_output(Stream stream, std::string_view bytes) override {
            captured.append(stream, bytes);
            place_.write(std::string(bytes), "");
        }
        CapturedOutput captured;

    private:
        const testing::TemporaryFolder& place_;
    };
    const testing::TemporaryFolder folder;
    Acknowledging sink(folder);
    Runtime runtime;
    NoInput nothing;
    ProcessSettings settings = ProcessSettings::shell(
        "printf 1; until [ -e 1 ]; do sleep 0.01; done; printf 2 >&2; until [ -e 2 ]; do sleep 0.01; done; "
        "printf 3");
    settings.directory = folder.path().string();
    auto task = run_process(std::move(settings), nothing, sink);
    CHECK(finish(runtime.loop(), std::move(task)).code == 0);
    CHECK(sink.captured.merged() == "123");
}

TEST_CASE("SH-030 bytes pass unchanged, NUL and invalid UTF-8 too", "[process]") {
    ProcessFixture fixture;
    std::string bytes;
    for (int i = 0; i < 256; ++i) bytes.push_back(static_cast<char>(i));
    TextInput input(bytes);
    CHECK(fixture.run(ProcessSettings{{"cat"}}, input).code == 0);
    CHECK(fixture.sink.out() == bytes);
}

TEST_CASE("a large input goes through a filter without a deadlock", "[process]") {
    ProcessFixture fixture;
    const std::string big(5'000'000, 'x');
    TextInput input(big);
    CHECK(fixture.run(ProcessSettings{{"cat"}}, input).code == 0);
    CHECK(volley::testing::difference(fixture.sink.out(), big) == "");
}

TEST_CASE("SH-017 a command that does not read its input ends normally", "[process]") {
    ProcessFixture fixture;
    const std::string big(1'000'000, 'x');
    TextInput input(big);
    CHECK(fixture.run(ProcessSettings{{"true"}}, input).code == 0);
}

TEST_CASE("a command may close its output early and go on", "[process]") {
    ProcessFixture fixture;
    CHECK(fixture.run("exec 1>&-; sleep 0.05; printf later >&2; exit 4").code == 4);
    CHECK(fixture.sink.err() == "later");
}

TEST_CASE("SH-024 a process in the background that keeps the pipes is not waited for", "[process]") {
    ProcessFixture fixture;
    CHECK(fixture.run("sleep 300 & echo $!").code == 0);
    const pid_t background = static_cast<pid_t>(std::stol(fixture.sink.out()));
    CHECK(alive(background));
    ::kill(background, SIGKILL);
}

TEST_CASE("a hundred megabytes of output need no more memory than a pipe", "[process]") {
    Runtime runtime;
    Counter counter;
    NoInput nothing;
    auto task = run_process(ProcessSettings::shell("head -c 100000000 /dev/zero"), nothing, counter);
    CHECK(finish(runtime.loop(), std::move(task)).code == 0);
    CHECK(counter.total == 100'000'000);
}

TEST_CASE("a program that does not exist is named", "[process]") {
    ProcessFixture fixture;
    CHECK_THROWS_WITH(fixture.run(ProcessSettings{{"/no/such/program"}}, fixture.nothing),
                      Catch::Contains("/no/such/program") && Catch::Contains("No such file"));
    CHECK_FALSE(have_children());
}

TEST_CASE("what cannot be executed is an error, not an exit code", "[process]") {
    ProcessFixture fixture;
    CHECK_THROWS_WITH(fixture.run(ProcessSettings{{"no-such-program-in-path"}}, fixture.nothing),
                      Catch::Contains("no-such-program-in-path") && Catch::Contains("No such file"));
    CHECK_THROWS_WITH(fixture.run(ProcessSettings{{"/etc/passwd"}}, fixture.nothing),
                      Catch::Contains("Permission denied"));
    ProcessSettings nowhere{{"true"}};
    nowhere.directory = "/no/such/directory";
    CHECK_THROWS_WITH(fixture.run(nowhere, fixture.nothing), Catch::Contains("No such file"));
    CHECK_FALSE(have_children());
}

TEST_CASE("where the kernel refuses pidfd_open, processes are waited for all the same", "[process]") {
    bool refused = false;
    ExitStatus status;
    std::thread confined([&] {
        refused = refuse_pidfd_open();
        if (!refused) return;
        ProcessFixture fixture;
        status = fixture.run("sleep 0.1; exit 7");
    });
    confined.join();
    if (!refused) {
        WARN("seccomp is not to be had here");
        return;
    }
    CHECK(status.code == 7);
    CHECK_FALSE(have_children());
}

TEST_CASE("a program keeps the name it was called by", "[process]") {
    ProcessFixture fixture;
    fixture.run(ProcessSettings{{"cat", "/proc/self/cmdline"}}, fixture.nothing);
    CHECK(fixture.sink.out() == std::string("cat\0/proc/self/cmdline\0", 23));
}

TEST_CASE("environment and directory are the child's own", "[process]") {
    ProcessFixture fixture;
    ProcessSettings settings = ProcessSettings::shell("echo $HOME; echo $ADDED; pwd");
    settings.environment = {{"HOME", "/elsewhere"}, {"ADDED", "a b"}};
    settings.directory = "/";
    fixture.run(std::move(settings), fixture.nothing);
    CHECK(fixture.sink.out() == "/elsewhere\na b\n/\n");
}

TEST_CASE("a child inherits no descriptor of ours and no ignored signal", "[process]") {
    ProcessFixture fixture;
    Process neighbour(fixture.runtime.loop().get_executor(), ProcessSettings{{"sleep", "300"}});
    fixture.run("grep SigIgn /proc/self/status; cd /proc/self/fd && ls -l");
    INFO(fixture.sink.out());
    // Only 32 and 33 may be there: glibc's own, which it hides from every program.
    CHECK(std::stoull(fixture.sink.out().substr(8), nullptr, 16) % (1ULL << 31) == 0);
    for (Process::Stream* stream : {&neighbour.input(), &neighbour.output(), &neighbour.errors()}) {
        char pipe_name[64] = {};
        const std::string link = "/proc/self/fd/" + std::to_string(stream->native_handle());
        REQUIRE(::readlink(link.c_str(), pipe_name, sizeof pipe_name - 1) > 0);
        CHECK(fixture.sink.out().find(pipe_name) == std::string::npos);
    }
}

TEST_CASE("a child has a session and a group of its own", "[process]") {
    ProcessFixture fixture;
    fixture.run("cut -d' ' -f5,6 /proc/$$/stat; echo $$ $$");
    const std::vector<std::string> lines = split(fixture.sink.out(), '\n');
    CHECK(lines.at(0) == lines.at(1));
}

TEST_CASE("cancelled, a process group gets TERM and leaves no zombie", "[process]") {
    ProcessFixture fixture;
    auto task = run_process(ProcessSettings::shell("trap 'echo bye; exit 0' TERM; echo $$; sleep 300 & wait"),
                            fixture.nothing, fixture.sink, 60s);
    const auto started = [&] { return fixture.sink.out().ends_with('\n'); };
    CHECK_THROWS_AS(finish_cancelled_when(fixture.runtime.loop(), started, std::move(task)),
                    boost::system::system_error);
    CHECK(testing::gone(std::stol(fixture.sink.out())));
    CHECK_FALSE(have_children());
}

TEST_CASE("cancelled, a process that ignores TERM gets KILL after the grace", "[process]") {
    ProcessFixture fixture;
    const auto start = std::chrono::steady_clock::now();
    auto task = run_process(ProcessSettings::shell("trap '' TERM; echo $$; sleep 300"), fixture.nothing,
                            fixture.sink, 200ms);
    const auto started = [&] { return fixture.sink.out().ends_with('\n'); };
    CHECK_THROWS_AS(finish_cancelled_when(fixture.runtime.loop(), started, std::move(task)),
                    boost::system::system_error);
    CHECK(std::chrono::steady_clock::now() - start < 120s);  // and not at the end of the sleep
    CHECK(testing::gone(std::stol(fixture.sink.out())));
    CHECK_FALSE(have_children());
}

TEST_CASE("a sink that throws ends the command and its exception comes out", "[process]") {
    Runtime runtime;
    Throws sink;
    NoInput nothing;
    auto task = run_process(ProcessSettings::shell("echo hello; sleep 300"), nothing, sink);
    CHECK_THROWS_WITH(finish(runtime.loop(), std::move(task)), "enough");
    CHECK_FALSE(have_children());
}

TEST_CASE("a process object destroyed early leaves nothing behind", "[process]") {
    Runtime runtime;
    pid_t pid = 0;
    {
        Process process(runtime.loop().get_executor(), ProcessSettings{{"sleep", "300"}});
        pid = process.pid();
        CHECK_FALSE(process.poll());
    }
    CHECK(testing::gone(pid));
    CHECK_FALSE(have_children());
}

TEST_CASE("with a socket, input and output are one descriptor", "[process]") {
    Runtime runtime;
    ProcessSettings settings{{"cat"}};
    settings.channel = ProcessSettings::Channel::Socket;
    settings.error_channel = ProcessSettings::ErrorChannel::Discard;
    Process process(runtime.loop().get_executor(), settings);
    CHECK_FALSE(process.output().is_open());
    CHECK_FALSE(process.errors().is_open());
    process.input().non_blocking(false);
    REQUIRE(::write(process.input().native_handle(), "ping", 4) == 4);
    char answer[4] = {};
    REQUIRE(::read(process.input().native_handle(), answer, 4) == 4);
    CHECK(std::string_view(answer, 4) == "ping");
}

TEST_CASE("five hundred processes, one after the other, leave no descriptor and no zombie", "[process]") {
    ProcessFixture fixture;
    const auto descriptors = [] {
        return std::distance(std::filesystem::directory_iterator("/proc/self/fd"), {});
    };
    fixture.run("true");  // the loop opens its own at first use
    const auto before = descriptors();
    for (int i = 0; i < 500; ++i) REQUIRE(fixture.run(ProcessSettings{{"true"}}, fixture.nothing).code == 0);
    CHECK(descriptors() == before);
    CHECK_FALSE(have_children());
}

TEST_CASE("two hundred processes at once all report", "[process]") {
    Runtime runtime;
    Collector sink;
    NoInput nothing;
    int ended = 0;
    for (int i = 0; i < 200; ++i) {
        auto task = run_process(ProcessSettings::shell("printf x"), nothing, sink);
        boost::asio::co_spawn(runtime.loop(), std::move(task),
                              [&](std::exception_ptr error, const ExitStatus& status) {
                                  if (!error && status.code == 0) ++ended;
                              });
    }
    runtime.loop().run();
    CHECK(ended == 200);
    CHECK(sink.out().size() == 200);
    CHECK_FALSE(have_children());
}

}  // namespace volley::transports
