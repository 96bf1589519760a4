#include "transports/runtime.hpp"

#include <algorithm>
#include <boost/asio/steady_timer.hpp>

#include "support/process/write_signals.hpp"

namespace volley::transports {

using Clock = std::chrono::steady_clock;

Runtime::Runtime() : loop_(1) { ignore_write_signals(); }

Clock::duration Questions::waited() const { return open_ > 0 ? waited_ + (Clock::now() - since_) : waited_; }

Task<std::string> Questions::ask_hidden(std::string question) {
    struct Open {
        explicit Open(Questions& all) : questions(all) {
            if (questions.open_++ == 0) questions.since_ = Clock::now();
        }
        ~Open() {
            const Clock::duration waited = questions.waited();
            if (--questions.open_ == 0) questions.waited_ = waited;
        }
        Open(const Open&) = delete;
        Open& operator=(const Open&) = delete;
        Questions& questions;
    };
    const Open open(*this);
    std::string answer = co_await ask_(std::move(question));
    co_return answer;
}

Task<void> Questions::expire(boost::asio::io_context& loop, std::chrono::nanoseconds limit) const {
    constexpr std::chrono::milliseconds shortest{50};  // while somebody is asked nothing gets less
    const Clock::time_point begin = Clock::now();
    const Clock::duration before = waited();
    boost::asio::steady_timer timer(loop);
    for (auto left = limit; left > std::chrono::nanoseconds(0);) {
        timer.expires_after(std::max<std::chrono::nanoseconds>(left, open_ > 0 ? shortest : left));
        co_await timer.async_wait(boost::asio::use_awaitable);
        left = limit - ((Clock::now() - begin) - (waited() - before));
    }
}

}  // namespace volley::transports
