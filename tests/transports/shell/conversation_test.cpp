#include "transports/shell/conversation.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

#include "tests/transports/shell/shell_harness.hpp"
#include "transports/errors.hpp"

namespace volley::transports {

using namespace std::chrono_literals;
using testing::Collector;
using testing::finish;
using testing::LoginShell;

TEST_CASE("messages are taken out of a stream however it is cut into pieces", "[shell]") {
    Marker marker;
    const std::string stream = "before[[" + marker.begin + "one two\nlines" + marker.end + "between[" +
                               marker.begin + marker.end + "after" + marker.begin.substr(0, 9);
    for (const std::size_t piece : {1UL, 2UL, 7UL, 40UL, 1000UL}) {
        DYNAMIC_SECTION(piece) {
            std::string bytes;
            std::vector<std::string> messages;
            MessageFilter filter(
                marker, [&](std::string_view text) { bytes += text; },
                [&](std::string_view text) { messages.emplace_back(text); });
            for (std::size_t at = 0; at < stream.size(); at += piece)
                filter.feed(std::string_view(stream).substr(at, piece));
            filter.finish();
            CHECK(bytes == "before[[between[after" + marker.begin.substr(0, 9));
            CHECK(messages == std::vector<std::string>{"one two\nlines", ""});
        }
    }
}

TEST_CASE("a message without an end is data after a megabyte", "[shell]") {
    Marker marker;
    std::size_t bytes = 0;
    MessageFilter filter(
        marker, [&](std::string_view text) { bytes += text.size(); },
        [](std::string_view) { FAIL("no message"); });
    filter.feed(marker.begin);
    const std::string chunk(65'536, 'x');
    for (int i = 0; i < 40; ++i) filter.feed(chunk);
    CHECK(bytes >= 20 * chunk.size());
    filter.finish();
    CHECK(bytes == marker.begin.size() + 40 * chunk.size());
}

TEST_CASE("SH-029 what never gets ready ends at the deadline, with what it said", "[shell]") {
    Runtime runtime;
    const testing::TemporaryFolder folder;
    const auto silent =
        folder.write("silent-sudo", "#!/bin/sh\nprintf 'Verification code: ' >&2\nexec sleep 300\n", 0755);
    Escalation escalation;
    escalation.run_as = "app";
    escalation.login = "me";
    escalation.target = "harness";
    escalation.sudo = silent.string();
    Marker marker;
    Program program(marker);
    Conversation::Settings settings(marker, program.text());
    settings.escalation = &escalation;
    settings.ready_deadline = 4s;  // enough for a busy machine to say something first
    LoginShell shell({"/bin/sh"});
    Conversation conversation(runtime.loop().get_executor(), settings);
    const Command command{conversation.line()};
    auto task = shell.execute(command, conversation, conversation);
    CHECK_THROWS_WITH(finish(runtime.loop(), std::move(task)),
                      Catch::Contains("did not finish within 4 seconds: Verification code:"));
}

TEST_CASE("the line for the login shell has nothing that a shell could read differently", "[shell]") {
    Marker marker;
    Escalation escalation;
    escalation.run_as = "app";
    for (const bool tty : {false, true}) {
        const std::string line = bootstrap_line(marker, &escalation, tty, false);
        CHECK(line.find_first_of("!\\\n`") == std::string::npos);
        CHECK(std::count(line.begin(), line.end(), '\'') == 4);
    }
    CHECK(bootstrap_line(marker, nullptr, false, false) == "exec sh -c 'IFS= read -r _vs && eval \"$_vs\"'");
    CHECK(bootstrap_line(marker, nullptr, false, true) == "IFS= read -r _vs && eval \"$_vs\"");
    CHECK(bootstrap_line(marker, &escalation, false, true) ==
          bootstrap_line(marker, &escalation, false, false));
}

TEST_CASE("an observer sees output while the command runs", "[shell]") {
    // The script goes on when its first line was seen; else it fails after a minute.
    class Watcher final : public OutputSink {
    public:
        explicit Watcher(const testing::TemporaryFolder& place) : place_(place) {}
        void on_output(Stream, std::string_view bytes) override {
            seen += bytes;
            place_.write("seen", "");
        }
        std::string seen;

    private:
        const testing::TemporaryFolder& place_;
    };
    testing::ShellHarness harness;
    Watcher watcher(harness.local);
    RunOptions options;
    options.observer = &watcher;
    const std::string wait = "i=0; until [ -e " + (harness.local / "seen").string() +
                             " ]; do i=$((i + 1)); [ $i -lt 600 ] || exit 97; sleep 0.1; done\n";
    const Output output = harness.script(
        harness.local.write("s", "#!/bin/sh\necho one\n" + wait + "echo two >&2\n"), {}, {}, options);
    CHECK(output.status.code == 0);
    CHECK(watcher.seen == "one\ntwo\n");
    CHECK(output.captured.merged() == "one\ntwo\n");
}

}  // namespace volley::transports
