#include <sys/stat.h>

#include <csignal>
#include <cstdio>
#include <exception>

#include "apply/agent/program.hpp"

int main(int argc, char** argv) {
    std::signal(SIGPIPE, SIG_IGN);
    ::umask(022);
    try {
        return volley::agent::run_program({argv + 1, argv + argc});
    } catch (const std::exception& error) {
        std::fprintf(stderr, "volley-agent: %s\n", error.what());
        return 1;
    }
}
