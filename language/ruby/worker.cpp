#include "language/ruby/worker.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "language/execution_state.hpp"
#include "language/lookup/context.hpp"
#include "language/ruby/program.hpp"
#include "language/ruby/ruby.hpp"
#include "support/error.hpp"
#include "support/json/json_reader.hpp"
#include "support/json/json_text.hpp"

namespace volley {
namespace {

constexpr std::uint32_t longest_message = 512U * 1024 * 1024;
constexpr JsonLimits worker_limits{.depth = wrapped_value_json_limits.depth, .bytes = longest_message};

std::string worker_frame(std::string_view text) {
    const auto size = static_cast<std::uint32_t>(text.size());
    std::string frame;
    frame.reserve(text.size() + 4);
    for (const int shift : {24, 16, 8, 0}) frame += static_cast<char>((size >> shift) & 0xFF);
    frame += text;
    return frame;
}

std::uint32_t worker_frame_size(std::string_view frame) {
    std::uint32_t size = 0;
    for (int i = 0; i < 4; ++i)
        size = (size << 8) | static_cast<unsigned char>(frame[static_cast<std::size_t>(i)]);
    return size;
}

/// A Ruby block has ended what called it (break, throw). Passes through the language to the Ruby code around.
struct RubyBlockLeft {};

std::vector<std::shared_ptr<RubyWorker>>& workers_of_thread() {
    thread_local std::vector<std::shared_ptr<RubyWorker>> workers;
    return workers;
}

}  // namespace

std::shared_ptr<RubyWorker> RubyWorker::current() {
    std::vector<std::shared_ptr<RubyWorker>>& workers = workers_of_thread();
    const RubyWorker* inside = execution_state().inside;
    std::erase_if(workers, [](const auto& worker) { return worker->broken_ && worker->depth_ == 0; });
    const auto own = std::find_if(workers.begin(), workers.end(), [&](const auto& worker) {
        return worker.get() == inside && !worker->broken_;
    });
    if (own != workers.end()) return *own;
    const auto idle = std::find_if(workers.begin(), workers.end(), [](const auto& worker) {
        return worker->depth_ == 0 && !worker->broken_;
    });
    if (idle != workers.end()) return *idle;
    const std::string ruby = find_program("ruby");
    if (ruby.empty()) return nullptr;
    if (workers.size() >= most) {
        throw EvalError("", "Ruby functions that wait for their blocks are under way in " +
                                std::to_string(most) +
                                " places already: start fewer at the same time, for example with the option "
                                "'concurrency' of parallelize");
    }
    return workers.emplace_back(std::make_shared<RubyWorker>(ruby));
}

RubyWorker::RubyWorker(const std::string& ruby)
    // The program is the first thing on the pipe: it is too long for a command line.
    : process_(
          {.argv = {ruby, "--disable=gems,did_you_mean,error_highlight", "-e",
                    "$stdin.binmode; eval($stdin.read($stdin.read(4).unpack1('N')).force_encoding('UTF-8'), "
                    "TOPLEVEL_BINDING, 'volley-worker')"}}) {
    process_.write(worker_frame(ruby_worker_program()));
}

void RubyWorker::send(const Json& message) {
    // A broken pipe shows when the answer is read.
    static_cast<void>(process_.write(worker_frame(compact_json(message))));
}

void RubyWorker::lost(const std::string& what, const std::string& why) {
    broken_ = true;
    throw EvalError("", what + ": " + why);
}

Json RubyWorker::receive(std::chrono::milliseconds timeout, const std::string& what, const Wait& wait) {
    const auto deadline = std::chrono::steady_clock::now() + timeout;
    const auto have = [&](std::size_t bytes) {
        while (buffer_.size() < bytes) {
            bool more = false;
            if (wait) {
                broken_ = true;  // when it throws, nobody will read the answer
                wait(process_.output(), deadline);
                broken_ = false;
            }
            try {
                more = process_.read(buffer_, deadline);
            } catch (const Error&) {
                lost(what, "the Ruby code did not answer within " + std::to_string(timeout.count() / 1000) +
                               " s and was stopped");
            }
            if (!more) lost(what, "the Ruby process ended with status " + std::to_string(process_.wait()));
        }
    };
    have(4);
    const std::uint32_t size = worker_frame_size(buffer_);
    if (size > longest_message) lost(what, "the Ruby code returned more than 512 MiB");
    have(std::size_t{4} + size);
    std::string fault;
    Json message = try_parse_json(std::string_view(buffer_).substr(4, size), fault, worker_limits);
    buffer_.erase(0, std::size_t{4} + size);
    if (message.is_discarded()) lost(what, "the Ruby process returned text that is not valid JSON: " + fault);
    return message;
}

Json RubyWorker::answered(const Json& question, const Answer& answer, const Describe& describe) {
    const auto raised = [this](Json more) {
        passing_.push_back(std::current_exception());
        more["token"] = passing_.size();
        return Json{{"raise", std::move(more)}};
    };
    try {
        return Json{{"ok", answer(question)}};
    } catch (const RubyError& error) {
        Json more{{"error", true}, {"message", error.what()}};
        if (error.fault.worker == this) more["exception"] = error.fault.exception;
        return raised(std::move(more));
    } catch (const LookupError& error) {
        return raised(
            {{"error", true}, {"message", error.what()}, {"class", "Puppet::DataBinding::LookupError"}});
    } catch (const LanguageError& error) {
        return raised({{"error", true}, {"message", error.what()}});
    } catch (const Error& error) {
        Json more{{"error", true}, {"message", error.what()}, {"kind", error.info().kind()}};
        more["details"] = error.info().details();
        more["issue_code"] = error.info().issue_code();
        if (describe) more["value"] = describe(error);
        return raised(std::move(more));
    } catch (const lookup::NoSuchKey&) {
        return raised({{"error", false}, {"throw", "no_such_key"}});
    } catch (...) {
        return raised({{"error", false}});
    }
}

void RubyWorker::raise(const Json& reply) {
    if (reply.contains("throw")) throw lookup::NoSuchKey();
    if (reply.contains("left")) throw RubyBlockLeft();
    const Json& error = reply.contains("error") ? reply["error"] : reply;
    const Json token = error.contains("token") ? error["token"] : reply.value("unwind", Json());
    const bool in_template = error.contains("template");
    if (token.is_number() && !in_template) {
        const auto position = token.get<std::size_t>();
        if (position >= 1 && position <= passing_.size()) std::rethrow_exception(passing_[position - 1]);
    }
    RubyFault fault;
    fault.message = error.value("message", "the Ruby code failed");
    fault.place = error.value("place", "");
    fault.class_name = error.value("class", "");
    fault.is_puppet = error.value("puppet", false);
    fault.exception = error.value("exception", std::uint64_t{0});
    fault.worker = this;
    if (error.contains("kind")) {
        throw Error(error.value("kind", ""), fault.message, error.value("details", Json::object()),
                    error.value("issue_code", ""));
    }
    if (error.value("lookup", false)) throw LookupError(fault.message);
    if (in_template) {
        const Json& place = error["template"];
        fault.template_file = place.size() > 0 && place[0].is_string() ? place[0].get<std::string>() : "";
        fault.template_line = place.size() > 1 && place[1].is_string() ? place[1].get<std::string>() : "";
    }
    throw RubyError(std::move(fault));
}

Json RubyWorker::request(const Json& message, const Answer& answer, std::chrono::milliseconds timeout,
                         const std::string& what, const Wait& wait, const Describe& describe) {
    const NestingGuard guard(200);
    struct Depth {
        RubyWorker& worker;
        RubyWorker* outer;
        explicit Depth(RubyWorker& owner)
            : worker(owner), outer(std::exchange(execution_state().inside, &owner)) {
            ++worker.depth_;
        }
        ~Depth() {
            execution_state().inside = outer;
            if (--worker.depth_ == 0) worker.passing_.clear();
        }
    } const depth(*this);
    send(message);
    while (true) {
        const Json reply = receive(timeout, what, wait);
        if (!reply.contains("cb")) {
            if (reply.contains("ok")) return reply["ok"];
            raise(reply);
        }
        const std::size_t passing = passing_.size();
        const Json said = answered(reply, answer, describe);
        // An inner call has given the process up: nobody there waits for the answer.
        if (broken_ && passing_.size() > passing) std::rethrow_exception(passing_.back());
        if (broken_) lost(what, "the Ruby process was abandoned during a call inside");
        send(said);
    }
}

}  // namespace volley
