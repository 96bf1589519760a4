#include <algorithm>

#include "language/ruby/native/arguments.hpp"
#include "language/ruby/native/methods/tables.hpp"
#include "language/ruby/native/text/characters.hpp"
#include "support/unicode/utf8.hpp"

/// String: what is put to its ends and taken from them.
namespace volley::ruby::methods {
namespace {

using Kind = Object::Kind;

std::string& changed_text(const Call& call) { return call.self.string().text; }

/// For a pair of methods of which one changes the text in place and answers nil when nothing changed.
template <std::string (*make)(const Call&)>
Object string_made(const Call& call) {
    return text(call, make(call));
}
template <std::string (*make)(const Call&)>
Object string_made_bang(const Call& call) {
    std::string made = make(call);
    if (made == changed_text(call)) return {};
    call.machine.heap().grown(made.size());
    changed_text(call) = std::move(made);
    return call.self;
}

bool is_left_space(char c) { return c == '\0' || c == ' ' || (c >= '\t' && c <= '\r'); }

std::string without_left_space(const Call& call) {
    const std::string& text = changed_text(call);
    return {std::find_if_not(text.begin(), text.end(), is_left_space), text.end()};
}

std::string without_right_space(const Call& call) {
    std::string text = changed_text(call);
    check_characters(text);
    while (!text.empty() && is_left_space(text.back())) text.pop_back();
    return text;
}

std::string without_space(const Call& call) {
    const std::string text = without_right_space(call);
    return {std::find_if_not(text.begin(), text.end(), is_left_space), text.end()};
}

std::string without_line_end(std::string text) {
    if (text.ends_with("\r\n"))
        text.resize(text.size() - 2);
    else if (text.ends_with('\n') || text.ends_with('\r'))
        text.pop_back();
    return text;
}

std::string chomped(const Call& call) {
    std::string text = changed_text(call);
    if (call.arguments.empty()) return without_line_end(std::move(text));
    if (call.arguments[0].is_nil()) return text;
    const std::string& end = to_string(call.arguments[0]);
    if (end == "\n") return without_line_end(std::move(text));
    if (!end.empty()) {
        if (text.ends_with(end)) {
            check_characters(text);
            text.resize(text.size() - end.size());
        }
        return text;
    }
    while (text.ends_with('\n')) text.resize(text.size() - (text.ends_with("\r\n") ? 2 : 1));
    return text;
}

std::string chopped(const Call& call) {
    std::string text = changed_text(call);
    check_characters(text);
    if (text.ends_with("\r\n")) text.pop_back();
    while (!text.empty() && continues_character(text.back())) text.pop_back();
    if (!text.empty()) text.pop_back();
    return text;
}

std::string without_prefix(const Call& call) {
    const std::string& prefix = to_string(call.arguments[0]);
    return changed_text(call).starts_with(prefix) ? changed_text(call).substr(prefix.size())
                                                  : changed_text(call);
}

std::string without_suffix(const Call& call) {
    const std::string& suffix = to_string(call.arguments[0]);
    std::string text = changed_text(call);
    check_characters(text);
    if (text.ends_with(suffix)) text.resize(text.size() - suffix.size());
    return text;
}

/// What << takes: text, or the number of a character.
std::string appended_text(const Object& more) {
    if (!more.is(Kind::Integer)) return to_string(more);
    const std::int64_t code = more.integer();
    if (code < 0) raise_range(std::to_string(code) + " out of char range");
    if (code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) not_native("String#<< of such a number");
    return character_text(static_cast<char32_t>(code));
}

Object string_append(const Call& call) {
    const std::string more = appended_text(call.arguments[0]);
    call.machine.heap().grown(more.size() * 2);
    changed_text(call) += more;
    return call.self;
}

Object string_concat(const Call& call) {
    std::string more;
    for (const Object& argument : call.arguments) more += appended_text(argument);
    call.machine.heap().grown(more.size() * 2);
    changed_text(call) += more;
    return call.self;
}

Object string_prepend(const Call& call) {
    std::string more;
    for (const Object& argument : call.arguments) more += to_string(argument);
    call.machine.heap().grown(more.size() * 2);
    changed_text(call).insert(0, more);
    return call.self;
}

Object string_insert(const Call& call) {
    std::int64_t place = to_integer(call.arguments[0]);
    const std::string more = to_string(call.arguments[1]);
    const auto length = static_cast<std::int64_t>(count_characters(changed_text(call)));
    if (place < 0 && -place > length + 1)
        raise_index("index " + std::to_string(place + 1 == 0 ? place : place + 1) + " out of string");
    if (place > length) raise_index("index " + std::to_string(place) + " out of string");
    check_changeable(call, call.block ? 1 : 0);
    if (place < 0) place += length + 1;
    call.machine.heap().grown(more.size() * 2);
    changed_text(call).insert(*byte_of_character(changed_text(call), static_cast<std::size_t>(place)), more);
    return call.self;
}

Object string_replace(const Call& call) {
    std::string with = to_string(call.arguments[0]);
    call.machine.heap().grown(with.size());
    changed_text(call) = std::move(with);
    return call.self;
}

Object string_clear(const Call& call) {
    changed_text(call).clear();
    return call.self;
}

constexpr Method string_change_table[] = {
    {"<<", 1, 1, string_append, true},
    {"chomp", 0, 1, string_made<chomped>},
    {"chomp!", 0, 1, string_made_bang<chomped>, true},
    {"chop", 0, 0, string_made<chopped>},
    {"chop!", 0, 0, string_made_bang<chopped>, true},
    {"clear", 0, 0, string_clear, true},
    {"concat", 0, Method::any, string_concat, true},
    {"delete_prefix", 1, 1, string_made<without_prefix>},
    {"delete_prefix!", 1, 1, string_made_bang<without_prefix>, true},
    {"delete_suffix", 1, 1, string_made<without_suffix>},
    {"delete_suffix!", 1, 1, string_made_bang<without_suffix>, true},
    {"insert", 2, 2, string_insert},
    {"lstrip", 0, 0, string_made<without_left_space>},
    {"lstrip!", 0, 0, string_made_bang<without_left_space>, true},
    {"prepend", 0, Method::any, string_prepend, true},
    {"replace", 1, 1, string_replace, true},
    {"rstrip", 0, 0, string_made<without_right_space>},
    {"rstrip!", 0, 0, string_made_bang<without_right_space>, true},
    {"strip", 0, 0, string_made<without_space>},
    {"strip!", 0, 0, string_made_bang<without_space>, true},
};

}  // namespace

Table string_change_methods() { return string_change_table; }

}  // namespace volley::ruby::methods
