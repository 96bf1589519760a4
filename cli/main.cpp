#include <cstdio>
#include <string_view>

#include "cli/program.hpp"
#include "support/error.hpp"
#include "support/process/core_dumps.hpp"
#include "support/process/write_signals.hpp"

int main(int argc, char** argv) {
    // The one question that scripts ask most often needs nothing else of the program.
    if (argc == 2 && std::string_view(argv[1]) == "--version") {
        std::puts(volley::cli::version());
        return std::fflush(stdout) == 0 ? 0 : 1;
    }

    volley::ignore_write_signals();
    volley::forbid_core_dumps();
    volley::cli::Console console(volley::cli::Console::standard_output());
    try {
        return volley::cli::run_program(std::vector<std::string>(argv + 1, argv + argc), console,
                                        volley::inventory::ProcessContext::of_process());
    } catch (const volley::Error& error) {  // of the process itself: its current directory was removed
        console.write_line(error.what());
        return 1;
    }
}
