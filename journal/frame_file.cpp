#include "journal/frame_file.hpp"

#include <unistd.h>

#include <cerrno>
#include <nlohmann/json.hpp>

namespace volley::journal {

FrameFile::FrameFile(UniqueFd fd, FrameCheck check, FramePlace place)
    : file_(std::move(fd), place.whole_bytes),
      check_(std::move(check)),
      last_(place.last_number),
      complete_(place.complete) {}

int FrameFile::append(std::string_view content, std::span<const std::string_view> output) {
    std::string text = frame_text(*check_, last_ + 1, content, output);
    if (file_.size() == 0) text.insert(0, check_->line(complete_));
    std::vector<std::string_view> pieces;
    pieces.reserve(output.size() + 2);
    pieces.emplace_back(text);
    bool has_output = false;
    for (const std::string_view piece : output) {
        has_output = has_output || !piece.empty();
        // Stretches of one buffer are one piece.
        if (pieces.size() > 1 && pieces.back().data() + pieces.back().size() == piece.data())
            pieces.back() = {pieces.back().data(), pieces.back().size() + piece.size()};
        else if (!piece.empty())
            pieces.push_back(piece);
    }
    if (has_output) pieces.emplace_back("\n");
    const int reason = file_.append(pieces);
    if (reason == 0) ++last_;
    return reason;
}

int FrameFile::mark_incomplete() noexcept {
    if (!complete_) return 0;
    if (file_.size() > 0) {
        const std::string_view word = FrameCheck::state(false);
        const auto place = static_cast<off_t>(check_->state_offset());
        if (::pwrite(file_.fd().get(), word.data(), word.size(), place) != static_cast<ssize_t>(word.size()))
            return errno;
    }
    complete_ = false;
    return 0;
}

}  // namespace volley::journal
