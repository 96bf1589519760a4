// What `run show` and `run diff` print.
#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "apply/catalog/diff.hpp"
#include "cli/outputters/fold_names.hpp"
#include "cli/outputters/result_groups.hpp"
#include "cli/outputters/text.hpp"
#include "cli/records/recorded_runs.hpp"
#include "support/json/json_text.hpp"
#include "support/text.hpp"
#include "support/unicode/printable.hpp"

namespace volley::cli {
namespace {

std::string own_name(std::string_view name) { return std::string(name); }

std::string place_of(const std::vector<std::string>& names) {
    return names.size() == 1 ? names.front() : target_count(names.size()) + ": " + fold_names(names);
}

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
        out += "  Unknown on " + place_of(step.unknown) + ": it began, and nobody saw its end\n";
    if (!step.left.empty()) out += "  Not started on " + place_of(step.left) + "\n";
    return out;
}

std::string head_text(const journal::RunRecord& run, const Json& head) {
    std::string out = "Run " + run.id + ": " + printable(run_title(head), "\t") + "\n";
    const auto at = head.find("at");
    std::vector<std::pair<std::string, std::string>> rows{
        {"state", run_state(run)},
        {"when", at != head.end() && at->is_number_integer() ? local_time(at->get<std::uint64_t>()) : ""},
        {"who", text_in(head, "user") + "@" + text_in(head, "host")},
        {"where", text_in(head, "folder")}};
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
        rows.emplace_back("damaged", std::to_string(run.frames.damaged) + " lines of the record");
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

/// The outcomes of a run's actions by target: of each step its description and the result.
using Outcomes = std::map<std::string, std::map<std::string, planner::Result>>;

Outcomes outcomes_of(const journal::RunRecord& run) {
    Outcomes found;
    std::map<std::string, std::size_t> seen;
    for (const planner::RecordedStep& step : planner::steps_of_run(run)) {
        const std::size_t again = ++seen[step.description];
        const std::string name = step.description + (again > 1 ? " (" + std::to_string(again) + ")" : "");
        for (const planner::Result& result : step.results)
            found[name].insert_or_assign(result.target(), result);
    }
    return found;
}

/// What one result says, for a comparison in which numbers and names do not count.
const ResultGroup& alone(const planner::Result& result, std::vector<ResultGroup>& groups) {
    groups = result_groups(planner::ResultSet({result}), own_name);
    return groups.front();
}

bool says_the_same(const planner::Result& one, const planner::Result& other) {
    return result_groups(planner::ResultSet({one, other}), own_name).size() == 1;
}

struct Difference {
    ResultGroup before;
    ResultGroup after;
    std::vector<std::string> names;
};

/// Targets whose results differ, those together of which the same can be said.
std::vector<Difference> differences(const std::map<std::string, planner::Result>& before,
                                    const std::map<std::string, planner::Result>& after) {
    std::vector<Difference> found;
    std::vector<std::pair<const planner::Result*, const planner::Result*>> firsts;
    for (const auto& [target, result] : after) {
        const auto earlier = before.find(target);
        if (earlier == before.end() || says_the_same(earlier->second, result)) continue;
        std::size_t i = 0;
        while (i < found.size() && !(says_the_same(*firsts[i].first, earlier->second) &&
                                     says_the_same(*firsts[i].second, result)))
            ++i;
        if (i == found.size()) {
            std::vector<ResultGroup> groups;
            Difference one;
            one.before = alone(earlier->second, groups);
            one.after = alone(result, groups);
            found.push_back(std::move(one));
            firsts.emplace_back(&earlier->second, &result);
        }
        found[i].names.push_back(target);
    }
    return found;
}

std::vector<std::string> missing_in(const std::map<std::string, planner::Result>& these,
                                    const std::map<std::string, planner::Result>& those) {
    std::vector<std::string> names;
    for (const auto& [target, result] : these) {
        if (!those.contains(target)) names.push_back(target);
    }
    return names;
}

std::string with_status(const ResultGroup& group) {
    return "[" + std::string(planner::to_string(group.status)) + "]\n" + group.text + "\n";
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

void print_run_diff(Session& session, const journal::RunRecord& before, const journal::RunRecord& after) {
    const Outcomes old_ones = outcomes_of(before);
    const Outcomes new_ones = outcomes_of(after);
    std::string text = "From " + before.id + " (" + run_title(run_head(before)) + ") to " + after.id + " (" +
                       run_title(run_head(after)) + ")\n";
    Json data = Json::array();
    std::size_t same = 0;
    static const std::map<std::string, planner::Result> none;
    Outcomes all = old_ones;
    for (const auto& [name, results] : new_ones) all.try_emplace(name, results);
    for (const auto& [name, unused] : all) {
        const auto& old_results = old_ones.contains(name) ? old_ones.at(name) : none;
        const auto& new_results = new_ones.contains(name) ? new_ones.at(name) : none;
        const auto gone = missing_in(old_results, new_results);
        const auto added = missing_in(new_results, old_results);
        const auto changed = differences(old_results, new_results);
        std::size_t differing = added.size();
        if (!gone.empty()) text += name + ": only in " + before.id + ": " + place_of(gone) + "\n";
        if (!added.empty()) text += name + ": only in " + after.id + ": " + place_of(added) + "\n";
        Json changes = Json::array();
        for (const Difference& one : changed) {
            differing += one.names.size();
            text += name + ": different on " + place_of(one.names) + "\n";
            for (const std::string& row : line_diff(with_status(one.before), with_status(one.after)))
                text += "    " + printable(row, "\t") + "\n";
            changes.push_back(Json{{"targets", one.names},
                                   {"before", to_json(std::vector<ResultGroup>{one.before})[0]},
                                   {"after", to_json(std::vector<ResultGroup>{one.after})[0]}});
        }
        same += new_results.size() - differing;
        if (gone.empty() && added.empty() && changed.empty()) continue;
        data.push_back(Json{
            {"step", name}, {"only_before", gone}, {"only_after", added}, {"different", std::move(changes)}});
    }
    text += "The same: " + std::to_string(same) + (same == 1 ? " outcome" : " outcomes");
    session.out().print_document(
        text, Json{{"before", before.id}, {"after", after.id}, {"steps", std::move(data)}, {"same", same}});
}

}  // namespace volley::cli
