#pragma once

#include <ctime>
#include <string>
#include <string_view>
#include <vector>

namespace volley::agent {

/// The lines of a table without those that Puppet writes at its head, and without empty ones at the end.
std::vector<std::string> table_lines(std::string text);
/// Of a file; none when there is no such file.
std::vector<std::string> table_file_lines(const std::string& path);
/// What Puppet writes at the head of tables that it manages, so that both leave the same file.
std::string table_head();
/// "2026-01-02 03:04:05 +0000".
std::string timestamp_text();
std::string timestamp_text(std::time_t moment);
std::string joined_lines(const std::vector<std::string>& lines);

/// Words that blanks or tabs separate.
std::vector<std::string> blank_words(std::string_view line);
inline bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f' || c == '\v';
}

}  // namespace volley::agent
