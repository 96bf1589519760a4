#include "transports/ssh/gate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/asio/steady_timer.hpp>
#include <boost/system/error_code.hpp>
#include <cstdint>
#include <limits>
#include <list>
#include <optional>

#include "support/log.hpp"
#include "transports/ssh/logger.hpp"
#include "transports/ssh/one_shot.hpp"

namespace volley::transports::ssh {
namespace {

using std::chrono::milliseconds;
using Seconds = std::chrono::duration<double>;

constexpr double server_start = 256, server_least = 4, server_most = 256;
constexpr double all_start = 128, all_most = 100'000;
/// Logins that take long anywhere (a name server that is down) are no reason for fewer than people use to ask for.
constexpr double all_least_when_slow = 100;
constexpr double all_least = 16;

/// How long a connection request has its place to itself: longer than an answer takes from almost anywhere.
constexpr milliseconds dial_patience{250};
/// An answer that took this long was lost once on the way: by a server with too many requests.
constexpr milliseconds lost_answer{900};
constexpr std::chrono::seconds after_lost_answer{5};
/// A login is an exception when it takes so many times as long as they usually do, and at least this long.
constexpr double exceptional = 4;
constexpr Seconds least_exceptional{1};

}  // namespace

/// A limit that learns as TCP does: up by one a success at first, later slower; down by a part. One crowd narrows it
/// once: those who began before it was narrowed say nothing about what it is now.
struct Gate::Line {
    Line(double first, double highest) : start(first), limit(first), most(highest) {}

    double start;
    double limit;
    double most;
    double careful_above = std::numeric_limits<double>::max();  // where it was too much before
    double lowest_now = 0;                                      // how far this crowd may narrow it
    std::uint64_t era = 0;                                      // counts how often it was narrowed
    int inside = 0;
    std::list<OneShot<bool>*> waiting;

    void let_in() {
        for (OneShot<bool>* each : waiting) {
            if (inside >= static_cast<int>(limit)) return;
            if (each->is_set()) continue;
            ++inside;  // on behalf of the one who wakes up
            each->set(true);
        }
    }
    void leave() {
        --inside;
        let_in();
    }
    void widen() {
        const bool in_use = !waiting.empty() || inside >= static_cast<int>(limit);
        if (!in_use && limit >= start) return;  // nothing was learned about more
        limit = std::min(most, limit + (limit < careful_above ? 1.0 : std::min(1.0, 8.0 / limit)));
        let_in();
    }
    /// True when that was news.
    bool narrow(std::uint64_t begun_in, double part, double least) {
        if (begun_in != era) return false;
        const double now = std::min(limit, std::max<double>(inside, 1));
        lowest_now = std::max(least, now / 8);
        limit = std::max(std::min(least, limit), now * part);
        careful_above = limit;
        ++era;
        return true;
    }
    /// One more of the crowd that has narrowed it was refused.
    void narrow_further(std::uint64_t begun_in) {
        if (begun_in + 1 == era) limit = std::min(limit, std::max(lowest_now, limit - 1));
    }
};

/// What is known of the logins to all servers.
struct Gate::Experience {
    Seconds usual{0};  // 0: there was none yet
    int good = 0;      // since it was narrowed for timeouts
    int bad = 0;
    Clock::time_point no_aside_until{};

    void add(Seconds took) {
        ++good;
        usual = usual.count() == 0 ? took : usual + (took - usual) / 32;
    }
    /// How long after its beginning a login is an exception; nullopt: nothing is known.
    std::optional<Seconds> patience() const {
        if (usual.count() == 0) return std::nullopt;
        return std::max(least_exceptional, usual * exceptional);
    }
};

struct Gate::Place : std::enable_shared_from_this<Gate::Place> {
    explicit Place(boost::asio::io_context& loop) : watch(loop) {}
    Place(const Place&) = delete;
    Place& operator=(const Place&) = delete;
    ~Place() {
        if (server) server->leave();
        if (all && !aside) all->leave();
    }

    std::shared_ptr<Line> server;
    std::shared_ptr<Line> all;  // null for hops
    std::shared_ptr<Experience> experience;
    std::uint64_t server_era = 0;
    std::uint64_t all_era = 0;
    Clock::time_point begun = Clock::now();
    milliseconds timeout{0};
    bool aside = false;
    bool dialing = false;
    boost::asio::steady_timer watch;

    void step_aside() {
        if (!all || aside) return;
        aside = true;
        all->leave();
    }
    void come_back() {
        if (!all || !aside) return;
        aside = false;
        ++all->inside;
    }
    void watch_for_exception(Seconds after) {
        watch.expires_at(begun + std::chrono::duration_cast<Clock::duration>(after));
        watch.async_wait([weak = weak_from_this()](const boost::system::error_code& error) {
            const auto place = weak.lock();
            if (place && !error) place->look();
        });
    }
    void look() {
        const Seconds took = Clock::now() - begun;
        const Seconds patience = experience->patience().value_or(Seconds(timeout) / 2);
        if (took >= patience) return step_aside();
        watch_for_exception(patience);
    }
};

namespace {

Task<void> take_place(boost::asio::io_context& loop, std::shared_ptr<Gate::Line> line) {
    if (line->inside < static_cast<int>(line->limit) && line->waiting.empty()) {
        ++line->inside;
        co_return;
    }
    OneShot<bool> turn(loop);
    struct Waiting {
        Gate::Line& line;
        OneShot<bool>& turn;
        std::list<OneShot<bool>*>::iterator at;
        bool taken = false;
        ~Waiting() {
            line.waiting.erase(at);
            if (!taken && turn.is_set()) line.leave();  // let in, but cancelled before waking up
        }
    };
    Waiting waiting{*line, turn, line->waiting.insert(line->waiting.end(), &turn)};
    co_await turn.wait();
    waiting.taken = true;
}

void log_limit(const char* what, double limit) {
    if (log_enabled(LogLevel::Debug)) {
        log(LogLevel::Debug, logger, fmt::format("{}: at most {} logins at a time from now on", what, static_cast<int>(limit)));
    }
}

}  // namespace

Gate::Gate(boost::asio::io_context& loop)
    : loop_(loop), all_(std::make_shared<Line>(all_start, all_most)), experience_(std::make_shared<Experience>()) {}

Task<Gate::Ticket> Gate::enter(std::string server, milliseconds timeout, bool is_hop) {
    std::shared_ptr<Line>& entry = servers_[server];
    if (!entry) entry = std::make_shared<Line>(server_start, server_most);
    const auto place = std::make_shared<Place>(loop_);
    const std::shared_ptr<Line> line = entry;
    co_await take_place(loop_, line);
    place->server = line;
    if (!is_hop) {
        const std::shared_ptr<Line> all = all_;
        co_await take_place(loop_, all);
        place->all = all;
        place->all_era = all->era;
    }
    place->server_era = line->era;
    place->experience = experience_;
    place->begun = Clock::now();
    place->timeout = timeout;
    if (!is_hop) place->watch_for_exception(least_exceptional);
    co_return Ticket(place);
}

int Gate::limit_of(const std::string& server) const {
    const auto found = servers_.find(server);
    return found == servers_.end() ? 0 : static_cast<int>(found->second->limit);
}

int Gate::limit_of_all() const { return static_cast<int>(all_->limit); }

void Gate::Ticket::succeeded() { succeeded(Clock::now() - place_->begun); }

/// Slow means on the way to the timeout: then there are too many at a time for whatever is scarce.
void Gate::Ticket::succeeded(Clock::duration took) {
    place_->server->widen();
    if (!place_->all || place_->aside) return;
    place_->experience->add(took);
    Line& all = *place_->all;
    if (took * 2 > place_->timeout) {
        if (all.narrow(place_->all_era, 0.7, all_least_when_slow)) log_limit("Logins are slow", all.limit);
    } else if (took * 10 < place_->timeout * 3) {
        all.widen();
    }
}

void Gate::Ticket::refused() {
    Line& server = *place_->server;
    if (server.narrow(place_->server_era, 0.5, server_least)) {
        log_limit("A server hangs up on new connections", server.limit);
    } else {
        server.narrow_further(place_->server_era);
    }
}

/// One of many is a host that hangs. When they are more than every fourth there is too much at a time.
void Gate::Ticket::timed_out() {
    if (!place_->all || place_->aside) return;
    Experience& known = *place_->experience;
    if (++known.bad * 4 < known.good) return;
    if (!place_->all->narrow(place_->all_era, 0.5, all_least)) return;
    known.good = known.bad = 0;
    log_limit("Logins time out", place_->all->limit);
}

Gate::Ticket::Dialing::Dialing(boost::asio::io_context& loop, const Ticket& ticket)
    : place_(ticket.place_), timer_(loop, dial_patience) {
    place_->dialing = true;
    // An expired timer's handler runs even after a cancel(), when this and the place may be gone.
    timer_.async_wait([weak = std::weak_ptr(place_)](const boost::system::error_code& error) {
        const auto place = weak.lock();
        if (!place || error || !place->dialing) return;
        if (Clock::now() >= place->experience->no_aside_until) place->step_aside();
    });
}

Gate::Ticket::Dialing::~Dialing() { place_->dialing = false; }

void Gate::Ticket::Dialing::answered() {
    place_->come_back();
    const auto took = Clock::now() - begin_;
    if (took >= lost_answer) place_->experience->no_aside_until = Clock::now() + after_lost_answer;
}

}  // namespace volley::transports::ssh
