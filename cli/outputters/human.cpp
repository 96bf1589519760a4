#include "cli/outputters/human.hpp"

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>
#include <utility>

#include "cli/outputters/fold_names.hpp"
#include "cli/outputters/result_groups.hpp"
#include "cli/outputters/text.hpp"
#include "support/text.hpp"
#include "support/unicode/printable.hpp"
#include "support/unicode/utf8.hpp"

namespace volley::cli {
namespace {

constexpr std::size_t group_failures_above = 5;

std::string_view code(Color color) {
    switch (color) {
        case Color::Dim:
            return "2";
        case Color::Red:
            return "31";
        case Color::Green:
            return "32";
        case Color::Yellow:
            return "33";
        case Color::Cyan:
            return "36";
        case Color::Plain:
            break;
    }
    return {};
}

/// The longest beginning of at most `limit` bytes that does not end inside a character.
std::string_view piece_of(std::string_view text, std::size_t limit) {
    if (text.size() <= limit) return text;
    std::size_t end = limit;
    while (end > limit - 4 && continues_character(text[end])) --end;
    return text.substr(0, end);
}

Json with_text_booleans(const Json& value) {
    if (value.is_boolean()) return value.get<bool>() ? "true" : "false";
    if (!value.is_structured()) return value;
    Json copy = value;
    for (Json& part : copy) part = with_text_booleans(part);
    return copy;
}

}  // namespace

std::string HumanOutputter::colorize(Color color, std::string_view text) {
    if (!colors() || color == Color::Plain) return std::string(text);
    return "\x1b[" + std::string(code(color)) + "m" + std::string(text) + "\x1b[0m";
}

/// What a terminal takes of a target's name: a URI may hold anything.
std::string HumanOutputter::shown_name(std::string_view target) const {
    return printable(display_name(target));
}

void HumanOutputter::on_event(const planner::Event& event) {
    note_apply(event);
    if (const auto* ended = std::get_if<planner::ActionFinished>(&event)) print_step_groups(*ended);
    on_plan_event(event);
    note_size(event);
    if (switched_off_ > 0) return;
    if (const auto* started = std::get_if<planner::TargetStarted>(&event)) {
        if (!settings_.verbose || is_grouped(started->step)) return;
        if (large_actions_.contains(started->description)) return;
        if (filters()) return;  // nobody knows yet whether the result will be shown
        console_.write_line(colorize(Color::Green, "Started on " + shown_name(started->target) + "..."));
    } else if (const auto* output = std::get_if<planner::TargetOutput>(&event)) {
        if (settings_.stream) print_stream(*output);  // else somebody else wants it
    } else if (const auto* finished = std::get_if<planner::TargetFinished>(&event)) {
        const std::string name = shown_name(finished->result.target());
        stream_lines_.finish(name, [&](transports::Stream stream, std::string_view line) {
            print_stream_line(name, stream, line);
        });
        // The summary has them.
        if (is_grouped(finished->step) || finished->result.status() == planner::Status::NotStarted) return;
        if (!wants(finished->result)) return;
        // What went wrong is always shown, in a plan by its steps; what was streamed is not repeated with
        // --no-verbose.
        const bool failure_to_show = !finished->result.ok() && (plan_depth_ == 0 || applying_);
        if (settings_.verbose || failure_to_show)
            print_result(finished->result, settings_.verbose || !settings_.stream);
    } else {
        return;
    }
    console_.flush();
}

/// The lines of a report are held back while several targets apply the same.
void HumanOutputter::note_apply(const planner::Event& event) {
    if (const auto* action = std::get_if<planner::ActionStarted>(&event)) {
        if (action->action == "apply" && action->targets > 1) ++grouped_applies_;
    } else if (const auto* finished = std::get_if<planner::ActionFinished>(&event)) {
        const auto& results = finished->results.results();
        if (results.size() < 2 || results.front().action() != "apply") return;
        if (switched_off_ == 0 && settings_.verbose) print_log_groups(wanted(finished->results));
        --grouped_applies_;
    }
}

/// Hundreds of targets are said to start in one line; a plan's step has that line already.
void HumanOutputter::note_size(const planner::Event& event) {
    if (const auto* action = std::get_if<planner::ActionStarted>(&event)) {
        const bool grouped = groups(action->action, action->targets);
        grouping_ = grouped && plan_depth_ == 0;
        if (plan_depth_ > 0 && grouped) grouped_steps_.insert(action->step);
        if (action->targets <= few_targets && !grouped) return;
        if (action->targets > few_targets) large_actions_.insert(std::string(action->description));
        if (plan_depth_ > 0 || switched_off_ > 0 || !settings_.verbose) return;
        std::vector<std::string> names;
        for (const inventory::Target& target : action->on) names.push_back(shown_name(target.name()));
        console_.write_line(colorize(
            Color::Green, "Starting on " + target_count(action->targets) + ": " + fold_names(names)));
        console_.flush();
    } else if (const auto* finished = std::get_if<planner::ActionFinished>(&event)) {
        const auto found = large_actions_.find(finished->description);
        if (found != large_actions_.end() && finished->results.size() > few_targets)
            large_actions_.erase(found);
    }
}

void HumanOutputter::print_stream(const planner::TargetOutput& output) {
    const std::string name = printable(output.safe_name);
    stream_lines_.add(
        name, output.stream, output.bytes,
        [&](transports::Stream stream, std::string_view line) { print_stream_line(name, stream, line); });
}

void HumanOutputter::print_stream_line(const std::string& name, transports::Stream stream,
                                       std::string_view line) {
    if (is_blank(line)) return;
    console_.write_line("[" + name + "] " + (stream == transports::Stream::Out ? "out: " : "err: ") +
                        scrub_utf8(line));
}

void HumanOutputter::print_result(const planner::Result& result, bool with_output) {
    const std::string name = shown_name(result.target());
    if (result.ok()) {
        console_.write_line(colorize(Color::Green, "Finished on " + name + ":"));
    } else {
        console_.write_line(colorize(Color::Red, "Failed on " + name + ":"));
        const std::string message =
            indent(2, printable(without_repeated_places(failure_message(result)), "\n\t"));
        console_.write_line(colorize(Color::Red, without_trail(message)));
        print_trace(result.error().value("kind", ""), result.error().value("details", Json::object()));
        if (!with_output) return;
        if (const std::string errors = failure_stderr(result); !errors.empty()) {
            console_.write_line("  stderr:");
            console_.write_line(without_trail(indent(4, printable(errors, "\n\t"))));
        }
    }
    if (const transports::Output* output = result.output()) {
        print_command_body(output->captured.merged());
    } else if (result.ok() && result.action() == "lookup") {
        print_lookup_body(result.value().value("value", Json()));
    } else if (result.action() == "apply") {
        print_apply_body(result);
    } else if (result.action() == "ping" && result.value().contains("_output")) {
        console_.write_line("  " + printable(result.value()["_output"].get<std::string>()));
    } else if (result.action() == "resource") {
        print_resource_body(result);
    } else if (result.ok() && result.action() == "facts") {
        print_facts_body(result);
    } else {
        print_value_body(result);
    }
}

/// OUT-008: the value as a message would have it; compatibility: booleans inside of it are texts.
void HumanOutputter::print_lookup_body(const Json& value) {
    const Json shown = with_text_booleans(value);
    if (shown.is_string()) {
        console_.write_line(indent(2, scrub_utf8(shown.get<std::string>())));
    } else if (!shown.is_null()) {
        console_.write_line(indent(2, shown.dump(2, ' ', false, Json::error_handler_t::replace)));
    }
}

/// Compatibility (OUT-006): blank output shows nothing at all. Written in pieces, since it may be a gigabyte.
void HumanOutputter::print_command_body(std::string_view output) {
    static constexpr std::size_t piece_size = 32 * 1024;
    if (is_blank(output)) return;
    while (!output.empty()) {
        const std::size_t end = output.find('\n');
        std::string_view line = output.substr(0, end);
        output.remove_prefix(end == std::string_view::npos ? output.size() : end + 1);
        console_.write("  ");
        while (!line.empty()) {
            const std::string_view piece = piece_of(line, piece_size);
            line.remove_prefix(piece.size());
            if (is_utf8(piece)) {
                console_.write(piece);
            } else {
                console_.write(scrub_utf8(piece));
            }
        }
        console_.write("\n");
    }
}

void HumanOutputter::print_value_body(const planner::Result& result) {
    Json value = result.value();
    std::string message;
    if (const auto output = value.find("_output"); output != value.end()) {
        message = output->is_string() ? output->get<std::string>() : output->dump();
    }
    const bool has_message = !is_blank(message);
    const bool only_output = value.size() == 1 && value.contains("_output");
    if (value.empty() || (only_output && !has_message)) {
        std::string action = result.action();
        if (!action.empty())
            action[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(action[0])));
        console_.write_line("  " + action + " completed successfully with no result");
        return;
    }
    if (has_message) console_.write_line(without_trail(indent(2, scrub_utf8(message))));
    value.erase("_error");
    value.erase("_output");
    if (!value.empty()) {
        console_.write_line(indent(2, value.dump(2, ' ', false, Json::error_handler_t::replace)));
    }
}

void HumanOutputter::print_summary(const planner::ResultSet& results, std::chrono::nanoseconds elapsed) {
    if (grouping_) print_result_groups(wanted(results), settings_.verbose);
    print_changes(wanted(results));
    print_totals(results, " in " + duration_text(elapsed));
}

void HumanOutputter::print_totals(const planner::ResultSet& results, std::string_view ending) {
    std::vector<std::string> good;
    std::vector<std::string> bad;
    std::vector<std::string> left;
    std::string reason;
    for (const planner::Result& result : results.results()) {
        const bool started = result.status() != planner::Status::NotStarted;
        (result.ok() ? good : started ? bad : left).push_back(shown_name(result.target()));
        if (!started) reason = failure_message(result);  // they all have the same
    }
    if (!grouping_ && bad.size() > group_failures_above) print_failure_groups(wanted(results));
    if (!good.empty()) {
        console_.write_line(
            colorize(Color::Plain, "Successful on " + target_count(good.size()) + ": " + name_list(good)));
    }
    if (!bad.empty()) {
        console_.write_line(
            colorize(Color::Red, "Failed on " + target_count(bad.size()) + ": " + name_list(bad)));
    }
    if (!left.empty()) {
        console_.write_line(
            colorize(Color::Yellow, "Not started on " + target_count(left.size()) + ": " + name_list(left)));
        const std::size_t why = reason.find(": ");
        if (why != std::string::npos) reason.erase(0, why + 2);
        reason.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(reason.front())));
        console_.write_line(colorize(Color::Yellow, without_trail(indent(2, reason))));
    }
    console_.write_line(
        colorize(Color::Plain, "Ran on " + target_count(results.size() - left.size()) + std::string(ending)));
    if (filters())
        console_.write_line("Shown are the " + std::to_string(wanted(results).size()) + " of " +
                            std::to_string(results.size()) + " results for which --filter is true");
    console_.flush();
}

/// When many targets failed, each different error once, with its targets; the most frequent first.
void HumanOutputter::print_failure_groups(const planner::ResultSet& results) {
    const auto name = [this](std::string_view target) { return shown_name(target); };
    console_.write_line(colorize(Color::Cyan, "Failures by error"));
    for (const ResultGroup& group : failure_groups(results, name)) {
        console_.write_line(colorize(Color::Red, without_trail(indent(2, group.text))));
        console_.write_line("    " + target_count(group.names.size()) + ": " + fold_names(group.names));
    }
}

void HumanOutputter::print_message(std::string_view message) {
    console_.write_line(colorize(Color::Plain, message));
    console_.flush();
}

/// --trace.
void HumanOutputter::print_trace(std::string_view kind, const Json& details) {
    if (!settings_.trace) return;
    console_.write_line(colorize(Color::Red, indent(2, "kind: " + scrub_utf8(kind))));
    if (details.empty()) return;
    const std::string text = details.dump(2, ' ', false, Json::error_handler_t::replace);
    console_.write_line(colorize(Color::Red, indent(2, "details: " + text)));
}

void HumanOutputter::fatal_error(const ErrorInfo& error) {
    console_.write_line(colorize(Color::Red, printable(without_repeated_places(error.msg()), "\n\t")));
    print_trace(error.kind(), error.details());
    console_.flush();
}

std::unique_ptr<Outputter> make_human_outputter(Console& console, OutputSettings settings) {
    return std::make_unique<HumanOutputter>(console, settings);
}

}  // namespace volley::cli
