// What `run show` prints.
#include <cctype>
#include <cstdint>
#include <map>
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

/// Steps in the plans and branches that they were in. Each of those stands where the first of its steps
/// began.
class StepOutline {
public:
    StepOutline() { parts_.emplace_back(); }
    void add(const planner::RecordedStep& step, std::string text) {
        std::size_t at = 0;
        for (const auto& [number, label] : step.path) at = part_of(at, number, label);
        add_to(at, {std::move(text), {}});
    }
    std::string text() const {
        std::string out;
        for (const std::size_t one : parts_.front().inside) out += "\n" + text_of(one, 0);
        return out;
    }

private:
    struct Part {
        std::string text;
        std::vector<std::size_t> inside;
    };

    std::size_t add_to(std::size_t around, Part part) {
        parts_[around].inside.push_back(parts_.size());
        parts_.push_back(std::move(part));
        return parts_.size() - 1;
    }
    std::size_t part_of(std::size_t around, std::uint64_t number, std::string label) {
        const auto known = numbers_.find(number);
        if (known != numbers_.end()) return known->second;
        if (!label.empty()) label[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(label[0])));
        return numbers_[number] = add_to(around, {printable(label, "\t") + ":\n", {}});
    }
    std::string text_of(std::size_t part, std::size_t depth) const {
        std::string out = depth == 0 ? parts_[part].text : indent(2 * depth, parts_[part].text);
        for (const std::size_t one : parts_[part].inside) out += text_of(one, depth + 1);
        return out;
    }

    std::vector<Part> parts_;  // the first one is around all
    std::map<std::uint64_t, std::size_t> numbers_;
};

std::vector<std::string> path_labels(const planner::RecordedStep& step) {
    std::vector<std::string> labels;
    for (const auto& [number, label] : step.path) labels.push_back(label);
    return labels;
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
    StepOutline outline;
    for (const planner::RecordedStep& step : planner::steps_of_run(run)) {
        const auto groups = result_groups(planner::ResultSet(step.results), own_name);
        outline.add(step, step_text(step, groups));
        data["steps"].push_back(Json{{"description", step.description},
                                     {"path", path_labels(step)},
                                     {"targets", step.targets},
                                     {"groups", to_json(groups)},
                                     {"unknown", step.unknown},
                                     {"not_started", step.left}});
    }
    text += outline.text();
    text.pop_back();
    session.out().print_document(text, data);
}

}  // namespace volley::cli
