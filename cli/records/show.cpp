// What `run show` prints.
#include <nlohmann/json.hpp>

#include "cli/outputters/fold_names.hpp"
#include "cli/outputters/result_groups.hpp"
#include "cli/outputters/text.hpp"
#include "cli/records/recorded_runs.hpp"
#include "support/json/json_text.hpp"
#include "support/text.hpp"
#include "support/unicode/printable.hpp"

namespace volley::cli {
namespace {

std::string verb_of(planner::Status status) {
    if (status == planner::Status::NotStarted) return "Not started on ";
    return status == planner::Status::Success ? "Finished on " : "Failed on ";
}

std::string body_text(const std::string& text) {
    return is_blank(text) ? "" : indent(4, printable(std::string(without_trail(text)), "\n\t")) + "\n";
}

std::string step_text(const planner::RecordedStep& step, const std::vector<ResultGroup>& groups) {
    std::string out = "Step: " + printable(step.description, "\t") + " on " + place_of(step.targets) + "\n";
    for (const ResultGroup& group : groups)
        out += "  " + verb_of(group.status) + place_of(group.names) + ":\n" + body_text(group.text);
    if (!step.unknown.empty())
        out += "  Unknown on " + place_of(step.unknown) + ": started, outcome not recorded\n";
    if (!step.left.empty()) out += "  Not started on " + place_of(step.left) + "\n";
    return out;
}

std::string head_text(const journal::RunRecord& run, const Json& head) {
    std::string out = "Run " + run.id + ": " + printable(run_title(head), "\t") + "\n";
    std::vector<std::pair<std::string, std::string>> rows{
        {"state", run_state(run)},
        {"when", run_time(head)},
        {"who", text_in(head, "user") + "@" + text_in(head, "host")},
        {"where", text_in(head, "folder")}};
    const Json* finish = run.find("finish");
    if (finish != nullptr && !text_in(*finish, "error").empty())
        rows.emplace_back("error", printable(text_in(*finish, "error"), "\t"));
    if (const std::string resumed = text_in(head, "resumes"); !resumed.empty())
        rows.emplace_back("resumes", resumed);
    if (const auto given = head.find("parameters"); given != head.end() && !given->empty())
        rows.emplace_back("parameters", given->dump());
    std::vector<std::string> left_out;
    for (const Json& one : head.value("left_out", Json::array())) {
        if (one.is_string()) left_out.push_back(one.get<std::string>());
    }
    if (!left_out.empty()) rows.emplace_back("not recorded", join(left_out, ", "));
    if (run.frames.damaged > 0)
        rows.emplace_back("damaged", std::to_string(run.frames.damaged) + " frames of the record");
    return out + table(rows, 2, 2);
}

Json head_json(const journal::RunRecord& run, const Json& head) {
    Json shown = head;
    shown.erase("frame");
    shown.erase("plan");
    shown["state"] = run_state(run);
    shown["damaged"] = run.frames.damaged;
    return shown;
}

}  // namespace

void print_run(Session& session, const journal::RunRecord& run) {
    const Json& head = run_head(run);
    std::string text = head_text(run, head);
    Json data = head_json(run, head);
    data["steps"] = Json::array();
    for (const planner::RecordedStep& step : planner::steps_of_run(run)) {
        const auto groups = result_groups(planner::ResultSet(step.results), own_name);
        text += "\n" + step_text(step, groups);
        data["steps"].push_back(Json{{"description", step.description},
                                     {"targets", step.targets},
                                     {"groups", to_json(groups)},
                                     {"unknown", step.unknown},
                                     {"not_started", step.left}});
    }
    text.pop_back();
    session.out().print_document(text, data);
}

}  // namespace volley::cli
