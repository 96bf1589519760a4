#include "language/loaders/child_program.hpp"

#include "language/errors.hpp"
#include "support/error.hpp"
#include "support/process/child_process.hpp"

namespace volley {
namespace {
constexpr std::size_t most_child_output = 64 * 1024 * 1024;
}  // namespace

LanguageHost::ProgramResult run_child_program(const std::vector<std::string>& argv,
                                              const std::string& directory, std::chrono::milliseconds limit) {
    const auto end = std::chrono::steady_clock::now() + limit;
    LanguageHost::ProgramResult result;
    try {
        ChildProcess child({.argv = argv, .directory = directory, .merge_errors = true});
        child.close_input();
        while (child.read(result.output, end)) {
            if (result.output.size() > most_child_output)
                throw EvalError("", argv.front() + " printed more than 64 MiB");
        }
        result.status = child.wait();
    } catch (const Error& error) {
        if (error.info().kind() == "bolt/process-timeout")
            throw EvalError("", argv.front() + " did not end in time and was killed");
        throw EvalError("", error.what());
    }
    return result;
}

}  // namespace volley
