#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "cli/terminal/live/live_tree.hpp"

namespace volley::cli {

/// A line of the tree. Of the two the one that it is of, the other is null; both are when it only counts.
struct TreeRow {
    std::string text;
    LiveLeaf of;
};

/// The tree below `root` (null: all of it) in at most `rows` lines of `columns`. What runs and what failed
/// comes first, then what is over. A scope with one line in it is on that line: "branch 3 > command 'x':
/// ...".
std::vector<TreeRow> tree_rows(const LiveTree& tree, const LiveScope* root, std::size_t rows,
                               std::size_t columns);

}  // namespace volley::cli
