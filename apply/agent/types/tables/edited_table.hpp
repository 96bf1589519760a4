#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "apply/agent/types/tables/table_text.hpp"

namespace volley::agent {

/// The lines of a table, with the one that a resource is about. Line::line() is how it is written.
template <typename Line>
class EditedTable {
public:
    /// Forgets what was there.
    void clear() {
        lines_.clear();
        own_.reset();
    }
    /// Of several lines that are the resource's the last one counts.
    void add(Line line, bool is_own) {
        lines_.push_back(std::move(line));
        if (is_own) own_ = lines_.size() - 1;
    }
    template <typename Parse, typename IsOwn>
    void read(const std::string& path, const Parse& parse, const IsOwn& is_own) {
        clear();
        for (const std::string& text : table_file_lines(path)) {
            Line line = parse(text);
            const bool own = is_own(line);
            add(std::move(line), own);
        }
    }

    /// Null when there is none; until the table changes.
    Line* own() { return own_ ? &lines_[*own_] : nullptr; }
    const Line* own() const { return own_ ? &lines_[*own_] : nullptr; }
    Line& make_own() {
        add({}, true);
        return lines_.back();
    }
    void remove_own() {
        if (own_) lines_.erase(lines_.begin() + static_cast<std::ptrdiff_t>(*own_));
        own_.reset();
    }
    /// As the file has it, with Puppet's head.
    std::string text() const {
        std::vector<std::string> lines;
        for (const Line& line : lines_) lines.push_back(line.line());
        return table_head() + joined_lines(lines);
    }

private:
    std::vector<Line> lines_;
    std::optional<std::size_t> own_;
};

}  // namespace volley::agent
