// Segments of any bytes: frames, and a count of what is damaged; every frame is an object that says what it
// is, and what is written again is read again. Each line that is JSON also comes as a frame, with the
// checksum that fits it and the rest of the bytes as its output, as the bytes alone would never get past it.
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "journal/frame.hpp"
#include "planner/record/plan_record.hpp"
#include "planner/record/recorded_run.hpp"
#include "support/text.hpp"

using namespace volley;
using namespace volley::journal;

namespace {

std::string frames_text(const FrameCheck& check, const std::vector<Json>& frames) {
    std::string text = check.line(true);
    std::uint64_t number = 0;
    for (Json frame : frames) {
        const std::vector<std::string> output = detach_output(frame);
        const std::vector<std::string_view> pieces(output.begin(), output.end());
        const std::string content = content_text(frame);
        const FrameParts parts{content, pieces};
        append_frame(text, check, ++number, parts);
        for (const std::string& piece : output) text += piece;
        if (parts.output_size() > 0) text += '\n';
    }
    return text;
}

void look_at(const Frames& frames) {
    for (const Json& frame : frames.frames) {
        if (!frame.is_object() || !frame.at("frame").is_string()) std::abort();
    }
    if ((frames.damaged == 0) != frames.problem.empty()) std::abort();
}

void look_at_run(Frames frames) {
    RunRecord run{.id = "a", .frames = std::move(frames), .running = false, .lost = {}};
    static_cast<void>(planner::rerun_targets_of(run));
    try {
        const planner::PlanRecord view = planner::PlanRecord::of({run, run});
        if (view.unseen().size() > view.steps.size()) std::abort();
        for (const planner::PlanRecord::Step& step : view.steps) static_cast<void>(step.complete());
    } catch (const planner::RecordDamage& damage) {
        if (std::string_view(damage.what()).empty()) std::abort();
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
    static const FrameCheck check = FrameCheck::make();
    static const std::string long_end(2000, 'x');
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    look_at(read_frames(text));
    look_at(read_frames(check.line(true) + std::string(text)));
    std::vector<Json> frames;
    for (const std::string& line : split(text, '\n')) {
        Json frame = Json::parse(line, nullptr, false);
        if (!frame.is_object() || !frame.contains("frame") || !frame["frame"].is_string()) continue;
        if (frame["frame"] != "outcome") frame.erase("result");
        if (!frame.contains("result") || !frame["result"].is_object()) frame["result"] = Json::object();
        frame["result"].erase("texts");
        frame["result"]["value"] =
            Json{{"was", frame["result"]["value"]}, {"/~", Json::array({std::string(text) + long_end, 1})}};
        frame["result"]["output"] =
            Json::array({Json::array({1, std::string(text)}), Json::array({2, line})});
        frames.push_back(std::move(frame));
    }
    const std::string written = frames_text(check, frames);
    const Frames read = read_frames(written);
    look_at(read);
    if (read.damaged > 0 || read.torn || read.frames != frames) std::abort();
    look_at_run(read);
    // A changed byte never goes unseen, and no other frame is made of the output after it.
    if (frames.empty()) return 0;
    std::string changed = written;
    const std::size_t place = check.line(true).size() + size % (written.size() - check.line(true).size());
    changed[place] = static_cast<char>(changed[place] ^ 1);
    const Frames rest = read_frames(changed);
    look_at(rest);
    if (rest.frames.size() >= frames.size() || (rest.damaged == 0 && !rest.torn)) std::abort();
    return 0;
}
