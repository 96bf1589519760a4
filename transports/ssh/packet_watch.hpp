#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>

namespace volley::transports::ssh {

/// Notices messages that libssh2 keeps to itself, by looking at each packet's memory when libssh2 frees it
/// (the allocator is ours): which number a new channel has, and that a command has ended. libssh2 1.10
/// and 1.11 store an exit status without saying that it came, so that "0" and "none yet" look the same.
///
/// Only messages are looked at, never libssh2's own structures; should another version free them elsewhere,
/// nothing is noticed, and the session waits for the channel's close as before.
class PacketWatch {
public:
    /// `memory`: a block about to be freed, of at least `size` bytes.
    void freeing(const void* memory, std::size_t size);

    /// The number of the channel that was confirmed last.
    std::optional<std::uint32_t> last_opened() const noexcept { return last_opened_; }
    /// True once the command on this channel has ended, by itself or by a signal.
    bool ended(std::uint32_t channel) const { return ended_.contains(channel); }
    void forget(std::uint32_t channel) { ended_.erase(channel); }

private:
    std::optional<std::uint32_t> last_opened_;
    std::set<std::uint32_t> ended_;
};

}  // namespace volley::transports::ssh
