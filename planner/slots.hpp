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
class Slots {
public:
    explicit Slots(std::size_t count) : free_(count) {}
    Slots(const Slots&) = delete;
    Slots& operator=(const Slots&) = delete;

    /// Waits for a free slot. Throws boost::system::system_error(operation_aborted) when cancelled.
    transports::Task<void> take();
    /// Gives one back; whoever has waited longest gets it.
    void give() noexcept;
    std::size_t free() const noexcept { return free_; }

private:
    struct Waiting {
        explicit Waiting(boost::asio::any_io_executor loop) : timer(std::move(loop)) {}
        boost::asio::steady_timer timer;
        bool has_slot = false;
    };
    std::size_t free_;
    std::deque<std::shared_ptr<Waiting>> queue_;
};

/// A slot for as long as it lives.
class SlotGuard {
public:
    explicit SlotGuard(Slots& slots) : slots_(slots) {}
    ~SlotGuard() { slots_.give(); }
    SlotGuard(const SlotGuard&) = delete;
    SlotGuard& operator=(const SlotGuard&) = delete;

private:
    Slots& slots_;
};

}  // namespace volley::planner
