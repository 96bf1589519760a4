#include "transports/ssh/login/login_limiter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/asio/steady_timer.hpp>
#include <boost/system/error_code.hpp>
#include <cstdint>
#include <limits>
#include <list>
#include <optional>

#include "support/log.hpp"
#include "transports/promise.hpp"
#include "transports/ssh/logger.hpp"

namespace volley::transports::ssh {
namespace {

using std::chrono::milliseconds;
using Seconds = std::chrono::duration<double>;

constexpr double server_initial = 256, server_minimum = 4, server_maximum = 256;
constexpr double total_initial = 128, total_maximum = 100'000;
/// Logins that take long anywhere (a name server that is down) do not lower the limit below the usual
/// --concurrency.
constexpr double total_minimum_when_slow = 100;
constexpr double total_minimum = 16;

/// How long a TCP connect counts: longer than an answer takes from almost anywhere.
constexpr milliseconds connect_patience{250};
/// A loop that comes so late to its timers has not looked for the answer either.
constexpr milliseconds late_loop{50};
/// An answer that took this long was lost once on the way: the server has too many requests.
constexpr milliseconds lost_answer{900};
constexpr std::chrono::seconds after_lost_answer{5};
/// A login is an exception when it takes so many times as long as they usually do, and at least this long.
constexpr double exceptional = 4;
constexpr Seconds least_exceptional{1};

}  // namespace

/// A limit that adapts as TCP's congestion window does: up by one for each success at first, later slower;
/// down by a factor. A burst lowers it once: logins that started before it was lowered do not count against
/// the new value.
struct LoginLimiter::Limit {
    Limit(double first, double highest) : start(first), limit(first), most(highest) {}

    double start;
    double limit;
    double most;
    double slow_growth_above = std::numeric_limits<double>::max();  // where it was too much before
    double lowest_in_generation = 0;  // how far the logins of this generation may lower it
    std::uint64_t generation = 0;     // how often the limit was lowered
    int running = 0;
    std::list<Promise<bool>*> waiting;

    void admit_waiting() {
        for (Promise<bool>* each : waiting) {
            if (running >= static_cast<int>(limit)) return;
            if (each->is_set()) continue;
            ++running;  // for the coroutine that wakes up
            each->set(true);
        }
    }
    void leave() {
        --running;
        admit_waiting();
    }
    void increase() {
        const bool in_use = !waiting.empty() || running >= static_cast<int>(limit);
        if (!in_use && limit >= start) return;  // nothing is known about a higher limit
        limit = std::min(most, limit + (limit < slow_growth_above ? 1.0 : std::min(1.0, 8.0 / limit)));
        admit_waiting();
    }
    /// False when the login started before the limit was last lowered.
    bool decrease(std::uint64_t started_in, double part, double least) {
        if (started_in != generation) return false;
        const double now = std::min(limit, std::max<double>(running, 1));
        lowest_in_generation = std::max(least, now / 8);
        limit = std::max(std::min(least, limit), now * part);
        slow_growth_above = limit;
        ++generation;
        return true;
    }
    /// A further login of the burst that lowered the limit was refused.
    void decrease_further(std::uint64_t started_in) {
        if (started_in + 1 == generation) limit = std::min(limit, std::max(lowest_in_generation, limit - 1));
    }
};

/// What is known of the logins to all servers.
struct LoginLimiter::Statistics {
    Seconds usual{0};  // 0: there was none yet
    int good = 0;      // since the limit was lowered for timeouts
    int bad = 0;
    Clock::time_point always_count_until{};

    void add(Seconds took) {
        ++good;
        usual = usual.count() == 0 ? took : usual + (took - usual) / 32;
    }
    /// After how long a login is an exception; nullopt: nothing is known yet.
    std::optional<Seconds> patience() const {
        if (usual.count() == 0) return std::nullopt;
        return std::max(least_exceptional, usual * exceptional);
    }
};

struct LoginLimiter::Admission : std::enable_shared_from_this<LoginLimiter::Admission> {
    explicit Admission(boost::asio::io_context& loop) : watch(loop) {}
    Admission(const Admission&) = delete;
    Admission& operator=(const Admission&) = delete;
    ~Admission() {
        if (server) server->leave();
        if (total && !uncounted) total->leave();
    }

    std::shared_ptr<Limit> server;
    std::shared_ptr<Limit> total;  // null for hops
    std::shared_ptr<Statistics> statistics;
    std::uint64_t server_generation = 0;
    std::uint64_t total_generation = 0;
    Clock::time_point started = Clock::now();
    milliseconds timeout{0};
    bool uncounted = false;
    bool connecting = false;
    boost::asio::steady_timer watch;

    void stop_counting() {
        if (!total || uncounted) return;
        uncounted = true;
        total->leave();
    }
    void count_again() {
        if (!total || !uncounted) return;
        uncounted = false;
        ++total->running;
    }
    void watch_duration(Seconds after) {
        watch.expires_at(started + std::chrono::duration_cast<Clock::duration>(after));
        watch.async_wait([weak = weak_from_this()](const boost::system::error_code& error) {
            const auto admission = weak.lock();
            if (admission && !error) admission->look();
        });
    }
    void look() {
        const Seconds took = Clock::now() - started;
        const Seconds patience = statistics->patience().value_or(Seconds(timeout) / 2);
        if (took >= patience) return stop_counting();
        watch_duration(patience);
    }
};

namespace {

Task<void> wait_for_admission(boost::asio::io_context& loop, std::shared_ptr<LoginLimiter::Limit> line) {
    if (line->running < static_cast<int>(line->limit) && line->waiting.empty()) {
        ++line->running;
        co_return;
    }
    Promise<bool> turn(loop);
    struct Waiting {
        LoginLimiter::Limit& line;
        Promise<bool>& turn;
        std::list<Promise<bool>*>::iterator at;
        bool taken = false;
        ~Waiting() {
            line.waiting.erase(at);
            if (!taken && turn.is_set()) line.leave();  // admitted, but cancelled before it woke up
        }
    };
    Waiting waiting{*line, turn, line->waiting.insert(line->waiting.end(), &turn)};
    co_await turn.wait();
    waiting.taken = true;
}

void log_limit(const char* what, double limit) {
    if (log_enabled(LogLevel::Debug)) {
        log(LogLevel::Debug, logger,
            fmt::format("{}; at most {} logins run at the same time from now on", what,
                        static_cast<int>(limit)));
    }
}

}  // namespace

LoginLimiter::LoginLimiter(boost::asio::io_context& loop)
    : loop_(loop),
      total_(std::make_shared<Limit>(total_initial, total_maximum)),
      statistics_(std::make_shared<Statistics>()) {}

Task<LoginLimiter::Permit> LoginLimiter::acquire(std::string server, milliseconds timeout, bool is_hop) {
    std::shared_ptr<Limit>& entry = servers_[server];
    if (!entry) entry = std::make_shared<Limit>(server_initial, server_maximum);
    const auto admission = std::make_shared<Admission>(loop_);
    const std::shared_ptr<Limit> line = entry;
    co_await wait_for_admission(loop_, line);
    admission->server = line;
    if (!is_hop) {
        const std::shared_ptr<Limit> total = total_;
        co_await wait_for_admission(loop_, total);
        admission->total = total;
        admission->total_generation = total->generation;
    }
    admission->server_generation = line->generation;
    admission->statistics = statistics_;
    admission->started = Clock::now();
    admission->timeout = timeout;
    if (!is_hop) admission->watch_duration(least_exceptional);
    co_return Permit(admission);
}

int LoginLimiter::server_limit(const std::string& server) const {
    const auto found = servers_.find(server);
    return found == servers_.end() ? 0 : static_cast<int>(found->second->limit);
}

int LoginLimiter::total_limit() const { return static_cast<int>(total_->limit); }

void LoginLimiter::Permit::succeeded() { succeeded(Clock::now() - admission_->started); }

/// Slow is more than half of the timeout: too many logins compete for something.
void LoginLimiter::Permit::succeeded(Clock::duration took) {
    admission_->server->increase();
    if (!admission_->total || admission_->uncounted) return;
    admission_->statistics->add(took);
    Limit& total = *admission_->total;
    if (took * 2 > admission_->timeout) {
        if (total.decrease(admission_->total_generation, 0.7, total_minimum_when_slow))
            log_limit("Logins are slow", total.limit);
    } else if (took * 10 < admission_->timeout * 3) {
        total.increase();
    }
}

void LoginLimiter::Permit::refused() {
    Limit& server = *admission_->server;
    if (server.decrease(admission_->server_generation, 0.5, server_minimum)) {
        log_limit("A server closes new connections", server.limit);
    } else {
        server.decrease_further(admission_->server_generation);
    }
}

/// A single timeout is a host that hangs. More than one in four means that too many logins run at once.
void LoginLimiter::Permit::timed_out() {
    if (!admission_->total || admission_->uncounted) return;
    Statistics& known = *admission_->statistics;
    if (++known.bad * 4 < known.good) return;
    if (!admission_->total->decrease(admission_->total_generation, 0.5, total_minimum)) return;
    known.good = known.bad = 0;
    log_limit("Logins time out", admission_->total->limit);
}

namespace {

/// The login stops counting when it is still connecting after connect_patience and a second look: an answer
/// that came together with the first one may still be on its way through the loop. A late look counts as
/// none.
void watch_connecting(const std::shared_ptr<boost::asio::steady_timer>& timer,
                      const std::weak_ptr<LoginLimiter::Admission>& weak, bool second_look = false) {
    timer->expires_after(second_look ? late_loop : connect_patience);
    // An expired timer's handler runs even after a cancel(), when the admission may be gone.
    timer->async_wait([timer, weak, second_look](const boost::system::error_code& error) {
        const auto admission = weak.lock();
        if (!admission || error || !admission->connecting) return;
        const auto now = LoginLimiter::Clock::now();
        if (now > timer->expiry() + late_loop) return watch_connecting(timer, weak);
        if (!second_look) return watch_connecting(timer, weak, true);
        if (now >= admission->statistics->always_count_until) admission->stop_counting();
    });
}

}  // namespace

LoginLimiter::Permit::Connecting::Connecting(boost::asio::io_context& loop, const Permit& permit)
    : admission_(permit.admission_), timer_(std::make_shared<boost::asio::steady_timer>(loop)) {
    admission_->connecting = true;
    watch_connecting(timer_, admission_);
}

LoginLimiter::Permit::Connecting::~Connecting() {
    admission_->connecting = false;
    timer_->cancel();
}

void LoginLimiter::Permit::Connecting::answered() {
    admission_->count_again();
    const auto took = Clock::now() - begin_;
    if (took >= lost_answer) admission_->statistics->always_count_until = Clock::now() + after_lost_answer;
}

}  // namespace volley::transports::ssh
