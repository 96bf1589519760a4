#include <algorithm>

#include "apply/catalog/diff.hpp"
#include "support/text.hpp"

namespace volley {
namespace {

constexpr std::ptrdiff_t most_edits = 2000;

using DiffLines = std::vector<std::string>;

struct DiffStep {
    char sign;  // ' ', '-', '+'
    std::string_view line;
};

DiffLines diff_lines(const std::string& text) {
    DiffLines lines = split(text, '\n');
    if (!lines.empty() && lines.back().empty()) lines.pop_back();
    return lines;
}

std::vector<DiffStep> replaced(const DiffLines& a, const DiffLines& b) {
    std::vector<DiffStep> steps;
    for (const std::string& line : a) steps.push_back({'-', line});
    for (const std::string& line : b) steps.push_back({'+', line});
    return steps;
}

/// The shortest edit script (Myers): for each number of edits, how far each diagonal can be followed.
std::vector<DiffStep> shortest_edits(const DiffLines& a, const DiffLines& b) {
    const auto n = static_cast<std::ptrdiff_t>(a.size());
    const auto m = static_cast<std::ptrdiff_t>(b.size());
    const std::ptrdiff_t limit = std::min(n + m, most_edits);
    const std::ptrdiff_t offset = limit + 1;
    std::vector<std::ptrdiff_t> reach(static_cast<std::size_t>(2 * limit + 3), 0);
    std::vector<std::vector<std::ptrdiff_t>> history;
    const auto at = [&](const std::vector<std::ptrdiff_t>& row, std::ptrdiff_t k) {
        return row[static_cast<std::size_t>(k + offset)];
    };
    std::ptrdiff_t edits = 0;
    for (bool found = false; !found; ++edits) {
        if (edits > limit) return replaced(a, b);
        history.push_back(reach);
        for (std::ptrdiff_t k = -edits; k <= edits && !found; k += 2) {
            const bool down = k == -edits || (k != edits && at(reach, k - 1) < at(reach, k + 1));
            std::ptrdiff_t x = down ? at(reach, k + 1) : at(reach, k - 1) + 1;
            while (x < n && x - k < m && a[static_cast<std::size_t>(x)] == b[static_cast<std::size_t>(x - k)]) ++x;
            reach[static_cast<std::size_t>(k + offset)] = x;
            found = x >= n && x - k >= m;
        }
        if (found) break;
    }
    std::vector<DiffStep> steps;
    std::ptrdiff_t x = n;
    std::ptrdiff_t y = m;
    for (std::ptrdiff_t d = edits; d >= 0; --d) {
        const std::vector<std::ptrdiff_t>& row = history[static_cast<std::size_t>(d)];
        const std::ptrdiff_t k = x - y;
        const bool down = k == -d || (k != d && at(row, k - 1) < at(row, k + 1));
        const std::ptrdiff_t from = down ? k + 1 : k - 1;
        const std::ptrdiff_t from_x = d == 0 ? 0 : at(row, from);
        const std::ptrdiff_t from_y = d == 0 ? 0 : from_x - from;
        while (x > from_x && y > from_y && x > 0 && y > 0) {
            --x;
            --y;
            steps.push_back({' ', a[static_cast<std::size_t>(x)]});
        }
        if (d == 0) break;
        if (down)
            steps.push_back({'+', b[static_cast<std::size_t>(--y)]});
        else
            steps.push_back({'-', a[static_cast<std::size_t>(--x)]});
    }
    std::reverse(steps.begin(), steps.end());
    return steps;
}

}  // namespace

std::vector<std::string> line_diff(const std::string& before, const std::string& after, std::size_t context) {
    const DiffLines a = diff_lines(before);
    const DiffLines b = diff_lines(after);
    const std::vector<DiffStep> steps = shortest_edits(a, b);
    std::vector<bool> shown(steps.size(), false);
    for (std::size_t i = 0; i < steps.size(); ++i) {
        if (steps[i].sign == ' ') continue;
        for (std::size_t j = i > context ? i - context : 0; j < steps.size() && j <= i + context; ++j) shown[j] = true;
    }
    std::vector<std::string> result;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        if (!shown[i]) continue;
        if (i > 0 && !shown[i - 1]) result.emplace_back("@@");
        result.push_back(steps[i].sign + std::string(steps[i].line));
    }
    return result;
}

}  // namespace volley
