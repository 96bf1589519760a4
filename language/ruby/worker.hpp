#pragma once

#include <chrono>
#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "language/errors.hpp"
#include "support/child_process.hpp"
#include "support/json.hpp"

namespace volley {

/// What went wrong in Ruby code, as the worker tells it.
struct RubyFault {
    std::string message;
    std::string place;  // "file.rb:12:in `x'"; may be empty
    std::string template_file;
    std::string template_line;
};

/// Ruby code raised an exception.
class RubyError : public EvalError {
public:
    explicit RubyError(RubyFault what) : EvalError("", what.message), fault(std::move(what)) {}
    const RubyFault fault;
};

/// The long-lived Ruby process that runs functions and templates for one thread; a call takes some ten
/// microseconds. Calls may nest: while one runs, its questions may lead to others.
class RubyWorker {
public:
    /// The worker of the calling thread, started when it is first asked for; null without a ruby on PATH.
    static std::shared_ptr<RubyWorker> of_this_thread();

    /// Answers a question that Ruby code asks while a request runs. What it throws passes through the Ruby
    /// code: a LanguageError as an exception that Ruby code may rescue, anything else untouched.
    using Answer = std::function<Json(const Json& question)>;
    /// `what` names the function and its file in the messages of EvalError that a crash or a hang ends in;
    /// the next request then starts a new process. Throws RubyError for exceptions of the Ruby code.
    Json request(const Json& message, const Answer& answer, std::chrono::milliseconds timeout,
                 const std::string& what);

    /// Whose settings the process has; whoever finds another one sends its own.
    const void* settings_of = nullptr;

    explicit RubyWorker(const std::string& ruby);

private:
    void send(const Json& message);
    Json receive(std::chrono::milliseconds timeout, const std::string& what);
    Json answered(const Json& question, const Answer& answer);
    [[noreturn]] void raise(const Json& reply);
    [[noreturn]] void lost(const std::string& what, const std::string& why);

    ChildProcess process_;
    std::string buffer_;
    std::vector<std::exception_ptr> passing_;  // on their way through Ruby code
    int depth_ = 0;
    bool broken_ = false;
};

}  // namespace volley
