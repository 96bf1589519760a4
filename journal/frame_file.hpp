#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "journal/frame.hpp"
#include "journal/growing_file.hpp"

namespace volley::journal {

/// Where the frames of a record stand in a file that is there already.
struct FramePlace {
    std::uint64_t last_number = 0;
    std::uint64_t whole_bytes = 0;
    bool complete = true;
};

/// Writes frames to the end of a file. Long output is written straight from where it is.
class FrameFile {
public:
    FrameFile() = default;
    /// An empty file begins with the line of the check, together with its first frame.
    FrameFile(UniqueFd fd, FrameCheck check, FramePlace place = {});

    /// 0, or the errno of why none of them is there; the file is then as it was.
    int append(std::span<const FrameParts> frames);
    /// Says at the beginning of the file, where the file does not grow, that an intent is not in it. 0, or an
    /// errno.
    int mark_incomplete() noexcept;
    /// Removes what stands after the frames.
    void cut() noexcept { file_.cut(); }

    explicit operator bool() const noexcept { return static_cast<bool>(file_); }
    const UniqueFd& fd() const noexcept { return file_.fd(); }
    std::uint64_t size() const noexcept { return file_.size(); }
    std::uint64_t last_number() const noexcept { return last_; }

private:
    GrowingFile file_;
    std::optional<FrameCheck> check_;
    std::string text_;  // of what is being written: getting memory anew costs as much as the text
    std::uint64_t last_ = 0;
    bool complete_ = true;
};

}  // namespace volley::journal
