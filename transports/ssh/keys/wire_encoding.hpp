#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace volley::transports::ssh {

/// The bytes end before the value does.
class WireError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// Reads the data types of RFC 4251 section 5 from bytes that it does not own. Every reader throws WireError
/// rather than passing the end; lengths come from strangers.
class WireReader {
public:
    explicit WireReader(std::string_view bytes) : rest_(bytes) {}
    std::uint8_t byte();
    std::uint32_t u32();
    std::uint64_t u64();
    std::string_view string();
    std::string_view take(std::size_t count);
    std::string_view rest() const noexcept { return rest_; }
    bool empty() const noexcept { return rest_.empty(); }

private:
    std::string_view rest_;
};

/// Appends RFC 4251 values to `out`.
void put_u32(std::string& out, std::uint32_t value);
void put_string(std::string& out, std::string_view value);
/// A positive integer, given as big-endian bytes: leading zeros dropped, one added when the top bit is set.
void put_mpint(std::string& out, std::string_view big_endian);

}  // namespace volley::transports::ssh
