#include "planner/apply/agentless/clean_state.hpp"

#include <nlohmann/json.hpp>
#include <vector>

#include "planner/apply/agentless/agent_program.hpp"
#include "planner/apply/agentless/captured_text.hpp"
#include "support/error.hpp"
#include "support/text.hpp"

namespace volley::planner {
namespace {

/// What stands after `mark` on the lines that begin with it.
std::vector<std::string> marked(const std::string& text, std::string_view mark) {
    std::vector<std::string> found;
    for (const std::string& line : split(text, '\n')) {
        if (line.starts_with(mark)) found.push_back(scrub_utf8(trim(line.substr(mark.size()))));
    }
    return found;
}

}  // namespace

transports::Task<Result> CleanStateProcedure::perform(TargetAccess& access) const {
    const std::string name = access.target().name();
    // Where PowerShell runs there never was one.
    auto asking = access.shell_traits();
    if ((co_await std::move(asking)).powershell)
        co_return Result::of_value(name, std::string(action()), object(),
                                   Json{{"_output", "There was nothing to remove"}});
    transports::NoInput nothing;
    CapturedText answer;
    std::string command = clean_command();
    auto running = access.run_session(std::move(command), nothing, answer);
    const transports::ExitStatus ended = co_await std::move(running);
    if (const auto busy = marked(answer.text, in_use_mark); !busy.empty()) {
        throw Error("bolt/apply-error", "A run of the agent on " + name + " is using " + join(busy, ", ") +
                                            ": try again when it has ended");
    }
    const auto removed = marked(answer.text, removed_mark);
    if (ended.code != 0 || !ended.signal.empty())
        throw Error("bolt/apply-error", "The state of the agent on " + name +
                                            " could not be removed: " + scrub_utf8(trim(answer.text)));
    Json value{
        {"_output", removed.empty() ? "There was nothing to remove" : "Removed " + join(removed, ", ")}};
    co_return Result::of_value(name, std::string(action()), object(), std::move(value));
}

}  // namespace volley::planner
