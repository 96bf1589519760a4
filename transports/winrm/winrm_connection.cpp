#include "transports/winrm/winrm_connection.hpp"

#include <fmt/format.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <vector>

#include "transports/winrm/remote_shell.hpp"
#include "transports/within.hpp"

namespace volley::transports::winrm {
namespace {

namespace asio = boost::asio;
using std::chrono::seconds;
using Clock = std::chrono::steady_clock;

// A Receive is answered at least this often, so that a lost server is noticed.
constexpr seconds receive_timeout{20};
// http.sys closes what has been idle for 120 s.
constexpr seconds idle_limit{60};
// For what is tidied up after a command that was cancelled, and when the connection is closed.
constexpr seconds tidy_limit{5};
constexpr seconds close_limit{2};
// PowerShell with a profile takes 3 s and more on a loaded machine.
constexpr seconds shell_limit{120};
constexpr int attempts_for_a_shell = 3;
// Windows takes some 4 KB for each; a plan seldom has more at once on one target.
constexpr std::size_t most_idle_channels = 2;

/// Bolt's way to run a script: what fails in it is an error record with its position, its output is text. Its
/// exit code is that of the last native program when the last statement failed (PS-010).
PipelineSpec action_spec(const PowerShellScript& script) {
    PipelineSpec spec;
    PipelineCommand invoke{.text = "Invoke-Expression", .is_script = false, .parameters = {}};
    invoke.parameters.push_back(
        {"Command",
         script.text + "\r\nif (!$?) { if ($LASTEXITCODE) { exit $LASTEXITCODE } else { exit 1 } }"});
    PipelineCommand format{.text = "Out-String", .is_script = false, .parameters = {}};
    format.parameters.push_back({"Stream", std::nullopt});
    spec.commands = {std::move(invoke), std::move(format)};
    return spec;
}

PipelineSpec housekeeping_spec(const PowerShellScript& script, bool takes_input) {
    PipelineSpec spec;
    PipelineCommand command{.text = script.text, .is_script = true, .parameters = {}};
    for (const std::string& argument : script.arguments) command.parameters.push_back({"", argument});
    spec.commands.push_back(std::move(command));
    spec.takes_input = takes_input;
    spec.output = PipelineOutput::Bytes;
    return spec;
}

/// What the coroutines that tidy up share with the connection, which may go before them.
struct Shared {
    Shared(std::shared_ptr<Network> with, std::shared_ptr<const Settings> as)
        : network(std::move(with)), settings(std::move(as)), envelopes(settings->url, receive_timeout) {}

    struct Idle {
        std::unique_ptr<Channel> channel;
        Clock::time_point since;
    };

    /// A channel on which nothing is under way: one that was used before, or a new one.
    Task<std::unique_ptr<Channel>> channel() {
        while (!idle.empty()) {
            Idle last = std::move(idle.back());
            idle.pop_back();
            if (last.channel->usable() && Clock::now() - last.since < idle_limit)
                co_return std::move(last.channel);
        }
        auto opening = Channel::open(network, settings);
        auto waiting = within(network->runtime.loop().get_executor(), settings->connect_timeout, std::move(opening));
        std::optional<std::unique_ptr<Channel>> opened = co_await std::move(waiting);
        if (!opened) throw timed_out();
        co_return std::move(*opened);
    }
    void give_back(std::unique_ptr<Channel> channel_) {
        if (!channel_ || !channel_->usable() || idle.size() >= most_idle_channels) return;
        idle.push_back({std::move(channel_), Clock::now()});
    }
    TransportError timed_out() const {
        return connect_error(fmt::format(
            "Timeout after {} seconds connecting to {}{}", settings->connect_timeout.count(), settings->url,
            settings->tls ? "\nVerify that required WinRM ports are open, or use --no-ssl if this host isn't "
                            "configured to use SSL for WinRM."
                          : ""));
    }

    std::shared_ptr<Network> network;
    std::shared_ptr<const Settings> settings;
    EnvelopeWriter envelopes;
    std::vector<Idle> idle;
    std::size_t tidying = 0;
    std::weak_ptr<asio::steady_timer> tidied;  // of close(), which waits for the last one
};

enum class Leave { Ended, Running };

/// Ends a shell, best effort. Over a new channel when there is none.
Task<bool> tidy_up(std::shared_ptr<Shared> shared, std::unique_ptr<RemoteShell> shell,
                   std::unique_ptr<Channel> channel, Leave how) {
    if (!channel || !channel->usable()) {
        auto opening = shared->channel();
        channel = co_await std::move(opening);
    }
    if (how == Leave::Running) {
        auto removing = shell->stop_and_remove(*channel);
        co_await std::move(removing);
    } else {
        auto removing = shell->remove(*channel);
        co_await std::move(removing);
    }
    shared->give_back(std::move(channel));
    co_return true;
}

Task<void> tidy_up_in_time(std::shared_ptr<Shared> shared, std::unique_ptr<RemoteShell> shell,
                           std::unique_ptr<Channel> channel, Leave how) {
    try {
        auto tidying = tidy_up(shared, std::move(shell), std::move(channel), how);
        auto waiting = within(shared->network->runtime.loop().get_executor(), tidy_limit, std::move(tidying));
        static_cast<void>(co_await std::move(waiting));
    } catch (const std::exception&) {  // the server ends what nobody uses, after its idle time
    }
    --shared->tidying;
    if (shared->tidying == 0)
        if (const auto waiting = shared->tidied.lock()) waiting->cancel();
}

/// For destructors: never throws.
void tidy_up_later(const std::shared_ptr<Shared>& shared, std::unique_ptr<RemoteShell> shell,
                   std::unique_ptr<Channel> channel, Leave how) noexcept {
    if (!shell) return;
    ++shared->tidying;
    try {
        auto tidying = tidy_up_in_time(shared, std::move(shell), std::move(channel), how);
        asio::co_spawn(shared->network->runtime.loop(), std::move(tidying), asio::detached);
    } catch (...) {  // out of memory: the server ends what nobody uses, after its idle time
        --shared->tidying;
    }
}

/// A shell in use, ended by whatever way its user is left.
struct Lease {
    Lease(std::shared_ptr<Shared> by) : shared(std::move(by)) {}
    ~Lease() { tidy_up_later(shared, std::move(shell), std::move(channel), how); }
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;

    std::shared_ptr<Shared> shared;
    std::unique_ptr<Channel> channel;
    std::unique_ptr<RemoteShell> shell;
    Leave how = Leave::Running;
};

Task<void> pause_for(asio::io_context& loop, seconds time) {
    asio::steady_timer timer(loop, time);
    co_await timer.async_wait(asio::use_awaitable);
}

class WinrmConnection final : public Connection, private PowerShellSession {
public:
    explicit WinrmConnection(std::shared_ptr<Shared> shared)
        : shared_(std::move(shared)), turn_(shared_->network->runtime.loop(), Clock::time_point::max()) {}
    ~WinrmConnection() override { tidy_up_later(shared_, std::move(kept_), nullptr, Leave::Ended); }

    Task<ExitStatus> execute(const Command& command, Input& input, OutputSink& sink) override {
        const PowerShellScript script(PowerShellUse::Action, command.line);
        auto running = run(script, input, sink);
        co_return co_await std::move(running);
    }
    PowerShellSession* powershell() noexcept override { return this; }
    bool alive() const noexcept override { return alive_; }
    const std::string& user() const noexcept override { return shared_->settings->user; }

    Task<void> close() override {
        alive_ = false;
        tidy_up_later(shared_, std::move(kept_), nullptr, Leave::Ended);
        if (shared_->tidying == 0) co_return;
        const auto done = std::make_shared<asio::steady_timer>(shared_->network->runtime.loop(), close_limit);
        shared_->tidied = done;
        boost::system::error_code woken;
        co_await done->async_wait(asio::redirect_error(asio::use_awaitable, woken));
    }

    Task<ExitStatus> run(const PowerShellScript& script, Input& input, OutputSink& sink) override {
        std::string why;
        bool not_started = false;
        try {
            auto running = script.use == PowerShellUse::Action ? run_action(script, input, sink)
                                                               : run_housekeeping(script, input, sink);
            co_return co_await std::move(running);
        } catch (const NotYetStarted& error) {
            not_started = true;
            why = error.what();
        } catch (const WsmanFault& fault) {
            why = describe(fault);
        } catch (const HttpRefusal& refusal) {
            why = refusal.what();
        } catch (const HttpError& error) {
            why = error.what();
        } catch (const SecurityError& error) {
            why = error.what();
        } catch (const WsmanError& error) {
            why = error.what();
        } catch (const ProtocolError& error) {
            why = error.what();
        }
        if (not_started)
            throw connect_error(
                fmt::format("Could not run a script on {}: {}", shared_->settings->label, why), "EXEC_ERROR");
        alive_ = false;
        throw connect_error(
            fmt::format("The connection to {} failed while a script may have been running: {}",
                        shared_->settings->label, why),
            "EXEC_ERROR");
    }
    std::string_view version() const noexcept override { return version_; }

private:
    /// A fresh shell (WRM-005), ended in the background afterwards.
    Task<ExitStatus> run_action(const PowerShellScript& script, Input& input, OutputSink& sink) {
        Lease lease(shared_);
        auto opening = open_shell(lease);
        co_await std::move(opening);
        const PipelineSpec spec = action_spec(script);
        auto running = lease.shell->run(*lease.channel, spec, input, sink);
        ExitStatus status = co_await std::move(running);
        lease.how = Leave::Ended;
        co_return status;
    }

    /// In the shell that is kept, one after the other.
    Task<ExitStatus> run_housekeeping(const PowerShellScript& script, Input& input, OutputSink& sink) {
        while (busy_) {
            boost::system::error_code woken;
            co_await turn_.async_wait(asio::redirect_error(asio::use_awaitable, woken));
            const auto state = co_await asio::this_coro::cancellation_state;
            if (state.cancelled() != asio::cancellation_type::none)
                throw boost::system::system_error(asio::error::operation_aborted);
        }
        struct Turn {
            explicit Turn(WinrmConnection& of) : connection(of) { connection.busy_ = true; }
            ~Turn() {
                connection.busy_ = false;
                connection.turn_.cancel_one();
            }
            WinrmConnection& connection;
        };
        const Turn turn(*this);
        const PipelineSpec spec = housekeeping_spec(script, !input.finished());
        bool kept_is_gone = false;
        if (kept_) {
            try {
                auto running = run_kept(spec, input, sink);
                co_return co_await std::move(running);
            } catch (const NotYetStarted& error) {
                if (!error.shell_is_gone()) throw;
                kept_is_gone = true;
            }
        }
        if (kept_is_gone) kept_.reset();
        auto running = run_kept(spec, input, sink);
        co_return co_await std::move(running);
    }

    Task<ExitStatus> run_kept(const PipelineSpec& spec, Input& input, OutputSink& sink) {
        Lease lease(shared_);
        if (kept_) {
            auto opening = shared_->channel();
            lease.channel = co_await std::move(opening);
            lease.shell = std::move(kept_);
        } else {
            auto opening = open_shell(lease);
            co_await std::move(opening);
        }
        auto running = lease.shell->run(*lease.channel, spec, input, sink);
        const ExitStatus status = co_await std::move(running);
        auto forgetting = lease.shell->forget_last(*lease.channel);
        co_await std::move(forgetting);
        kept_ = std::move(lease.shell);
        shared_->give_back(std::move(lease.channel));
        co_return status;
    }

    /// A machine that is busy for the moment gets a second chance: no script has been sent yet.
    Task<void> open_shell(Lease& lease) {
        auto opening = shared_->channel();
        lease.channel = co_await std::move(opening);
        for (int attempt = 1;; ++attempt) {
            bool again = false;
            try {
                lease.shell = std::make_unique<RemoteShell>(shared_->envelopes);
                auto creating = lease.shell->open(*lease.channel);
                auto waiting = within(shared_->network->runtime.loop().get_executor(), shell_limit, std::move(creating));
                std::optional<std::string> version = co_await std::move(waiting);
                if (!version)
                    throw NotYetStarted(
                        fmt::format("PowerShell did not start there within {} seconds", shell_limit.count()),
                        false);
                version_ = std::move(*version);
                co_return;
            } catch (const WsmanFault& fault) {
                again = fault.is_passing() && attempt < attempts_for_a_shell;
                if (!again) throw NotYetStarted(describe(fault), false);
            } catch (const HttpRefusal& refusal) {
                throw NotYetStarted(refusal.what(), false);
            } catch (const HttpError& error) {
                alive_ = false;
                throw NotStarted(
                    fmt::format("The connection to {} was lost: {}", shared_->settings->label, error.what()));
            } catch (const WsmanError& error) {
                throw NotYetStarted(error.what(), false);
            } catch (const SecurityError& error) {
                alive_ = false;
                throw NotYetStarted(error.what(), false);
            } catch (const ProtocolError& error) {
                throw NotYetStarted(error.what(), false);
            }
            auto waiting = pause_for(shared_->network->runtime.loop(), seconds(attempt * attempt));
            co_await std::move(waiting);
        }
    }

    std::shared_ptr<Shared> shared_;
    std::unique_ptr<RemoteShell> kept_;
    std::string version_;
    asio::steady_timer turn_;
    bool busy_ = false;
    bool alive_ = true;
};

}  // namespace

Task<std::unique_ptr<Connection>> connect_winrm(std::shared_ptr<Network> network,
                                                const TargetConfig& target) {
    auto settings = std::make_shared<const Settings>(settings_of(target));
    auto shared = std::make_shared<Shared>(std::move(network), std::move(settings));
    auto opening = shared->channel();
    std::unique_ptr<Channel> channel = co_await std::move(opening);
    shared->give_back(std::move(channel));
    co_return std::make_unique<WinrmConnection>(std::move(shared));
}

}  // namespace volley::transports::winrm
