#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/steady_timer.hpp>
#include <cstddef>
#include <deque>
#include <memory>

#include "transports/task.hpp"

namespace volley::planner {

/// How many targets may be worked on at once, counted over all actions of a plan. First come, first served.
/// Loop thread only.
class ConcurrencyLimit {
public:
    explicit ConcurrencyLimit(std::size_t count) : available_(count) {}
    ConcurrencyLimit(const ConcurrencyLimit&) = delete;
    ConcurrencyLimit& operator=(const ConcurrencyLimit&) = delete;

    /// Waits until one more target may be worked on. Throws boost::system::system_error(operation_aborted)
    /// when cancelled.
    transports::Task<void> acquire();
    /// Whoever has waited longest is next.
    void release() noexcept;
    std::size_t available() const noexcept { return available_; }

private:
    struct Waiting {
        explicit Waiting(const boost::asio::any_io_executor& loop) : timer(loop) {}
        boost::asio::steady_timer timer;
        bool admitted = false;
    };
    std::size_t available_;
    std::deque<std::shared_ptr<Waiting>> queue_;
};

/// Releases what was acquired when it goes out of scope.
class ConcurrencyPermit {
public:
    explicit ConcurrencyPermit(ConcurrencyLimit& limit) : limit_(limit) {}
    ~ConcurrencyPermit() { limit_.release(); }
    ConcurrencyPermit(const ConcurrencyPermit&) = delete;
    ConcurrencyPermit& operator=(const ConcurrencyPermit&) = delete;

private:
    ConcurrencyLimit& limit_;
};

}  // namespace volley::planner
