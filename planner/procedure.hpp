#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "inventory/targets/target.hpp"
#include "planner/results/result.hpp"
#include "support/json/json.hpp"
#include "tasks/task.hpp"
#include "transports/connection.hpp"
#include "transports/shell/shell.hpp"
#include "transports/task.hpp"

namespace volley::transports {
class Runtime;
}

namespace volley::planner {

/// One target, for an action that takes more than one command or task. Loop thread only; valid while the
/// work is performed.
class TargetAccess {
public:
    virtual ~TargetAccess() = default;
    virtual const inventory::Target& target() const = 0;
    /// What the target is at ("compiling"): an interruption reports it. The text must last for ever.
    virtual void now_doing(std::string_view what) = 0;
    /// How an interruption asks what runs there to end by itself: called once; false when it cannot, and is
    /// cut off. Empty, as at first: it is always cut off.
    virtual void on_interrupt(std::function<bool()> ask_to_end) = 0;
    /// Where what happens there is shown while it happens (--stream); null when nobody watches.
    virtual transports::OutputSink* live_output() const = 0;
    /// Runs a command that reads `input` and answers while it runs (Shell::run_session); the first call
    /// connects.
    virtual transports::Task<transports::ExitStatus> run_session(std::string command,
                                                                 transports::Input& input,
                                                                 transports::OutputSink& output) = 0;
    /// How its session was opened, once it is; null where nothing is known about that.
    virtual const transports::ConnectionFacts* connection_facts() const { return nullptr; }
    /// Runs a task there and returns its value (RES-007 to RES-014); the first call connects. Throws what
    /// connecting throws.
    virtual transports::Task<Json> run_task(std::shared_ptr<const tasks::TaskDefinition> task,
                                            tasks::Arguments arguments, bool noop) = 0;
    /// What kind of shell the target has; the first call connects.
    virtual transports::Task<transports::ShellTraits> shell_traits() = 0;
    /// Runs a command of that shell; the first call connects.
    virtual transports::Task<transports::Output> run_command(std::string command) = 0;
};

/// Something to do on every target of a set, in several steps. Shared by the jobs of an action; loop thread
/// only.
class Procedure {
public:
    virtual ~Procedure() = default;
    /// RES-003: the `action` of its results.
    virtual std::string_view action() const = 0;
    /// RES-004; empty: null.
    virtual std::string object() const = 0;
    /// Of its step lines, unless the action has a description of its own.
    virtual std::string description() const = 0;
    /// Differs for work that does something else, if object() does not say it: a plan that is resumed
    /// compares it with the record's.
    virtual std::string fingerprint() const { return {}; }
    /// Files and folders whose content counts as part of it.
    virtual std::vector<std::filesystem::path> inputs() const { return {}; }
    /// The result. An Error that it throws becomes the result.
    virtual transports::Task<Result> perform(TargetAccess& access) const = 0;
};

}  // namespace volley::planner
