#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "support/unique_fd.hpp"

namespace volley::journal {

/// A file that grows by whole pieces: after a piece that could not be written it ends where it ended before.
class GrowingFile {
public:
    GrowingFile() = default;
    GrowingFile(UniqueFd fd, std::uint64_t size) : fd_(std::move(fd)), size_(size) {}
    /// What these parts hold together is a piece. 0, or the errno of why nothing was written.
    int append(std::span<const std::string_view> parts) noexcept;
    /// Removes what stands after the pieces.
    void cut() noexcept;
    explicit operator bool() const noexcept { return static_cast<bool>(fd_); }
    const UniqueFd& fd() const noexcept { return fd_; }
    std::uint64_t size() const noexcept { return size_; }

private:
    UniqueFd fd_;
    std::uint64_t size_ = 0;
};

}  // namespace volley::journal
