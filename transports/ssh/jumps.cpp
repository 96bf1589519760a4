#include "transports/ssh/jumps.hpp"

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>

#include "transports/ssh/tunnel.hpp"

namespace volley::transports::ssh {
namespace {

constexpr std::size_t sessions_at_work = 8;
constexpr std::size_t sessions_at_most = 64;  // with those that a dead target occupies
constexpr std::chrono::milliseconds patience{200};

}  // namespace

/// The right to open a tunnel on a session.
struct JumpRelay::Lease {
    JumpRelay& relay;
    Slot& slot;
    Lease(JumpRelay& owner, Slot& leased) : relay(owner), slot(leased) { slot.leased = true; }
    ~Lease() {
        slot.leased = false;
        slot.unused.reset();
        relay.moved_on_ = true;
        relay.wake_one();
    }
};

struct JumpRelay::Waiting {
    JumpRelay& relay;
    std::list<OneShot<bool>*>::iterator at;
    Waiting(JumpRelay& owner, OneShot<bool>& turn)
        : relay(owner), at(owner.waiting_.insert(owner.waiting_.end(), &turn)) {}
    ~Waiting() {
        const bool woken = (*at)->is_set();
        relay.waiting_.erase(at);
        if (woken) relay.wake_one();  // should this one have been cancelled; harmless otherwise
        if (!relay.waiting_.empty()) return;
        for (const auto& slot : relay.slots_) {
            if (!slot->leased) slot->unused.reset();
        }
    }
};

Task<std::unique_ptr<Wire>> JumpRelay::tunnel(std::string host, int port) {
    const auto keep = shared_from_this();
    const Free free = co_await wait_for_session();
    const Lease lease(*this, *free.slot);
    co_return co_await open_tunnel(free.session, std::move(host), port);
}

Task<JumpRelay::Free> JumpRelay::wait_for_session() {
    const int failures = failures_;
    for (;;) {
        forget_lost();
        Free free = find_free();
        if (free.slot) co_return free;
        if (failures_ != failures) std::rethrow_exception(error_);
        if (slots_.empty()) open_another();
        OneShot<bool> turn(loop_);
        const Waiting waiting(*this, turn);
        if (!std::exchange(watching_, true)) {
            boost::asio::co_spawn(loop_, watch(shared_from_this()), boost::asio::detached);
        }
        co_await turn.wait();
        free = find_free();  // while it is kept for those who wait
        if (free.slot) co_return free;
    }
}

JumpRelay::Free JumpRelay::find_free() {
    for (const auto& slot : slots_) {
        const auto session = slot->session.lock();
        if (session && session->alive() && !slot->leased && session->turn_is_free())
            return Free{slot, session};
    }
    return {};
}

void JumpRelay::forget_lost() {
    std::erase_if(slots_, [](const auto& slot) {
        const auto session = slot->session.lock();
        return !session || !session->alive();
    });
}

void JumpRelay::open_another() {
    if (std::exchange(opening_, true)) return;
    boost::asio::co_spawn(loop_, open_session(shared_from_this()), boost::asio::detached);
}

/// On its own, so that the target that asked first may give up without taking the session from the others.
Task<void> JumpRelay::open_session([[maybe_unused]] std::shared_ptr<JumpRelay> keep) {
    bool failed = false;
    try {
        const std::shared_ptr<Session> session = co_await connect_();
        auto slot = std::make_shared<Slot>();
        slot->session = session;
        if (!waiting_.empty()) slot->unused = session;
        slots_.push_back(std::move(slot));
        moved_on_ = true;
    } catch (...) {
        error_ = std::current_exception();
        ++failures_;
        failed = true;
    }
    opening_ = false;
    if (failed) {
        wake_all();
    } else {
        wake_one();
    }
}

/// While somebody waits: more sessions when the present ones have not moved for a while, and a look whether
/// one has become free that nobody had leased (its dead target was given up).
Task<void> JumpRelay::watch([[maybe_unused]] std::shared_ptr<JumpRelay> keep) {
    while (!waiting_.empty()) {
        boost::asio::steady_timer timer(loop_, patience);
        co_await timer.async_wait(boost::asio::use_awaitable);
        if (waiting_.empty()) break;
        forget_lost();
        if (std::exchange(moved_on_, false)) {  // slow is no reason: a login costs more than a tunnel
            wake_one();
            continue;
        }
        const auto at_work = static_cast<std::size_t>(std::ranges::count_if(slots_, [](const auto& slot) {
            const auto session = slot->session.lock();
            return session && (slot->leased || session->turn_is_free());
        }));
        if (at_work < sessions_at_work && slots_.size() < sessions_at_most) open_another();
        wake_one();
    }
    watching_ = false;
}

void JumpRelay::wake_one() {
    for (OneShot<bool>* each : waiting_) {
        if (each->is_set()) continue;
        each->set(true);
        return;
    }
}

void JumpRelay::wake_all() {
    for (OneShot<bool>* each : waiting_) each->set(true);
}

}  // namespace volley::transports::ssh
