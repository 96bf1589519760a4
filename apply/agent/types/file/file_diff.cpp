#include "apply/agent/types/file/file_diff.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "apply/catalog/diff.hpp"
#include "support/text.hpp"

namespace volley::agent {
namespace {

constexpr std::size_t diff_context = 3;
constexpr std::size_t whole_file = std::size_t{1} << 30U;

std::string range_text(std::size_t first, std::size_t count) {
    if (count == 1) return std::to_string(first);
    return std::to_string(count == 0 ? first - 1 : first) + "," + std::to_string(count);
}

/// One run of changes with the lines around it.
struct Hunk {
    std::size_t begin = 0, end = 0;
};

bool is_mark(const std::string& line) { return line.starts_with('\\'); }
bool is_change(const std::string& line) { return line.starts_with('-') || line.starts_with('+'); }

}  // namespace

std::string unified_diff(const std::string& path, const std::string& before, const std::string& after) {
    if (before == after) return {};
    const auto is_text = [](const std::string& bytes) {
        return is_utf8(bytes) && bytes.find('\0') == std::string::npos;
    };
    if (!is_text(before) || !is_text(after))
        return "Binary files " + path + " and " + path + " (new) differ\n";
    const std::vector<std::string> lines = line_diff(before, after, whole_file);
    std::vector<Hunk> hunks;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        if (!is_change(lines[i])) continue;
        const std::size_t begin = i > diff_context ? i - diff_context : 0;
        const std::size_t end = std::min(lines.size(), i + diff_context + 1);
        if (!hunks.empty() && begin <= hunks.back().end)
            hunks.back().end = std::max(hunks.back().end, end);
        else
            hunks.push_back({begin, end});
    }
    std::string text = "--- " + path + "\n+++ " + path + " (new)\n";
    std::size_t old_line = 1, new_line = 1, at = 0;
    const auto count = [&](std::size_t from, std::size_t to, char sign) {
        return static_cast<std::size_t>(std::count_if(
            lines.begin() + static_cast<std::ptrdiff_t>(from),
            lines.begin() + static_cast<std::ptrdiff_t>(to),
            [&](const auto& line) { return !is_mark(line) && (line[0] == ' ' || line[0] == sign); }));
    };
    for (Hunk& hunk : hunks) {
        if (hunk.end < lines.size() && is_mark(lines[hunk.end])) ++hunk.end;
        old_line += count(at, hunk.begin, '-');
        new_line += count(at, hunk.begin, '+');
        const std::size_t old_count = count(hunk.begin, hunk.end, '-');
        const std::size_t new_count = count(hunk.begin, hunk.end, '+');
        text += "@@ -" + range_text(old_line, old_count) + " +" + range_text(new_line, new_count) + " @@\n";
        for (std::size_t i = hunk.begin; i < hunk.end; ++i)
            text += (is_mark(lines[i]) ? "\\ No newline at end of file" : lines[i]) + "\n";
        old_line += old_count;
        new_line += new_count;
        at = hunk.end;
    }
    return text;
}

}  // namespace volley::agent
