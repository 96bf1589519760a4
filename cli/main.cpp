#include <csignal>
#include <cstdio>
#include <string_view>

#include "cli/program.hpp"

int main(int argc, char** argv) {
    // The one question that scripts ask most often needs nothing else of the program.
    if (argc == 2 && std::string_view(argv[1]) == "--version") {
        std::puts(volley::cli::version());
        return std::fflush(stdout) == 0 ? 0 : 1;
    }

    // A closed pipe is an error to write(), not the end of the program. A handler instead of SIG_IGN, because
    // child processes would inherit that.
    std::signal(SIGPIPE, [](int) {});
    volley::cli::Console console(volley::cli::Console::standard_output());
    return volley::cli::run_program(std::vector<std::string>(argv + 1, argv + argc), console,
                                    volley::inventory::Surroundings::of_process());
}
