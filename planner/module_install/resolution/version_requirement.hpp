#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "language/text/version.hpp"

namespace volley::modules {

/// The version that a text names ("1.2.3", "2.0.0-rc1"); nullopt when it names none. Never throws.
std::optional<Value> parse_version(std::string_view text);
/// Negative, zero or positive, for two values of parse_version().
int compare_versions(const Value& left, const Value& right);
std::string version_text(const Value& version);
bool is_prerelease(const Value& version);

/// Which versions of a module are wanted: "1.2.3", "7.x", ">= 1.0.0 < 3.0.0". Spec: SemVerRange.
class VersionRequirement {
public:
    /// Every version.
    VersionRequirement();
    /// nullopt when the text is not a range. Never throws.
    static std::optional<VersionRequirement> parse(std::string_view text);

    bool includes(const Value& version) const;
    /// As it was written; ">= 0" for every version.
    const std::string& text() const { return range_.as<VersionRange>().text(); }

private:
    explicit VersionRequirement(Value range) : range_(std::move(range)) {}
    Value range_;
};

}  // namespace volley::modules
