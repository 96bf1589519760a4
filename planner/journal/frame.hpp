#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "planner/journal/project_key.hpp"
#include "support/json/json.hpp"

namespace volley::planner {

/// What is wrong with a journal, and in which line of it (from 1).
class JournalDamage : public std::runtime_error {
public:
    JournalDamage(std::size_t line, const std::string& problem) : std::runtime_error(problem), line_(line) {}
    std::size_t line() const noexcept { return line_; }

private:
    std::size_t line_;
};

/// One frame as it stands in a file: a JSON object on one line with its number first and the seal of all
/// bytes before last. `content`: an object.
std::string frame_line(const ProjectKey& key, std::uint64_t number, const Json& content);

struct Frames {
    std::vector<Json> frames;  ///< each an object with "frame", what it is
    std::size_t whole_bytes =
        0;  ///< up to here the file is whole frames; a killed run leaves half a line behind
};
/// The frames of a journal. Throws JournalDamage when one is missing, changed, or of another key, except for
/// a last line without its end.
Frames read_frames(const ProjectKey& key, std::string_view text);

}  // namespace volley::planner
