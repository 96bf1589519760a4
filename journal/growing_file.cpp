#include "journal/growing_file.hpp"

#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

namespace volley::journal {
namespace {

constexpr std::size_t most_parts_at_once = 16;

}  // namespace

void GrowingFile::cut() noexcept {
    [[maybe_unused]] const int result = ::ftruncate(fd_.get(), static_cast<off_t>(size_));
}

int GrowingFile::append(std::span<const std::string_view> parts) noexcept {
    std::uint64_t at = size_;
    std::size_t taken = 0;  // of the first part
    while (!parts.empty()) {
        if (parts.front().size() == taken) {
            parts = parts.subspan(1);
            taken = 0;
            continue;
        }
        std::array<iovec, most_parts_at_once> vectors{};
        std::size_t count = 0;
        for (; count < std::min(parts.size(), vectors.size()); ++count) {
            const std::string_view part = parts[count].substr(count == 0 ? taken : 0);
            vectors[count] = {const_cast<char*>(part.data()), part.size()};
        }
        const ssize_t written =
            ::pwritev(fd_.get(), vectors.data(), static_cast<int>(count), static_cast<off_t>(at));
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) {
            const int reason = written == 0 ? ENOSPC : errno;
            cut();  // should even this fail, the next piece is written over the half one
            return reason;
        }
        at += static_cast<std::uint64_t>(written);
        for (taken += static_cast<std::size_t>(written); !parts.empty() && taken >= parts.front().size();) {
            taken -= parts.front().size();
            parts = parts.subspan(1);
        }
    }
    size_ = at;
    return 0;
}

}  // namespace volley::journal
