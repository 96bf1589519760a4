#include "transports/powershell_pipe/pipe_session.hpp"

#include <fmt/format.h>

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <chrono>
#include <optional>
#include <utility>

#include "transports/coroutines/start.hpp"
#include "transports/coroutines/within.hpp"
#include "transports/errors.hpp"
#include "transports/winrm/script_pipelines.hpp"

namespace volley::transports::powershell_pipe {
namespace {

namespace asio = boost::asio;
using std::chrono::seconds;

// PowerShell takes 3 s and more on a loaded machine.
constexpr seconds start_limit{120};
// For what an engine does to stop a pipeline and end; then its channel is cancelled.
constexpr seconds tidy_limit{5};
constexpr seconds close_limit{2};

Task<bool> ended(Engine& engine) {
    auto ending = engine.end();
    co_await std::move(ending);
    co_return true;
}

Task<bool> settled(Engine& engine) {
    auto settling = engine.settle();
    co_await std::move(settling);
    co_return true;
}

}  // namespace

/// What the coroutines that end engines share with the session, which may go before them.
struct PipeSession::Shared {
    explicit Shared(asio::any_io_executor with) : executor(std::move(with)) {}

    static Task<void> end_in_time(std::shared_ptr<Shared> self, std::unique_ptr<Engine> engine) {
        try {
            auto ending = ended(*engine);
            auto waiting = within(self->executor, tidy_limit, std::move(ending));
            static_cast<void>(co_await std::move(waiting));
        } catch (const std::exception&) {  // it ended in another way
        }
        engine.reset();
        if (--self->ending == 0)
            if (const auto waiting = self->all_ended.lock()) waiting->cancel();
    }

    /// For destructors: never throws.
    static void end_later(const std::shared_ptr<Shared>& self, std::unique_ptr<Engine> engine) noexcept {
        if (!engine) return;
        ++self->ending;
        try {
            auto ending = end_in_time(self, std::move(engine));
            start(self->executor, std::move(ending));
        } catch (...) {  // out of memory: it has ended with its owner
            --self->ending;
        }
    }

    asio::any_io_executor executor;
    std::size_t ending = 0;
    std::weak_ptr<asio::steady_timer> all_ended;  // of close(), which waits for the last one
};

/// An engine in use, ended by whatever way its user is left.
struct PipeSession::Lease {
    explicit Lease(std::shared_ptr<Shared> by) : shared(std::move(by)) {}
    ~Lease() { Shared::end_later(shared, std::move(engine)); }
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;

    std::shared_ptr<Shared> shared;
    std::unique_ptr<Engine> engine;
};

PipeSession::PipeSession(asio::any_io_executor executor, ByteChannel channel, std::string label)
    : shared_(std::make_shared<Shared>(std::move(executor))),
      channel_(std::move(channel)),
      label_(std::move(label)) {}

PipeSession::~PipeSession() { Shared::end_later(shared_, std::move(kept_)); }

Task<void> PipeSession::close() {
    closed_ = true;
    Shared::end_later(shared_, std::move(kept_));
    if (shared_->ending == 0) co_return;
    const auto done = std::make_shared<asio::steady_timer>(shared_->executor, close_limit);
    shared_->all_ended = done;
    boost::system::error_code woken;
    co_await done->async_wait(asio::redirect_error(asio::use_awaitable, woken));
}

Task<ExitStatus> PipeSession::run(const PowerShellScript& script, Input& input, OutputSink& sink) {
    const bool is_action = script.use == PowerShellUse::Action;
    struct Count {
        Count(std::size_t& of, bool counts) : count(of), by(counts ? 1 : 0) { count += by; }
        ~Count() { count -= by; }
        std::size_t& count;
        std::size_t by;
    };
    const Count count(actions_, is_action);
    Lease lease(shared_);
    if (is_action) {
        Shared::end_later(shared_, std::move(kept_));
    } else {
        auto taking = take_kept(lease);
        static_cast<void>(co_await std::move(taking));
    }
    if (!lease.engine) {
        auto opening = open(lease);
        co_await std::move(opening);
    }
    const winrm::PipelineSpec spec = winrm::script_pipeline(script, !input.finished());
    auto running = run_in(*lease.engine, spec, input, sink);
    const ExitStatus status = co_await std::move(running);
    if (!is_action && !kept_ && !closed_ && actions_ == 0) kept_ = std::move(lease.engine);
    co_return status;
}

Task<bool> PipeSession::take_kept(Lease& lease) {
    if (!kept_) co_return false;
    lease.engine = std::move(kept_);
    try {
        auto settling = settled(*lease.engine);
        auto waiting = within(shared_->executor, tidy_limit, std::move(settling));
        if (co_await std::move(waiting)) co_return true;
    } catch (const winrm::Failure&) {  // it has ended meanwhile
    } catch (const TransportError&) {
    }
    Shared::end_later(shared_, std::move(lease.engine));
    co_return false;
}

Task<void> PipeSession::open(Lease& lease) {
    std::string reason;
    try {
        lease.engine = std::make_unique<Engine>(shared_->executor, channel_);
        auto opening = lease.engine->open();
        auto waiting = within(shared_->executor, start_limit, std::move(opening));
        std::optional<std::string> version = co_await std::move(waiting);
        if (version) {
            version_ = std::move(*version);
            co_return;
        }
        reason = fmt::format("PowerShell did not start there within {} seconds", start_limit.count());
    } catch (const winrm::Failure& failure) {
        reason = failure.reason();
    } catch (const TransportError& error) {
        reason = error.info().msg();
    } catch (const boost::system::system_error& error) {
        if (error.code() == asio::error::operation_aborted) throw;
        reason = error.code().message();
    }
    throw DidNotStart(reason);
}

Task<ExitStatus> PipeSession::run_in(Engine& engine, const winrm::PipelineSpec& spec, Input& input,
                                     OutputSink& sink) {
    try {
        auto running = engine.run(spec, input, sink);
        co_return co_await std::move(running);
    } catch (const winrm::Failure& failure) {
        throw connect_error(
            engine.handed_over()
                ? fmt::format("The connection to {} failed while a script may have been running: {}", label_,
                              failure.reason())
                : fmt::format("Could not run a script on {}: {}", label_, failure.reason()),
            "EXEC_ERROR");
    }
}

}  // namespace volley::transports::powershell_pipe
