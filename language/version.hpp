#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "language/value.hpp"

namespace volley {

/// A semantic version: what a value of kind SemVer holds.
class Version final : public Shared {
public:
    Version(std::int64_t major_number, std::int64_t minor_number, std::int64_t patch_number,
            std::string prerelease_part, std::string build_part);
    /// nullopt when the text is no complete version.
    static std::optional<Value> parse(std::string_view text);
    static Value make(std::int64_t major_number, std::int64_t minor_number, std::int64_t patch_number,
                      std::string prerelease_part = {}, std::string build_part = {});

    const std::int64_t major_number;
    const std::int64_t minor_number;
    const std::int64_t patch_number;
    const std::string prerelease;
    const std::string build;
    std::string text() const;
    /// Negative, zero or positive, by the rules of semver.org; build metadata comes last.
    int compare(const Version& other) const;
    bool equals(const Shared& other) const override {
        return text() == static_cast<const Version&>(other).text();
    }
    std::size_t hash() const override;
};

/// A set of versions: ">=1.0.0 <2.0.0", "1.x || 3.x", "~1.2", "^1.2.3", "1.0.0 - 2.0.0".
class VersionRange final : public Shared {
public:
    /// Throws EvalError when the text is no range.
    static Value parse(std::string_view text);
    /// The range that `text` describes, to be shown as `shown`.
    static Value parse_shown(std::string_view text, std::string shown);
    bool includes(const Version& version) const;
    /// True when every version in `other` is in this range, as far as one alternative shows it.
    bool covers(const VersionRange& other) const;
    const std::string& text() const noexcept { return text_; }
    /// What it means, with comparisons only: ">=1.0.0 <2.0.0" of "1.x".
    std::string normal_text() const;
    bool equals(const Shared& other) const override {
        return normal_text() == static_cast<const VersionRange&>(other).normal_text();
    }
    std::size_t hash() const override;

    enum class Comparison { Less, LessOrEqual, Greater, GreaterOrEqual, Equal };
    struct Comparator {
        Comparison comparison;
        Value version;
    };
    explicit VersionRange(std::string text) : text_(std::move(text)) {}

private:
    friend class VersionRangeReader;
    std::string text_;
    std::vector<std::vector<Comparator>> alternatives_;
};

/// True when `version` (a SemVer, or text of one) lies in a range.
bool version_in_range(const Value& version, const VersionRange& range);
bool version_in_range(const Value& version, std::string_view range);

}  // namespace volley
