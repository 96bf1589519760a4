#include <algorithm>

#include "language/ruby/native/arguments.hpp"
#include "language/ruby/native/methods/tables.hpp"
#include "language/ruby/native/program/patterns.hpp"
#include "language/ruby/native/text/characters.hpp"
#include "language/text/ruby_substitute.hpp"

/// String: sub, gsub, scan, match and =~.
namespace volley::ruby::methods {
namespace {

using Kind = Object::Kind;

/// What is put in the place of a match.
class Replacer {
public:
    explicit Replacer(const Call& call) : call_(call) {
        if (call.arguments.size() < 2) return;
        const Object& with = call.arguments[1];
        if (with.is(Kind::Hash)) {
            hash_ = &with.hash();
            return;
        }
        template_ = &to_string(with);
        check_characters(*template_);
    }

    void append(std::string& out, const std::string& from, Finder& finder, const RegexpMatch& found) const {
        if (template_) {
            append_template(out, from, finder, found);
            return;
        }
        const Object matched = text(call_, std::string(found.group(from, 0)));
        Object made;
        if (hash_) {
            const Object arguments[] = {matched};
            made = call_.machine.send(call_.arguments[1], "[]", arguments);
        } else {
            finder.remember(found, from);
            // A text that was looked for is what the block gets: changing it would change the search.
            if (!finder.is_pattern()) matched.string().change = Change::Borrowed;
            made = yield(call_, matched);
        }
        out += text_of(call_, made);
    }

private:
    void append_template(std::string& out, const std::string& from, Finder& finder,
                         const RegexpMatch& found) const {
        if (template_->find('\\') == std::string::npos) {
            out += *template_;
            return;
        }
        const auto names =
            finder.is_pattern() ? finder.pattern().group_names() : decltype(finder.pattern().group_names()){};
        for (std::size_t at = template_->find('\\'); at != std::string::npos;
             at = template_->find('\\', at + 2)) {
            const char next = at + 1 < template_->size() ? (*template_)[at + 1] : '\0';
            if ((next >= '1' && next <= '9' && !names.empty()) || next == 'k') check_named(names, at, next);
        }
        append_ruby_replacement(out, from, finder.pattern(), found, *template_);
    }
    void check_named(const std::vector<std::pair<std::string, int>>& names, std::size_t at, char next) const {
        if (next != 'k') not_native("\\1 with named groups");
        if (template_->compare(at + 2, 1, "<") != 0) return;
        const std::size_t end = template_->find('>', at);
        if (end == std::string::npos) throw Raised{"RuntimeError", "invalid group name reference format"};
        const std::string name = template_->substr(at + 3, end - at - 3);
        if (!name.empty() && (name[0] == '-' || (name[0] >= '0' && name[0] <= '9')))
            not_native("\\k with a number");
        const bool known =
            std::any_of(names.begin(), names.end(), [&](const auto& row) { return row.first == name; });
        if (!known) raise_index("undefined group name reference: " + name);
    }

    const Call& call_;
    Hash* hash_ = nullptr;
    const std::string* template_ = nullptr;
};

/// The text after sub or gsub; nullopt when nothing matched.
std::optional<std::string> substitute(const Call& call, bool all) {
    const std::string from = call.self.string().text;
    check_characters(from);
    const Replacer replacer(call);  // compatibility: its error comes first
    Finder finder(call, call.arguments[0]);
    if (finder.is_pattern()) check_search(finder.pattern(), from);
    std::optional<RegexpMatch> last;
    std::string out;
    std::size_t copied = 0;
    for (std::size_t start = 0; start <= from.size();) {
        auto found = finder.find(from, start);
        if (!found) break;
        out.append(from, copied, match_begin(*found) - copied);
        replacer.append(out, from, finder, *found);
        if (out.size() > Heap::most_bytes) not_native("a very long text");
        copied = match_end(*found);
        start = after_match(from, *found);
        last = std::move(found);
        if (!all) break;
    }
    finder.remember(last, from);
    if (!last) return std::nullopt;
    return out.append(from, copied);
}

void check_substitution(const Call& call, bool all) {
    if (all && call.arguments.size() == 1 && !call.block) not_native("gsub without a block");
    expect_arguments(call.arguments.size(), call.block || all ? 1 : 2, 2);
}

template <bool all>
Object string_substitute(const Call& call) {
    check_substitution(call, all);
    auto made = substitute(call, all);
    return text(call, made ? std::move(*made) : call.self.string().text);
}

template <bool all>
Object string_substitute_bang(const Call& call) {
    check_substitution(call, all);
    const std::string before = call.self.string().text;
    auto made = substitute(call, all);
    if (call.self.string().text != before) throw Raised{"RuntimeError", "string modified"};
    if (!made) return {};
    check_changeable(call, call.block ? 1 : 0);
    call.machine.heap().grown(made->size());
    call.self.string().text = std::move(*made);
    return call.self;
}

Object string_scan(const Call& call) {
    const std::string from = call.self.string().text;
    check_characters(from);
    Finder finder(call, call.arguments[0]);
    if (finder.is_pattern()) check_search(finder.pattern(), from);
    std::vector<Object> items;
    std::optional<RegexpMatch> last;
    for (std::size_t start = 0; start <= from.size();) {
        auto found = finder.find(from, start);
        if (!found) break;
        Object item;
        if (found->groups.size() == 1) {
            item = group_object(call, from, *found, 0);
        } else {
            std::vector<Object> groups;
            for (std::size_t group = 1; group < found->groups.size(); ++group)
                groups.push_back(group_object(call, from, *found, group));
            item = list(call, std::move(groups));
        }
        start = after_match(from, *found);
        if (call.block) {
            finder.remember(found, from);
            yield(call, item);
        } else {
            items.push_back(item);
        }
        last = std::move(found);
    }
    finder.remember(last, from);
    return call.block ? call.self : list(call, std::move(items));
}

/// String#match takes a text as the source of a pattern.
Object pattern_argument(const Call& call) {
    const Object& given = call.arguments[0];
    if (given.is(Kind::Pattern)) return given;
    if (!given.is(Kind::String)) {
        if (given.is(Kind::Host) || given.is(Kind::Foreign)) not_native("an object of Puppet as a pattern");
        raise_type("wrong argument type " + conversion_name(given) + " (expected Regexp)");
    }
    return call.machine.heap().pattern(compile_pattern_text(given.string().text, Regexp::None));
}

Object send_to_pattern(const Call& call, std::string_view method) {
    std::vector<Object> arguments(call.arguments.begin(), call.arguments.end());
    const Object pattern = pattern_argument(call);
    arguments[0] = call.self;
    return call.machine.send(pattern, method, arguments, call.block);
}

Object string_matches(const Call& call) {
    const Object& other = call.arguments[0];
    if (other.is(Kind::String)) raise_type("type mismatch: String given");
    return call.machine.send(other, "=~", std::span(&call.self, 1));
}

constexpr Method string_match_table[] = {
    {"=~", 1, 1, string_matches},
    {"gsub", 0, Method::any, string_substitute<true>},
    {"gsub!", 0, Method::any, string_substitute_bang<true>, true},
    {"match", 1, 2, [](const Call& call) { return send_to_pattern(call, "match"); }},
    {"match?", 1, 2, [](const Call& call) { return send_to_pattern(call, "match?"); }},
    {"scan", 1, 1, string_scan},
    {"sub", 0, Method::any, string_substitute<false>},
    {"sub!", 0, Method::any, string_substitute_bang<false>, true},
};

}  // namespace

Table string_match_methods() { return string_match_table; }

}  // namespace volley::ruby::methods
