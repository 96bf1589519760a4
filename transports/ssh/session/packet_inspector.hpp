#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string_view>

namespace volley::transports::ssh {

/// Notices messages that libssh2 keeps to itself, by looking at each packet's memory when libssh2 frees it
/// (the allocator is ours): which number a new channel has, and that a command has ended. libssh2 1.10
/// and 1.11 store an exit status without saying that it came, so that "0" and "none yet" look the same.
///
/// Only messages are looked at, never libssh2's own structures. Should another version than 1.10 and 1.11
/// free them elsewhere, nothing is noticed: commands then end when their channel closes, with the status that
/// libssh2 has.
class PacketInspector {
public:
    /// `memory`: a block of `size` bytes about to be freed.
    void freeing(const void* memory, std::size_t size);

    /// What the end of a command that was not noticed means. True: the server did not send how it ended.
    /// False: nothing, because this libssh2 has never shown an end and is none of the versions known to.
    static bool sees_ends();
    static bool sees_ends(int library_version, bool seen_one) noexcept;

    /// The number of the channel that was confirmed last.
    std::optional<std::uint32_t> last_opened() const noexcept { return last_opened_; }
    /// True once the command on this channel has ended, by itself or by a signal.
    bool ended(std::uint32_t channel) const { return ended_.contains(channel); }
    void forget(std::uint32_t channel) {
        ended_.erase(channel);
        statuses_.erase(channel);
    }
    /// False when libssh2 has another exit status for it than the server sent: then that was too short to be
    /// one.
    bool agrees(std::uint32_t channel, int status) const;
    /// What the server's packets are sealed with, by libssh2's names.
    void set_algorithms(std::string_view cipher, std::string_view mac);

private:
    bool take_status(const unsigned char* packet, std::size_t size);
    std::size_t least_status_ = 25;  // bytes that a whole exit status takes, with what follows it
    std::map<std::uint32_t, std::uint32_t> statuses_;
    std::optional<std::uint32_t> last_opened_;
    std::set<std::uint32_t> ended_;
};

/// Memory for libssh2, also for what it is given to free: its size is known again when it is freed, and what
/// PacketInspector looks at has been written.
void* tracked_allocate(std::size_t size) noexcept;
void* tracked_reallocate(void* memory, std::size_t size) noexcept;
void tracked_free(void* memory) noexcept;
std::size_t tracked_size(const void* memory) noexcept;

}  // namespace volley::transports::ssh
