#pragma once

#include <optional>
#include <string>
#include <vector>

namespace volley::agent {

/// A line of /etc/aliases: an alias, or something else that stays as it is.
struct AliasLine {
    std::string text;  // of what is not an alias
    std::string name, file;
    std::optional<std::vector<std::string>> recipients;

    bool is_entry() const { return !name.empty(); }
    /// As mailalias_core writes it.
    std::string line() const;
};

/// Comments, empty lines and lines without a colon, such as those that go on with the one before them, are no
/// aliases.
AliasLine alias_line(const std::string& line);

}  // namespace volley::agent
