#pragma once

#include <cstdint>

namespace volley {

/// The extensions of a Pcore stream. Spec "Pcore serialization", table.
enum class PcoreExtension : std::int8_t {
    InnerTabulation = 0x00,
    Tabulation = 0x01,
    ArrayStart = 0x10,
    MapStart = 0x11,
    PcoreObjectStart = 0x12,
    ObjectStart = 0x13,
    SensitiveStart = 0x14,
    Default = 0x20,
    Comment = 0x21,
    Regexp = 0x30,
    TypeReference = 0x31,
    Symbol = 0x32,
    Time = 0x33,
    Timespan = 0x34,
    Version = 0x35,
    VersionRange = 0x36,
    Binary = 0x37,
    Base64 = 0x38,
    Uri = 0x39,
};

}  // namespace volley
