#pragma once

#include "planner/functions/plan_function.hpp"

namespace volley::planner {

/// Options of prompt and prompt::menu (FN-043, FN-044).
struct PromptOptions {
    bool sensitive = false;
    bool has_fallback = false;
    Value fallback;  ///< the option `default`
};
PromptOptions prompt_options(const PlanCall& call, std::size_t index);

/// From a fiber: the answer, or the default when it is empty or nobody can be asked. Throws Error
/// bolt/no-tty-error (ERR-039).
Value ask_person(const PlanCall& call, const std::string& question, const PromptOptions& options);

}  // namespace volley::planner
