#include "cli/records/recorded_runs.hpp"

#include <algorithm>
#include <ctime>
#include <nlohmann/json.hpp>

#include "cli/outputters/fold_names.hpp"
#include "cli/outputters/text.hpp"
#include "cli/run/recording.hpp"
#include "support/error.hpp"
#include "support/json/json_text.hpp"
#include "support/text.hpp"

namespace volley::cli {
namespace {

constexpr std::size_t longest_chain = 1000;
constexpr int first_signal_status = 128;

[[noreturn]] void cannot_resume(const std::string& message) { throw Error("volley/resume-error", message); }

/// The run that has gone on with this one.
std::optional<std::string> resumed_by(const Session& session, const journal::RunFile& file) {
    for (const journal::RunFile& other : journal::runs_in(journal_folder(session))) {
        if (other.path <= file.path) break;
        const journal::RunRecord run = journal::read_run_ends(other);
        const Json* head = run.find("run");
        if (head != nullptr && text_in(*head, "resumes") == file.id) return other.id;
    }
    return std::nullopt;
}

}  // namespace

journal::RunFile named_run(const Session& session, const std::optional<std::string>& word) {
    return journal::find_run(journal_folder(session), word.value_or("last"));
}

journal::RunFile last_plan_run(const Session& session) {
    for (const journal::RunFile& file : journal::runs_in(journal_folder(session))) {
        const journal::RunRecord run = journal::read_run_ends(file);
        const Json* head = run.find("run");
        if (head != nullptr && head->contains("plan")) return file;
    }
    throw Error("volley/unknown-run", "No run of a plan is recorded in this project");
}

void refuse_damaged(const journal::RunRecord& run) {
    if (run.frames.damaged > 0 || !run.lost.empty())
        cannot_resume("The record of run " + run.id + " is damaged and cannot be resumed");
}

std::vector<journal::RunRecord> run_chain(const Session& session, const std::string& id) {
    std::vector<journal::RunRecord> chain;
    for (std::string next = id; !next.empty() && chain.size() < longest_chain;) {
        chain.push_back(journal::read_run(named_run(session, next)));
        refuse_damaged(chain.back());
        next = text_in(run_head(chain.back()), "resumes");
    }
    std::reverse(chain.begin(), chain.end());
    return chain;
}

UniqueFd lock_resumed(const Session& session, const CommandLine& line) {
    const std::string& id = line.resumes.id;
    if (id.empty()) return {};
    if (!session.config().journal) {
        cannot_resume(
            "A run can only be resumed with the journal on, so that nothing runs twice; use --journal");
    }
    const journal::RunFile file = named_run(session, id);
    UniqueFd lock = journal::lock_run(file);
    if (!lock) cannot_resume("Run " + id + " is still running or is being resumed");
    if (const auto other = resumed_by(session, file)) {
        cannot_resume("Run " + id + " was already resumed by run " + *other +
                      "; to continue from there, use 'volley run resume " + *other + "'");
    }
    return lock;
}

std::string run_state(const journal::RunRecord& run) {
    const Json* finish = run.find("finish");
    if (finish == nullptr) return run.running ? "running" : "unfinished";
    const auto found = finish->find("status");
    const int status = found != finish->end() && found->is_number_integer() ? found->get<int>() : 1;
    if (status > first_signal_status) return "interrupted";
    return status == 0 ? "succeeded" : "failed";
}

std::string run_title(const Json& head) {
    const std::string object = text_in(head, "object");
    return text_in(head, "verb") + (object.empty() ? "" : " " + shell_quote(object));
}

std::string run_time(const Json& head) {
    const auto at = head.find("at");
    if (at == head.end() || !at->is_number_integer()) return {};
    const auto seconds = static_cast<std::time_t>(at->get<std::int64_t>() / 1000);
    std::tm parts{};
    ::localtime_r(&seconds, &parts);
    char text[32];
    const std::size_t size = std::strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S", &parts);
    return {text, size};
}

std::string own_name(std::string_view name) { return std::string(name); }

std::string place_of(const std::vector<std::string>& names) {
    return names.size() == 1 ? names.front() : target_count(names.size()) + ": " + fold_names(names);
}

const Json& run_head(const journal::RunRecord& run) {
    if (const Json* head = run.find("run")) return *head;
    throw Error("volley/unknown-run", "The record of run " + run.id + " is missing its first part");
}

}  // namespace volley::cli
