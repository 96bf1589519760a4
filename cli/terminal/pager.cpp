#include "cli/terminal/pager.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

#include "inventory/project/project.hpp"
#include "support/error.hpp"
#include "support/process/child_process.hpp"
#include "support/text.hpp"

namespace volley::cli {
namespace {

constexpr std::size_t usual_rows = 24;

bool fits_on_screen(std::string_view text) {
    winsize size{};
    const bool known = ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row > 0;
    const std::size_t rows = known ? size.ws_row : usual_rows;
    return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) < rows;
}

/// A command line for the shell; empty: none.
std::string pager_command(const inventory::ProcessContext& process) {
    if (process.environment("TERM").value_or("dumb") == "dumb") return {};
    std::optional<std::string> chosen = process.environment("VOLLEY_PAGER");
    if (!chosen) chosen = process.environment("PAGER");
    if (!chosen) return find_program("less").empty() ? std::string() : "less";
    const std::string command(trim(*chosen));
    return command == "cat" ? std::string() : command;
}

}  // namespace

void show_paged(Console& console, const inventory::ProcessContext& process, std::string_view text) {
    const std::string command =
        console.is_terminal() && !fits_on_screen(text) ? pager_command(process) : std::string();
    if (command.empty()) return console.write(text);
    console.flush();
    // As git sets them: colors pass, a short text ends it, and the screen stays as it is. Those of the user
    // win.
    ::setenv("LESS", "FRX", 0);
    ::setenv("LV", "-c", 0);
    try {
        ChildProcess pager({.argv = {"/bin/sh", "-c", command}, .own_output = true});
        pager.write(text);
        pager.close_input();
        // 126 and 127: the shell could not start it, and nothing was shown.
        const int status = pager.wait();
        if (status == 126 || status == 127) console.write(text);
    } catch (const Error&) {
        console.write(text);
    }
}

}  // namespace volley::cli
