#pragma once

#include <filesystem>
#include <functional>
#include <set>
#include <string>
#include <string_view>

#include "planner/event.hpp"

namespace volley::cli {

/// --output-dir: a file for each target, named like it, with what it said: the output of commands and
/// scripts, the value of others; the message of a failure without any. Of a plan it has what each step said.
class OutputFolder final : public planner::EventListener {
public:
    /// Makes the folder. Throws Error bolt/file-error. `name_of`: how people call a target.
    OutputFolder(std::filesystem::path folder, std::function<std::string(std::string_view)> name_of);
    void on_event(const planner::Event& event) override;

private:
    std::filesystem::path folder_;
    std::function<std::string(std::string_view)> name_of_;
    std::set<std::filesystem::path> written_;  // in this run; files of earlier ones are replaced
};

}  // namespace volley::cli
