#include "journal/frame_file.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace volley::journal {
namespace {

constexpr std::size_t most_head_bytes = 128;  // what append_frame() adds to a frame of less than a GiB
constexpr std::size_t longest_copied = 4096;  // bytes of output; copying more costs more than another piece

/// Stretches of one buffer are one piece.
void append_piece(std::vector<std::string_view>& pieces, std::string_view piece) {
    if (piece.empty()) return;
    if (pieces.back().data() + pieces.back().size() == piece.data())
        pieces.back() = {pieces.back().data(), pieces.back().size() + piece.size()};
    else
        pieces.push_back(piece);
}

}  // namespace

FrameFile::FrameFile(UniqueFd fd, FrameCheck check, FramePlace place)
    : file_(std::move(fd), place.whole_bytes),
      check_(std::move(check)),
      last_(place.last_number),
      complete_(place.complete) {}

int FrameFile::append(std::span<const FrameParts> frames) {
    struct LongOutput {
        std::size_t at;  // in the text
        std::span<const std::string_view> pieces;
    };
    std::string& text = text_;
    text.clear();
    std::vector<LongOutput> between;
    std::size_t size = 0;
    for (const FrameParts& frame : frames)
        size += frame.content.size() + std::min(frame.output_size(), longest_copied) + most_head_bytes;
    text.reserve(size);
    if (file_.size() == 0) text += check_->line(complete_);
    std::uint64_t number = last_;
    for (const FrameParts& frame : frames) {
        append_frame(text, *check_, ++number, frame);
        const std::size_t output = frame.output_size();
        if (output == 0) continue;
        if (output > longest_copied) {
            between.push_back({text.size(), frame.output});
        } else {
            for (const std::string_view piece : frame.output) text += piece;
        }
        text += '\n';
    }
    std::vector<std::string_view> pieces;
    const std::string_view whole = text;
    std::size_t begin = 0;
    for (const LongOutput& output : between) {
        pieces.push_back(whole.substr(begin, output.at - begin));
        begin = output.at;
        for (const std::string_view piece : output.pieces) append_piece(pieces, piece);
    }
    pieces.push_back(whole.substr(begin));
    const int reason = file_.append(pieces);
    if (reason == 0) last_ = number;
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
