#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <ctime>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "cli/outputters/change_groups.hpp"
#include "cli/outputters/json_lines.hpp"
#include "cli/outputters/result_groups.hpp"
#include "planner/plan/plan_run.hpp"
#include "support/text.hpp"
#include "support/unicode/utf8.hpp"

namespace volley::cli {
namespace {

double seconds(std::chrono::nanoseconds duration) {
    return std::round(std::chrono::duration<double>(duration).count() * 1000) / 1000;
}

/// "2026-11-22T13:00:00.123Z"
std::string now_text() {
    const auto now =
        std::chrono::time_point_cast<std::chrono::milliseconds>(std::chrono::system_clock::now());
    const std::time_t seconds = std::chrono::system_clock::to_time_t(now);
    std::tm parts{};
    ::gmtime_r(&seconds, &parts);
    return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z", parts.tm_year + 1900, parts.tm_mon + 1,
                       parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec,
                       now.time_since_epoch().count() % 1000);
}

/// One JSON object a line, as things happen, for programs that read along. Not one of Bolt's formats.
class NdjsonOutputter final : public JsonLines {
public:
    NdjsonOutputter(Console& console, OutputSettings settings)
        : JsonLines(console), settings_(std::move(settings)) {}

    void on_event(const planner::Event& event) override {
        if (const auto* action = std::get_if<planner::ActionStarted>(&event)) {
            action_ = action->action;
        } else if (const auto* started = std::get_if<planner::TargetStarted>(&event)) {
            Json line{{"event", "started"}, {"target", std::string(started->target)}, {"action", action_}};
            if (started->step > 0) {
                line["step"] = started->step;
                line["description"] = started->description;
                line["time"] = now_text();
            }
            print(line);
        } else if (const auto* output = std::get_if<planner::TargetOutput>(&event)) {
            print_output({std::string(output->target), output->stream, output->step}, output->bytes);
        } else if (const auto* finished = std::get_if<planner::TargetFinished>(&event)) {
            print_held(finished->result.target(), finished->step);
            if (wants(finished->result)) print_result(*finished);
        } else if (const auto* message = std::get_if<planner::Message>(&event)) {
            print_message(message->text);
        } else if (const auto* plan = std::get_if<planner::PlanStarted>(&event)) {
            print(Json{{"event", "plan_started"}, {"plan", std::string(plan->plan)}});
        } else if (const auto* ended = std::get_if<planner::PlanFinished>(&event)) {
            print(Json{{"event", "plan_finished"},
                       {"plan", std::string(ended->plan)},
                       {"elapsed_time", seconds(ended->elapsed)}});
        } else if (const auto* taken = std::get_if<planner::ActionTaken>(&event)) {
            Json targets = Json::array();
            for (const inventory::Target& target : taken->on) targets.push_back(target.safe_name());
            print(Json{{"event", "taken_from_record"},
                       {"step", std::string(taken->description)},
                       {"targets", targets}});
        } else if (const auto* interrupted = std::get_if<planner::Interrupted>(&event)) {
            print(Json{{"event", "interrupted"}, {"running", interrupted->running}});
        }
    }

    void print_summary(const planner::ResultSet& results, std::chrono::nanoseconds elapsed) override {
        if (settings_.grouping == Grouping::On) {
            const auto name = [this](std::string_view target) { return display_name(target); };
            const planner::ResultSet shown = wanted(results);
            print_each("group", to_json(result_groups(shown, name)));
            print_each("change", to_json(change_groups(shown, name)));
        }
        Json failed = Json::array();
        for (const planner::Result& result : results.results()) {
            if (!result.ok()) failed.push_back(result.target());
        }
        print(Json{{"event", "summary"},
                   {"target_count", results.size()},
                   {"success_count", results.size() - failed.size()},
                   {"failure_count", failed.size()},
                   {"failed", failed},
                   {"elapsed_time", seconds(elapsed)}});
    }

    void print_result_set(const planner::ResultSet& results) override {
        for (const planner::Result& result : results.results()) on_event(planner::TargetFinished{result, {}});
        print_summary(results, {});
    }

    void print_plan_outcome(const planner::PlanOutcome& outcome) override {
        print(Json{{"event", "plan_result"},
                   {"status", outcome.ok() ? "success" : "failure"},
                   {"value", to_json(outcome)}});
    }
    void print_message(std::string_view message) override {
        print(Json{{"event", "message"}, {"text", std::string(message)}});
    }
    void fatal_error(const ErrorInfo& error) override {
        print(Json{{"event", "error"}, {"error", error.to_json()}});
    }

private:
    /// Whose output: steps at the same time may have the same target.
    struct Origin {
        std::string target;
        transports::Stream stream;
        std::size_t step;
        // clang-tidy takes the 0 of the compiler for a pointer.
        auto operator<=>(const Origin&) const = default;  // NOLINT(modernize-use-nullptr)
    };

    /// An event of that name for each of a list of objects.
    void print_each(const char* event, const Json& list) {
        for (const Json& one : list) {
            Json line{{"event", event}};
            line.update(one);
            print(line);
        }
    }

    /// A piece of output may end in the middle of a character, whose bytes are held until the rest is there.
    void print_output(const Origin& origin, std::string_view bytes) {
        std::string& held = held_[origin];
        held += bytes;
        const std::size_t whole = held.size() - unfinished_utf8(held);
        if (whole > 0) print_text(origin, std::string_view(held).substr(0, whole));
        held.erase(0, whole);
    }

    /// What was held of an output that has ended in the middle of a character.
    void print_held(const std::string& target, std::size_t step) {
        for (const transports::Stream stream : {transports::Stream::Out, transports::Stream::Err}) {
            const auto held = held_.extract({target, stream, step});
            if (!held.empty() && !held.mapped().empty()) print_text(held.key(), held.mapped());
        }
    }

    void print_text(const Origin& origin, std::string_view bytes) {
        Json line{{"event", "output"},
                  {"target", origin.target},
                  {"stream", origin.stream == transports::Stream::Out ? "stdout" : "stderr"},
                  {"text", scrub_utf8(bytes)}};
        if (origin.step > 0) line["step"] = origin.step;
        print(line);
    }

    /// The result's own line with two keys put in front, so that large output is not turned into JSON twice.
    void print_result(const planner::TargetFinished& finished) {
        console_.write(R"({"event":"result","elapsed_time":)");
        console_.write(Json(seconds(finished.elapsed)).dump());
        if (finished.step > 0) console_.write(",\"step\":" + std::to_string(finished.step));
        console_.write(",");
        finished.result.write_json_members([this](std::string_view piece) { console_.write(piece); });
        console_.write("}\n");
        console_.flush();
    }

    OutputSettings settings_;
    std::string action_;
    std::map<Origin, std::string> held_;
};

}  // namespace

std::unique_ptr<Outputter> make_ndjson_outputter(Console& console, OutputSettings settings) {
    return std::make_unique<NdjsonOutputter>(console, std::move(settings));
}

}  // namespace volley::cli
