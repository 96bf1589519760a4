#include "transports/net/tcp_connect.hpp"

#include <fmt/format.h>

#include <list>
#include <memory>
#include <variant>

#include "support/error.hpp"
#include "transports/promise.hpp"

namespace volley::transports {
namespace {

using boost::asio::ip::tcp;
using boost::system::error_code;

constexpr std::chrono::milliseconds stagger{250};

/// The attempts of one tcp_connect(). Kept alive by its handlers; ended by cancel().
class ConnectionAttempts : public std::enable_shared_from_this<ConnectionAttempts> {
public:
    using Result = std::variant<tcp::socket, error_code>;

    ConnectionAttempts(boost::asio::io_context& loop, std::vector<tcp::endpoint> endpoints)
        : endpoints_(std::move(endpoints)), loop_(loop), timer_(loop), result_(loop) {}

    Promise<Result>& result() noexcept { return result_; }

    /// Starts the next attempt, and the clock for the one after it.
    void next() {
        if (over_ || next_ == endpoints_.size()) return;
        const tcp::endpoint& endpoint = endpoints_[next_++];
        const auto attempt = attempts_.emplace(attempts_.end(), loop_);
        error_code error;
        attempt->open(endpoint.protocol(), error);
        if (error) return ended(attempt, error);
        attempt->set_option(tcp::no_delay(true), error);
        attempt->async_connect(endpoint, [attempts = shared_from_this(), attempt](error_code outcome) {
            attempts->ended(attempt, outcome);
        });
        if (next_ == endpoints_.size()) return;
        timer_.expires_after(stagger);
        timer_.async_wait([attempts = shared_from_this()](error_code outcome) {
            if (!outcome) attempts->next();
        });
    }

    void cancel() {
        over_ = true;
        timer_.cancel();
        error_code ignored;
        for (tcp::socket& each : attempts_) each.close(ignored);
    }

private:
    void ended(std::list<tcp::socket>::iterator attempt, error_code outcome) {
        if (over_) return;
        if (!outcome) {
            result_.set(Result(std::move(*attempt)));
            return cancel();
        }
        attempts_.erase(attempt);
        if (!first_error_) first_error_ = outcome;
        if (next_ < endpoints_.size() && outcome != boost::system::errc::too_many_files_open) {
            timer_.cancel();
            next();
        } else if (attempts_.empty()) {
            over_ = true;
            result_.set(Result(first_error_));
        }
    }

    std::vector<tcp::endpoint> endpoints_;
    boost::asio::io_context& loop_;
    boost::asio::steady_timer timer_;
    Promise<Result> result_;
    std::list<tcp::socket> attempts_;
    std::size_t next_ = 0;
    error_code first_error_;
    bool over_ = false;
};

bool out_of_descriptors(error_code error) {
    return error == boost::system::errc::too_many_files_open ||
           error == boost::system::errc::too_many_files_open_in_system;
}

}  // namespace

Task<tcp::socket> tcp_connect(boost::asio::io_context& loop, std::vector<tcp::endpoint> endpoints) {
    const auto attempts = std::make_shared<ConnectionAttempts>(loop, std::move(endpoints));
    struct Cancel {
        ConnectionAttempts& attempts;
        ~Cancel() { attempts.cancel(); }
    };
    const Cancel cancel{*attempts};
    attempts->next();
    ConnectionAttempts::Result result = co_await attempts->result().wait();
    if (auto* socket = std::get_if<tcp::socket>(&result)) co_return std::move(*socket);
    const error_code error = std::get<error_code>(result);
    if (out_of_descriptors(error)) {
        throw Error(
            "bolt/too-many-files",
            fmt::format("{}; raise the limit, for example with 'ulimit -n 16384', or lower --concurrency",
                        error.message()));
    }
    throw boost::system::system_error(error);
}

}  // namespace volley::transports
