#include <cmath>
#include <nlohmann/json.hpp>

#include "cli/outputter.hpp"
#include "cli/outputters/listing.hpp"
#include "support/text.hpp"

namespace volley::cli {
namespace {

double seconds(std::chrono::nanoseconds duration) {
    return std::round(std::chrono::duration<double>(duration).count() * 1000) / 1000;
}

/// One JSON object a line, as things happen, for programs that read along. Not one of Bolt's formats.
class NdjsonOutputter final : public Outputter {
public:
    explicit NdjsonOutputter(Console& console) : console_(console) {}

    void on_event(const planner::Event& event) override {
        if (const auto* action = std::get_if<planner::ActionStarted>(&event)) {
            action_ = action->action;
        } else if (const auto* started = std::get_if<planner::TargetStarted>(&event)) {
            print(Json{{"event", "started"}, {"target", std::string(started->target)}, {"action", action_}});
        } else if (const auto* output = std::get_if<planner::TargetOutput>(&event)) {
            const char* name = output->stream == transports::Stream::Out ? "stdout" : "stderr";
            print(Json{{"event", "output"},
                       {"target", std::string(output->target)},
                       {"stream", name},
                       {"text", scrub_utf8(output->bytes)}});
        } else if (const auto* finished = std::get_if<planner::TargetFinished>(&event)) {
            print_result(*finished);
        } else if (const auto* interrupted = std::get_if<planner::Interrupted>(&event)) {
            print(Json{{"event", "interrupted"}, {"running", interrupted->running}});
        }
    }

    void print_summary(const planner::ResultSet& results, std::chrono::nanoseconds elapsed) override {
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

    void print_tasks(const TaskListing& listing) override { print(to_json(listing)); }
    void print_task(const tasks::TaskDefinition& task) override { print(to_json(task)); }
    void print_inventory(const InventoryListing& listing) override { print(to_json(listing)); }
    void print_groups(const GroupListing& listing) override { print(to_json(listing)); }
    void print_guides(const std::vector<std::string>& topics) override { print(Json{{"topics", topics}}); }
    void print_guide(const Guide& guide) override { print(to_json(guide)); }
    void print_message(std::string_view message) override {
        print(Json{{"event", "message"}, {"text", std::string(message)}});
    }
    void fatal_error(const ErrorInfo& error) override { print(Json{{"event", "error"}, {"error", error.to_json()}}); }

private:
    void print(const Json& json) {
        console_.write_line(compact(json));
        console_.flush();
    }

    /// The result's own line with two keys put in front, so that large output is not turned into JSON twice.
    void print_result(const planner::TargetFinished& finished) {
        console_.write(R"({"event":"result","elapsed_time":)");
        console_.write(Json(seconds(finished.elapsed)).dump());
        console_.write(",");
        finished.result.write_json_members([this](std::string_view piece) { console_.write(piece); });
        console_.write("}\n");
        console_.flush();
    }

    Console& console_;
    std::string action_;
};

}  // namespace

std::unique_ptr<Outputter> make_ndjson_outputter(Console& console, OutputSettings) {
    return std::make_unique<NdjsonOutputter>(console);
}

}  // namespace volley::cli
