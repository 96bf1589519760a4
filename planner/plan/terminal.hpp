#pragma once

#include <string>

#include "transports/task.hpp"

namespace volley::planner {

/// How a plan asks a person (FN-043). Given by the program.
class Terminal {
public:
    virtual ~Terminal() = default;
    /// False when standard input is not a terminal: nobody can be asked.
    virtual bool interactive() const = 0;
    /// Shows `question` and reads one line, without its end; not shown while typed when `hidden`. Other
    /// output waits meanwhile.
    virtual transports::Task<std::string> ask(std::string question, bool hidden) = 0;
};

}  // namespace volley::planner
