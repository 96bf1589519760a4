#include <algorithm>

#include "language/ruby/native/arguments.hpp"
#include "language/ruby/native/methods/tables.hpp"
#include "language/ruby/native/program/patterns.hpp"
#include "language/ruby/native/text/characters.hpp"
#include "support/unicode/utf8.hpp"

/// String: its parts, read and written.
namespace volley::ruby::methods {
namespace {

using Kind = Object::Kind;

const std::string& accessed(const Call& call) { return call.self.string().text; }

/// Bytes for characters.
Slice byte_slice(std::string_view text, const Slice& characters) {
    const std::size_t begin = *byte_of_character(text, characters.begin);
    const std::size_t length = *byte_of_character(text.substr(begin), characters.length);
    return {begin, length};
}

std::optional<Slice> character_slice(const std::string& text, std::int64_t begin, std::int64_t length) {
    const auto slice = slice_of(begin, length, count_characters(text));
    return slice ? std::optional(byte_slice(text, *slice)) : std::nullopt;
}

/// The part that arguments of [] name, in bytes. Sets $~ for a pattern.
std::optional<Slice> find_part(const Call& call, std::span<const Object> where) {
    const std::string& text = accessed(call);
    const Object& first = where[0];
    if (first.is(Kind::Pattern)) {
        Finder finder(call, first);
        check_search(first.pattern(), text);
        const auto found = finder.find(text, 0);
        finder.remember(found, text);
        if (!found) return std::nullopt;
        const auto group = where.size() > 1 ? group_number(first.pattern(), *found, where[1]) : 0;
        if (!group || found->groups[*group].begin < 0) return std::nullopt;
        const auto begin = static_cast<std::size_t>(found->groups[*group].begin);
        return Slice{begin, static_cast<std::size_t>(found->groups[*group].end) - begin};
    }
    if (where.size() > 1) {
        const std::int64_t begin = to_integer(first);  // in this order, for the error
        return character_slice(text, begin, to_integer(where[1]));
    }
    if (first.is(Kind::String)) {
        const std::size_t at = text.find(first.string().text);
        return at == std::string::npos ? std::nullopt : std::optional(Slice{at, first.string().text.size()});
    }
    if (first.is(Kind::Range)) {
        const auto slice = slice_of(first.range(), count_characters(text));
        return slice ? std::optional(byte_slice(text, *slice)) : std::nullopt;
    }
    const auto part = character_slice(text, to_integer(first), 1);
    return part && part->length > 0 ? part : std::nullopt;
}

Object string_at(const Call& call) {
    const auto part = find_part(call, call.arguments);
    return part ? text(call, accessed(call).substr(part->begin, part->length)) : Object();
}

Object string_slice_bang(const Call& call) {
    const auto part = find_part(call, call.arguments);
    if (!part) return {};
    const Object cut = text(call, accessed(call).substr(part->begin, part->length));
    call.self.string().text.erase(part->begin, part->length);
    return cut;
}

[[noreturn]] void raise_no_part(const Call& call, std::span<const Object> where) {
    const Object& first = where[0];
    if (first.is(Kind::Pattern)) {
        if (where.size() > 1) not_native("String#[]= with a group");
        raise_index("regexp not matched");
    }
    if (where.size() > 1 && to_integer(where[1]) < 0) raise_index("negative length " + to_text(where[1]));
    if (first.is(Kind::String)) raise_index("string not matched");
    if (first.is(Kind::Range)) raise_range(to_text(first) + " out of range");
    (void)call;
    raise_index("index " + std::to_string(to_integer(first)) + " out of string");
}

Object string_set_part(const Call& call) {
    const auto where = call.arguments.first(call.arguments.size() - 1);
    const Object& value = call.arguments.back();
    if (where.size() == 1 && where[0].is(Kind::Range) && !value.is(Kind::String)) to_string(value);
    auto part = find_part(call, where);
    if (!part && where.size() == 1 && (where[0].is(Kind::Integer) || where[0].is(Kind::Float))) {
        // The place after the last character may be written to.
        part = character_slice(accessed(call), to_integer(where[0]), 1);
        if (part && to_integer(where[0]) < 0) part.reset();
    }
    if (!part) raise_no_part(call, where);
    const std::string with = to_string(value);
    call.machine.heap().grown(with.size());
    call.self.string().text.replace(part->begin, part->length, with);
    return value;
}

Object string_characters(const Call& call) {
    if (call.block) not_native("chars with a block");
    const std::string& from = accessed(call);
    check_characters(from);
    std::vector<Object> items;
    for (std::size_t at = 0; at < from.size();) {
        const std::size_t length = character_at(from, at).length;
        items.push_back(text(call, from.substr(at, length)));
        at += length;
    }
    return list(call, std::move(items));
}

Object string_each_character(const Call& call) {
    if (!call.block) return enumerator(call, "each_char");
    const std::string from = accessed(call);
    check_characters(from);
    for (std::size_t at = 0; at < from.size();) {
        const std::size_t length = character_at(from, at).length;
        yield(call, text(call, from.substr(at, length)));
        at += length;
    }
    return call.self;
}

Object string_bytes(const Call& call) {
    if (call.block) not_native("bytes with a block");
    std::vector<Object> items;
    call.machine.heap().grown(accessed(call).size() * sizeof(Object));
    for (const char c : accessed(call)) items.emplace_back(std::int64_t{static_cast<unsigned char>(c)});
    return list(call, std::move(items));
}

Object string_each_byte(const Call& call) {
    if (!call.block) return enumerator(call, "each_byte");
    for (std::size_t at = 0; at < accessed(call).size(); ++at) {
        call.machine.step();
        yield(call, Object(std::int64_t{static_cast<unsigned char>(accessed(call)[at])}));
    }
    return call.self;
}

Object string_codepoints(const Call& call) {
    if (call.block) not_native("codepoints with a block");
    const std::string& from = accessed(call);
    check_characters(from);
    std::vector<Object> items;
    for (std::size_t at = 0; at < from.size();) {
        const Character c = character_at(from, at);
        items.emplace_back(static_cast<std::int64_t>(c.code));
        at += c.length;
    }
    return list(call, std::move(items));
}

Object string_getbyte(const Call& call) {
    const auto place = slice_of(to_integer(call.arguments[0]), 1, accessed(call).size());
    if (!place || place->length == 0) return {};
    return Object(std::int64_t{static_cast<unsigned char>(accessed(call)[place->begin])});
}

Object string_chr(const Call& call) {
    check_characters(accessed(call));
    return text(call,
                accessed(call).substr(0, *byte_of_character(accessed(call), accessed(call).empty() ? 0 : 1)));
}

Object string_include(const Call& call) {
    return Object(accessed(call).find(to_string(call.arguments[0])) != std::string::npos);
}

Object string_index(const Call& call) {
    const std::string& text = accessed(call);
    const std::size_t length = count_characters(text);
    std::int64_t start = call.arguments.size() > 1 ? to_integer(call.arguments[1]) : 0;
    if (start < 0) start += static_cast<std::int64_t>(length);
    const Object& what = call.arguments[0];
    if (start < 0 || static_cast<std::size_t>(start) > length) {
        if (what.is(Kind::Pattern))
            call.machine.matched(Object());
        else if (start > 0)
            to_string(what);  // compatibility: a place before the text is nil, whatever is looked for
        return {};
    }
    if (!what.is(Kind::Pattern)) to_string(what);
    Finder finder(call, what);
    if (finder.is_pattern()) check_search(what.pattern(), text);
    const auto found = finder.find(text, *byte_of_character(text, static_cast<std::size_t>(start)));
    if (finder.is_pattern()) finder.remember(found, text);
    return found ? size_object(character_of_byte(text, match_begin(*found))) : Object();
}

/// The last match that begins at or before byte `from`.
std::optional<RegexpMatch> find_backwards(const Call& call, const Regexp& pattern, std::string_view text,
                                          std::size_t from) {
    for (std::size_t at = from;; --at) {
        const bool inside = at < text.size() && continues_character(text[at]);
        if (!inside) {
            call.machine.step(1 + text.size() / 256);
            auto found = search_pattern(pattern, text, at);
            if (found && match_begin(*found) == at) return found;
        }
        if (at == 0) return std::nullopt;
    }
}

Object string_rindex(const Call& call) {
    const std::string& text = accessed(call);
    const std::size_t length = count_characters(text);
    const Object& what = call.arguments[0];
    std::int64_t start =
        call.arguments.size() > 1 ? to_integer(call.arguments[1]) : static_cast<std::int64_t>(length);
    if (start < 0) start += static_cast<std::int64_t>(length);
    if (start < 0) {
        if (what.is(Kind::Pattern)) call.machine.matched(Object());
        return {};
    }
    const std::size_t from = *byte_of_character(text, std::min(static_cast<std::size_t>(start), length));
    if (!what.is(Kind::Pattern)) {
        const std::size_t at = text.rfind(to_string(what), from);
        return at == std::string::npos ? Object() : size_object(character_of_byte(text, at));
    }
    Finder finder(call, what);
    check_search(what.pattern(), text);
    const auto found = find_backwards(call, what.pattern(), text, from);
    finder.remember(found, text);
    return found ? size_object(character_of_byte(text, match_begin(*found))) : Object();
}

Object string_starts_with(const Call& call) {
    const std::string& text = accessed(call);
    for (const Object& start : call.arguments) {
        if (!start.is(Kind::Pattern)) {
            if (text.starts_with(to_string(start))) return Object(true);
            continue;
        }
        Finder finder(call, start);
        check_search(start.pattern(), text);
        auto found = finder.find(text, 0);
        if (found && match_begin(*found) != 0) not_native("start_with? of a pattern that matches further on");
        finder.remember(found, text);
        if (found) return Object(true);
    }
    return Object(false);
}

Object string_ends_with(const Call& call) {
    for (const Object& end : call.arguments) {
        if (accessed(call).ends_with(to_string(end))) {
            check_characters(accessed(call));
            check_characters(end.string().text);
            return Object(true);
        }
    }
    return Object(false);
}

Object string_partition(const Call& call) {
    const std::string from = accessed(call);
    Finder finder(call, call.arguments[0]);
    if (finder.is_pattern()) check_search(finder.pattern(), from);
    const auto found = finder.find(from, 0);
    if (finder.is_pattern()) finder.remember(found, from);
    if (!found) return list(call, {text(call, from), text(call, ""), text(call, "")});
    return list(call,
                {text(call, from.substr(0, match_begin(*found))),
                 text(call, std::string(found->group(from, 0))), text(call, from.substr(match_end(*found)))});
}

Object string_rpartition(const Call& call) {
    const std::string from = accessed(call);
    check_characters(from);
    const Object& what = call.arguments[0];
    std::optional<RegexpMatch> found;
    if (what.is(Kind::Pattern)) {
        check_search(what.pattern(), from);
        found = find_backwards(call, what.pattern(), from, from.size());
        Finder(call, what).remember(found, from);
    } else {
        if (!what.is(Kind::String)) not_native("rpartition at such an object");
        const std::size_t at = from.rfind(what.string().text);
        if (at != std::string::npos) {
            found.emplace();
            found->groups.push_back({static_cast<int>(at), static_cast<int>(at + what.string().text.size())});
        }
    }
    if (!found) return list(call, {text(call, ""), text(call, ""), text(call, from)});
    return list(call,
                {text(call, from.substr(0, match_begin(*found))),
                 text(call, std::string(found->group(from, 0))), text(call, from.substr(match_end(*found)))});
}

constexpr Method string_access_table[] = {
    {"[]", 1, 2, string_at},
    {"[]=", 2, 3, string_set_part, true},
    {"bytes", 0, 0, string_bytes},
    {"chars", 0, 0, string_characters},
    {"chr", 0, 0, string_chr},
    {"codepoints", 0, 0, string_codepoints},
    {"each_byte", 0, 0, string_each_byte},
    {"each_char", 0, 0, string_each_character},
    {"end_with?", 0, Method::any, string_ends_with},
    {"getbyte", 1, 1, string_getbyte},
    {"include?", 1, 1, string_include},
    {"index", 1, 2, string_index},
    {"partition", 1, 1, string_partition},
    {"rindex", 1, 2, string_rindex},
    {"rpartition", 1, 1, string_rpartition},
    {"slice", 1, 2, string_at},
    {"slice!", 1, 2, string_slice_bang, true},
    {"start_with?", 0, Method::any, string_starts_with},
};

}  // namespace

Table string_access_methods() { return string_access_table; }

}  // namespace volley::ruby::methods
