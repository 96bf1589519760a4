#include "transports/ssh/dial.hpp"

#include <fmt/format.h>

#include <list>
#include <memory>
#include <variant>

#include "support/error.hpp"
#include "transports/ssh/one_shot.hpp"

namespace volley::transports::ssh {
namespace {

using boost::asio::ip::tcp;
using boost::system::error_code;

constexpr std::chrono::milliseconds stagger{250};

/// The attempts of one dial(). Kept alive by its handlers; ended by drop().
class Race : public std::enable_shared_from_this<Race> {
public:
    using Result = std::variant<tcp::socket, error_code>;

    Race(boost::asio::io_context& loop, std::vector<tcp::endpoint> endpoints)
        : endpoints_(std::move(endpoints)), loop_(loop), timer_(loop), result_(loop) {}

    OneShot<Result>& result() noexcept { return result_; }

    /// Starts the next attempt, and the clock for the one after it.
    void next() {
        if (over_ || next_ == endpoints_.size()) return;
        const tcp::endpoint& endpoint = endpoints_[next_++];
        const auto attempt = attempts_.emplace(attempts_.end(), loop_);
        error_code error;
        attempt->open(endpoint.protocol(), error);
        if (error) return ended(attempt, error);
        attempt->set_option(tcp::no_delay(true), error);
        attempt->async_connect(endpoint, [race = shared_from_this(), attempt](error_code outcome) {
            race->ended(attempt, outcome);
        });
        if (next_ == endpoints_.size()) return;
        timer_.expires_after(stagger);
        timer_.async_wait([race = shared_from_this()](error_code outcome) {
            if (!outcome) race->next();
        });
    }

    void drop() {
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
            return drop();
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
    OneShot<Result> result_;
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

Task<tcp::socket> dial(boost::asio::io_context& loop, std::vector<tcp::endpoint> endpoints) {
    const auto race = std::make_shared<Race>(loop, std::move(endpoints));
    struct Drop {
        Race& race;
        ~Drop() { race.drop(); }
    };
    const Drop drop{*race};
    race->next();
    Race::Result result = co_await race->result().wait();
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

}  // namespace volley::transports::ssh
