#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "planner/record/project_key.hpp"
#include "support/json/json.hpp"

namespace volley::planner {

/// What is wrong with a plan log, and in which line of it (from 1).
class PlanLogDamage : public std::runtime_error {
public:
    PlanLogDamage(std::size_t line, const std::string& problem) : std::runtime_error(problem), line_(line) {}
    std::size_t line() const noexcept { return line_; }

private:
    std::size_t line_;
};

/// One frame as it stands in a file: a JSON object on one line with its number first and the signature of
/// all bytes before last. `content`: an object.
std::string plan_log_line(const ProjectKey& key, std::uint64_t number, const Json& content);

struct PlanLogFrames {
    std::vector<Json> frames;     ///< each an object with "frame", what it is
    std::size_t whole_bytes = 0;  ///< up to here the file is whole frames; a killed run leaves half a line
};
/// The frames of a plan log. Throws PlanLogDamage when one is missing, changed, or of another key, except for
/// a last line without its end.
PlanLogFrames read_plan_log(const ProjectKey& key, std::string_view text);

}  // namespace volley::planner
