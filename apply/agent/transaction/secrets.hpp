#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "apply/agent/catalog/catalog.hpp"

namespace volley::agent {

/// The texts of a catalog's Sensitive values, which no message may show, whoever makes it: a tool that
/// repeats its arguments, or a check that quotes what it refuses. Texts of fewer than 4 bytes are not looked
/// for, nor those of more than 4 KiB: what handles those must not show them in the first place.
class Secrets {
public:
    Secrets() = default;
    explicit Secrets(const Catalog& catalog);

    void add(const Value& value);
    void add(std::string_view text);
    /// With "[redacted]" in place of each secret; the longest one counts.
    std::string redacted(std::string text) const;

private:
    std::unordered_map<std::uint32_t, std::vector<std::string>> by_begin_;  ///< the longest first
};

}  // namespace volley::agent
