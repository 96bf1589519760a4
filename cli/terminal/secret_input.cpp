#include "cli/terminal/secret_input.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "support/error.hpp"
#include "support/files.hpp"
#include "support/standard_input.hpp"

namespace volley::cli {
namespace {

/// `echo secret | ...` means the word. A file of several lines, such as a key, needs its last line end.
std::string without_only_line_end(std::string text) {
    if (std::ranges::count(text, '\n') != 1 || !text.ends_with('\n')) return text;
    text.pop_back();
    if (text.ends_with('\r')) text.pop_back();
    return text;
}

}  // namespace

std::string secret_input(Session& session, const CommandLine& line, const char* what) {
    const inventory::ProcessContext& process = session.process();
    std::string text;
    if (!line.object) {
        const bool can_ask = process.standard_input_is_terminal && process.ask_secret;
        if (!can_ask) throw Error("bolt/cli-error", std::string("Must specify a value to ") + what);
        text = process.ask_secret(std::string("Value to ") + what + ": ");
    } else if (*line.object == "-") {
        text = without_only_line_end(read_standard_input());
    } else if (line.object->starts_with('@')) {
        const auto path = expand_path(line.object->substr(1), process.working_directory);
        text = without_only_line_end(read_file(path, "file with the secret"));
    } else {
        text = *line.object;
    }
    if (text.empty())
        throw Error("bolt/cli-error", std::string("There is nothing to ") + what + ": the value is empty");
    return text;
}

void print_secret(Session& session, const Json& answer) {
    if (answer.is_null()) return session.out().print_message("");
    session.out().print_message(answer.is_string() ? answer.get<std::string>() : answer.dump(2));
}

}  // namespace volley::cli
