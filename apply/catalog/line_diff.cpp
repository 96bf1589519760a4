#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

#include "apply/catalog/diff.hpp"

namespace volley {
namespace {

/// The search takes time and memory that grow with the square of this.
constexpr std::ptrdiff_t most_edits = 2000;

/// Lines with their ends, so that a last line without one is another line.
using DiffLines = std::vector<std::string_view>;

struct DiffStep {
    char sign;  // ' ', '-', '+'
    std::string_view line;
};
using DiffSteps = std::vector<DiffStep>;

DiffLines diff_lines(std::string_view text) {
    DiffLines lines;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
        lines.push_back(text.substr(0, end));
        text.remove_prefix(end);
    }
    return lines;
}

void add_steps(DiffSteps& steps, char sign, const DiffLines& lines) {
    for (const std::string_view line : lines) steps.push_back({sign, line});
}

/// Myers' search for the shortest edit script between two lists of lines.
class EditSearch {
public:
    EditSearch(const DiffLines& before, const DiffLines& after)
        : a_(before), b_(after), limit_(std::min(size_of(a_) + size_of(b_), most_edits)) {}

    /// None when there are more edits than is worth searching for.
    std::optional<DiffSteps> steps() {
        for (std::ptrdiff_t edits = 0; edits <= limit_; ++edits) {
            if (extend(edits)) return walk_back(edits);
        }
        return std::nullopt;
    }

private:
    static std::ptrdiff_t size_of(const DiffLines& lines) {
        return static_cast<std::ptrdiff_t>(lines.size());
    }
    std::ptrdiff_t& reach(std::ptrdiff_t diagonal) {
        return reach_[static_cast<std::size_t>(diagonal + limit_ + 1)];
    }
    /// Whether the best way onto the diagonal inserts a line; else it removes one.
    bool inserts(std::ptrdiff_t edits, std::ptrdiff_t diagonal) {
        return diagonal == -edits || (diagonal != edits && reach(diagonal - 1) < reach(diagonal + 1));
    }

    /// One more edit: how far each diagonal can be followed then. True when that is to the end.
    bool extend(std::ptrdiff_t edits) {
        history_.push_back(reach_);
        for (std::ptrdiff_t k = -edits; k <= edits; k += 2) {
            std::ptrdiff_t x = inserts(edits, k) ? reach(k + 1) : reach(k - 1) + 1;
            while (x < size_of(a_) && x - k < size_of(b_) && at(a_, x) == at(b_, x - k)) ++x;
            reach(k) = x;
            if (x >= size_of(a_) && x - k >= size_of(b_)) return true;
        }
        return false;
    }

    DiffSteps walk_back(std::ptrdiff_t edits) {
        DiffSteps steps;
        std::ptrdiff_t x = size_of(a_);
        std::ptrdiff_t y = size_of(b_);
        for (; edits > 0; --edits) {
            reach_ = history_[static_cast<std::size_t>(edits)];
            const std::ptrdiff_t k = x - y;
            const bool insert = inserts(edits, k);
            const std::ptrdiff_t from = reach(insert ? k + 1 : k - 1);
            for (const std::ptrdiff_t kept = insert ? from : from + 1; x > kept; --y)
                steps.push_back({' ', at(a_, --x)});
            if (insert)
                steps.push_back({'+', at(b_, --y)});
            else
                steps.push_back({'-', at(a_, --x)});
        }
        while (x > 0) steps.push_back({' ', at(a_, --x)});
        std::reverse(steps.begin(), steps.end());
        return steps;
    }

    static std::string_view at(const DiffLines& lines, std::ptrdiff_t i) {
        return lines[static_cast<std::size_t>(i)];
    }

    const DiffLines& a_;
    const DiffLines& b_;
    std::ptrdiff_t limit_;
    std::vector<std::ptrdiff_t> reach_ =
        std::vector<std::ptrdiff_t>(static_cast<std::size_t>(2 * limit_ + 3), 0);
    std::vector<std::vector<std::ptrdiff_t>> history_;
};

/// What both texts begin and end with is kept without a search.
DiffSteps steps_between(DiffLines a, DiffLines b) {
    const auto [a_differs, b_differs] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
    const DiffLines head(a.begin(), a_differs);
    a.erase(a.begin(), a_differs);
    b.erase(b.begin(), b_differs);
    const auto [a_end, b_end] = std::mismatch(a.rbegin(), a.rend(), b.rbegin(), b.rend());
    const DiffLines tail(a_end.base(), a.end());
    a.erase(a_end.base(), a.end());
    b.erase(b_end.base(), b.end());
    DiffSteps steps;
    add_steps(steps, ' ', head);
    if (const auto found = EditSearch(a, b).steps()) {
        steps.insert(steps.end(), found->begin(), found->end());
    } else {
        add_steps(steps, '-', a);
        add_steps(steps, '+', b);
    }
    add_steps(steps, ' ', tail);
    return steps;
}

}  // namespace

std::vector<std::string> line_diff(const std::string& before, const std::string& after, std::size_t context) {
    const DiffSteps steps = steps_between(diff_lines(before), diff_lines(after));
    std::vector<bool> shown(steps.size(), false);
    for (std::size_t i = 0; i < steps.size(); ++i) {
        if (steps[i].sign == ' ') continue;
        for (std::size_t j = i > context ? i - context : 0; j < steps.size() && j <= i + context; ++j)
            shown[j] = true;
    }
    std::vector<std::string> result;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        if (!shown[i]) continue;
        if (i > 0 && !shown[i - 1]) result.emplace_back("@@");
        const bool ends = steps[i].line.ends_with('\n');
        result.push_back(steps[i].sign +
                         std::string(steps[i].line.substr(0, steps[i].line.size() - (ends ? 1 : 0))));
        if (!ends) result.emplace_back("\\ no line end");
    }
    return result;
}

}  // namespace volley
