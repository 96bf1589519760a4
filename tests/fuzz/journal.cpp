// Journals of any bytes: refused with the line, or a view. Every line also comes with the seal that fits it,
// as the bytes alone would never get past it.
#include "planner/journal/journal.hpp"

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "support/text.hpp"

using namespace volley;
using namespace volley::planner;

namespace {

const ProjectKey& fuzz_key() {
    static const ProjectKey key(std::string(32, 'k'));
    return key;
}

void look_at(const Frames& frames) {
    const JournalView view = JournalView::of(frames);
    if (view.unseen().size() > view.steps.size()) std::abort();
    for (const JournalView::Step& step : view.steps) static_cast<void>(step.complete());
}

template <class Work>
void refused_or_done(const Work& work) {
    try {
        work();
    } catch (const JournalDamage& damage) {
        if (damage.line() == 0 || std::string_view(damage.what()).empty()) std::abort();
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    refused_or_done([&] { look_at(read_frames(fuzz_key(), text)); });
    std::string sealed;
    std::uint64_t number = 0;
    for (const std::string& line : split(text, '\n')) {
        const Json frame = Json::parse(line, nullptr, false);
        if (frame.is_object()) sealed += frame_line(fuzz_key(), ++number, frame);
    }
    refused_or_done([&] {
        const Frames frames = read_frames(fuzz_key(), sealed);
        if (frames.frames.size() != number || frames.whole_bytes != sealed.size()) std::abort();
        look_at(frames);
    });
    return 0;
}
