// Segments of any bytes: frames, and a count of what is damaged; every frame is an object that says what it
// is, and what is written again is read again.
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "journal/frame.hpp"
#include "support/text.hpp"

using namespace volley;
using namespace volley::journal;

namespace {

void look_at(const Frames& frames) {
    std::string again;
    for (const Json& frame : frames.frames) {
        if (!frame.is_object() || !frame.at("frame").is_string()) std::abort();
        again += frame_line(frame);
    }
    if (read_frames(again).frames.size() != frames.frames.size()) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    look_at(read_frames(text));
    std::string summed;
    for (const std::string& line : split(text, '\n')) {
        const Json frame = Json::parse(line, nullptr, false);
        if (frame.is_object() && frame.contains("frame") && frame["frame"].is_string())
            summed += frame_line(frame);
    }
    look_at(read_frames(summed));
    return 0;
}
