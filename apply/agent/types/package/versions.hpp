#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace volley::agent {

/// How one family of package managers writes and orders versions.
struct VersionRules {
    /// Whether a text is a version at all.
    bool (*is_version)(std::string_view text);
    /// Below, at or above 0. Both texts are versions.
    int (*compare)(std::string_view one, std::string_view other);
    /// Whether `found` is the version that was asked for; nullptr: when compare() says 0.
    bool (*is_same)(std::string_view wanted, std::string_view found);
};

extern const VersionRules debian_versions;  ///< [EPOCH:]UPSTREAM[-REVISION], as dpkg
extern const VersionRules
    rpm_versions;  ///< [EPOCH:]VERSION[-RELEASE], as rpm; epoch and release may be left out
extern const VersionRules gem_versions;  ///< as Gem::Version
extern const VersionRules pip_versions;  ///< PEP 440

/// One run of digits and letters after the other, as rpm compares a version or a release.
int compare_rpm_parts(std::string_view one, std::string_view other);
/// Epoch and release count only where the wanted version has them.
int compare_wanted_rpm(std::string_view wanted, std::string_view found);
/// Any versions of dots, dashes, digits and words, where a tool has no rules of its own.
int compare_plain_versions(std::string_view one, std::string_view other);

/// ">=1.0 <2.0", "<3" or "1.2.3": one or two conditions; further ones are not looked at.
class VersionRange {
public:
    /// nullopt for what is not a range of versions of this kind.
    static std::optional<VersionRange> parse(std::string_view text, const VersionRules& rules);
    bool holds(std::string_view version) const;  ///< false for what is not a version
    bool is_exact() const noexcept { return conditions_.size() == 1 && conditions_[0].sign.empty(); }
    /// The highest of the versions that are in the range; nullopt when none is.
    std::optional<std::string> best_of(const std::vector<std::string>& versions) const;
    /// The conditions, with something between them.
    std::string text(std::string_view separator) const;

private:
    struct Condition {
        std::string sign, version;
    };
    const VersionRules* rules_ = nullptr;
    std::vector<Condition> conditions_;
};

}  // namespace volley::agent
