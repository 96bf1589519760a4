#include <signal.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <string>

#include "support/files.hpp"
#include "support/process/child_process.hpp"
#include "support/text.hpp"

using namespace volley;

namespace {

/// Ignores a signal while it lives.
class Ignored {
public:
    explicit Ignored(int number) : number_(number), before_(::signal(number, SIG_IGN)) {}
    ~Ignored() { ::signal(number_, before_); }
    Ignored(const Ignored&) = delete;
    Ignored& operator=(const Ignored&) = delete;

private:
    int number_;
    sighandler_t before_;
};

std::string output_of(ChildProcess::Options options) {
    ChildProcess child(options);
    child.close_input();
    std::string text;
    while (child.read(text)) {
    }
    CHECK(child.wait() == 0);
    return text;
}

}  // namespace

TEST_CASE("a program ignores what the caller was started to ignore, but not broken pipes", "[process]") {
    const Ignored hangup(SIGHUP);
    const Ignored pipe(SIGPIPE);
    const std::string text = output_of({.argv = {"sed", "-n", "s/^SigIgn:\t//p", "/proc/self/status"}});
    const unsigned long long ignored = std::stoull(text, nullptr, 16);
    CHECK((ignored >> (SIGHUP - 1) & 1) == 1);
    CHECK((ignored >> (SIGPIPE - 1) & 1) == 0);
}

TEST_CASE("a program begins in the folder that is named, and what cannot be run is an error with the reason",
          "[process]") {
    CHECK(trim(output_of({.argv = {"pwd"}, .directory = "/usr"})) == "/usr");
    CHECK_THROWS_WITH(ChildProcess({.argv = {"no-such-program-in-path"}}),
                      "Could not run no-such-program-in-path: No such file or directory");
    CHECK_THROWS_WITH(ChildProcess({.argv = {"/etc/passwd"}}),
                      "Could not run /etc/passwd: Permission denied");
    CHECK_THROWS_WITH(ChildProcess({.argv = {"pwd"}, .directory = "/no/such"}),
                      "Could not run pwd: No such file or directory");
    CHECK(find_program("/usr").empty());
}
