#include "transports/winrm/winrm_connection.hpp"

#include <fmt/format.h>

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <vector>

#include "transports/coroutines/start.hpp"
#include "transports/coroutines/within.hpp"
#include "transports/winrm/remote_shell.hpp"
#include "transports/winrm/script_pipelines.hpp"
#include "transports/winrm/smb/copier.hpp"

namespace volley::transports::winrm {
namespace {

namespace asio = boost::asio;
using std::chrono::seconds;
using Clock = std::chrono::steady_clock;

// A Receive is answered at least this often, so that a lost server is noticed.
constexpr seconds receive_timeout{20};
// For what is tidied up after a command that was cancelled, and when the connection is closed.
constexpr seconds tidy_limit{5};
constexpr seconds close_limit{2};
// PowerShell with a profile takes 3 s and more on a loaded machine.
constexpr seconds shell_limit{120};
constexpr int attempts_for_a_shell = 3;

/// What the coroutines that tidy up share with the connection, which may go before them.
struct Shared {
    Shared(std::shared_ptr<Network> with, std::shared_ptr<const Settings> as)
        : network(std::move(with)),
          settings(std::move(as)),
          envelopes(settings->url, receive_timeout),
          channels(network, settings) {}

    std::shared_ptr<Network> network;
    std::shared_ptr<const Settings> settings;
    EnvelopeWriter envelopes;
    Channels channels;
    std::size_t tidying = 0;
    std::weak_ptr<asio::steady_timer> tidied;  // of close(), which waits for the last one
};

enum class Leave { Ended, Running };

/// Ends a shell, best effort.
Task<bool> tidy_up(std::unique_ptr<RemoteShell> shell, ChannelLease channel, Leave how) {
    if (how == Leave::Running) {
        auto removing = shell->stop_and_remove(channel);
        co_await std::move(removing);
    } else {
        auto removing = shell->remove(channel);
        co_await std::move(removing);
    }
    channel.give_back();
    co_return true;
}

Task<void> tidy_up_in_time(std::shared_ptr<Shared> shared, std::unique_ptr<RemoteShell> shell,
                           ChannelLease channel, Leave how) {
    try {
        auto tidying = tidy_up(std::move(shell), std::move(channel), how);
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
                   ChannelLease channel, Leave how) noexcept {
    if (!shell) return;
    ++shared->tidying;
    try {
        auto tidying = tidy_up_in_time(shared, std::move(shell), std::move(channel), how);
        start(shared->network->runtime.loop().get_executor(), std::move(tidying));
    } catch (...) {  // out of memory: the server ends what nobody uses, after its idle time
        --shared->tidying;
    }
}

/// A shell in use, ended by whatever way its user is left.
struct Lease {
    explicit Lease(std::shared_ptr<Shared> by) : shared(std::move(by)), channel(shared->channels) {}
    ~Lease() { tidy_up_later(shared, std::move(shell), std::move(channel), how); }
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;

    std::shared_ptr<Shared> shared;
    ChannelLease channel;
    std::unique_ptr<RemoteShell> shell;
    Leave how = Leave::Running;
};

class WinrmConnection final : public Connection, private PowerShellSession {
public:
    explicit WinrmConnection(std::shared_ptr<Shared> shared)
        : shared_(std::move(shared)), turn_(shared_->network->runtime.loop(), Clock::time_point::max()) {
        if (const auto& smb = shared_->settings->smb)
            files_ = smb::make_copier(shared_->network->copies, *smb);
    }
    ~WinrmConnection() override {
        tidy_up_later(shared_, std::move(kept_), ChannelLease(shared_->channels), Leave::Ended);
    }

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
        tidy_up_later(shared_, std::move(kept_), ChannelLease(shared_->channels), Leave::Ended);
        if (shared_->tidying == 0) co_return;
        const auto done = std::make_shared<asio::steady_timer>(shared_->network->runtime.loop(), close_limit);
        shared_->tidied = done;
        boost::system::error_code woken;
        co_await done->async_wait(asio::redirect_error(asio::use_awaitable, woken));
    }

    Task<ExitStatus> run(const PowerShellScript& script, Input& input, OutputSink& sink) override {
        try {
            auto running = script.use == PowerShellUse::Action ? run_action(script, input, sink)
                                                               : run_housekeeping(script, input, sink);
            co_return co_await std::move(running);
        } catch (const NotYetStarted& failure) {
            throw connect_error(
                fmt::format("Could not run a script on {}: {}", shared_->settings->label, failure.reason()),
                "EXEC_ERROR");
        } catch (const Failure& failure) {
            alive_ = false;
            throw connect_error(
                fmt::format("The connection to {} failed while a script may have been running: {}",
                            shared_->settings->label, failure.reason()),
                "EXEC_ERROR");
        }
    }
    std::string_view version() const noexcept override { return version_; }
    FileCopier* files() noexcept override { return files_.get(); }

private:
    /// A fresh shell (WRM-005), ended in the background afterwards.
    Task<ExitStatus> run_action(const PowerShellScript& script, Input& input, OutputSink& sink) {
        Lease lease(shared_);
        auto opening = open_shell(lease);
        co_await std::move(opening);
        const PipelineSpec spec = script_pipeline(script, false);
        auto running = lease.shell->run(lease.channel, spec, input, sink);
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
        const PipelineSpec spec = script_pipeline(script, !input.finished());
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
            auto opening = lease.channel.open();
            co_await std::move(opening);
            lease.shell = std::move(kept_);
        } else {
            auto opening = open_shell(lease);
            co_await std::move(opening);
        }
        auto running = lease.shell->run(lease.channel, spec, input, sink);
        const ExitStatus status = co_await std::move(running);
        try {
            auto forgetting = lease.shell->forget_last(lease.channel);
            co_await std::move(forgetting);
            kept_ = std::move(lease.shell);
            lease.channel.give_back();
        } catch (const Failure&) {  // the script has ended; the next one gets another shell
        }
        co_return status;
    }

    /// A machine that is busy for the moment gets a second chance: no script has been sent yet.
    Task<void> open_shell(Lease& lease) {
        auto opening = lease.channel.open();
        co_await std::move(opening);
        for (int attempt = 1;; ++attempt) {
            try {
                lease.shell = std::make_unique<RemoteShell>(shared_->envelopes);
                auto creating = lease.shell->open(lease.channel);
                auto waiting =
                    within(shared_->network->runtime.loop().get_executor(), shell_limit, std::move(creating));
                std::optional<std::string> version = co_await std::move(waiting);
                if (!version)
                    throw NotYetStarted(
                        fmt::format("PowerShell did not start there within {} seconds", shell_limit.count()),
                        false);
                version_ = std::move(*version);
                co_return;
            } catch (const WsmanFault& fault) {
                if (!fault.is_passing() || attempt == attempts_for_a_shell)
                    throw NotYetStarted(fault.reason(), false);
            } catch (const HttpError& error) {
                alive_ = false;
                throw NotStarted(fmt::format("The connection to {} was lost: {}", shared_->settings->label,
                                             error.reason()));
            } catch (const SecurityError& error) {
                alive_ = false;
                throw NotYetStarted(error.reason(), false);
            } catch (const NotYetStarted&) {
                throw;
            } catch (const Failure& failure) {
                throw NotYetStarted(failure.reason(), false);
            }
            auto waiting = pause_for(shared_->channels.executor(), seconds(attempt * attempt));
            co_await std::move(waiting);
        }
    }

    std::shared_ptr<Shared> shared_;
    std::unique_ptr<RemoteShell> kept_;
    std::unique_ptr<FileCopier> files_;
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
    auto opening = shared->channels.take();
    std::unique_ptr<Channel> channel = co_await std::move(opening);
    shared->channels.give_back(std::move(channel));
    co_return std::make_unique<WinrmConnection>(std::move(shared));
}

}  // namespace volley::transports::winrm
