#include "transports/winrm/channels.hpp"

#include <fmt/format.h>

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "support/log.hpp"
#include "transports/coroutines/within.hpp"

namespace volley::transports::winrm {
namespace {

using std::chrono::seconds;
using Clock = std::chrono::steady_clock;

// http.sys closes what has been idle for 120 s.
constexpr seconds idle_limit{60};
// Windows takes some 4 KB for each; a plan seldom has more at once on one target.
constexpr std::size_t most_idle_channels = 2;
// A network card that is restarted, or a driver that is updated, takes up to half a minute.
constexpr seconds pauses[] = {seconds(1), seconds(2), seconds(4), seconds(8), seconds(16)};
constexpr std::size_t most_resends_of_lost = std::size(pauses);
constexpr std::size_t most_resends_of_refused = 2;

std::string first_line(std::string text) {
    text.resize(std::min(text.find('\n'), text.size()));
    return text;
}

}  // namespace

Task<void> pause_for(boost::asio::any_io_executor executor, seconds time) {
    boost::asio::steady_timer timer(std::move(executor), time);
    co_await timer.async_wait(boost::asio::use_awaitable);
}

Task<std::unique_ptr<Channel>> Channels::take() {
    while (!idle_.empty()) {
        Idle last = std::move(idle_.back());
        idle_.pop_back();
        if (last.channel->usable() && Clock::now() - last.since < idle_limit)
            co_return std::move(last.channel);
    }
    auto opening = open();
    auto waiting = within(executor(), settings_->connect_timeout, std::move(opening));
    std::optional<std::unique_ptr<Channel>> opened = co_await std::move(waiting);
    if (!opened) throw timed_out();
    co_return std::move(*opened);
}

Task<std::unique_ptr<Channel>> Channels::open() {
    for (std::size_t attempt = 0;; ++attempt) {
        try {
            auto opening = Channel::open(network_, settings_);
            co_return co_await std::move(opening);
        } catch (const HttpRefusal& refusal) {
            if (attempt == most_resends_of_refused) throw cannot_connect(*settings_, refusal.reason());
        }
        auto waiting = pause_for(executor(), pauses[attempt]);
        co_await std::move(waiting);
    }
}

void Channels::give_back(std::unique_ptr<Channel> channel) {
    if (!channel || !channel->usable() || idle_.size() >= most_idle_channels) return;
    idle_.push_back({std::move(channel), Clock::now()});
}

TransportError Channels::timed_out() const {
    return connect_error(fmt::format(
        "Timeout after {} seconds connecting to {}{}", settings_->connect_timeout.count(), settings_->url,
        settings_->tls ? "\nVerify that required WinRM ports are open, or use --no-ssl if this host isn't "
                         "configured to use SSL for WinRM."
                       : ""));
}

Task<void> ChannelLease::open() {
    if (channel_ && channel_->usable()) co_return;
    auto taking = channels_->take();
    channel_ = co_await std::move(taking);
}

Task<std::string> ChannelLease::exchange(const std::string& envelope, std::chrono::milliseconds time,
                                         Resend when) {
    std::string lost;  // why, when the connection was
    for (std::size_t attempt = 0;; ++attempt) {
        std::string why;
        bool was_lost = false;
        try {
            auto opening = open();
            co_await std::move(opening);
            auto exchanging = channel_->exchange(envelope, time);
            co_return co_await std::move(exchanging);
        } catch (const HttpRefusal& refusal) {
            if (refusal.status() != overloaded || attempt >= most_resends_of_refused) throw;
            why = refusal.reason();
        } catch (const HttpError& error) {
            was_lost = !error.before_sending();
            if (was_lost ? when != Resend::Lost || attempt >= most_resends_of_lost
                         : attempt >= most_resends_of_refused)
                throw;
            why = error.reason();
        } catch (const TransportError& error) {
            // A login that is refused again and again locks the account.
            if (lost.empty() || error.info().issue_code() == "AUTH_ERROR" ||
                attempt >= most_resends_of_lost) {
                if (lost.empty()) throw;
                throw HttpError(
                    fmt::format("{}; connecting again failed: {}", lost, first_line(error.what())), false);
            }
            why = first_line(error.what());
        }
        if (was_lost) {
            lost = why;
            ++losses_;
        }
        channel_.reset();
        log(LogLevel::Debug, "transports.winrm",
            fmt::format("{}: {}; trying again in {} seconds", channels_->url(), why,
                        pauses[attempt].count()));
        auto waiting = pause_for(channels_->executor(), pauses[attempt]);
        co_await std::move(waiting);
    }
}

}  // namespace volley::transports::winrm
