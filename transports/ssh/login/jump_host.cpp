#include "transports/ssh/login/jump_host.hpp"

#include <algorithm>

#include "transports/coroutines/start.hpp"
#include "transports/ssh/session/tunnel.hpp"

namespace volley::transports::ssh {
namespace {

constexpr std::size_t usual_sessions = 8;
constexpr std::size_t maximum_sessions = 64;  // with those that a dead target occupies
constexpr std::chrono::milliseconds patience{200};

}  // namespace

/// The right to open a tunnel on a session.
struct JumpHostSessions::Lease {
    JumpHostSessions& relay;
    Entry& entry;
    Lease(JumpHostSessions& owner, Entry& leased) : relay(owner), entry(leased) { entry.leased = true; }
    ~Lease() {
        entry.leased = false;
        entry.unused.reset();
        relay.progressed_ = true;
        relay.wake_one();
    }
};

struct JumpHostSessions::Waiting {
    JumpHostSessions& relay;
    std::list<Promise<bool>*>::iterator at;
    Waiting(JumpHostSessions& owner, Promise<bool>& turn)
        : relay(owner), at(owner.waiting_.insert(owner.waiting_.end(), &turn)) {}
    ~Waiting() {
        const bool woken = (*at)->is_set();
        relay.waiting_.erase(at);
        if (woken) relay.wake_one();  // in case this one was cancelled; harmless if not
        if (!relay.waiting_.empty()) return;
        for (const auto& entry : relay.sessions_) {
            if (!entry->leased) entry->unused.reset();
        }
    }
};

Task<std::unique_ptr<ByteStream>> JumpHostSessions::tunnel(std::string host, int port) {
    const auto keep = shared_from_this();
    const IdleSession idle = co_await wait_for_session();
    const Lease lease(*this, *idle.entry);
    co_return co_await open_tunnel(idle.session, std::move(host), port);
}

Task<JumpHostSessions::IdleSession> JumpHostSessions::wait_for_session() {
    const int failures = failures_;
    for (;;) {
        forget_lost();
        IdleSession idle = find_idle();
        if (idle.entry) co_return idle;
        if (failures_ != failures) std::rethrow_exception(error_);
        if (sessions_.empty()) open_another();
        Promise<bool> turn(loop_);
        const Waiting waiting(*this, turn);
        if (!std::exchange(watching_, true)) {
            start(loop_.get_executor(), watch(shared_from_this()));
        }
        co_await turn.wait();
        idle = find_idle();  // while it is kept for those who wait
        if (idle.entry) co_return idle;
    }
}

JumpHostSessions::IdleSession JumpHostSessions::find_idle() {
    for (const auto& entry : sessions_) {
        const auto session = entry->session.lock();
        if (session && session->alive() && !entry->leased && session->turn_is_free())
            return IdleSession{entry, session};
    }
    return {};
}

void JumpHostSessions::forget_lost() {
    std::erase_if(sessions_, [](const auto& entry) {
        const auto session = entry->session.lock();
        return !session || !session->alive();
    });
}

void JumpHostSessions::open_another() {
    if (std::exchange(opening_, true)) return;
    start(loop_.get_executor(), open_session(shared_from_this()));
}

/// On its own, so that the target that asked first may give up without taking the session from the others.
Task<void> JumpHostSessions::open_session([[maybe_unused]] std::shared_ptr<JumpHostSessions> keep) {
    bool failed = false;
    try {
        const std::shared_ptr<Session> session = co_await connect_();
        auto entry = std::make_shared<Entry>();
        entry->session = session;
        if (!waiting_.empty()) entry->unused = session;
        sessions_.push_back(std::move(entry));
        progressed_ = true;
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
/// one has become idle that nobody had leased (its dead target was given up).
Task<void> JumpHostSessions::watch([[maybe_unused]] std::shared_ptr<JumpHostSessions> keep) {
    while (!waiting_.empty()) {
        boost::asio::steady_timer timer(loop_, patience);
        co_await timer.async_wait(boost::asio::use_awaitable);
        if (waiting_.empty()) break;
        forget_lost();
        if (std::exchange(progressed_, false)) {  // slow is no reason: a login costs more than a tunnel
            wake_one();
            continue;
        }
        const auto in_use = static_cast<std::size_t>(std::ranges::count_if(sessions_, [](const auto& entry) {
            const auto session = entry->session.lock();
            return session && (entry->leased || session->turn_is_free());
        }));
        if (in_use < usual_sessions && sessions_.size() < maximum_sessions) open_another();
        wake_one();
    }
    watching_ = false;
}

void JumpHostSessions::wake_one() {
    for (Promise<bool>* each : waiting_) {
        if (each->is_set()) continue;
        each->set(true);
        return;
    }
}

void JumpHostSessions::wake_all() {
    for (Promise<bool>* each : waiting_) each->set(true);
}

}  // namespace volley::transports::ssh
