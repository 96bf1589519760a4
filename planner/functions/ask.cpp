#include "planner/functions/ask.hpp"

#include "support/error.hpp"

namespace volley::planner {

PromptOptions prompt_options(const PlanCall& call, std::size_t index) {
    PromptOptions options;
    if (!call.has(index)) return options;
    const Hash& given = call.arguments[index].as_hash();
    const Value* sensitive = given.find("sensitive");
    options.sensitive = sensitive && sensitive->truthy();
    const Value* fallback = given.find("default");
    options.has_fallback = fallback != nullptr;
    if (fallback) options.fallback = *fallback;
    return options;
}

Value ask_person(const PlanCall& call, const std::string& question, const PromptOptions& options) {
    Terminal* terminal = call.run.terminal();
    if (terminal == nullptr || !terminal->interactive()) {
        if (options.fallback.truthy()) return options.fallback;
        throw Error("bolt/no-tty-error", "STDIN is not a tty, unable to prompt");
    }
    const bool shows_default = options.has_fallback && !options.sensitive;
    std::string text = question + (shows_default ? " [" + Evaluator::text(options.fallback) + "]: " : ": ");
    std::string answer = call.run.fibers().await(terminal->ask(std::move(text), options.sensitive));
    if (answer.empty() && options.has_fallback) return options.fallback;
    return answer;
}

}  // namespace volley::planner
