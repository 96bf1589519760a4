#include "transports/powershell_pipe/engine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/cancellation_state.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <exception>
#include <utility>

#include "transports/coroutines/start.hpp"
#include "transports/process/error_line.hpp"
#include "transports/winrm/more_input.hpp"

namespace volley::transports::powershell_pipe {
namespace {

namespace asio = boost::asio;
using winrm::Failure;
using winrm::Guid;
using winrm::Pipeline;
using winrm::PipelineState;
using winrm::PoolState;
using winrm::ProtocolError;

// A message is one fragment: no envelope limits it here.
constexpr std::size_t whole = 64UL * 1024 * 1024;
// Each block of input waits for the acknowledgement of the one before.
constexpr std::size_t input_block = 256UL * 1024;

std::string joined(const std::vector<std::string>& fragments) {
    std::string all;
    for (const std::string& fragment : fragments) all += fragment;
    return all;
}

}  // namespace

/// The engine's input and output. Shared with the coroutine that carries the bytes, which may go on for a
/// moment when the engine has gone.
class Engine::Carrier final : public Input, public OutputSink {
public:
    Carrier(const asio::any_io_executor& executor, Engine& engine)
        : event(executor, asio::steady_timer::time_point::max()),
          engine_(&engine),
          reader_([this](const Packet& packet) { engine_->on_packet(packet); }) {}

    static Task<void> carry(std::shared_ptr<Carrier> self, ByteChannel channel) {
        try {
            auto running = channel(*self, *self);
            self->status_ = co_await std::move(running);
        } catch (...) {
            self->failure_ = std::current_exception();
        }
        self->ended_ = true;
        self->event.cancel();
    }

    void send(std::string_view line) {
        unsent_.erase(0, std::exchange(at_, 0));
        unsent_ += line;
        if (wake_) wake_();
    }
    /// The engine ends when its input does, not without a complaint.
    void end_input() {
        engine_ = nullptr;
        closed_ = true;
        if (wake_) wake_();
    }
    void drop() noexcept {
        engine_ = nullptr;
        try {
            if (!ended_) cancel.emit(asio::cancellation_type::terminal);
        } catch (...) {  // out of memory: it ends with the connection
        }
    }
    bool ended() const noexcept { return ended_; }
    /// Why the engine is not there any more.
    [[noreturn]] void throw_end() const {
        if (failure_) std::rethrow_exception(failure_);
        const std::string errors = errors_.text();
        throw Failure(errors.empty() ? fmt::format("PowerShell ended there with exit code {}", status_.code)
                                     : fmt::format("PowerShell ended there with exit code {}: {}",
                                                   status_.code, errors));
    }

    std::size_t read(std::span<char> buffer) override {
        const std::size_t size = std::min(buffer.size(), unsent_.size() - at_);
        std::copy_n(unsent_.data() + at_, size, buffer.data());
        at_ += size;
        if (at_ == unsent_.size()) {
            at_ = 0;
            std::string().swap(unsent_);
        }
        return size;
    }
    bool finished() const noexcept override { return closed_ && unsent_.empty(); }
    void on_ready(std::function<void()> wake) override { wake_ = std::move(wake); }
    void on_output(Stream stream, std::string_view bytes) override {
        if (stream == Stream::Err) return errors_.add(bytes);
        if (engine_ != nullptr) reader_.feed(bytes);
    }

    asio::steady_timer event;  // something has come
    asio::cancellation_signal cancel;

private:
    Engine* engine_;
    PacketReader reader_;
    ErrorLine errors_;
    std::string unsent_;
    std::size_t at_ = 0;
    std::function<void()> wake_;
    ExitStatus status_;
    std::exception_ptr failure_;
    bool closed_ = false;
    bool ended_ = false;
};

Engine::Engine(const asio::any_io_executor& executor, ByteChannel channel)
    : carrier_(std::make_shared<Carrier>(executor, *this)) {
    auto carrying = Carrier::carry(carrier_, std::move(channel));
    start(
        executor, std::move(carrying), [](const std::exception_ptr&) {}, carrier_->cancel.slot());
}

Engine::~Engine() { carrier_->drop(); }

void Engine::on_packet(const Packet& packet) {
    if (packet.acknowledges) {
        std::uint32_t& owed = owed_.at(static_cast<std::size_t>(packet.kind));
        if (owed == 0) throw ProtocolError("PowerShell acknowledged what was not sent");
        --owed;
    } else {
        pool_.receive(packet.bytes);
    }
    carrier_->event.cancel();
}

void Engine::send(PacketKind kind, const Guid& pipeline) {
    ++owed_.at(static_cast<std::size_t>(kind));
    carrier_->send(packet(kind, pipeline));
}

void Engine::send_data(std::string line) {
    ++owed_.at(static_cast<std::size_t>(PacketKind::Data));
    carrier_->send(line);
}

Task<void> Engine::until(const std::function<bool()>& ready) {
    while (!ready()) {
        if (carrier_->ended()) carrier_->throw_end();
        boost::system::error_code woken;
        co_await carrier_->event.async_wait(asio::redirect_error(asio::use_awaitable, woken));
        const auto state = co_await asio::this_coro::cancellation_state;
        if (state.cancelled() != asio::cancellation_type::none)
            throw boost::system::system_error(asio::error::operation_aborted);
    }
}

Task<void> Engine::until_acknowledged(PacketKind kind) {
    const std::function<bool()> ready = [&] { return owed_.at(static_cast<std::size_t>(kind)) == 0; };
    auto waiting = until(ready);
    co_await std::move(waiting);
}

Task<std::string> Engine::open() {
    send_data(data_packet(Guid(), pool_.open()));
    auto acknowledged = until_acknowledged(PacketKind::Data);
    co_await std::move(acknowledged);
    const std::function<bool()> ready = [&] { return pool_.state() != PoolState::Opening; };
    auto waiting = until(ready);
    co_await std::move(waiting);
    if (pool_.state() != PoolState::Opened)
        throw ProtocolError(pool_.reason().empty()
                                ? "PowerShell did not start there"
                                : fmt::format("PowerShell did not start there: {}", pool_.reason()));
    co_return pool_.version();
}

Task<ExitStatus> Engine::run(const winrm::PipelineSpec& spec, Input& input, OutputSink& sink) {
    handed_over_ = false;
    Pipeline pipeline(pool_, spec, sink);
    last_ = pipeline.id();
    running_ = true;
    send(PacketKind::Command, last_);
    auto announced = until_acknowledged(PacketKind::Command);
    co_await std::move(announced);
    handed_over_ = true;
    send_data(data_packet(last_, joined(pipeline.start(whole))));
    if (spec.takes_input) {
        auto sending = send_input(pipeline, input);
        co_await std::move(sending);
    }
    while (!pipeline.ended()) {
        auto answering = answer_and_wait(pipeline);
        co_await std::move(answering);
    }
    running_ = false;
    send(PacketKind::Close, last_);
    const int without_exit = pipeline.state() == PipelineState::Completed ? 0 : 1;
    ExitStatus status;
    status.code = pipeline.exit_code().value_or(without_exit);
    co_return status;
}

Task<void> Engine::answer_and_wait(Pipeline& pipeline) {
    std::vector<std::string> answers;
    const std::function<bool()> ready = [&] {
        answers = pipeline.take_answers();
        return pipeline.ended() || !answers.empty();
    };
    auto waiting = until(ready);
    co_await std::move(waiting);
    if (!answers.empty() && !pipeline.ended()) send_data(prompt_response_packet(last_, joined(answers)));
}

/// A script that ends without reading it all does not take the rest.
Task<void> Engine::send_input(Pipeline& pipeline, Input& input) {
    const std::function<bool()> taken = [&] {
        return pipeline.ended() || owed_.at(static_cast<std::size_t>(PacketKind::Data)) == 0;
    };
    std::string buffer;
    while (!input.finished() && !pipeline.ended()) {
        buffer.resize(input_block);
        std::size_t filled = 0;
        while (filled < buffer.size()) {
            const std::size_t size = input.read(std::span<char>(buffer).subspan(filled));
            if (size == 0) break;
            filled += size;
        }
        if (filled == 0) {
            if (input.finished()) break;
            auto waiting = winrm::more_input(input);
            co_await std::move(waiting);
            continue;
        }
        buffer.resize(filled);
        auto waiting = until(taken);
        co_await std::move(waiting);
        if (!pipeline.ended()) send_data(data_packet(last_, joined(pipeline.input(buffer, whole))));
    }
    auto waiting = until(taken);
    co_await std::move(waiting);
    if (!pipeline.ended()) send_data(data_packet(last_, pipeline.end_of_input()));
}

Task<void> Engine::settle() {
    const std::function<bool()> ready = [&] {
        return std::all_of(owed_.begin(), owed_.end(), [](std::uint32_t owed) { return owed == 0; });
    };
    auto waiting = until(ready);
    co_await std::move(waiting);
}

Task<void> Engine::end() {
    if (carrier_->ended()) co_return;
    if (running_) {
        send(PacketKind::Signal, last_);
        auto stopped = until_acknowledged(PacketKind::Signal);
        co_await std::move(stopped);
    }
    carrier_->end_input();
    const std::function<bool()> ready = [&] { return carrier_->ended(); };
    auto waiting = until(ready);
    co_await std::move(waiting);
}

}  // namespace volley::transports::powershell_pipe
