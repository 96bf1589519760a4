#include "planner/executor.hpp"

#include <algorithm>
#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/system/system_error.hpp>
#include <exception>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <system_error>
#include <utility>

#include "planner/action_log.hpp"
#include "planner/concurrency_limit.hpp"
#include "planner/descriptors.hpp"
#include "planner/interrupt.hpp"
#include "planner/job.hpp"
#include "planner/line_endings.hpp"
#include "planner/output_events.hpp"
#include "planner/worker_pool.hpp"
#include "support/error.hpp"
#include "support/log.hpp"
#include "transports/coroutines/start.hpp"
#include "transports/coroutines/within.hpp"
#include "transports/pool.hpp"

namespace volley::planner {

namespace asio = boost::asio;
using inventory::Target;
using transports::Task;
using Clock = std::chrono::steady_clock;

namespace {

/// How long interrupted jobs may take to tidy up on their targets.
constexpr std::chrono::seconds tidy_time{5};
/// How long sessions may take to say goodbye at the end.
constexpr std::chrono::milliseconds goodbye_time{2000};

/// Descriptors that each of the targets needs at most at the same time.
std::size_t descriptors_each(const std::vector<Target>& targets) {
    std::size_t most = 1;
    for (const Target& target : targets) most = std::max(most, target.transport_spec().descriptors);
    return most;
}

ErrorInfo interrupted_error(const std::string& what) {
    return ErrorInfo("volley/interrupted",
                     what + "; run the command again for this target (see --rerun failure)");
}

/// ERR-038: a file where the downloads should go spoils them for all targets, so say it before any starts.
void make_download_folder(const Action& action) {
    const auto* download = std::get_if<DownloadAction>(&action.what);
    if (download == nullptr) return;
    std::error_code error;
    std::filesystem::create_directories(download->destination, error);
    if (!error && std::filesystem::is_directory(download->destination, error)) return;
    throw Error("bolt/file-exist-error", "Unable to create destination directory " +
                                             download->destination.string() + ": " +
                                             (error ? error.message() : "a file of that name exists"));
}

}  // namespace

/// Compatibility: grouped by transport in order of first mention.
std::vector<Target> in_result_order(const std::vector<Target>& targets) {
    std::vector<std::vector<Target>> groups;
    std::map<std::string, std::size_t> group_of;
    for (const Target& target : targets) {
        const auto [at, is_new] = group_of.emplace(target.transport(), groups.size());
        if (is_new) groups.emplace_back();
        groups[at->second].push_back(target);
    }
    std::vector<Target> ordered;
    ordered.reserve(targets.size());
    for (auto& group : groups) ordered.insert(ordered.end(), group.begin(), group.end());
    return ordered;
}

/// One action under way. Shared with its jobs, so that jobs that were given up find it.
struct ActionRun {
    ActionRun(Action what, std::vector<Target> on)
        : action(std::move(what)),
          description(action_description(action)),
          targets(in_result_order(std::move(on))),
          results(targets.size()) {}

    Action action;
    std::string description;
    std::vector<Target> targets;
    std::vector<std::optional<Result>> results;
    std::map<std::size_t, Job*> running;
    std::set<std::size_t> stopped;     // of those: cut off by Executor::stop
    std::set<std::string> proxies;     // their sessions serve several targets
    std::unique_ptr<WorkerPool> pool;  // of the targets from `first` on
    std::size_t first = 0;
    std::unique_ptr<asio::steady_timer> pause;  // between batches
    Clock::time_point begin = Clock::now();
    std::size_t step = 0;
    std::size_t failures = 0;
    std::string halted;    // why no further target is started; empty: they are
    bool expired = false;  // its time is over
    bool over = false;     // nobody wants results any more

    /// No further target is started; those that run go on.
    void halt(std::string reason) {
        if (halted.empty()) halted = std::move(reason);
        if (pool) pool->close();
        if (pause) pause->cancel();
    }

    /// Whether a job of it was interrupted and ends by itself.
    bool ending() const {
        return std::any_of(running.begin(), running.end(),
                           [](const auto& one) { return one.second->ending(); });
    }
};

struct Executor::State {
    State(transports::Runtime& loop, inventory::Inventory& known, ExecutorSettings wanted)
        : runtime(loop), inventory(known), settings(wanted), pool(loop), limit(wanted.concurrency) {
        if (settings.keep_sessions) descriptors = raise_all_descriptors();
    }

    transports::Runtime& runtime;
    inventory::Inventory& inventory;
    ExecutorSettings settings;
    transports::ConnectionPool pool;
    std::vector<EventListener*> listeners;
    std::vector<ActionRun*> runs;               // under way; more than one when a plan works in parallel
    ConcurrencyLimit limit;                     // shared by all runs
    std::set<std::string> kept;                 // targets whose sessions wait for the next step
    std::size_t descriptors = 0;                // how many may be open, when sessions are kept
    std::set<std::filesystem::path> looked_at;  // scripts and tasks, by warn_of_line_endings
    bool interrupted = false;
    std::size_t steps = 0;   // begun so far
    bool flush_due = false;  // flush_soon() has been called

    /// A session that is pooled must leave descriptors for those that run.
    bool may_keep(const std::string& target) {
        if (!settings.keep_sessions) return false;
        if (kept.count(target) > 0) return true;
        const std::size_t needed = descriptors_of_program + (kept.size() + 1) * 2 + settings.concurrency * 7;
        if (needed > descriptors) return false;
        kept.insert(target);
        return true;
    }

    void publish(const Event& event) const {
        for (EventListener* listener : listeners) listener->on_event(event);
    }

    void flush() const {
        for (EventListener* listener : listeners) listener->flush();
    }
    /// When all has been reported that is at hand now.
    static void flush_soon(const std::shared_ptr<State>& self) {
        if (std::exchange(self->flush_due, true)) return;
        asio::post(self->runtime.loop(), [weak = std::weak_ptr<State>(self)] {
            const std::shared_ptr<State> state = weak.lock();
            if (!state) return;  // the loop ran no longer than the executor
            state->flush_due = false;
            state->flush();
        });
    }

    void finish(ActionRun& run, std::size_t index, Result result, Clock::time_point begin) const {
        if (!result.ok()) count_failure(run);
        run.results[index] = std::move(result);
        const Clock::duration elapsed = Clock::now() - begin;
        publish(TargetFinished{*run.results[index], elapsed, run.step, index});
    }
    /// The same for a target that nothing was done on.
    void leave_out(ActionRun& run, std::size_t index, const ErrorInfo& reason) const {
        run.results[index] =
            Result::not_started(run.targets[index].name(), std::string(action_name(run.action)), reason);
        publish(TargetFinished{*run.results[index], {}, run.step, index});
    }

    /// --max-failures.
    static void count_failure(ActionRun& run) {
        ++run.failures;
        const auto& most = run.action.rollout.max_failures;
        if (!most || run.failures < most->of(run.targets.size())) return;
        run.halt(run.failures == 1 ? "a target failed" : std::to_string(run.failures) + " targets failed");
    }

    void interrupt();
    void fill_gaps(ActionRun& run);
    static Task<Result> run_in_time(std::shared_ptr<State> self, std::shared_ptr<ActionRun> run,
                                    const Target& target, Job& job, bool& broken);
    static Task<void> run_portions(std::shared_ptr<State> self, std::shared_ptr<ActionRun> run,
                                   std::size_t window);
    static Task<void> run_job(std::shared_ptr<State> self, std::shared_ptr<ActionRun> run, std::size_t index);
    static Task<void> end_session(std::shared_ptr<State> self, std::shared_ptr<ActionRun> run,
                                  std::string target, std::shared_ptr<transports::Session> session,
                                  bool broken);
    static Task<ResultSet> run_all(std::shared_ptr<State> self, std::shared_ptr<ActionRun> run);
};

namespace {

ErrorInfo not_started_error(const std::string& why) {
    return ErrorInfo("volley/not-started", "Not started: " + why);
}

ErrorInfo timeout_error(std::string_view what, std::string_view doing, std::chrono::nanoseconds limit) {
    return ErrorInfo("volley/timeout",
                     std::string(what) + " after " + seconds_text(limit) + " while " + std::string(doing) +
                         "; it was stopped",
                     Json{{"timeout", std::chrono::duration<double>(limit).count()}});
}

/// Why a job was cancelled in the middle.
ErrorInfo cut_off_error(const ActionRun& run, std::size_t index, std::string_view doing) {
    const std::string during = " while " + std::string(doing);
    if (run.stopped.contains(index)) return ErrorInfo("volley/stopped", "Stopped by the user" + during);
    if (run.expired)
        return timeout_error("Time limit for all targets reached", doing, *run.action.rollout.total_timeout);
    return interrupted_error("Interrupted" + during);
}

std::set<std::string> proxies_of(const ActionRun& run, inventory::Inventory& inventory) {
    std::set<std::string> names;
    const auto& what = run.action.what;
    if (!std::holds_alternative<TaskAction>(what) && !std::holds_alternative<ProcedureAction>(what))
        return names;
    for (const Target& target : run.targets) {
        if (!target.transport_spec().uses_proxy_target) continue;
        try {
            names.insert(proxy_of(inventory, target).name());
        } catch (const Error&) {
            continue;  // its job will say so
        }
    }
    return names;
}

}  // namespace

Task<void> Executor::State::run_job(std::shared_ptr<State> self, std::shared_ptr<ActionRun> run,
                                    std::size_t index) {
    const Target& target = run->targets[index];
    auto admission = self->limit.acquire();
    co_await std::move(admission);
    const ConcurrencyPermit guard(self->limit);
    if (!run->halted.empty()) co_return;
    const Clock::time_point begin = Clock::now();
    const std::string log_text =
        log_enabled(LogLevel::Info) ? action_log_text(run->action, target) : std::string();
    self->publish(TargetStarted{target.name(), run->description, log_text, run->step, index});
    std::optional<OutputEvents> observer;
    JobTools tools{self->pool, self->inventory, self->settings.script_interpreter, nullptr};
    if (self->settings.stream) {
        auto publish = [self, run](const Event& event) {
            if (!run->over) self->publish(event);
        };
        const bool is_task = std::holds_alternative<TaskAction>(run->action.what);
        tools.observer = &observer.emplace(std::move(publish), target, run->step, is_task);
    }
    Job job(tools, run->action, target);
    run->running.emplace(index, &job);
    std::optional<Result> result;
    bool broken = false;
    try {
        // All targets that start in this turn of the loop are reported first, and recorded in one piece.
        co_await asio::post(self->runtime.loop(), asio::use_awaitable);
        self->flush();
        auto work = run_in_time(self, run, target, job, broken);
        result = co_await std::move(work);
    } catch (const std::exception&) {
        broken = true;
        const ErrorInfo error = cut_off_error(*run, index, job.doing());
        result = Result::of_error(target.name(), std::string(action_name(run->action)), error);
    }
    run->running.erase(index);
    run->stopped.erase(index);
    if (observer) observer->finish(*result);
    if (!run->over) self->finish(*run, index, std::move(*result), begin);
    flush_soon(self);
    // In a worker that was cancelled every co_await but those of this_coro throws, and the session would stay
    // open until the end of the run. Closing has the transport's own deadline.
    co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
    if (job.session()) {
        auto ending = end_session(self, run, target.name(), job.session(), broken);
        co_await std::move(ending);
    }
    co_await asio::this_coro::reset_cancellation_state();  // the worker's next job can be cancelled again
}

/// `broken`: the job was stopped in the middle, and its session is not to be used again.
Task<Result> Executor::State::run_in_time(std::shared_ptr<State> self, std::shared_ptr<ActionRun> run,
                                          const Target& target, Job& job, bool& broken) {
    const auto limit = run->action.rollout.timeout;
    auto work = job.run();
    if (!limit) {
        Result result = co_await std::move(work);
        co_return result;
    }
    auto timer = self->runtime.questions().expire(self->runtime.loop(), *limit);
    transports::TaskResult<Result> outcome;
    auto kept = transports::keep_result(std::move(work), outcome);
    auto racing = transports::ends_before(std::move(kept), std::move(timer));
    if (co_await std::move(racing)) co_return outcome.take();
    broken = true;
    co_return Result::of_error(target.name(), std::string(action_name(run->action)),
                               timeout_error("Timeout", job.doing(), *limit), run->action.position.get());
}

Task<void> Executor::State::end_session(std::shared_ptr<State> self, std::shared_ptr<ActionRun> run,
                                        std::string target, std::shared_ptr<transports::Session> session,
                                        bool broken) {
    if (!broken && (self->may_keep(target) || run->proxies.count(target) > 0)) co_return;
    self->pool.drop(target);
    try {
        co_await session->connection().close();
    } catch (const std::exception& error) {
        log(LogLevel::Debug, "planner.executor", "Closing the session of " + target + ": " + error.what());
    }
}

void Executor::State::fill_gaps(ActionRun& run) {
    const std::string name(action_name(run.action));
    for (std::size_t i = 0; i < run.results.size(); ++i) {
        if (run.results[i]) continue;
        const auto running = run.running.find(i);
        if (!run.halted.empty() && running == run.running.end()) {
            leave_out(run, i, not_started_error(run.halted));
            continue;
        }
        const std::string what = running == run.running.end()
                                     ? std::string("Interrupted before it started")
                                     : "Interrupted while " + std::string(running->second->doing());
        Result result = Result::of_error(run.targets[i].name(), name, interrupted_error(what));
        finish(run, i, std::move(result), run.begin);
    }
}

/// Batch after batch, as the action's Rollout wants it.
Task<void> Executor::State::run_portions(std::shared_ptr<State> self, std::shared_ptr<ActionRun> run,
                                         std::size_t window) {
    const Rollout& rollout = run->action.rollout;
    const auto loop = co_await asio::this_coro::executor;
    asio::steady_timer total(loop);
    if (rollout.total_timeout) {
        total.expires_after(*rollout.total_timeout);
        total.async_wait([run](const boost::system::error_code& error) {
            if (error || run->over) return;
            run->expired = true;
            run->halt("the time limit for all targets was reached (" +
                      seconds_text(*run->action.rollout.total_timeout) + ")");
            if (run->pool) run->pool->stop();
        });
    }
    const auto portions = rollout.portions(run->targets.size());
    for (const auto& [begin, end] : portions) {
        auto job = [self, run, first = begin](std::size_t index) {
            return run_job(self, run, first + index);
        };
        run->first = begin;
        run->pool = std::make_unique<WorkerPool>(loop, end - begin, window, std::move(job));
        co_await run->pool->run();
        if (begin == 0 && rollout.canary > 0 && run->failures > 0)
            run->halt(run->failures == 1 ? "a canary target failed"
                                         : std::to_string(run->failures) + " canary targets failed");
        const bool stopped = run->pool->stopped() || self->interrupted || !run->halted.empty();
        if (stopped || end == run->targets.size()) break;
        if (rollout.batch_wait.count() == 0 || begin == end) continue;
        run->pause = std::make_unique<asio::steady_timer>(loop, rollout.batch_wait);
        boost::system::error_code cancelled;
        co_await run->pause->async_wait(asio::redirect_error(asio::use_awaitable, cancelled));
        run->pause.reset();
        if (cancelled) break;
    }
    total.cancel();
}

Task<ResultSet> Executor::State::run_all(std::shared_ptr<State> self, std::shared_ptr<ActionRun> run) {
    make_download_folder(run->action);
    warn_of_line_endings(run->action, self->looked_at);
    run->proxies = proxies_of(*run, self->inventory);
    const std::size_t wanted =
        std::max<std::size_t>(1, std::min(self->settings.concurrency, run->targets.size()));
    const std::size_t window = fit_descriptors(wanted, descriptors_each(run->targets));
    run->step = ++self->steps;
    self->publish(ActionStarted{action_name(run->action), run->description, run->targets.size(), run->targets,
                                run->step, &run->action});

    self->runs.push_back(run.get());
    auto portions = run_portions(self, run, window);
    co_await std::move(portions);
    self->runs.erase(std::find(self->runs.begin(), self->runs.end(), run.get()));
    self->fill_gaps(*run);
    run->over = true;
    run->pool.reset();  // its job holds the run

    std::vector<Result> results;
    results.reserve(run->results.size());
    for (std::optional<Result>& result : run->results) results.push_back(std::move(*result));
    const ResultSet set(std::move(results));
    self->publish(ActionFinished{run->description, set, Clock::now() - run->begin, run->step});
    co_return set;
}

void Executor::State::interrupt() {
    interrupted = true;
    runtime.questions().stop();
    std::vector<std::string> running;
    for (const ActionRun* run : runs) {
        for (const auto& [index, job] : run->running) {
            running.push_back(run->targets[index].safe_name() + " (" + std::string(job->doing()) + ")");
        }
    }
    publish(Interrupted{std::move(running)});
    for (ActionRun* run : runs) {
        if (run->pause) run->pause->cancel();
        run->pool->stop([run](std::size_t index) {
            const auto job = run->running.find(index);
            return job != run->running.end() && job->second->ask_to_end();
        });
    }
}

Executor::Executor(transports::Runtime& runtime, inventory::Inventory& inventory, const tasks::Library&,
                   ExecutorSettings settings)
    : state_(std::make_shared<State>(runtime, inventory, settings)) {}

Executor::~Executor() {
    // Jobs that were given up still hold the state; they must not call listeners that may be gone.
    state_->listeners.clear();
}

void Executor::add_listener(EventListener& listener) { state_->listeners.push_back(&listener); }

/// A signal that came while the loop had no turn counts too.
bool Executor::interrupted() const noexcept { return state_->interrupted || InterruptHandler::signal() != 0; }

Task<ResultSet> Executor::run(const Action& action, std::vector<Target> targets) {
    state_->inventory.prepare(targets);
    state_->inventory.warn_of_unused_options(targets);
    auto all = State::run_all(state_, std::make_shared<ActionRun>(action, std::move(targets)));
    ResultSet results = co_await std::move(all);
    co_return results;
}

bool Executor::stop(std::size_t step, std::string_view target) {
    for (ActionRun* run : state_->runs) {
        if (run->step != step) continue;
        for (const auto& [index, job] : run->running) {
            if (run->targets[index].name() != target) continue;
            if (!job->ending() && job->ask_to_end()) return true;
            run->stopped.insert(index);
            run->pool->cancel(index - run->first);
            return true;
        }
    }
    return false;
}

void Executor::publish(const Event& event) { state_->publish(event); }

const ExecutorSettings& Executor::settings() const noexcept { return state_->settings; }

void Executor::run_until(const std::function<bool()>& done, const std::function<void()>& on_interrupt) {
    asio::io_context& loop = state_->runtime.loop();
    asio::steady_timer patience(loop);
    std::function<void(const boost::system::error_code&)> give_up;
    give_up = [this, &patience, &give_up](const boost::system::error_code& error) {
        if (error) return;
        bool waits = false;
        for (ActionRun* run : state_->runs) {
            // What ends by itself may take as long as a package manager does; the second signal is the way
            // out.
            if (run->ending())
                waits = true;
            else
                run->pool->abandon();
        }
        if (!waits) return;
        patience.expires_after(tidy_time);
        patience.async_wait(give_up);
    };
    const InterruptHandler handler(loop, [this, &patience, &give_up, &on_interrupt] {
        if (state_->interrupted) return;
        state_->interrupt();
        if (on_interrupt) on_interrupt();
        patience.expires_after(tidy_time);
        patience.async_wait(give_up);
    });
    loop.restart();
    while (!done() && loop.run_one() > 0) continue;
    // Plan code that went round and round saw the signal before the loop did.
    if (InterruptHandler::signal() != 0 && !state_->interrupted) state_->interrupt();
}

void Executor::forget_interruption() {
    state_->interrupted = false;
    InterruptHandler::forget();
}

void Executor::close_sessions() {
    asio::io_context& loop = state_->runtime.loop();
    bool done = false;
    auto closing = state_->pool.close_all(goodbye_time);
    transports::start(loop.get_executor(), std::move(closing),
                      [&](const std::exception_ptr&) { done = true; });
    loop.restart();
    while (!done && loop.run_one() > 0) continue;
}

ResultSet Executor::run_blocking(const Action& action, std::vector<Target> targets) {
    transports::TaskResult<ResultSet> results;
    bool done = false;
    state_->inventory.prepare(targets);
    state_->inventory.warn_of_unused_options(targets);
    auto work = State::run_all(state_, std::make_shared<ActionRun>(action, std::move(targets)));
    auto kept = transports::keep_result(std::move(work), results);
    transports::start(state_->runtime.loop().get_executor(), std::move(kept),
                      [&](const std::exception_ptr& never_ran) {
                          if (never_ran) results.error = never_ran;
                          done = true;
                      });
    run_until([&done] { return done; });
    close_sessions();
    return results.take();
}

}  // namespace volley::planner
