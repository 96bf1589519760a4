#pragma once

#include <chrono>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "support/error.hpp"
#include "support/json/json.hpp"
#include "support/process/child_process.hpp"

namespace volley {

/// A long-lived Ruby process that runs functions and templates; a call takes some ten microseconds. Calls may
/// nest: while one runs, its questions may lead to others. Used by one thread.
class RubyWorker {
public:
    /// The worker for a call that is made now: the one whose code asks for it, else one of this thread that
    /// has nothing to do, else a new one; null without a ruby on PATH. Programs that take turns on a thread
    /// (fibers) may each be in the middle of a call, so one process is not enough for them. Throws EvalError
    /// when `most` have a call under way.
    static std::shared_ptr<RubyWorker> current();
    static constexpr std::size_t most = 40;

    /// Answers a question that Ruby code asks while a request runs. What it throws passes through the Ruby
    /// code: a LanguageError as an exception that Ruby code may rescue, anything else untouched.
    using Answer = std::function<Json(const Json& question)>;
    /// What Ruby code learns of an Error besides its kind, message and details.
    using Describe = std::function<Json(const Error& error)>;
    /// As InputWaiter::wait_for_input.
    using Wait = std::function<void(int descriptor, std::chrono::steady_clock::time_point deadline)>;
    /// `what` names the function and its file in the messages of EvalError that a crash or a hang ends in;
    /// the next request then starts a new process. Throws RubyError for exceptions of the Ruby code.
    Json request(const Json& message, const Answer& answer, std::chrono::milliseconds timeout,
                 const std::string& what, const Wait& wait = {}, const Describe& describe = {});

    /// Whose settings the process has (RubyRunner::serial_); whoever finds another one sends its own.
    std::uint64_t settings_of = 0;

    /// A template of a file as the process has it.
    struct Template {
        std::string text;
        std::optional<std::vector<std::string>> names;  ///< of its variables; nullopt: it may ask for any
    };
    std::unordered_map<std::string, Template> templates;  ///< by path

    explicit RubyWorker(const std::string& ruby);

private:
    void send(const Json& message);
    Json receive(std::chrono::milliseconds timeout, const std::string& what, const Wait& wait);
    Json answered(const Json& question, const Answer& answer, const Describe& describe);
    [[noreturn]] void raise(const Json& reply);
    [[noreturn]] void lost(const std::string& what, const std::string& why);

    ChildProcess process_;
    std::string buffer_;
    std::vector<std::exception_ptr> passing_;  // on their way through Ruby code
    int depth_ = 0;
    bool broken_ = false;
};

}  // namespace volley
