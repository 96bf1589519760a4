#pragma once

#include <string>

#include "apply/agent/transaction/run.hpp"
#include "apply/agent/types/instance.hpp"

namespace volley::agent {

/// What messages show of a setting's value: `show_diff` of the resource is true, md5 or false, and counts
/// only where the run shows differences at all.
class ShownValues {
public:
    ShownValues() = default;
    /// Throws ApplyError when show_diff is none of these.
    ShownValues(const Resource& resource, const Run& run);
    std::string shown(const Value& value) const;

private:
    enum class How : std::uint8_t { Whole, Sum, Not };
    How how_ = How::Not;
};

}  // namespace volley::agent
