#include "transports/process/run.hpp"

#include <errno.h>
#include <unistd.h>

#include <array>
#include <boost/asio/cancellation_state.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/system/system_error.hpp>
#include <exception>
#include <memory>
#include <vector>

#include "transports/coroutines/start.hpp"
#include "transports/wakeup.hpp"

namespace volley::transports {

namespace asio = boost::asio;

namespace {

constexpr std::size_t chunk_size = 64 * 1024;  // the capacity of a pipe
constexpr std::size_t chunks_per_turn = 16;    // so that one chatty process does not starve the others

// One descriptor and whether somebody already waits for it.
class Watched {
public:
    Watched(Process::Stream& stream, Process::Stream::wait_type direction)
        : stream_(stream), direction_(direction) {}
    bool open() const noexcept { return stream_.is_open(); }
    int fd() { return stream_.native_handle(); }
    void close() {
        boost::system::error_code ignored;
        stream_.close(ignored);
    }
    void watch(const std::shared_ptr<Wakeup>& wakeup) {
        if (!open() || *waiting_) return;
        *waiting_ = true;
        stream_.async_wait(direction_, [wakeup, waiting = waiting_](const boost::system::error_code&) {
            *waiting = false;
            wakeup->notify();
        });
    }

private:
    Process::Stream& stream_;
    Process::Stream::wait_type direction_;
    std::shared_ptr<bool> waiting_ = std::make_shared<bool>(false);
};

class Pump {
public:
    Pump(Process& process, Input& input, OutputSink& sink)
        : input_(input),
          sink_(sink),
          in_(process.input(), Process::Stream::wait_write),
          out_(process.output(), Process::Stream::wait_read),
          err_(process.errors(), Process::Stream::wait_read),
          buffer_(chunk_size) {}

    // One turn over everything that is ready. True when there may be more at once.
    bool turn() {
        const bool more_out = receive(out_, Stream::Out, chunks_per_turn);
        const bool more_err = receive(err_, Stream::Err, chunks_per_turn);
        const bool more_in = send();
        return more_out || more_err || more_in;
    }

    // After the end: what is in the pipes already, but not what a process in the background goes on writing.
    void drain() {
        receive(out_, Stream::Out, chunks_per_turn);
        receive(err_, Stream::Err, chunks_per_turn);
    }

    void watch(const std::shared_ptr<Wakeup>& wakeup) {
        out_.watch(wakeup);
        err_.watch(wakeup);
        if (!pending_.empty()) in_.watch(wakeup);
    }

private:
    bool receive(Watched& from, Stream stream, std::size_t chunks) {
        for (std::size_t i = 0; i < chunks && from.open(); ++i) {
            const ssize_t n = ::read(from.fd(), buffer_.data(), buffer_.size());
            if (n < 0 && errno == EINTR) continue;
            if (n < 0 && errno == EAGAIN) return false;
            if (n <= 0) {
                from.close();
                return false;
            }
            sink_.on_output(stream, std::string_view(buffer_.data(), static_cast<std::size_t>(n)));
        }
        return from.open();
    }

    bool send() {
        for (std::size_t i = 0; i < chunks_per_turn && in_.open(); ++i) {
            if (pending_.empty() && !refill()) return false;
            const ssize_t n = ::write(in_.fd(), pending_.data(), pending_.size());
            if (n < 0 && errno == EINTR) continue;
            if (n < 0 && errno == EAGAIN) return false;
            if (n < 0) {  // EPIPE: a command may end, or close its input, without reading all of it (SH-017)
                pending_ = {};
                in_.close();
                return false;
            }
            pending_.remove_prefix(static_cast<std::size_t>(n));
        }
        return in_.open();
    }

    bool refill() {
        outgoing_.resize(chunk_size);
        const std::size_t n = input_.read(outgoing_);
        pending_ = std::string_view(outgoing_.data(), n);
        if (n == 0 && input_.finished()) in_.close();
        return n > 0;
    }

    Input& input_;
    OutputSink& sink_;
    Watched in_;
    Watched out_;
    Watched err_;
    std::vector<char> buffer_;
    std::vector<char> outgoing_;
    std::string_view pending_;
};

Task<void> watch_exit(std::shared_ptr<Process> process, std::shared_ptr<Wakeup> wakeup) {
    try {
        co_await process->wait();
    } catch (const boost::system::system_error&) {
        // The loop is ending; nobody listens.
    }
    wakeup->notify();
}

Task<void> pump_until_exit(std::shared_ptr<Process> process, Input& input, OutputSink& sink,
                           std::shared_ptr<Wakeup> wakeup) {
    Pump pump(*process, input, sink);
    for (;;) {
        wakeup->notified = false;
        const bool ended = process->poll().has_value();
        if (ended) {
            pump.drain();
            co_return;
        }
        if (pump.turn()) wakeup->notified = true;
        pump.watch(wakeup);
        boost::system::error_code ignored;
        if (wakeup->notified) {
            co_await asio::post(wakeup->timer.get_executor(), asio::use_awaitable);
        } else {
            co_await wakeup->timer.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
        }
        const asio::cancellation_state state = co_await asio::this_coro::cancellation_state;
        if (state.cancelled() != asio::cancellation_type::none)
            throw boost::system::system_error(asio::error::operation_aborted);
    }
}

}  // namespace

Task<ExitStatus> run_process(ProcessSettings settings, Input& input, OutputSink& sink,
                             std::chrono::milliseconds grace) {
    auto executor = co_await asio::this_coro::executor;
    auto process = std::make_shared<Process>(executor, settings);
    auto wakeup = std::make_shared<Wakeup>(executor);
    auto watcher = watch_exit(process, wakeup);
    start(executor, std::move(watcher));
    input.on_ready([wakeup] { wakeup->notify(); });

    std::exception_ptr failure;
    try {
        co_await pump_until_exit(process, input, sink, wakeup);
    } catch (...) {
        failure = std::current_exception();
    }
    input.on_ready({});
    if (failure) {
        // A cancelled coroutine may not wait; the end of the process must be waited for all the same.
        co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
        co_await process->stop(grace);
        co_await asio::this_coro::reset_cancellation_state();
        std::rethrow_exception(failure);
    }
    const std::optional<ExitStatus> status = process->poll();
    co_return *status;
}

}  // namespace volley::transports
