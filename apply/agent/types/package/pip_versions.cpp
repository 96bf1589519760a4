#include <algorithm>
#include <array>
#include <limits>

#include "apply/agent/types/package/versions.hpp"
#include "support/text.hpp"

namespace volley::agent {
namespace {

/// PEP 440: EPOCH!RELEASE{a|b|rc}N.postN.devN+LOCAL, in any of the spellings that it allows.
struct PipVersion {
    std::int64_t epoch = 0;
    std::vector<std::int64_t> release;
    std::string pre_word;  // a, b, rc
    std::int64_t pre = -1, post = -1, dev = -1;
    std::vector<std::string> local;
};

class Reader {
public:
    explicit Reader(std::string_view text) : text_(lower(trim(text))) {}

    bool read(PipVersion& version) {
        take('v');
        const auto first = number();
        if (!first) return false;
        if (take('!')) {
            version.epoch = *first;
            const auto next = number();
            if (!next) return false;
            version.release.push_back(*next);
        } else {
            version.release.push_back(*first);
        }
        while (at_ + 1 < text_.size() && text_[at_] == '.' && is_digit(text_[at_ + 1])) {
            ++at_;
            version.release.push_back(*number());
        }
        if (const auto found = word({"alpha", "beta", "preview", "pre", "rc", "a", "b", "c"})) {
            version.pre_word = found->first.starts_with('a')   ? "a"
                               : found->first.starts_with('b') ? "b"
                                                               : "rc";
            version.pre = found->second;
        }
        if (at_ + 1 < text_.size() && text_[at_] == '-' && is_digit(text_[at_ + 1])) {
            ++at_;
            version.post = *number();
        } else if (const auto found = word({"post", "rev", "r"})) {
            version.post = found->second;
        }
        if (const auto found = word({"dev"})) version.dev = found->second;
        if (take('+') && !read_local(version)) return false;
        return at_ == text_.size();
    }

private:
    static bool is_digit(char c) { return c >= '0' && c <= '9'; }
    bool take(char c) {
        if (at_ >= text_.size() || text_[at_] != c) return false;
        ++at_;
        return true;
    }

    std::optional<std::int64_t> number() {
        const std::size_t begin = at_;
        std::int64_t value = 0;
        constexpr std::int64_t limit = std::numeric_limits<std::int64_t>::max() / 10 - 1;
        for (; at_ < text_.size() && is_digit(text_[at_]); ++at_)
            value = std::min(value, limit) * 10 + (text_[at_] - '0');
        return at_ == begin ? std::nullopt : std::optional(value);
    }

    bool separator() { return take('-') || take('_') || take('.'); }

    /// "rc1", ".rc.1", "_rc".
    std::optional<std::pair<std::string, std::int64_t>> word(std::initializer_list<std::string_view> known) {
        const std::size_t begin = at_;
        separator();
        for (const std::string_view one : known) {
            if (std::string_view(text_).substr(at_, one.size()) != one) continue;
            at_ += one.size();
            const std::size_t end = at_;
            separator();
            const auto found = number();
            if (!found) at_ = end;
            return std::pair(std::string(one), found.value_or(0));
        }
        at_ = begin;
        return std::nullopt;
    }

    bool read_local(PipVersion& version) {
        std::string part;
        for (; at_ < text_.size(); ++at_) {
            const char c = text_[at_];
            if (is_digit(c) || (c >= 'a' && c <= 'z')) {
                part += c;
            } else if ((c == '.' || c == '-' || c == '_') && !part.empty()) {
                version.local.push_back(std::move(part));
                part.clear();
            } else {
                return false;
            }
        }
        if (part.empty()) return false;
        version.local.push_back(std::move(part));
        return true;
    }

    std::string text_;
    std::size_t at_ = 0;
};

int sign_of(std::int64_t one, std::int64_t other) { return one < other ? -1 : one > other ? 1 : 0; }

int compare_releases(std::vector<std::int64_t> one, std::vector<std::int64_t> other) {
    const std::size_t count = std::max(one.size(), other.size());
    one.resize(count, 0);
    other.resize(count, 0);
    return one < other ? -1 : other < one ? 1 : 0;
}

/// Where a version stands among those of the same release: a development version of it first, then what comes
/// before the release, the release itself, what comes after it.
int rank(const PipVersion& version) {
    if (!version.pre_word.empty()) return version.pre_word == "a" ? 1 : version.pre_word == "b" ? 2 : 3;
    return version.post < 0 && version.dev >= 0 ? 0 : 4;
}

int compare_local(const std::vector<std::string>& one, const std::vector<std::string>& other) {
    const auto is_number = [](const std::string& text) {
        return std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
    };
    for (std::size_t at = 0; at < std::min(one.size(), other.size()); ++at) {
        const bool number = is_number(one[at]);
        if (number != is_number(other[at])) return number ? 1 : -1;
        const int order =
            number ? compare_plain_versions(std::to_string(std::stoull("0" + one[at].substr(0, 18))),
                                            std::to_string(std::stoull("0" + other[at].substr(0, 18))))
                   : one[at].compare(other[at]);
        if (order != 0) return order < 0 ? -1 : 1;
    }
    return sign_of(static_cast<std::int64_t>(one.size()), static_cast<std::int64_t>(other.size()));
}

bool is_pip_version(std::string_view text) {
    PipVersion version;
    return Reader(text).read(version);
}

int compare_pip(std::string_view one, std::string_view other) {
    PipVersion left, right;
    Reader(one).read(left);
    Reader(other).read(right);
    constexpr std::int64_t last = std::numeric_limits<std::int64_t>::max();
    const auto dev = [](const PipVersion& version) { return version.dev < 0 ? last : version.dev; };
    const std::array<int, 6> orders = {
        sign_of(left.epoch, right.epoch), compare_releases(left.release, right.release),
        sign_of(rank(left), rank(right)), sign_of(left.pre, right.pre),
        sign_of(left.post, right.post),   sign_of(dev(left), dev(right))};
    for (const int order : orders) {
        if (order != 0) return order;
    }
    return compare_local(left.local, right.local);
}

}  // namespace

const VersionRules pip_versions{is_pip_version, compare_pip, nullptr};

}  // namespace volley::agent
