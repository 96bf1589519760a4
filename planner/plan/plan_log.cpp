#include "planner/plan/plan_log.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <nlohmann/json.hpp>

#include "planner/work.hpp"
#include "support/error.hpp"
#include "support/files.hpp"
#include "support/log.hpp"
#include "support/text.hpp"

namespace volley::planner {
namespace {

/// FNV-1a: tells a changed step from the same one, and gives nothing away of what it was made of.
std::string log_digest(std::string_view text) {
    std::uint64_t digest = 14695981039346656037ULL;
    for (const char c : text) {
        digest ^= static_cast<unsigned char>(c);
        digest *= 1099511628211ULL;
    }
    return fmt::format("{:016x}", digest);
}

Json log_arguments(const tasks::Arguments& arguments) {
    Json list = Json::array();
    for (const tasks::Argument& one : arguments) list.push_back(Json::array({one.name, *one.value}));
    return list;
}

/// What makes a step the same step: all that it does, and where.
std::string log_key(const Action& action, const std::vector<inventory::Target>& targets) {
    Json parts = Json::array({std::string(action_name(action)), scrub_utf8(action_object(action))});
    for (const inventory::Target& target : targets) parts.push_back(target.name());
    if (const auto* command = std::get_if<CommandAction>(&action.what)) parts.push_back(command->environment);
    if (const auto* script = std::get_if<ScriptAction>(&action.what)) {
        parts.push_back(script->arguments);
        parts.push_back(script->environment);
    }
    if (const auto* task = std::get_if<TaskAction>(&action.what)) {
        parts.push_back(log_arguments(task->arguments));
        if (task->arguments_of) {
            for (const inventory::Target& target : targets) {
                parts.push_back(log_arguments(task->arguments_of->at(target.name())));
            }
        }
    }
    if (const auto* own = std::get_if<WorkAction>(&action.what)) parts.push_back(scrub_utf8(own->work->fingerprint()));
    if (const auto* upload = std::get_if<UploadAction>(&action.what)) {
        // A temporary file of write_file has another name each time.
        if (action.description) parts[1] = *action.description;
        parts.push_back(upload->destination);
    }
    return log_digest(parts.dump(-1, ' ', false, Json::error_handler_t::replace));
}

/// A result as the plan sees it again.
Result log_result(const Json& record) {
    const auto target = record.at("target").get<std::string>();
    const auto action = record.at("action").get<std::string>();
    const Json& object = record.at("object");
    const std::optional<std::string> named =
        object.is_string() ? std::optional(object.get<std::string>()) : std::nullopt;
    const Json& value = record.at("value");
    if (named && (action == "command" || action == "script") && value.contains("exit_code")) {
        transports::Output output;
        output.captured.append(transports::Stream::Out, value.value("stdout", ""));
        output.captured.append(transports::Stream::Err, value.value("stderr", ""));
        output.status.code = value.value("exit_code", 0);
        return Result::of_command(target, action, *named, std::move(output));
    }
    return Result::of_value(target, action, named, value);
}

[[noreturn]] void resume_error(const std::string& message) { throw Error("volley/resume-error", message); }

}  // namespace

void PlanLog::write_line(const Json& line) {
    if (!file_) return;
    const std::string text = line.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
    // One write a line: what is in the file is whole lines, but for the last one of a killed run.
    if (::write(file_.get(), text.data(), text.size()) == static_cast<ssize_t>(text.size())) return;
    log_warning_once("plan_log", "planner", std::string("The plan log cannot be written: ") + std::strerror(errno));
}

void PlanLog::write_to(const std::filesystem::path& file, const std::string& plan, const Json& parameters) {
    const auto fail = [&file] {
        throw Error("bolt/file-error", "Could not write the plan log " + file.string() + ": " + std::strerror(errno),
                    Json{{"path", file.string()}});
    };
    // What an earlier run had finished is in the new record from the start, and the old one, which may be the
    // same file, goes only then: whenever this run is killed, nothing of either is lost.
    const std::filesystem::path begun =
        carried_.empty() ? file : std::filesystem::path(file.string() + ".new");
    file_ = UniqueFd(::open(begun.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0600));
    if (!file_) fail();
    write_line(Json{{"plan", plan}, {"parameters", log_digest(parameters.dump())}});
    for (const std::shared_ptr<const Json>& line : carried_) write_line(*line);
    if (!carried_.empty() && ::rename(begun.c_str(), file.c_str()) != 0) fail();
    carried_.clear();
}

void PlanLog::resume_from(const std::filesystem::path& file, const std::string& plan, const Json& parameters) {
    bool first = true;
    for (const std::string& line : split(read_file(file, "plan log"), '\n')) {
        const Json entry = Json::parse(line, nullptr, false);
        if (!entry.is_object()) continue;  // the last line of a killed run
        if (first) {
            if (entry.value("plan", "") != plan) {
                resume_error(file.string() + " is the record of the plan '" + entry.value("plan", "?") + "', not of '" + plan +
                             "'");
            }
            if (entry.value("parameters", "") != log_digest(parameters.dump())) {
                resume_error("The plan was run with other parameters when " + file.string() + " was recorded");
            }
            first = false;
            continue;
        }
        if (!entry.contains("key")) continue;
        const Json& results = entry.at("results");
        const bool ok = std::all_of(results.begin(), results.end(),
                                    [](const Json& one) { return one.value("status", "") == "success"; });
        if (ok) carried_.push_back(std::make_shared<const Json>(entry));
        steps_.push_back({entry.at("key").get<std::string>(), entry.value("step", ""), ok,
                          std::make_shared<const Json>(results)});
    }
    if (first) resume_error(file.string() + " is no record of a plan");
}

std::optional<ResultSet> PlanLog::recorded(const Action& action, const std::vector<inventory::Target>& targets) {
    ++number_;
    if (steps_.empty()) return std::nullopt;
    const std::string key = log_key(action, targets);
    // Steps of parallel blocks end in any order, so look at all that are left.
    const auto found = std::find_if(steps_.begin(), steps_.end(), [&key](const Step& one) { return one.key == key; });
    if (found == steps_.end()) {
        if (std::none_of(steps_.begin(), steps_.end(), [](const Step& one) { return one.ok; })) return std::nullopt;
        resume_error("The plan has changed since it was recorded: step " + std::to_string(number_) + " is now '" +
                     action_description(action) + "', where the record has '" + steps_.front().description + "'");
    }
    const Step step = *found;
    steps_.erase(found);
    if (!step.ok) return std::nullopt;
    std::vector<Result> results;
    for (const Json& one : *step.results) results.push_back(log_result(one));
    log(LogLevel::Info, "planner", "Taken from the record: " + action_description(action));
    return ResultSet(std::move(results));
}

void PlanLog::finished(const Action& action, const std::vector<inventory::Target>& targets, const ResultSet& results,
                       std::chrono::nanoseconds elapsed) {
    if (!file_) return;
    Json list = Json::array();
    for (const Result& result : results.results()) list.push_back(result.to_json());
    write_line(Json{{"step", action_description(action)},
                    {"action", std::string(action_name(action))},
                    {"object", scrub_utf8(action_object(action))},
                    {"key", log_key(action, targets)},
                    {"seconds", std::chrono::duration<double>(elapsed).count()},
                    {"results", std::move(list)}});
}

}  // namespace volley::planner
