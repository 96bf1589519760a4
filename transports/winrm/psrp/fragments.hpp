#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace volley::transports::winrm {

/// Of each fragment: object, number, flags, length (MS-PSRP 2.2.4).
inline constexpr std::size_t fragment_header_size = 21;

/// Cuts messages into fragments. One for each session, as the objects are numbered in it.
class Fragmenter {
public:
    /// The fragments of one message, each at most `most` bytes long with its header. `most` is more than a
    /// header; `message` is not empty.
    std::vector<std::string> cut(std::string_view message, std::size_t most);

private:
    std::uint64_t next_object_ = 1;
};

/// Joins fragments to messages; those of different messages may be mixed.
class Defragmenter {
public:
    /// Takes any number of whole fragments and returns the messages that they complete. Throws ProtocolError
    /// for what is not a fragment, is out of order, or makes one message longer than `message_limit`.
    std::vector<std::string> take(std::string_view fragments);
    /// The next fragment must be the one that follows the last, or take() throws.
    void expect_no_gap() noexcept { no_gap_ = true; }

    /// PowerShell's own client takes 200 MB; one object of that size has never been a result.
    static constexpr std::size_t message_limit = 64UL * 1024 * 1024;
    /// Messages that have begun and not ended. A server mixes those of the pool and of its pipelines.
    static constexpr std::size_t open_limit = 64;

private:
    struct Open {
        std::string bytes;
        std::uint64_t next = 0;
    };
    std::unordered_map<std::uint64_t, Open> open_;
    void check_for_gap(std::uint64_t object, std::uint64_t number);

    std::size_t held_ = 0;
    std::uint64_t next_object_ = 1;  // after the last fragment, with its number
    std::uint64_t next_number_ = 0;
    bool no_gap_ = false;
};

}  // namespace volley::transports::winrm
