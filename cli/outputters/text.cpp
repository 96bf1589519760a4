#include "cli/outputters/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>

#include "support/text.hpp"
#include "support/unicode/utf8.hpp"

namespace volley::cli {
namespace {

bool is_space(char c) noexcept { return std::isspace(static_cast<unsigned char>(c)) != 0; }

/// Like Ruby's Float#to_s of a number rounded to two places: "2.0", "0.03".
std::string two_places(double number) {
    std::string text = fmt::format("{:.2f}", number);
    if (text.ends_with('0')) text.pop_back();
    return text;
}

void wrap_line(std::string_view line, std::size_t width, std::string& out) {
    std::size_t used = 0;
    std::size_t at = 0;
    while (at < line.size()) {
        std::size_t end = at;
        while (end < line.size() && is_space(line[end])) ++end;
        const std::string_view spaces = line.substr(at, end - at);
        std::size_t stop = end;
        while (stop < line.size() && !is_space(line[stop])) ++stop;
        const std::string_view word = line.substr(end, stop - end);
        const std::size_t length = character_count(word);
        if (word.empty()) break;  // spaces at the end
        if (used != 0 && used + spaces.size() + length > width) {
            out += '\n';
            used = 0;
        } else {
            out += spaces;  // also leading ones: an indented line stays indented
            used += spaces.size();
        }
        out += word;
        used += length;
        at = stop;
    }
    out += '\n';
}

}  // namespace

std::string indent(std::size_t spaces, std::string_view text) {
    const std::string margin(spaces, ' ');
    std::string out;
    while (true) {
        const std::size_t end = text.find('\n');
        out += margin;
        if (end == std::string_view::npos) return out += text;
        out += text.substr(0, end + 1);
        text.remove_prefix(end + 1);
        if (text.empty()) return out;
    }
}

std::string wrap(std::string_view text, std::size_t width) {
    std::string out;
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        wrap_line(text.substr(0, end), width, out);
        if (end == std::string_view::npos) break;
        text.remove_prefix(end + 1);
    }
    return out;
}

std::string truncate(std::string_view text, std::size_t width) {
    if (character_count(text) <= width) return std::string(text);
    std::string_view line = first_characters(text.substr(0, text.find('\n')), width);
    const std::size_t space = line.find_last_of(" \t");
    if (space != std::string_view::npos) line = line.substr(0, space);
    return std::string(line) + "...";
}

std::string table(const std::vector<std::pair<std::string, std::string>>& rows, std::size_t left,
                  std::size_t gap) {
    std::size_t widest = 0;
    for (const auto& [first, second] : rows) widest = std::max(widest, character_count(first));
    std::string out;
    for (const auto& [first, second] : rows) {
        out.append(left, ' ');
        out += first;
        if (!second.empty()) {
            out.append(widest - character_count(first) + gap, ' ');
            bool continued = false;
            for (const std::string& line : split(second, '\n')) {
                if (continued) out += '\n';
                if (continued && !line.empty()) out.append(left + widest + gap, ' ');
                out += line;
                continued = true;
            }
        }
        out += '\n';
    }
    return out;
}

std::string duration_text(std::chrono::nanoseconds duration) {
    const double total = std::chrono::duration<double>(duration).count();
    const auto hours = static_cast<long>(total / 3600);
    const auto minutes = static_cast<long>(std::fmod(total, 3600) / 60);
    const double seconds = std::fmod(total, 60);
    if (hours > 0) return fmt::format("{} hr, {} min, {} sec", hours, minutes, std::lround(seconds));
    if (minutes > 0) return fmt::format("{} min, {} sec", minutes, std::lround(seconds));
    return two_places(seconds) + " sec";
}

std::string target_count(std::size_t count) {
    return fmt::format("{} target{}", count, count == 1 ? "" : "s");
}

std::string without_repeated_places(std::string text) {
    constexpr std::string_view begin = "(file: ";
    for (std::size_t first = text.find(begin); first != std::string::npos;) {
        const std::size_t end = text.find(')', first);
        if (end == std::string::npos) break;
        const std::size_t second = end + 2;
        const bool neighbours = text.compare(end, 2 + begin.size(), ") " + std::string(begin)) == 0;
        const std::size_t last = neighbours ? text.find(')', second) : std::string::npos;
        if (last == std::string::npos) {
            first = text.find(begin, end);
            continue;
        }
        const std::string one = text.substr(first, end - first);
        const std::string other = text.substr(second, last - second);
        if (other == one || other.starts_with(one + ", column: ")) {
            text.erase(first, second - first);
        } else if (one.starts_with(other + ", column: ")) {
            text.erase(end + 1, last - end);
        } else {
            first = second;
        }
    }
    return text;
}

bool is_blank(std::string_view text) noexcept {
    return std::all_of(text.begin(), text.end(), [](char c) { return c == '\0' || is_space(c); });
}

std::string_view without_trail(std::string_view text) noexcept {
    if (!text.empty() && is_space(text.back())) text.remove_suffix(1);
    return text;
}

}  // namespace volley::cli
