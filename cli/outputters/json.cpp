#include <fmt/format.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "cli/outputters/change_groups.hpp"
#include "cli/outputters/json_lines.hpp"
#include "cli/outputters/result_groups.hpp"
#include "cli/outputters/stream_lines.hpp"
#include "support/text.hpp"

namespace volley::cli {
namespace {

/// Standard error: where this format puts what is not part of its one document.
void say_aside(std::string_view line) {
    const std::string text = std::string(line) + (line.ends_with('\n') ? "" : "\n");
    // Nothing can be done when nobody listens there.
    [[maybe_unused]] const ssize_t ignored = ::write(STDERR_FILENO, text.data(), text.size());
}

/// One JSON document: an object with the results as they are done (JSN-001), or the list that was asked for.
class JsonOutputter final : public JsonLines {
public:
    JsonOutputter(Console& console, OutputSettings settings) : JsonLines(console), settings_(settings) {}

    void on_event(const planner::Event& event) override {
        if (const auto* message = std::get_if<planner::Message>(&event)) {
            if (!message->verbose || settings_.verbose) say_aside(message->text);
        } else if (const auto* output = std::get_if<planner::TargetOutput>(&event)) {
            stream(*output);
        } else if (const auto* finished = std::get_if<planner::TargetFinished>(&event)) {
            const std::string name = display_name(finished->result.target());
            stream_lines_.finish(
                name, [&](transports::Stream from, std::string_view line) { aside(name, from, line); });
            if (plan_ || !wants(finished->result)) return;  // of a plan only its result is the document
            if (items_printed_) console_.write(",\n");
            items_printed_ = true;
            finished->result.write_json([this](std::string_view piece) { console_.write(piece); });
            console_.write("\n");
            console_.flush();
        }
    }

    void print_head() override {
        console_.write_line(R"({ "items": [)");
        items_open_ = true;
        document_open_ = true;
    }

    /// Compatibility: the seconds are whole ones, cut off.
    void print_summary(const planner::ResultSet& results, std::chrono::nanoseconds elapsed) override {
        const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(elapsed).count();
        console_.write_line("],");
        if (settings_.grouping == Grouping::On) {
            const auto name = [this](std::string_view target) { return display_name(target); };
            console_.write_line(R"("groups": )" + compact(to_json(result_groups(wanted(results), name))) +
                                ",");
        }
        console_.write_line(
            fmt::format(R"("target_count": {}, "elapsed_time": {} }})", results.size(), seconds));
        items_open_ = false;
        document_open_ = false;
        console_.flush();
    }

    void print_result_set(const planner::ResultSet& results) override {
        write_list(wanted(results));
        console_.write("\n");
        console_.flush();
    }
    void begin_plan() override { plan_ = true; }
    void begin_apply() override { plan_ = true; }
    /// Compatibility: a list. With groups it is an object, as of other actions.
    void print_apply_results(const planner::ResultSet& results, std::chrono::nanoseconds) override {
        if (settings_.grouping != Grouping::On) return print_result_set(results);
        const auto name = [this](std::string_view target) { return display_name(target); };
        const planner::ResultSet shown = wanted(results);
        console_.write(R"({"items": )");
        write_list(shown);
        console_.write_line(R"(, "changes": )" + compact(to_json(change_groups(shown, name))) + ",");
        console_.write_line(fmt::format(R"("target_count": {} }})", results.size()));
        console_.flush();
    }
    void print_plan_outcome(const planner::PlanOutcome& outcome) override { print(to_json(outcome)); }
    void print_message(std::string_view message) override { say_aside(message); }
    bool shows(const planner::Event& event) const override {
        const auto* message = std::get_if<planner::Message>(&event);
        return message != nullptr && (!message->verbose || settings_.verbose);
    }

    void fatal_error(const ErrorInfo& error) override {
        Json json = error.to_json();
        // This program has no stack to show; the kind is what helps to find the place.
        if (settings_.trace) json["details"]["backtrace"] = Json::array({error.kind()});
        if (items_open_) console_.write_line("],");
        if (document_open_) console_.write_line(R"("_error": )");
        print(json);
        if (document_open_) console_.write_line("}");
        console_.flush();
    }

private:
    void write_list(const planner::ResultSet& results) {
        console_.write("[");
        for (const planner::Result& result : results.results()) {
            if (&result != &results.results().front()) console_.write(",");
            result.write_json([this](std::string_view piece) { console_.write(piece); });
        }
        console_.write("]");
    }

    void aside(const std::string& name, transports::Stream from, std::string_view line) {
        say_aside("[" + name + "] " + (from == transports::Stream::Out ? "out: " : "err: ") +
                  scrub_utf8(line));
    }

    /// Difference from Bolt, which mixes these lines into the document: they go to standard error.
    void stream(const planner::TargetOutput& output) {
        const std::string name(output.safe_name);
        stream_lines_.add(name, output.stream, output.bytes,
                          [&](transports::Stream from, std::string_view line) { aside(name, from, line); });
    }

    OutputSettings settings_;
    StreamLines stream_lines_;
    bool plan_ = false;
    bool items_printed_ = false;
    bool items_open_ = false;
    bool document_open_ = false;
};

}  // namespace

std::unique_ptr<Outputter> make_json_outputter(Console& console, OutputSettings settings) {
    return std::make_unique<JsonOutputter>(console, settings);
}

}  // namespace volley::cli
