#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <span>
#include <system_error>
#include <vector>

#include "cli/outputters/fold_names.hpp"
#include "cli/outputters/human.hpp"
#include "cli/outputters/listing.hpp"
#include "cli/outputters/result_groups.hpp"
#include "cli/outputters/text.hpp"
#include "planner/plan/plan_run.hpp"
#include "support/json/json_text.hpp"
#include "support/text.hpp"
#include "support/unicode/printable.hpp"

namespace volley::cli {
namespace {

constexpr std::size_t step_targets_named = 5;
constexpr std::size_t step_failures_named = 10;
constexpr std::size_t step_reasons_shown = 20;
constexpr std::size_t step_reason_length = 300;

/// The last line with something in it.
std::string last_line_of(std::string_view text) {
    while (!text.empty() && is_blank(text.substr(text.size() - 1))) text.remove_suffix(1);
    const std::size_t begin = text.rfind('\n');
    return std::string(trim(begin == std::string_view::npos ? text : text.substr(begin + 1)));
}

/// On one line: what the error says, and of a command the last that it said.
std::string step_failure_reason(const planner::Result& result) {
    const Json& error = result.error();
    std::string reason = error.is_object() && error.contains("msg") && error["msg"].is_string()
                             ? error["msg"].get<std::string>()
                             : compact_json(error);
    if (const transports::Output* output = result.output()) {
        std::string said = last_line_of(output->captured.text(transports::Stream::Err));
        if (said.empty()) said = last_line_of(output->captured.text(transports::Stream::Out));
        if (!said.empty()) reason += ": " + said;
    }
    reason = without_repeated_places(std::move(reason));
    std::string line;
    for (const std::string& part : split(reason, '\n')) {
        const std::string_view words = trim(part);
        if (!words.empty()) line += (line.empty() ? "" : "; ") + std::string(words);
    }
    line = scrub_utf8(line);
    return line.size() > step_reason_length ? truncate(line, step_reason_length) : line;
}

/// "  [plans/deploy.pp:5]"; below the folder that the user is in, from there.
std::string step_position(const Json& error) {
    const auto details = error.is_object() ? error.find("details") : error.end();
    if (!error.is_object() || details == error.end() || !details->is_object() || !details->contains("file"))
        return {};
    std::filesystem::path file = details->value("file", "");
    std::error_code ignored;
    const std::filesystem::path here = file.lexically_relative(std::filesystem::current_path(ignored));
    if (!here.empty() && *here.begin() != "..") file = here;
    return "  [" + file.string() + (details->contains("line") ? ":" + (*details)["line"].dump() : "") + "]";
}

/// As Ruby prints a number rounded to two places: 0.0, 1.25.
std::string step_seconds(std::chrono::nanoseconds elapsed) {
    const double seconds = std::chrono::duration<double>(elapsed).count();
    return Json(std::round(seconds * 100) / 100).dump() + " sec";
}

/// A few by name, more by number.
std::string step_targets_text(std::span<const inventory::Target> targets, std::size_t count) {
    if (count > step_targets_named) return std::to_string(count) + " targets";
    std::vector<std::string> names;
    for (const inventory::Target& target : targets) names.push_back(printable(target.safe_name()));
    return join(names, ", ");
}

/// The ResultSet in the details of a failure of run_* or apply.
const planner::ResultSetObject* failed_results(const Value& error) {
    if (!planner::is_error_value(error)) return nullptr;
    const Value details = error.as<ObjectBase>().attribute("details").value_or(Value());
    const Value* set = details.is_hash() ? details.as_hash().find("result_set") : nullptr;
    return set ? planner::object_in<planner::ResultSetObject>(*set) : nullptr;
}

}  // namespace

void HumanOutputter::on_plan_event(const planner::Event& event) {
    if (const auto* switched = std::get_if<planner::OutputSwitched>(&event)) {
        switched_off_ += switched->off ? 1 : -1;
    } else if (const auto* message = std::get_if<planner::Message>(&event)) {
        if (message->verbose && !settings_.verbose) return;
        console_.write_line(colorize(Color::Plain, message->text));
        console_.flush();
    } else if (const auto* started = std::get_if<planner::PlanStarted>(&event)) {
        ++plan_depth_;
        if (switched_off_ > 0) return;
        console_.write_line(colorize(Color::Green, "Starting: plan " + std::string(started->plan)));
        console_.flush();
    } else if (const auto* finished = std::get_if<planner::PlanFinished>(&event)) {
        --plan_depth_;
        if (switched_off_ > 0) return;
        console_.write_line(colorize(Color::Green, "Finished: plan " + std::string(finished->plan) + " in " +
                                                       duration_text(finished->elapsed)));
        console_.flush();
    }
    if (plan_depth_ == 0 || switched_off_ > 0) return;
    if (const auto* step = std::get_if<planner::ActionStarted>(&event)) print_step_start(*step);
    if (const auto* step = std::get_if<planner::ActionFinished>(&event)) print_step_finish(*step);
    if (const auto* step = std::get_if<planner::ActionTaken>(&event)) print_step_taken(*step);
    if (const auto* begun = std::get_if<planner::ContainerStarted>(&event)) {
        console_.write_line(
            colorize(Color::Green, "Starting: run container '" + std::string(begun->image) + "'"));
    }
    if (const auto* done = std::get_if<planner::ContainerFinished>(&event)) {
        const bool ok = done->outcome.ok();
        console_.write_line(colorize(
            ok ? Color::Green : Color::Red,
            "Finished: run container '" + done->outcome.image + (ok ? "' succeeded." : "' failed.")));
        if (settings_.verbose) print_container(done->outcome);
    }
}

void HumanOutputter::print_step_start(const planner::ActionStarted& step) {
    if (++steps_running_ > 1) steps_beside_ = true;
    const std::string on = step_targets_text(step.on, step.targets);
    console_.write_line(colorize(Color::Green, "Starting: " + std::string(step.description) + " on " + on));
    console_.flush();
}

void HumanOutputter::print_step_taken(const planner::ActionTaken& step) {
    const std::string on = step_targets_text(step.on, step.on.size());
    console_.write_line(
        colorize(Color::Cyan, "Taken from the record: " + std::string(step.description) + " on " + on));
    console_.flush();
}

void HumanOutputter::print_step_finish(const planner::ActionFinished& step) {
    const auto& all = step.results.results();
    const auto failures = std::ranges::count(all, planner::Status::Failure, &planner::Result::status);
    const auto left = std::ranges::count(all, planner::Status::NotStarted, &planner::Result::status);
    std::string line = "Finished: " + std::string(step.description) + " with " + std::to_string(failures) +
                       " failure" + (failures == 1 ? "" : "s") +
                       (left > 0 ? ", not started on " + target_count(static_cast<std::size_t>(left)) : "") +
                       " in " + step_seconds(step.elapsed);
    // Of steps that run beside each other the description alone does not show which one it was.
    if (steps_beside_ && all.size() == 1) line += " on " + shown_name(all.front().target());
    console_.write_line(colorize(failures > 0 ? Color::Red : Color::Green, line));
    if (--steps_running_ == 0) steps_beside_ = false;
    if (!applying_) {
        const bool many = static_cast<std::size_t>(failures) > few_targets;
        many&& settings_.grouping != Grouping::Off ? print_step_failure_groups(step)
                                                   : print_step_failures(step);
        print_changes(step.results);
    }
    console_.flush();
}

/// Who, why, and where in the plan.
void HumanOutputter::print_step_failures(const planner::ActionFinished& step) {
    std::size_t failed = 0;
    for (const planner::Result& result : step.results.results()) {
        if (result.status() != planner::Status::Failure || ++failed > step_failures_named) continue;
        console_.write_line(colorize(
            Color::Red, "Failed: " + std::string(step.description) + " on " + display_name(result.target()) +
                            ": " + step_failure_reason(result) + step_position(result.error())));
    }
    if (failed > step_failures_named) {
        console_.write_line(colorize(Color::Red, "Failed: " + std::string(step.description) + " on " +
                                                     std::to_string(failed - step_failures_named) + " more"));
    }
}

/// The same of more than can be named one by one: each reason once, the rarest first.
void HumanOutputter::print_step_failure_groups(const planner::ActionFinished& step) {
    const auto name = [this](std::string_view target) { return shown_name(target); };
    std::vector<ResultGroup> all = failure_groups(step.results, name);
    std::ranges::reverse(all);
    const auto first =
        std::ranges::find(step.results.results(), planner::Status::Failure, &planner::Result::status);
    const std::string position = step_position(first->error());
    for (std::size_t i = 0; i < all.size(); ++i) {
        const bool rest = i + 1 == step_reasons_shown && i + 1 < all.size();
        std::vector<std::string> names = all[i].names;
        for (std::size_t other = i + 1; rest && other < all.size(); ++other)
            names.insert(names.end(), all[other].names.begin(), all[other].names.end());
        console_.write_line(colorize(Color::Red, "Failed: " + std::string(step.description) + " on " +
                                                     target_count(names.size()) + ": " + fold_names(names) +
                                                     position));
        console_.write_line(rest ? "  for " + std::to_string(all.size() - i) + " other reasons"
                                 : indent(2, printable(without_trail(all[i].text), "\n\t")));
        if (rest) return;
    }
}

void HumanOutputter::print_container(const planner::ContainerOutcome& outcome) {
    const std::string name = "running container " + outcome.image + ":";
    console_.write_line(outcome.ok() ? colorize(Color::Green, "Finished " + name)
                                     : colorize(Color::Red, "Failed " + name));
    if (!outcome.ok()) {
        const std::string msg = indent(2, outcome.value->at("_error").value("msg", ""));
        console_.write_line(colorize(Color::Red, without_trail(msg)));
        return;
    }
    const std::string out = outcome.value->value("stdout", "");
    const std::string err = outcome.value->value("stderr", "");
    if (is_blank(out) && is_blank(err)) {
        console_.write_line("  Running container " + outcome.image +
                            " completed successfully with no result");
    }
    if (!is_blank(out)) console_.write_line("  STDOUT:\n" + indent(4, out));
    if (!is_blank(err)) console_.write_line("  STDERR:\n" + indent(4, err));
}

void HumanOutputter::print_result_lines(const planner::ResultSet& results) {
    const planner::ResultSet shown = wanted(results);
    const auto& all = shown.results();
    const bool grouped =
        all.size() > 1 && std::ranges::all_of(all, [](const auto& one) { return one.action() == "apply"; });
    if (grouped) ++grouped_applies_;
    grouping_ = !all.empty() && groups(all.front().action(), all.size());
    for (const planner::Result& result : all) {
        if (!grouping_ && result.status() != planner::Status::NotStarted) print_result(result);
    }
    if (grouped) {
        --grouped_applies_;
        if (settings_.verbose) print_log_groups(shown);
    }
    if (grouping_) print_result_groups(shown, true);
    print_changes(shown);
    print_totals(results, "");
}

/// OUT-017. A position that the message names already is not printed again (PLN-019).
void HumanOutputter::print_plan_error(const ErrorInfo& error) {
    std::string text = printable(without_repeated_places(error.msg()), "\n\t");
    const Json& details = error.details();
    const bool placed = details.is_object() && details.contains("file");
    if (placed && text.find("(file: ") == std::string::npos &&
        text.find(details.value("file", "") + ":") == std::string::npos) {
        text += "\n  (file: " + details.value("file", "");
        for (const char* key : {"line", "column"}) {
            if (details.contains(key)) text += ", " + std::string(key) + ": " + details[key].dump();
        }
        text += ")";
    }
    console_.write_line(colorize(Color::Red, text));
    print_trace(error.kind(), details);
}

/// As on_plan_event prints them.
bool HumanOutputter::shows(const planner::Event& event) const {
    if (const auto* message = std::get_if<planner::Message>(&event))
        return !message->verbose || settings_.verbose;
    if (switched_off_ > 0) return false;
    if (std::holds_alternative<planner::PlanStarted>(event) ||
        std::holds_alternative<planner::PlanFinished>(event))
        return true;
    return plan_depth_ > 0 && (std::holds_alternative<planner::ActionStarted>(event) ||
                               std::holds_alternative<planner::ActionFinished>(event) ||
                               std::holds_alternative<planner::ActionTaken>(event) ||
                               std::holds_alternative<planner::ContainerStarted>(event) ||
                               std::holds_alternative<planner::ContainerFinished>(event));
}

void HumanOutputter::print_plan_value(const Value& value) {
    if (value.is_undef()) {
        console_.write_line("Plan completed successfully with no result");
    } else if (const auto* set = planner::object_in<planner::ResultSetObject>(value)) {
        print_result_lines(set->plain());
    } else if (const auto* result = planner::object_in<planner::ResultObject>(value)) {
        print_result(result->result());
    } else if (const auto* container = planner::object_in<planner::ContainerResultObject>(value)) {
        print_container(container->outcome());
    } else {
        console_.write_line(planner::plan_json(value).dump(2, ' ', false, Json::error_handler_t::replace));
    }
}

void HumanOutputter::print_plan_outcome(const planner::PlanOutcome& outcome) {
    if (outcome.ok() && planner::is_error_value(outcome.value)) {
        print_plan_error(planner::PlanError(outcome.value, {}).info());
    } else if (outcome.ok()) {
        print_plan_value(outcome.value);
    } else if (const auto* failed = failed_results(outcome.error_value)) {
        print_result_lines(failed->plain());
    } else {
        print_plan_error(*outcome.error);
    }
    console_.flush();
}

void HumanOutputter::print_new_plan(const std::string& name, const std::filesystem::path& path) {
    console_.write_line("Created plan '" + name + "' at '" + path.string() +
                        "'\n\nShow this plan with:\n    volley plan show " + name +
                        "\nRun this plan with:\n    volley plan run " + name);
    console_.flush();
}

void HumanOutputter::print_plans(const PlanListing& listing) {
    print_content_list({"plan", "Plans", "PLAN"}, listing_rows(listing.plans), listing.modulepath);
}

void HumanOutputter::print_plan(const planner::PlanInfo& plan) {
    std::vector<planner::PlanParameter> parameters = plan.parameters;
    std::sort(parameters.begin(), parameters.end(),
              [](const auto& a, const auto& b) { return a.name < b.name; });
    std::string out;
    heading(out, plan.name);
    std::string description;
    if (plan.summary) description += *plan.summary + "\n\n";
    if (plan.docstring) description += *plan.docstring;
    const std::string_view said = trim(description);
    out += indent(2, said.empty() ? "No description available." : said) + "\n\n";

    std::string usage = "volley plan run " + plan.name;
    for (const planner::PlanParameter& parameter : parameters) {
        const std::string word = parameter.name + "=<value>";
        usage += parameter.default_value ? " [" + word + "]" : " " + word;
    }
    heading(out, "Usage");
    out += indent(2, wrap(usage)) + "\n";

    if (!parameters.empty()) heading(out, "Parameters");
    for (const planner::PlanParameter& parameter : parameters) {
        out += "  " + colorize(Color::Yellow, parameter.name) + "  " + colorize(Color::Dim, parameter.type) +
               "\n";
        if (parameter.description) out += indent(4, wrap(*parameter.description));
        if (parameter.default_value) {
            const Json& value = *parameter.default_value;
            out += "    Default: " + (value.is_string() ? value.get<std::string>() : compact(value)) + "\n";
        }
        out += "\n";
    }
    heading(out, "Module");
    out += plan.built_in ? "  built-in module" : "  " + plan.module_directory.string();
    console_.write_line(out);
    console_.flush();
}

}  // namespace volley::cli
