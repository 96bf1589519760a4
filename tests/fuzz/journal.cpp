// Plan logs of any bytes: refused with the line, or a view. Every line also comes with the signature that
// fits it, as the bytes alone would never get past it.
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "planner/record/plan_log_file.hpp"
#include "support/text.hpp"

using namespace volley;
using namespace volley::planner;

namespace {

const ProjectKey& fuzz_key() {
    static const ProjectKey key(std::string(32, 'k'));
    return key;
}

void look_at(const PlanLogFrames& frames) {
    const PlanRecord view = PlanRecord::of(frames);
    if (view.unseen().size() > view.steps.size()) std::abort();
    for (const PlanRecord::Step& step : view.steps) static_cast<void>(step.complete());
}

template <class Work>
void refused_or_done(const Work& work) {
    try {
        work();
    } catch (const PlanLogDamage& damage) {
        if (damage.line() == 0 || std::string_view(damage.what()).empty()) std::abort();
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    refused_or_done([&] { look_at(read_plan_log(fuzz_key(), text)); });
    std::string signed_text;
    std::uint64_t number = 0;
    for (const std::string& line : split(text, '\n')) {
        const Json frame = Json::parse(line, nullptr, false);
        if (frame.is_object()) signed_text += plan_log_line(fuzz_key(), ++number, frame);
    }
    refused_or_done([&] {
        const PlanLogFrames frames = read_plan_log(fuzz_key(), signed_text);
        if (frames.frames.size() != number || frames.whole_bytes != signed_text.size()) std::abort();
        look_at(frames);
    });
    return 0;
}
