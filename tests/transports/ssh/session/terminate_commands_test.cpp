#include "transports/ssh/session/terminate_commands.hpp"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <string>

// The other half, that it does end what a cancelled command left behind, is in session_test.cpp.
TEST_CASE("SSH what terminates cancelled commands touches nothing unless its parent is an SSH server",
          "[ssh]") {
    const pid_t bystander = ::fork();
    if (bystander == 0) {
        ::setpgid(0, 0);
        ::execlp("sleep", "sleep", "30", nullptr);
        ::_exit(127);
    }
    ::setpgid(bystander, bystander);
    const pid_t terminator = ::fork();
    if (terminator == 0) {
        const std::string line(volley::transports::ssh::terminate_commands_line);
        ::execl("/bin/sh", "sh", "-c", line.c_str(), nullptr);
        ::_exit(127);
    }
    int status = -1;
    ::waitpid(terminator, &status, 0);
    CHECK(status == 0);
    CHECK(::waitpid(bystander, &status, WNOHANG) == 0);  // still running
    ::kill(bystander, SIGKILL);
    ::waitpid(bystander, &status, 0);
}
