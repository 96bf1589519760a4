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
    /// nullopt when the text is not a complete version.
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
    /// Throws EvalError when the text is not a range.
    static Value parse(std::string_view text);
    /// The range that `text` describes, to be shown as `shown`.
    static Value parse_shown(std::string_view text, std::string shown);
    bool includes(const Version& version) const;
    const std::string& text() const noexcept { return text_; }
    /// What it means, with comparisons only: ">=1.0.0 <2.0.0" of "1.x".
    std::string normal_text() const;
    /// Two ranges are equal when they take the same versions: "1.x || 2.x" and ">=1.0.0 <3.0.0".
    bool equals(const Shared& other) const override;
    std::size_t hash() const override;

    enum class Comparison { Less, LessOrEqual, Greater, GreaterOrEqual, Equal };
    struct Comparator {
        Comparison comparison;
        Value version;
    };
    explicit VersionRange(std::string text) : text_(std::move(text)) {}

    /// One of them must take a version: each is a list of comparators that must all hold.
    const std::vector<std::vector<Comparator>>& alternatives() const noexcept { return alternatives_; }

private:
    friend class VersionRangeReader;
    std::string merged_text() const;

    std::string text_;
    std::vector<std::vector<Comparator>> alternatives_;
};

/// What several ranges take together, merged where they overlap or touch. Prereleases are not looked at.
class VersionSet {
public:
    explicit VersionSet(std::vector<Value> ranges);
    /// Whether every version of the other one is in this one.
    bool covers(const VersionSet& other) const;
    /// The same for equal sets.
    std::string text() const;

private:
    /// The versions between two ends; no end: there is none.
    struct Interval {
        const Version* low = nullptr;
        bool low_included = true;
        const Version* high = nullptr;
        bool high_included = true;
        void raise(const Version& limit, bool included);
        void lower(const Version& limit, bool included);
        bool empty() const;
        bool covers(const Interval& other) const;
        bool begins_before(const Interval& other) const;
        /// Whether nothing lies between this one and one that begins later.
        bool reaches(const Interval& later) const;
    };
    static Interval interval_of(const std::vector<VersionRange::Comparator>& comparators);

    std::vector<Value> ranges_;  // hold the versions that the intervals point to
    std::vector<Interval> intervals_;
};

/// True when `version` (a SemVer, or text of one) lies in a range.
bool version_in_range(const Value& version, const VersionRange& range);
bool version_in_range(const Value& version, std::string_view range);

}  // namespace volley
