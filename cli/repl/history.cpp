#include "cli/repl/history.hpp"

#include <cstdlib>

#include "support/error.hpp"
#include "support/files.hpp"
#include "support/text.hpp"

namespace volley::cli {
namespace {

constexpr std::size_t most_history_entries = 1000;

std::string history_line(const std::string& entry) {
    std::string line;
    for (const char c : entry) line += c == '\n' ? "\\n" : c == '\\' ? "\\\\" : std::string(1, c);
    return line;
}

std::string history_entry(const std::string& line) {
    std::string entry;
    for (std::size_t i = 0; i < line.size(); ++i) {
        if (line[i] != '\\' || i + 1 == line.size()) {
            entry += line[i];
            continue;
        }
        ++i;
        entry += line[i] == 'n' ? '\n' : line[i];
    }
    return entry;
}

}  // namespace

std::filesystem::path History::default_file() {
    const char* state = std::getenv("XDG_STATE_HOME");
    if (state && *state == '/') return std::filesystem::path(state) / "volley" / "history";
    const std::filesystem::path home = home_directory();
    return home.empty() ? home : home / ".local/state/volley/history";
}

History::History(std::filesystem::path file) : file_(std::move(file)) {
    std::error_code ignored;
    if (file_.empty() || !std::filesystem::exists(file_, ignored)) return;
    try {
        for (const std::string& line : split(read_file(file_, "history"), '\n')) {
            if (!line.empty()) entries_.push_back(history_entry(line));
        }
    } catch (const Error&) {
        file_.clear();  // not ours to read
    }
}

void History::add(const std::string& entry) {
    if (trim(entry).empty() || (!entries_.empty() && entries_.back() == entry)) return;
    entries_.push_back(entry);
    if (entries_.size() > most_history_entries) entries_.erase(entries_.begin());
    if (file_.empty()) return;
    std::string content;
    for (const std::string& one : entries_) content += history_line(one) + "\n";
    try {
        std::error_code ignored;
        std::filesystem::create_directories(file_.parent_path(), ignored);
        write_file_atomically(file_, content, 0600);
    } catch (const Error&) {
        file_.clear();
    }
}

}  // namespace volley::cli
