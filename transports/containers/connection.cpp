// A target that is a container: its lines as words, and the end of what was cut short.
#include <fmt/format.h>

#include <boost/asio/cancellation_state.hpp>
#include <boost/asio/this_coro.hpp>
#include <chrono>
#include <exception>
#include <nlohmann/json.hpp>

#include "support/log.hpp"
#include "support/text.hpp"
#include "transports/containers/exec.hpp"
#include "transports/containers/service.hpp"
#include "transports/containers/shell_split.hpp"
#include "transports/controller_user.hpp"
#include "transports/coroutines/within.hpp"
#include "transports/errors.hpp"
#include "transports/shell/message_filter.hpp"

namespace volley::transports::containers {

namespace {

namespace asio = boost::asio;

constexpr std::string_view logger = "transports.containers";
/// For ending what a cancelled command left in the container.
constexpr std::chrono::seconds stop_deadline{8};

/// Ends all processes that have the text $1 in their environment: TERM, and KILL after a second. With no
/// other program than the shell, cat, kill and sleep.
constexpr std::string_view stop_program =
    "_f() { _n=; for _p in /proc/[0-9]*; do "
    "case $(cat \"$_p/environ\" 2>/dev/null) in *\"$_v\"*) _n=1; kill -$1 \"${_p#/proc/}\" 2>/dev/null ;; "
    "esac; "
    "done; [ \"$_n\" ]; }; _v=$1; _f TERM || exit 0; "
    "for _i in 1 2 3 4 5; do sleep 0.2 || sleep 1; _f 0 || exit 0; done; _f KILL || :";

/// The input of a command up to the command's end. The engines fail to write what nobody reads any more, and
/// podman then drops the output that is under way: so the shell around the command says on standard error
/// that it has ended, and reads until the input ends, which it then does.
class InputUntilEnd final : public Input, public OutputSink {
public:
    InputUntilEnd(Input& input, OutputSink& sink)
        : input_(input),
          sink_(sink),
          errors_(
              marker_, [this](std::string_view bytes) { sink_.on_output(Stream::Err, bytes); },
              [this](std::string_view) { ended_ = true; }) {}

    std::vector<std::string> around(std::vector<std::string> words) const {
        words.insert(words.begin(), {"sh", "-c",
                                     "_vm=$1; shift; \"$@\"; _v=$?; echo \"$_vm\" >&2; "
                                     "cat >/dev/null 2>&1; exit $_v",
                                     "sh", marker_.begin + marker_.end.substr(0, marker_.end.size() - 1)});
        return words;
    }
    /// After the end, or when it is lost or cancelled: what was held back was the command's own.
    void finish() { errors_.finish(); }

    std::size_t read(std::span<char> buffer) override { return ended_ ? 0 : input_.read(buffer); }
    bool finished() const noexcept override { return ended_ || input_.finished(); }
    void on_ready(std::function<void()> wake) override { input_.on_ready(std::move(wake)); }
    void on_output(Stream stream, std::string_view bytes) override {
        if (stream == Stream::Err) return errors_.feed(bytes);
        sink_.on_output(stream, bytes);
    }

private:
    static Marker line_marker() {
        Marker marker;
        marker.end += '\n';
        return marker;
    }

    Input& input_;
    OutputSink& sink_;
    Marker marker_ = line_marker();
    MessageFilter errors_;
    bool ended_ = false;
};

struct DiscardingSink final : OutputSink {
    void on_output(Stream, std::string_view) override {}
};

class ContainerConnection final : public Connection {
public:
    ContainerConnection(const ContainerEngine& engine, const ContainerPlace& place, std::string shell_command,
                        std::unique_ptr<ContainerExec> exec)
        : engine_(engine),
          target_(place.target),
          user_(place.user),
          shell_command_(std::move(shell_command)),
          exec_(std::move(exec)) {}

    Task<ExitStatus> execute(const Command& command, Input& input, OutputSink& sink) override {
        std::vector<std::string> words = command_arguments(command.line, shell_command_);
        if (command.tty || input.finished()) {
            auto running = run(std::move(words), command.tty, input, sink);
            co_return co_await std::move(running);
        }
        InputUntilEnd until_end(input, sink);
        auto running = run(until_end.around(std::move(words)), false, until_end, until_end);
        ExitStatus status;
        std::exception_ptr failure;
        try {
            status = co_await std::move(running);
        } catch (...) {
            failure = std::current_exception();
        }
        until_end.finish();
        if (failure) std::rethrow_exception(failure);
        co_return status;
    }

    bool alive() const noexcept override { return exec_->alive(); }
    Task<void> close() override { co_return; }
    const std::string& user() const noexcept override { return user_; }

private:
    /// Ends what it leaves in the container when it is cancelled.
    Task<ExitStatus> run(std::vector<std::string> words, bool tty, Input& input, OutputSink& sink) {
        ExecRequest request(std::move(words));
        request.tty = tty;
        std::string mark;
        if (!engine_.variable.empty()) mark = "VOLLEY_EXEC=" + random_uuid();
        request.variable = mark;
        std::exception_ptr failure;
        ExitStatus status;
        try {
            auto running = exec_->run(std::move(request), input, sink);
            status = co_await std::move(running);
        } catch (const TransportError&) {
            throw;  // lost, or never begun
        } catch (...) {
            failure = std::current_exception();
        }
        if (failure) {
            // A cancelled coroutine may not wait, and this has its own deadline.
            co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
            auto stopping = stop(std::move(mark));
            co_await std::move(stopping);
            co_await asio::this_coro::reset_cancellation_state();
            std::rethrow_exception(failure);
        }
        co_return status;
    }

    Task<void> stop(std::string mark) {
        if (mark.empty() || !exec_->alive()) co_return;
        const auto executor = co_await asio::this_coro::executor;
        std::string why;
        try {
            std::vector<std::string> words{"sh", "-c", std::string(stop_program), "sh", std::move(mark)};
            ExecRequest request(std::move(words));
            NoInput nothing;
            DiscardingSink discard;
            auto running = exec_->run(std::move(request), nothing, discard);
            const auto status = co_await within(executor, stop_deadline, std::move(running));
            if (status && status->code == 0) co_return;
            why = status ? fmt::format("exit code {}", status->code) : "no answer in time";
        } catch (const std::exception& error) {
            why = error.what();
        }
        log_warning("fail_cleanup", logger,
                    fmt::format("Could not stop a command in the container of {}: {}", target_, why));
    }

    const ContainerEngine& engine_;
    std::string target_;
    std::string user_;
    std::string shell_command_;
    std::unique_ptr<ContainerExec> exec_;
};

class ContainerTransport final : public Transport {
public:
    explicit ContainerTransport(const ContainerEngine& engine) : engine_(engine) {}

    Task<std::unique_ptr<Connection>> connect(TargetConfig target) override {
        if (engine_.experimental) {
            log_warning_once(
                std::string(engine_.name) + "_experimental", logger,
                "The LXD transport is experimental, and might include breaking changes between minor "
                "versions.");
        }
        if (target.host.empty()) throw no_host_error(target.safe_name);
        ContainerPlace place;
        place.target = target.safe_name;
        place.host = target.host;
        place.remote = option(target, "remote");
        place.service_url = option(target, "service-url");
        // ENV-007, compatibility: run-as compares with the user of this machine, whoever runs in the
        // container.
        place.user = engine_.takes_user && target.user ? *target.user : controller_user();
        auto finding = find(place);
        std::unique_ptr<ContainerExec> exec = co_await std::move(finding);
        co_return std::make_unique<ContainerConnection>(engine_, place, option(target, "shell-command"),
                                                        std::move(exec));
    }

private:
    /// The service where there is one, which costs no process; else the program.
    Task<std::unique_ptr<ContainerExec>> find(ContainerPlace place) {
        const std::string socket =
            engine_.service_socket != nullptr ? engine_.service_socket(place.service_url) : std::string();
        if (!socket.empty()) {
            auto asking = find_with_service(socket, place.host);
            const ServiceContainer found = co_await std::move(asking);
            if (!found.id.empty()) {
                place.id = found.id;
                co_return make_service_exec(socket, found.id, make_program_exec(engine_, place));
            }
            if (found.answered && engine_.service_knows_all) throw not_found(engine_, place);
        }
        auto listing = find_with_program(engine_, place);
        place.id = co_await std::move(listing);
        co_return make_program_exec(engine_, place);
    }

    static std::string option(const TargetConfig& target, const char* name) {
        if (!target.options) return {};
        const Json value = target.options->value(name, Json());
        return value.is_string() ? value.get<std::string>() : std::string();
    }

    const ContainerEngine& engine_;
};

}  // namespace

std::unique_ptr<Transport> make_container_transport(Runtime&, const ContainerEngine& engine) {
    return std::make_unique<ContainerTransport>(engine);
}

}  // namespace volley::transports::containers
