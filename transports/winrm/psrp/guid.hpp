#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace volley::transports::winrm {

/// A GUID of a runspace pool or a pipeline.
class Guid {
public:
    Guid() = default;  ///< all zeros: messages of the pool have it as their pipeline
    static Guid random();
    /// "8-4-4-4-12" hexadecimal digits of either case; nullopt otherwise.
    static std::optional<Guid> parse(std::string_view text) noexcept;
    /// In .NET's byte order, which reverses the first three groups. `bytes` has 16 of them.
    static Guid from_bytes(std::string_view bytes) noexcept;

    std::string bytes() const;  ///< 16 bytes in .NET's order
    std::string text() const;   ///< upper case, as Windows writes it
    bool operator==(const Guid&) const = default;

private:
    std::array<std::uint8_t, 16> groups_{};  // in the order of the text
};

}  // namespace volley::transports::winrm
