#include "language/text/version.hpp"

#include <algorithm>
#include <functional>

#include "language/errors.hpp"
#include "language/text/regexp.hpp"
#include "support/text.hpp"

namespace volley {
namespace {

/// Compatibility: a newline may stand after it.
constexpr std::string_view version_pattern =
    R"(\A(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?(?:\+([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?\Z)";

bool is_number(const std::string& text) {
    return !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
}

int sign(auto a, auto b) { return a < b ? -1 : a > b ? 1 : 0; }

int compare_identifiers(const std::string& a, const std::string& b) {
    const bool a_number = is_number(a);
    const bool b_number = is_number(b);
    if (a_number != b_number) return a_number ? -1 : 1;
    if (a_number && a.size() != b.size()) return sign(a.size(), b.size());
    return sign(a, b);
}

int compare_prereleases(const std::string& a, const std::string& b) {
    if (a.empty() || b.empty())
        return sign(a.empty() ? 1 : 0, b.empty() ? 1 : 0);  // a release is above its prereleases
    const auto left = split(a, '.');
    const auto right = split(b, '.');
    for (std::size_t i = 0; i < std::min(left.size(), right.size()); ++i) {
        if (const int order = compare_identifiers(left[i], right[i]); order != 0) return order;
    }
    return sign(left.size(), right.size());
}

std::int64_t number_of(std::string_view digits) {
    if (digits.size() > 18)
        throw EvalError("", "The number " + std::string(digits) + " is too large for a version");
    return std::stoll(std::string(digits));
}

}  // namespace

Version::Version(std::int64_t major_part, std::int64_t minor_part, std::int64_t patch_part,
                 std::string prerelease_part, std::string build_part)
    : major_number(major_part),
      minor_number(minor_part),
      patch_number(patch_part),
      prerelease(std::move(prerelease_part)),
      build(std::move(build_part)) {}

Value Version::make(std::int64_t major_part, std::int64_t minor_part, std::int64_t patch_part,
                    std::string prerelease_part, std::string build_part) {
    return Value(Kind::SemVer,
                 make_shared_object<Version>(major_part, minor_part, patch_part, std::move(prerelease_part),
                                             std::move(build_part)));
}

std::optional<Value> Version::parse(std::string_view text) {
    static const Ref<const Regexp> pattern = Regexp::compile(version_pattern);
    const auto match = pattern->search(text);
    if (!match) return std::nullopt;
    return make(number_of(match->group(text, 1)), number_of(match->group(text, 2)),
                number_of(match->group(text, 3)), std::string(match->group(text, 4)),
                std::string(match->group(text, 5)));
}

std::string Version::text() const {
    std::string result = std::to_string(major_number) + "." + std::to_string(minor_number) + "." +
                         std::to_string(patch_number);
    if (!prerelease.empty()) result += "-" + prerelease;
    if (!build.empty()) result += "+" + build;
    return result;
}

int Version::compare(const Version& other) const {
    if (major_number != other.major_number) return sign(major_number, other.major_number);
    if (minor_number != other.minor_number) return sign(minor_number, other.minor_number);
    if (patch_number != other.patch_number) return sign(patch_number, other.patch_number);
    if (const int order = compare_prereleases(prerelease, other.prerelease); order != 0) return order;
    return sign(build, other.build);
}

std::size_t Version::hash() const { return std::hash<std::string>{}(text()); }

std::size_t VersionRange::hash() const { return std::hash<std::string>{}(merged_text()); }

std::string VersionRange::normal_text() const {
    static constexpr std::string_view marks[] = {"<", "<=", ">", ">=", ""};
    std::string result;
    for (const auto& alternative : alternatives_) {
        if (!result.empty()) result += " || ";
        std::string one;
        for (const Comparator& comparator : alternative) {
            const std::string version = comparator.version.as<Version>().text();
            const bool everything = comparator.comparison == Comparison::GreaterOrEqual && version == "0.0.0";
            if (everything && alternative.size() == 1) return "*";
            one += (one.empty() ? "" : " ");
            one += std::string(marks[static_cast<std::size_t>(comparator.comparison)]) + version;
        }
        result += one;
    }
    return result;
}

/// Reads the alternatives of a range, each a list of comparators that must all hold.
class VersionRangeReader {
public:
    static void read(VersionRange& range, std::string_view text) {
        std::string rest(text);
        for (;;) {
            const std::size_t bar = rest.find("||");
            range.alternatives_.push_back(alternative(std::string(trim(rest.substr(0, bar))), text));
            if (bar == std::string::npos) return;
            rest.erase(0, bar + 2);
        }
    }

private:
    using Comparison = VersionRange::Comparison;
    using Comparators = std::vector<VersionRange::Comparator>;

    /// A version of which the last parts may be missing or "x".
    struct Partial {
        std::int64_t parts[3] = {0, 0, 0};
        int given = 0;
        std::string prerelease;
        Value low() const { return Version::make(parts[0], parts[1], parts[2], prerelease); }
        /// The first version after all that agree in the first `count` parts.
        Value after(int count) const {
            std::int64_t next[3] = {0, 0, 0};
            for (int i = 0; i < count; ++i) next[i] = parts[i];
            ++next[count - 1];
            return Version::make(next[0], next[1], next[2]);
        }
    };

    [[noreturn]] static void unparsable(std::string_view whole) {
        throw EvalError("", "Unparsable version range: \"" + std::string(whole) + "\"");
    }

    static Partial partial(const std::string& text, std::string_view whole) {
        static const Ref<const Regexp> pattern = Regexp::compile(
            R"(\A=*(\d+|[xX*])(?:\.(\d+|[xX*]))?(?:\.(\d+|[xX*]))?(?:-([0-9A-Za-z.-]+))?(?:\+[0-9A-Za-z.-]+)?\z)");
        const auto match = pattern->search(text);
        if (!match) unparsable(whole);
        Partial result;
        for (std::size_t i = 0; i < 3; ++i) {
            const std::string part(match->group(text, i + 1));
            if (!is_number(part)) break;
            result.parts[i] = number_of(part);
            ++result.given;
        }
        result.prerelease = match->group(text, 4);
        return result;
    }

    static Comparators alternative(const std::string& text, std::string_view whole) {
        if (text.empty()) unparsable(whole);
        if (const std::size_t dash = text.find(" - "); dash != std::string::npos) {
            const Partial from = partial(std::string(trim(text.substr(0, dash))), whole);
            const Partial to = partial(std::string(trim(text.substr(dash + 3))), whole);
            Comparators list{{Comparison::GreaterOrEqual, from.low()}};
            list.push_back({Comparison::LessOrEqual, to.low()});  // compatibility: 2 is 2.0.0 here
            return list;
        }
        static const Ref<const Regexp> token =
            Regexp::compile(R"(\G\s*(<=|>=|<|>|=|~>?|\^)?\s*([^\s<>=~^]+)\s*)");
        Comparators list;
        for (std::size_t at = 0; at < text.size();) {
            const auto match = token->search(text, at);
            if (!match) unparsable(whole);
            add(list, match->group(text, 1), partial(std::string(match->group(text, 2)), whole));
            at = static_cast<std::size_t>(match->groups[0].end);
        }
        return list;
    }

    static void add(Comparators& list, std::string_view op, const Partial& version) {
        if (op == "<") return list.push_back({Comparison::Less, version.low()});
        if (op == ">=") return list.push_back({Comparison::GreaterOrEqual, version.low()});
        if (op == ">") {
            if (version.given == 3) return list.push_back({Comparison::Greater, version.low()});
            if (version.given > 0) list.push_back({Comparison::GreaterOrEqual, version.after(version.given)});
            return;
        }
        if (op == "<=") {
            if (version.given == 3) return list.push_back({Comparison::LessOrEqual, version.low()});
            if (version.given > 0) list.push_back({Comparison::Less, version.after(version.given)});
            return;
        }
        list.push_back({Comparison::GreaterOrEqual, version.low()});
        if (version.given == 0) return;
        if (op.starts_with('~'))
            return list.push_back({Comparison::Less, version.after(std::min(version.given, 2))});
        if (op == "^") return list.push_back({Comparison::Less, version.after(caret_depth(version))});
        if (version.given < 3) return list.push_back({Comparison::Less, version.after(version.given)});
        list.back().comparison = Comparison::Equal;
    }

    /// "^" keeps the first part, or the first two when that is 0.
    static int caret_depth(const Partial& version) {
        return version.given == 1 || version.parts[0] != 0 ? 1 : 2;
    }
};

Value VersionRange::parse(std::string_view text) {
    auto* range = new VersionRange(std::string(text));
    const Ref<VersionRange> keep(range);
    VersionRangeReader::read(*range, text);
    return Value(Kind::SemVerRange, Ref<const Shared>(keep));
}

Value VersionRange::parse_shown(std::string_view text, std::string shown) {
    auto* range = new VersionRange(std::move(shown));
    const Ref<VersionRange> keep(range);
    VersionRangeReader::read(*range, text);
    return Value(Kind::SemVerRange, Ref<const Shared>(keep));
}

bool VersionRange::includes(const Version& version) const {
    const auto holds = [&version](const Comparator& comparator) {
        const int order = version.compare(comparator.version.as<Version>());
        switch (comparator.comparison) {
            case Comparison::Less:
                return order < 0;
            case Comparison::LessOrEqual:
                return order <= 0;
            case Comparison::Greater:
                return order > 0;
            case Comparison::GreaterOrEqual:
                return order >= 0;
            case Comparison::Equal:
                return order == 0;
        }
        return false;
    };
    // A prerelease counts only where the range names a prerelease of the same version.
    const auto names_prerelease = [&version](const Comparator& comparator) {
        const auto& limit = comparator.version.as<Version>();
        return !limit.prerelease.empty() && limit.major_number == version.major_number &&
               limit.minor_number == version.minor_number && limit.patch_number == version.patch_number;
    };
    return std::any_of(alternatives_.begin(), alternatives_.end(), [&](const std::vector<Comparator>& all) {
        if (!std::all_of(all.begin(), all.end(), holds)) return false;
        return version.prerelease.empty() || std::any_of(all.begin(), all.end(), names_prerelease);
    });
}

void VersionSet::Interval::raise(const Version& limit, bool included) {
    const int order = low ? limit.compare(*low) : 1;
    if (order < 0) return;
    low_included = order == 0 ? low_included && included : included;
    low = &limit;
}

void VersionSet::Interval::lower(const Version& limit, bool included) {
    const int order = high ? limit.compare(*high) : -1;
    if (order > 0) return;
    high_included = order == 0 ? high_included && included : included;
    high = &limit;
}

bool VersionSet::Interval::empty() const {
    if (!low || !high) return false;
    const int order = low->compare(*high);
    return order > 0 || (order == 0 && !(low_included && high_included));
}

bool VersionSet::Interval::covers(const Interval& other) const {
    if (low) {
        const int order = other.low ? low->compare(*other.low) : 1;
        if (order > 0 || (order == 0 && other.low_included && !low_included)) return false;
    }
    if (!high) return true;
    const int order = other.high ? high->compare(*other.high) : -1;
    return order > 0 || (order == 0 && (high_included || !other.high_included));
}

bool VersionSet::Interval::begins_before(const Interval& other) const {
    if (!low || !other.low) return !low && other.low;
    const int order = low->compare(*other.low);
    return order < 0 || (order == 0 && low_included && !other.low_included);
}

bool VersionSet::Interval::reaches(const Interval& later) const {
    if (!high || !later.low) return true;
    const int order = high->compare(*later.low);
    return order > 0 || (order == 0 && (high_included || later.low_included));
}

VersionSet::Interval VersionSet::interval_of(const std::vector<VersionRange::Comparator>& comparators) {
    using Comparison = VersionRange::Comparison;
    Interval result;
    for (const auto& comparator : comparators) {
        const auto& limit = comparator.version.as<Version>();
        const Comparison kind = comparator.comparison;
        const bool equal = kind == Comparison::Equal;
        if (equal || kind == Comparison::Greater || kind == Comparison::GreaterOrEqual)
            result.raise(limit, kind != Comparison::Greater);
        if (equal || kind == Comparison::Less || kind == Comparison::LessOrEqual)
            result.lower(limit, kind != Comparison::Less);
    }
    return result;
}

VersionSet::VersionSet(std::vector<Value> ranges) : ranges_(std::move(ranges)) {
    std::vector<Interval> all;
    for (const Value& range : ranges_) {
        for (const auto& alternative : range.as<VersionRange>().alternatives()) {
            const Interval one = interval_of(alternative);
            if (!one.empty()) all.push_back(one);
        }
    }
    std::stable_sort(all.begin(), all.end(),
                     [](const Interval& a, const Interval& b) { return a.begins_before(b); });
    for (const Interval& one : all) {
        if (intervals_.empty() || !intervals_.back().reaches(one)) {
            intervals_.push_back(one);
            continue;
        }
        Interval& last = intervals_.back();
        const int order = !last.high ? 1 : !one.high ? -1 : last.high->compare(*one.high);
        if (order < 0 || (order == 0 && one.high_included)) {
            last.high = one.high;
            last.high_included = one.high_included;
        }
    }
}

bool VersionSet::covers(const VersionSet& other) const {
    return std::all_of(other.intervals_.begin(), other.intervals_.end(), [this](const Interval& theirs) {
        return std::any_of(intervals_.begin(), intervals_.end(),
                           [&theirs](const Interval& ours) { return ours.covers(theirs); });
    });
}

std::string VersionSet::text() const {
    std::string result;
    for (const Interval& one : intervals_) {
        if (!result.empty()) result += " || ";
        if (one.low) result += (one.low_included ? ">=" : ">") + one.low->text();
        if (one.low && one.high) result += " ";
        if (one.high) result += (one.high_included ? "<=" : "<") + one.high->text();
        if (!one.low && !one.high) result += "*";
    }
    return result;
}

bool VersionRange::equals(const Shared& other) const {
    const auto& that = static_cast<const VersionRange&>(other);
    return merged_text() == that.merged_text();
}

std::string VersionRange::merged_text() const {
    return VersionSet({Value(Kind::SemVerRange, Ref<const Shared>(this))}).text();
}

bool version_in_range(const Value& version, const VersionRange& range) {
    if (version.is(Kind::SemVer)) return range.includes(version.as<Version>());
    const auto other = version.is_string() ? Version::parse(version.as_string()) : std::nullopt;
    return other && range.includes(other->as<Version>());
}

bool version_in_range(const Value& version, std::string_view range) {
    return version_in_range(version, VersionRange::parse(range).as<VersionRange>());
}

}  // namespace volley
