#include "language/text/regexp.hpp"

#include <oniguruma.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <functional>
#include <mutex>
#include <unordered_map>

#include "language/errors.hpp"
#include "language/text/ruby_pattern.hpp"
#include "support/text.hpp"
#include "support/unicode/utf8.hpp"

namespace volley {
namespace {

const OnigUChar* bytes(const char* text) { return reinterpret_cast<const OnigUChar*>(text); }

constexpr unsigned long retry_limit = 10'000'000;

void start_library() {
    static std::once_flag once;
    std::call_once(once, [] {
        OnigEncoding encodings[] = {ONIG_ENCODING_UTF8};
        onig_initialize(encodings, 1);
        // A pattern like (a+)+b must not search for ever; this many steps are about a second.
        onig_set_retry_limit_in_match(retry_limit);
        onig_set_retry_limit_in_search(retry_limit);
    });
}

std::string engine_message(int code, OnigErrorInfo* info) {
    std::array<OnigUChar, ONIG_MAX_ERROR_MESSAGE_LEN> buffer{};
    const int length = info ? onig_error_code_to_str(buffer.data(), code, info)
                            : onig_error_code_to_str(buffer.data(), code);
    return std::string(reinterpret_cast<const char*>(buffer.data()), static_cast<std::size_t>(length));
}

std::string option_letters(unsigned options) {
    std::string letters;
    if (options & Regexp::MultiLine) letters += 'm';
    if (options & Regexp::IgnoreCase) letters += 'i';
    if (options & Regexp::Extended) letters += 'x';
    return letters;
}

OnigOptionType engine_options(std::string_view source, unsigned options) {
    OnigOptionType flags = ONIG_OPTION_CAPTURE_GROUP;
    if (source.find("(?<") != std::string_view::npos || source.find("(?'") != std::string_view::npos)
        flags &= ~ONIG_OPTION_CAPTURE_GROUP;
    if (options & Regexp::IgnoreCase) flags |= ONIG_OPTION_IGNORECASE;
    if (options & Regexp::Extended) flags |= ONIG_OPTION_EXTEND;
    if (options & Regexp::MultiLine) flags |= ONIG_OPTION_MULTILINE;
    return flags;
}

OnigRegex compile_pattern(std::string_view source, unsigned options) {
    start_library();
    std::string pattern;  // errors refer to it
    const auto compile = [&pattern, source, options](bool repeats_anchors, OnigRegex& compiled,
                                                     OnigErrorInfo& info) {
        pattern = engine_pattern(source, (options & Regexp::IgnoreCase) != 0,
                                 (options & Regexp::Extended) != 0, repeats_anchors);
        const auto* begin = bytes(pattern.data());
        return onig_new(&compiled, begin, begin + pattern.size(), engine_options(source, options),
                        ONIG_ENCODING_UTF8, ONIG_SYNTAX_RUBY, &info);
    };
    std::string reason;
    try {
        OnigRegex compiled = nullptr;
        OnigErrorInfo info{};
        int code = compile(false, compiled, info);
        if (code == ONIGERR_TARGET_OF_REPEAT_OPERATOR_INVALID) code = compile(true, compiled, info);
        if (code == ONIG_NORMAL) return compiled;
        reason = engine_message(code, &info);
    } catch (const EvalError& error) {
        reason = error.what();
    }
    throw EvalError("INVALID_REGEXP", reason + ": /" + std::string(source) + "/" + option_letters(options));
}

/// Patterns come again and again (types, loops), so compiled ones are kept, up to a bound.
class Cache {
public:
    Ref<const Regexp> find(const std::string& key) {
        const std::lock_guard lock(mutex_);
        const auto found = entries_.find(key);
        return found == entries_.end() ? Ref<const Regexp>() : found->second;
    }
    void keep(const std::string& key, const Ref<const Regexp>& regexp) {
        const std::lock_guard lock(mutex_);
        if (entries_.size() >= 2000) entries_.clear();
        entries_.emplace(key, regexp);
    }

private:
    std::mutex mutex_;
    std::unordered_map<std::string, Ref<const Regexp>> entries_;
};

Cache& cache() {
    static Cache instance;
    return instance;
}

/// Ruby's FIXEDENCODING. Compatibility: it has no letter, but a pattern that has it is written as one with
/// options.
constexpr unsigned fixed_encoding = 16;

/// The number in hexadecimal digits at the beginning of `text`, at most `most` of them; 0 without any.
unsigned hexadecimal(std::string_view text, std::size_t most) {
    unsigned number = 0;
    std::from_chars(text.data(), text.data() + std::min(text.size(), most), number, 16);
    return number;
}

/// Whether an escape, after its backslash, is about characters beyond ASCII: "p{L}", "u00e9", "u{41 e9}",
/// "xe9".
bool is_beyond_ascii(std::string_view escape) {
    const std::string_view rest = escape.substr(1);
    switch (escape.front()) {
        case 'p':
        case 'P':
            return true;
        case 'x':
            return hexadecimal(rest, 2) > 0x7FU;
        case 'u': {
            if (!rest.starts_with('{')) return hexadecimal(rest, 4) > 0x7FU;
            const auto numbers = split(rest.substr(1, rest.find('}') - 1), ' ');
            return std::any_of(numbers.begin(), numbers.end(),
                               [](const std::string& number) { return hexadecimal(number, 6) > 0x7FU; });
        }
        default:
            return false;
    }
}

bool has_fixed_encoding(std::string_view source) {
    if (!is_ascii(source)) return true;
    for (std::size_t at = source.find('\\'); at < source.size(); at = source.find('\\', at + 2)) {
        if (at + 1 < source.size() && is_beyond_ascii(source.substr(at + 1))) return true;
    }
    return false;
}

}  // namespace

std::string_view RegexpMatch::group(std::string_view subject, std::size_t index) const {
    if (index >= groups.size() || groups[index].begin < 0) return {};
    const auto begin = static_cast<std::size_t>(groups[index].begin);
    return subject.substr(begin, static_cast<std::size_t>(groups[index].end) - begin);
}

Regexp::Regexp(std::string source, unsigned options, re_pattern_buffer* compiled)
    : source_(std::move(source)), options_(options), compiled_(compiled) {}

Regexp::~Regexp() { onig_free(compiled_); }

Ref<const Regexp> Regexp::compile(std::string_view source, unsigned options) {
    const std::string key = std::to_string(options) + "/" + std::string(source);
    if (auto known = cache().find(key)) return known;
    OnigRegex compiled = compile_pattern(source, options);
    if (has_fixed_encoding(source)) options |= fixed_encoding;
    Ref<Regexp> made(new Regexp(std::string(source), options, compiled));
    cache().keep(key, made);
    return made;
}

std::string Regexp::pattern() const {
    if (options_ == None) return source_;
    std::string on;
    std::string off;
    (options_ & IgnoreCase ? on : off) += 'i';
    (options_ & MultiLine ? on : off) += 'm';
    (options_ & Extended ? on : off) += 'x';
    return "(?" + on + (off.empty() ? "" : "-" + off) + ":" + source_ + ")";
}

std::string Regexp::inspect() const {
    std::string result = "/";
    bool escaped = false;
    for (const char c : source_) {
        if (c == '/' && !escaped) result += '\\';
        escaped = c == '\\' && !escaped;
        result += c;
    }
    return result + "/" + option_letters(options_);
}

std::string Regexp::to_text() const {
    const std::string on = option_letters(options_);
    std::string off;
    for (const char letter : {'m', 'i', 'x'}) {
        if (on.find(letter) == std::string::npos) off += letter;
    }
    std::string body = inspect();
    body = body.substr(1, body.rfind('/') - 1);
    return "(?" + on + (off.empty() ? "" : "-" + off) + ":" + body + ")";
}

std::optional<RegexpMatch> Regexp::search(std::string_view subject, std::size_t start) const {
    if (start > subject.size()) return std::nullopt;
    OnigRegion* region = onig_region_new();
    const auto* begin = bytes(subject.data());
    const auto* end = begin + subject.size();
    const int found = onig_search(compiled_, begin, end, begin + start, end, region, ONIG_OPTION_NONE);
    std::optional<RegexpMatch> result;
    if (found >= 0) {
        result.emplace();
        for (int i = 0; i < region->num_regs; ++i) result->groups.push_back({region->beg[i], region->end[i]});
    }
    onig_region_free(region, 1);
    if (found < ONIG_MISMATCH) throw EvalError("REGEXP_FAILED", engine_message(found, nullptr));
    return result;
}

std::vector<std::pair<std::string, int>> Regexp::group_names() const {
    std::vector<std::pair<std::string, int>> names;
    onig_foreach_name(
        compiled_,
        [](const OnigUChar* name, const OnigUChar* end, int count, int* groups, OnigRegex, void* out) {
            auto& list = *static_cast<std::vector<std::pair<std::string, int>>*>(out);
            list.emplace_back(std::string(name, end), count > 0 ? groups[count - 1] : 0);
            return 0;
        },
        &names);
    return names;
}

bool Regexp::equals(const Shared& other) const {
    const auto& that = static_cast<const Regexp&>(other);
    return source_ == that.source_ && options_ == that.options_;
}

std::size_t Regexp::hash() const { return std::hash<std::string>{}(source_) + options_; }

}  // namespace volley
