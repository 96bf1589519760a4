#include "language/ruby/native/program/patterns.hpp"

#include <algorithm>

#include "language/errors.hpp"
#include "language/ruby/native/text/characters.hpp"
#include "support/text/escapes.hpp"

namespace volley::ruby {

void check_search(const Regexp& pattern, std::string_view text) {
    if (is_ascii(text)) return;
    check_characters(text);
    // In Ruby \b knows letters of all scripts, and there are more letters that are the same but for their
    // case.
    const std::string& source = pattern.source();
    const bool boundary = source.find("\\b") != std::string::npos || source.find("\\B") != std::string::npos;
    const bool folds = (pattern.options() & Regexp::IgnoreCase) || source.find("(?") != std::string::npos;
    if (boundary ||
        (folds && (pattern.options() & Regexp::IgnoreCase || source.find('i') != std::string::npos)))
        throw NotNative{"a pattern that depends on letters beyond ASCII"};
}

std::optional<RegexpMatch> search_pattern(const Regexp& pattern, std::string_view text, std::size_t start) {
    try {
        return pattern.search(text, start);
    } catch (const EvalError& error) {
        throw NotNative{error.what()};
    }
}

std::string escape_pattern(std::string_view text) {
    constexpr std::string_view special = "[]{}()|-*.\\?+^$# ";
    std::string out;
    for (const char c : text) {
        const char letter = special.find(c) != std::string_view::npos ? c : escape_letter(c, "fnrtv");
        if (letter != 0) out += '\\';
        out += letter != 0 ? letter : c;
    }
    return out;
}

Ref<const Regexp> compile_pattern_text(std::string_view source, unsigned options) {
    check_characters(source);
    try {
        return Regexp::compile(source, options);
    } catch (const EvalError& error) {
        throw NotNative{error.what()};
    }
}

std::vector<std::pair<std::string, int>> named_groups(const Regexp& pattern) {
    auto names = pattern.group_names();
    std::sort(names.begin(), names.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
    return names;
}

Finder::Finder(const Call& call, const Object& pattern) : call_(call) {
    if (pattern.is(Object::Kind::Pattern)) {
        pattern_ = &pattern.pattern();
        return;
    }
    if (!pattern.is(Object::Kind::String)) {
        if (pattern.is(Object::Kind::Host) || pattern.is(Object::Kind::Foreign))
            not_native("an object of Puppet as a pattern");
        raise_type("wrong argument type " + conversion_name(pattern) + " (expected Regexp)");
    }
    literal_ = &pattern.string().text;
}

std::optional<RegexpMatch> Finder::find(std::string_view text, std::size_t start) const {
    call_.machine.step(1 + (text.size() - std::min(start, text.size())) / 1024);
    if (pattern_) return search_pattern(*pattern_, text, start);
    const std::size_t at = text.find(*literal_, start);
    if (at == std::string_view::npos) return std::nullopt;
    RegexpMatch match;
    match.groups.push_back({static_cast<int>(at), static_cast<int>(at + literal_->size())});
    return match;
}

const Regexp& Finder::pattern() {
    if (pattern_) return *pattern_;
    if (!made_)
        made_ = &call_.machine.heap()
                     .pattern(compile_pattern_text(escape_pattern(*literal_), Regexp::None))
                     .pattern();
    return *made_;
}

void Finder::remember(const std::optional<RegexpMatch>& found, std::string_view text) {
    if (!found) return call_.machine.matched(Object());
    Heap& heap = call_.machine.heap();
    if (subject_.is_nil()) subject_ = heap.string(std::string(text), Change::Frozen);
    call_.machine.matched(heap.match({&pattern(), subject_.string().text, *found, literal_ != nullptr}));
}

std::size_t after_match(std::string_view text, const RegexpMatch& match) noexcept {
    const std::size_t end = match_end(match);
    if (end > match_begin(match)) return end;
    return end + (end < text.size() ? character_at(text, end).length : 1);
}

Object group_object(const Call& call, std::string_view subject, const RegexpMatch& match, std::size_t group) {
    if (group >= match.groups.size() || match.groups[group].begin < 0) return {};
    return text(call, std::string(match.group(subject, group)));
}

std::optional<std::size_t> group_number(const Regexp& pattern, const RegexpMatch& match, const Object& name) {
    if (name.is(Object::Kind::String) || name.is(Object::Kind::Symbol)) {
        const std::string& wanted = to_name(name);
        std::optional<std::size_t> found;
        for (const auto& [known, group] : pattern.group_names()) {
            if (known == wanted) found = static_cast<std::size_t>(group);
        }
        if (!found) raise_index("undefined group name reference: " + wanted);
        return found;
    }
    std::int64_t number = to_small_integer(name);
    if (number < 0) number += static_cast<std::int64_t>(match.groups.size());
    if (number < 0 || (number == 0 && to_integer(name) < 0) ||
        number >= static_cast<std::int64_t>(match.groups.size()))
        return std::nullopt;
    return static_cast<std::size_t>(number);
}

}  // namespace volley::ruby
