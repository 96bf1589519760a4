#include "apply/agent/types/package/versions.hpp"

#include <algorithm>
#include <cctype>

#include "support/text.hpp"

namespace volley::agent {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

template <class T>
int three_way(const T& one, const T& other) {
    return one < other ? -1 : other < one ? 1 : 0;
}

std::string_view take_while(std::string_view& text, bool (*fits)(char)) {
    std::size_t length = 0;
    while (length < text.size() && fits(text[length])) ++length;
    const std::string_view taken = text.substr(0, length);
    text.remove_prefix(length);
    return taken;
}

std::string_view without_zeros(std::string_view digits) {
    while (!digits.empty() && digits[0] == '0') digits.remove_prefix(1);
    return digits;
}

/// Of any length.
int compare_digits(std::string_view one, std::string_view other) {
    one = without_zeros(one);
    other = without_zeros(other);
    return one.size() != other.size() ? three_way(one.size(), other.size()) : three_way(one, other);
}

/// deb-version(7): a tilde comes before the end, letters before all the rest.
int debian_order(std::string_view text) {
    if (text.empty() || is_digit(text[0])) return 0;
    if (text[0] == '~') return -1;
    return is_letter(text[0]) ? text[0] : text[0] + 256;
}

int compare_debian_part(std::string_view one, std::string_view other) {
    while (!one.empty() || !other.empty()) {
        while ((!one.empty() && !is_digit(one[0])) || (!other.empty() && !is_digit(other[0]))) {
            if (const int order = three_way(debian_order(one), debian_order(other)); order != 0) return order;
            one.remove_prefix(one.empty() ? 0 : 1);
            other.remove_prefix(other.empty() ? 0 : 1);
        }
        const std::string_view digits = take_while(one, is_digit);
        if (const int order = compare_digits(digits, take_while(other, is_digit)); order != 0) return order;
    }
    return 0;
}

struct DebianVersion {
    std::string_view epoch, upstream, revision;
};

DebianVersion debian_parts(std::string_view text) {
    DebianVersion parts;
    if (const auto colon = text.find(':'); colon != std::string_view::npos) {
        parts.epoch = text.substr(0, colon);
        text.remove_prefix(colon + 1);
    }
    const auto dash = text.rfind('-');
    parts.upstream = text.substr(0, dash);
    if (dash != std::string_view::npos) parts.revision = text.substr(dash + 1);
    return parts;
}

bool is_debian_version(std::string_view text) {
    const DebianVersion parts = debian_parts(text);
    const auto plain = [](char c) {
        return is_digit(c) || is_letter(c) || std::string_view(".+~-").find(c) != std::string_view::npos;
    };
    return !parts.upstream.empty() && std::all_of(parts.epoch.begin(), parts.epoch.end(), is_digit) &&
           (text.find(':') == std::string_view::npos || !parts.epoch.empty()) &&
           std::all_of(parts.upstream.begin(), parts.upstream.end(), plain) &&
           std::all_of(parts.revision.begin(), parts.revision.end(), plain);
}

int compare_debian(std::string_view one, std::string_view other) {
    const DebianVersion left = debian_parts(one), right = debian_parts(other);
    if (const int order = compare_digits(left.epoch, right.epoch); order != 0) return order;
    if (const int order = compare_debian_part(left.upstream, right.upstream); order != 0) return order;
    return compare_debian_part(left.revision, right.revision);
}

/// Compatibility: 1.0 is not 1.00, though dpkg orders neither before the other.
bool is_same_debian(std::string_view wanted, std::string_view found) {
    const DebianVersion left = debian_parts(wanted), right = debian_parts(found);
    return compare_digits(left.epoch, right.epoch) == 0 && left.upstream == right.upstream &&
           left.revision == right.revision;
}

struct RpmVersion {
    std::string_view epoch, version, release;
    bool has_epoch = false, has_release = false;
};

RpmVersion rpm_parts(std::string_view text) {
    RpmVersion parts;
    if (const auto colon = text.find(':'); colon != std::string_view::npos) {
        parts.epoch = text.substr(0, colon);
        parts.has_epoch =
            !parts.epoch.empty() && std::all_of(parts.epoch.begin(), parts.epoch.end(), is_digit);
        text.remove_prefix(colon + 1);
    }
    const auto dash = text.find('-');
    parts.version = text.substr(0, dash);
    if (dash != std::string_view::npos) {
        parts.has_release = true;
        parts.release = text.substr(dash + 1);
        for (const char* arch :
             {".noarch", ".i386", ".i686", ".x86_64", ".aarch64", ".ppc64", ".ppc64le", ".s390x"}) {
            if (parts.release.ends_with(arch)) parts.release.remove_suffix(std::string_view(arch).size());
        }
    }
    return parts;
}

int compare_rpm(std::string_view one, std::string_view other) {
    const RpmVersion left = rpm_parts(one), right = rpm_parts(other);
    const int epochs = compare_digits(left.has_epoch ? left.epoch : "0", right.has_epoch ? right.epoch : "0");
    if (epochs != 0) return epochs;
    if (const int order = compare_rpm_parts(left.version, right.version); order != 0) return order;
    // Compatibility: 1.0-1 comes after a 1.0 without a release, and so is not in "<=1.0".
    if (!left.has_release || !right.has_release) return left.has_release ? 1 : 0;
    return compare_rpm_parts(left.release, right.release);
}

bool is_same_rpm(std::string_view wanted, std::string_view found) {
    return compare_wanted_rpm(wanted, found) == 0;
}

/// "1.0.b2" as 1, 0, b, 2; "-" stands for ".pre.".
std::vector<std::string> gem_segments(std::string_view text) {
    std::string plain(trim(text));
    if (plain.empty()) plain = "0";
    for (auto dash = plain.find('-'); dash != std::string::npos; dash = plain.find('-'))
        plain.replace(dash, 1, ".pre.");
    std::vector<std::string> segments;
    std::string_view rest = plain;
    while (!rest.empty()) {
        std::string_view segment = take_while(rest, is_digit);
        if (segment.empty()) segment = take_while(rest, is_letter);
        if (segment.empty())
            rest.remove_prefix(1);
        else
            segments.emplace_back(segment);
    }
    // Zeros at the end, and before the first letter, say nothing.
    const auto drop_zeros = [](std::vector<std::string>& list) {
        while (!list.empty() && is_digit(list.back()[0]) && without_zeros(list.back()).empty())
            list.pop_back();
    };
    const auto letter =
        std::find_if(segments.begin(), segments.end(), [](const auto& s) { return is_letter(s[0]); });
    std::vector<std::string> head(segments.begin(), letter), tail(letter, segments.end());
    drop_zeros(head);
    drop_zeros(tail);
    head.insert(head.end(), tail.begin(), tail.end());
    return head;
}

int compare_gem(std::string_view one, std::string_view other) {
    auto left = gem_segments(one), right = gem_segments(other);
    const std::size_t count = std::max(left.size(), right.size());
    left.resize(count, "0");
    right.resize(count, "0");
    for (std::size_t at = 0; at < count; ++at) {
        const bool first = is_digit(left[at][0]), second = is_digit(right[at][0]);
        if (first != second) return first ? 1 : -1;
        const int order = first ? compare_digits(left[at], right[at]) : three_way(left[at], right[at]);
        if (order != 0) return order;
    }
    return 0;
}

bool is_gem_version(std::string_view text) {
    text = trim(text);
    if (text.empty()) return true;
    const auto dash = text.find('-');
    if (!is_digit(text[0]) || text.back() == '.' || text.back() == '-') return false;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const char c = text[at];
        const bool before_dash = dash == std::string_view::npos || at < dash;
        const bool fits = is_digit(c) || is_letter(c) || (c == '-' && !before_dash) || c == '.';
        if (!fits || (c == '.' && at + 1 < text.size() && text[at + 1] == '.')) return false;
    }
    // The first part is a number.
    const std::string_view first = text.substr(0, text.find_first_of(".-"));
    return std::all_of(first.begin(), first.end(), is_digit);
}

}  // namespace

int compare_rpm_parts(std::string_view one, std::string_view other) {
    const auto separates = [](char c) { return !is_digit(c) && !is_letter(c) && c != '~' && c != '^'; };
    while (!one.empty() || !other.empty()) {
        while (!one.empty() && separates(one[0])) one.remove_prefix(1);
        while (!other.empty() && separates(other[0])) other.remove_prefix(1);
        const bool tilde = one.starts_with('~'), other_tilde = other.starts_with('~');
        if (tilde != other_tilde) return tilde ? -1 : 1;
        const bool caret = one.starts_with('^'), other_caret = other.starts_with('^');
        if (caret != other_caret) return caret ? (other.empty() ? 1 : -1) : (one.empty() ? -1 : 1);
        if (tilde || caret) {
            one.remove_prefix(1);
            other.remove_prefix(1);
            continue;
        }
        if (one.empty() || other.empty()) break;
        const bool number = is_digit(one[0]);
        const std::string_view left = take_while(one, number ? is_digit : is_letter);
        const std::string_view right = take_while(other, number ? is_digit : is_letter);
        if (right.empty()) return number ? 1 : -1;
        const int order = number ? compare_digits(left, right) : three_way(left, right);
        if (order != 0) return order;
    }
    return three_way(one.size(), other.size());
}

int compare_wanted_rpm(std::string_view wanted, std::string_view found) {
    const RpmVersion left = rpm_parts(wanted), right = rpm_parts(found);
    if (left.has_epoch) {
        // Compatibility: an epoch of 0 is not that of a version without one.
        if (!right.has_epoch) return 1;
        if (const int order = compare_digits(left.epoch, right.epoch); order != 0) return order;
    }
    if (const int order = compare_rpm_parts(left.version, right.version); order != 0) return order;
    if (!left.has_release) return 0;
    return right.has_release ? compare_rpm_parts(left.release, right.release) : 1;
}

int compare_plain_versions(std::string_view one, std::string_view other) {
    const auto take = [](std::string_view& text) {
        if (text[0] == '-' || text[0] == '.') {
            const std::string_view sign = text.substr(0, 1);
            text.remove_prefix(1);
            return sign;
        }
        if (is_digit(text[0])) return take_while(text, is_digit);
        return take_while(text, [](char c) { return c != '-' && c != '.' && !is_digit(c); });
    };
    std::string_view left = one, right = other;
    while (!left.empty() && !right.empty()) {
        const std::string_view a = take(left), b = take(right);
        if (a == b) continue;
        for (const std::string_view sign : {"-", "."}) {
            if (a == sign) return -1;
            if (b == sign) return 1;
        }
        if (is_digit(a[0]) && is_digit(b[0]))
            return a[0] == '0' || b[0] == '0' ? three_way(a, b) : compare_digits(a, b);
        return three_way(lower(a), lower(b));
    }
    return three_way(one, other);
}

std::optional<VersionRange> VersionRange::parse(std::string_view text, const VersionRules& rules) {
    VersionRange range;
    range.rules_ = &rules;
    std::size_t at = 0;
    while (at < text.size()) {
        const std::size_t end = std::min(text.find_first_of(" \t\n", at), text.size());
        const std::string_view part = text.substr(at, end - at);
        at = std::min(text.find_first_not_of(" \t\n", end), text.size());
        std::size_t sign = std::min(part.find_first_not_of("<>="), part.size());
        Condition condition{std::string(part.substr(0, sign)), std::string(part.substr(sign))};
        const auto known = {"", "<", "<=", ">", ">="};
        if (std::find(known.begin(), known.end(), condition.sign) == known.end()) return std::nullopt;
        if (condition.version.empty() || !rules.is_version(condition.version)) return std::nullopt;
        range.conditions_.push_back(std::move(condition));
    }
    if (range.conditions_.empty()) return std::nullopt;
    if (range.conditions_.size() > 2) range.conditions_.resize(2);
    return range;
}

bool VersionRange::holds(std::string_view version) const {
    if (!rules_->is_version(version)) return false;
    return std::all_of(conditions_.begin(), conditions_.end(), [&](const Condition& one) {
        if (one.sign.empty() && rules_->is_same != nullptr) return rules_->is_same(one.version, version);
        const int order = rules_->compare(version, one.version);
        if (order == 0) return one.sign.empty() || one.sign.ends_with('=');
        return one.sign.starts_with(order < 0 ? '<' : '>');
    });
}

std::optional<std::string> VersionRange::best_of(const std::vector<std::string>& versions) const {
    std::optional<std::string> best;
    for (const std::string& version : versions) {
        if (holds(version) && (!best || rules_->compare(version, *best) >= 0)) best = version;
    }
    return best;
}

std::string VersionRange::text(std::string_view separator) const {
    std::vector<std::string> parts;
    for (const Condition& one : conditions_) parts.push_back(one.sign + one.version);
    return join(parts, separator);
}

const VersionRules debian_versions{is_debian_version, compare_debian, is_same_debian};
const VersionRules rpm_versions{[](std::string_view text) { return !text.empty(); }, compare_rpm,
                                is_same_rpm};
const VersionRules gem_versions{is_gem_version, compare_gem, nullptr};

}  // namespace volley::agent
