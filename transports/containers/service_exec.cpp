// Commands in a container through its engine's service.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <boost/system/system_error.hpp>
#include <chrono>
#include <nlohmann/json.hpp>

#include "support/json/json_text.hpp"
#include "support/text.hpp"
#include "transports/containers/frames.hpp"
#include "transports/containers/service.hpp"
#include "transports/coroutines/within.hpp"
#include "transports/errors.hpp"
#include "transports/wakeup.hpp"

namespace volley::transports::containers {

namespace {

namespace asio = boost::asio;

constexpr std::size_t piece_size = 64UL * 1024;
/// The stream ends a moment before the service knows how.
constexpr std::chrono::seconds status_deadline{10};
constexpr std::chrono::milliseconds status_pause{10};
/// Those that detach a terminal: a row that no file has by chance, for here nobody types them.
constexpr const char* detach_keys = "ctrl-@,ctrl-],ctrl-^,ctrl-_,ctrl-@,ctrl-],ctrl-^,ctrl-_";

Task<bool> read_output(EngineService::Stream& stream, bool tty, OutputSink& sink, Wakeup& wake) {
    FrameReader frames(tty, sink);
    frames.feed(stream.early);
    std::vector<char> piece(piece_size);
    for (;;) {
        boost::system::error_code failed;
        const std::size_t n = co_await stream.socket.async_read_some(
            asio::buffer(piece), asio::redirect_error(asio::use_awaitable, failed));
        if (failed == asio::error::operation_aborted) throw boost::system::system_error(failed);
        if (failed) co_return true;  // how the command ended, the service says
        frames.feed(std::string_view(piece.data(), n));
        wake.notify();
    }
}

/// Ends only by an exception: what has been sent says nothing about the command.
Task<bool> write_input(EngineService::Stream& stream, Input& input, Wakeup& wake) {
    std::vector<char> piece(piece_size);
    bool open = true;
    for (;;) {
        const std::size_t n = open ? input.read(piece) : 0;
        boost::system::error_code failed;
        if (n > 0) {
            // A command may end, or close its input, without reading all of it (SH-017).
            co_await asio::async_write(stream.socket, asio::buffer(piece.data(), n),
                                       asio::redirect_error(asio::use_awaitable, failed));
            if (failed == asio::error::operation_aborted) throw boost::system::system_error(failed);
            if (failed) open = false;
            continue;
        }
        if (open && input.finished()) {
            open = false;
            stream.socket.shutdown(asio::socket_base::shutdown_send, failed);
        }
        if (!wake.notified || !open)
            co_await wake.timer.async_wait(asio::redirect_error(asio::use_awaitable, failed));
        const auto state = co_await asio::this_coro::cancellation_state;
        if (state.cancelled() != asio::cancellation_type::none)
            throw boost::system::system_error(asio::error::operation_aborted);
        wake.notified = false;
    }
}

class ServiceExec final : public ContainerExec {
public:
    ServiceExec(std::string socket_path, std::string id, std::unique_ptr<ContainerExec> program)
        : service_(std::move(socket_path)), id_(std::move(id)), program_(std::move(program)) {}

    Task<ExitStatus> run(ExecRequest request, Input& input, OutputSink& sink) override {
        if (!std::ranges::all_of(request.words, is_utf8)) {
            auto by_program = program_->run(std::move(request), input, sink);
            co_return co_await std::move(by_program);
        }
        auto starting = start(request);
        const std::string exec = co_await std::move(starting);
        Json settings{{"Detach", false}, {"Tty", request.tty}};
        auto opening = opened("/exec/" + exec + "/start", std::move(settings));
        const std::unique_ptr<EngineService::Stream> stream = co_await std::move(opening);
        auto pumping = pump(*stream, request.tty, input, sink);
        co_await std::move(pumping);
        auto asking = status_of(exec);
        co_return co_await std::move(asking);
    }

    bool alive() const noexcept override { return alive_; }

private:
    /// What was not taken has not begun: the pool may find the container again, and run it there.
    [[noreturn]] void lost(const std::string& why) {
        alive_ = false;
        throw NotStarted(why);
    }

    Task<std::string> start(const ExecRequest& request) {
        Json body{{"AttachStdin", true}, {"AttachStdout", true}, {"AttachStderr", true},
                  {"Tty", request.tty},  {"Cmd", request.words}, {"DetachKeys", detach_keys}};
        if (!request.variable.empty()) body["Env"] = Json::array({request.variable});
        EngineService::Answer answer;
        try {
            auto asking = service_.ask("/containers/" + id_ + "/exec", std::move(body));
            answer = co_await std::move(asking);
        } catch (const ServiceError& error) {
            lost(error.what());
        }
        if (answer.status != 201 || !answer.body->is_object()) lost(answer.message());
        co_return text_in(*answer.body, "Id");
    }

    Task<std::unique_ptr<EngineService::Stream>> opened(std::string target, Json body) {
        std::unique_ptr<EngineService::Stream> stream;
        try {
            auto opening = service_.open_stream(std::move(target), std::move(body));
            stream = co_await std::move(opening);
        } catch (const ServiceError& error) {
            alive_ = false;
            throw connect_error(error.what(), "EXEC_ERROR");
        }
        if (stream->refusal.status != 0) refuse(stream->refusal);
        co_return stream;
    }

    [[noreturn]] void refuse(const EngineService::Answer& answer) {
        // It is gone, or stopped, or paused.
        if (answer.status == 404 || answer.status == 409) lost(answer.message());
        throw connect_error(answer.message(), "EXEC_ERROR");
    }

    static Task<void> pump(EngineService::Stream& stream, bool tty, Input& input, OutputSink& sink) {
        const auto wake = std::make_shared<Wakeup>(co_await asio::this_coro::executor);
        input.on_ready([wake] { wake->notify(); });
        TaskResult<bool> read;
        TaskResult<bool> written;
        auto reading = read_output(stream, tty, sink, *wake);
        auto kept_read = keep_result(std::move(reading), read);
        auto writing = write_input(stream, input, *wake);
        auto kept_written = keep_result(std::move(writing), written);
        auto racing = ends_before(std::move(kept_read), std::move(kept_written));
        const bool read_first = co_await std::move(racing);
        input.on_ready({});
        (read_first ? read : written).take();
    }

    Task<ExitStatus> status_of(std::string exec) {
        asio::steady_timer timer(co_await asio::this_coro::executor);
        const auto end = std::chrono::steady_clock::now() + status_deadline;
        std::string why = "the service does not know how the command ended";
        while (std::chrono::steady_clock::now() < end) {
            EngineService::Answer answer;
            try {
                auto asking = service_.ask("/exec/" + exec + "/json", Json());
                answer = co_await std::move(asking);
            } catch (const ServiceError& error) {
                why = error.what();
                break;
            }
            const bool known = answer.status == 200 && answer.body->is_object();
            if (!known) {
                why = answer.message();
                break;
            }
            const Json code = answer.body->value("ExitCode", Json());
            if (answer.body->value("Running", Json()) == false && code.is_number_integer()) {
                ExitStatus status;
                status.code = code.get<int>();
                co_return status;
            }
            timer.expires_after(status_pause);
            co_await timer.async_wait(asio::use_awaitable);
        }
        alive_ = false;
        throw connect_error("The connection to the container was lost: " + why, "EXEC_ERROR");
    }

    EngineService service_;
    std::string id_;
    std::unique_ptr<ContainerExec> program_;
    bool alive_ = true;
};

}  // namespace

std::unique_ptr<ContainerExec> make_service_exec(std::string socket_path, std::string id,
                                                 std::unique_ptr<ContainerExec> program) {
    return std::make_unique<ServiceExec>(std::move(socket_path), std::move(id), std::move(program));
}

}  // namespace volley::transports::containers
