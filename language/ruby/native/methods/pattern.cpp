#include <algorithm>

#include "language/ruby/native/methods/tables.hpp"
#include "language/ruby/native/program/patterns.hpp"
#include "language/ruby/native/text/characters.hpp"

/// Regexp and MatchData.
namespace volley::ruby::methods {
namespace {

using Kind = Object::Kind;

/// The text to search; nullopt for nil.
std::optional<std::string> searched_text(const Object& object) {
    if (object.is_nil()) return std::nullopt;
    if (object.is(Kind::Symbol)) return object.name();
    return to_string(object);
}

/// Searches from a character, and remembers what was found.
std::optional<RegexpMatch> match_text(const Call& call, const std::string& text, std::int64_t from) {
    check_search(call.self.pattern(), text);
    const auto length = static_cast<std::int64_t>(count_characters(text));
    if (from < 0) from += length;
    Finder finder(call, call.self);
    std::optional<RegexpMatch> found;
    if (from >= 0 && from <= length)
        found = finder.find(text, *byte_of_character(text, static_cast<std::size_t>(from)));
    return found;
}

Object pattern_index(const Call& call) {
    const auto text = searched_text(call.arguments[0]);
    if (!text) {
        call.machine.matched(Object());
        return {};
    }
    const auto found = match_text(call, *text, 0);
    Finder(call, call.self).remember(found, *text);
    return found ? size_object(character_of_byte(*text, match_begin(*found))) : Object();
}

Object pattern_case_equal(const Call& call) {
    const Object& object = call.arguments[0];
    if (!object.is(Kind::String) && !object.is(Kind::Symbol)) {
        call.machine.matched(Object());
        return Object(false);
    }
    return Object(!pattern_index(call).is_nil());
}

Object pattern_match(const Call& call) {
    const auto text = searched_text(call.arguments[0]);
    const std::int64_t from = call.arguments.size() > 1 ? to_integer(call.arguments[1]) : 0;
    const auto found = text ? match_text(call, *text, from) : std::nullopt;
    if (!found) {
        call.machine.matched(Object());
        return {};
    }
    Heap& heap = call.machine.heap();
    const Object subject = heap.string(*text, Change::Frozen);
    const Object match = heap.match({&call.self.pattern(), subject.string().text, *found});
    call.machine.matched(match);
    return call.block ? yield(call, match) : match;
}

Object pattern_matches(const Call& call) {
    const auto text = searched_text(call.arguments[0]);
    const std::int64_t from = call.arguments.size() > 1 ? to_integer(call.arguments[1]) : 0;
    return Object(text && match_text(call, *text, from).has_value());
}

Object pattern_names(const Call& call) {
    std::vector<Object> names;
    for (const auto& [name, group] : named_groups(call.self.pattern())) names.push_back(text(call, name));
    return list(call, std::move(names));
}

Object pattern_options(const Call& call) {
    const unsigned options = call.self.pattern().options();
    std::int64_t bits = 0;
    if (options & Regexp::IgnoreCase) bits |= 1;
    if (options & Regexp::Extended) bits |= 2;
    if (options & Regexp::MultiLine) bits |= 4;
    return Object(bits | (options & 16U));  // FIXEDENCODING
}

constexpr Method pattern_table[] = {
    {"===", 1, 1, pattern_case_equal},
    {"=~", 1, 1, pattern_index},
    {"casefold?", 0, 0,
     [](const Call& call) { return Object((call.self.pattern().options() & Regexp::IgnoreCase) != 0); }},
    {"match", 1, 2, pattern_match},
    {"match?", 1, 2, pattern_matches},
    {"names", 0, 0, pattern_names},
    {"options", 0, 0, pattern_options},
    {"source", 0, 0, [](const Call& call) { return text(call, call.self.pattern().source()); }},
};

// MatchData

const Match& own_match(const Call& call) { return call.self.match(); }

Object match_group(const Call& call, std::size_t group) {
    return group_object(call, own_match(call).subject, own_match(call).found, group);
}

std::vector<Object> match_groups(const Call& call, std::size_t first) {
    std::vector<Object> groups;
    for (std::size_t group = first; group < own_match(call).found.groups.size(); ++group)
        groups.push_back(match_group(call, group));
    return groups;
}

Object match_at(const Call& call) {
    const Object& first = call.arguments[0];
    if (call.arguments.size() > 1 || first.is(Kind::Range))
        return call.machine.send(list(call, match_groups(call, 0)), "[]", call.arguments);
    const auto group = group_number(*own_match(call).pattern, own_match(call).found, first);
    return group ? match_group(call, *group) : Object();
}

Object match_pairs(const Call& call) {
    const Object made = call.machine.heap().hash();
    for (const auto& [name, group] : named_groups(*own_match(call).pattern))
        made.hash().set(text(call, name), match_group(call, static_cast<std::size_t>(group)));
    return made;
}

Object match_names(const Call& call) {
    std::vector<Object> names;
    for (const auto& [name, group] : named_groups(*own_match(call).pattern))
        names.push_back(text(call, name));
    return list(call, std::move(names));
}

enum class Border { Begin, End };

template <Border border>
Object match_border(const Call& call) {
    const Match& match = own_match(call);
    if (call.arguments[0].is(Kind::Integer)) {
        const std::int64_t number = call.arguments[0].integer();
        if (number < 0 || number >= static_cast<std::int64_t>(match.found.groups.size()))
            raise_index("index " + std::to_string(number) + " out of matches");
    }
    const auto group = group_number(*match.pattern, match.found, call.arguments[0]);
    if (!group || match.found.groups[*group].begin < 0) return {};
    const auto& place = match.found.groups[*group];
    return size_object(character_of_byte(
        match.subject, static_cast<std::size_t>(border == Border::Begin ? place.begin : place.end)));
}

Object match_offset(const Call& call) {
    const Object begin = match_border<Border::Begin>(call);
    return pair(call, begin, match_border<Border::End>(call));
}

Object match_before(const Call& call) {
    return text(call, std::string(own_match(call).subject.substr(0, match_begin(own_match(call).found))));
}
Object match_after(const Call& call) {
    return text(call, std::string(own_match(call).subject.substr(match_end(own_match(call).found))));
}
Object match_values_at(const Call& call) {
    std::vector<Object> values;
    for (const Object& which : call.arguments) {
        if (which.is(Kind::Range)) not_native("MatchData#values_at with a range");
        const auto group = group_number(*own_match(call).pattern, own_match(call).found, which);
        values.push_back(group ? match_group(call, *group) : Object());
    }
    return list(call, std::move(values));
}
Object match_size(const Call& call) { return size_object(own_match(call).found.groups.size()); }

constexpr Method match_table[] = {
    {"[]", 1, 2, match_at},
    {"begin", 1, 1, match_border<Border::Begin>},
    {"captures", 0, 0, [](const Call& call) { return list(call, match_groups(call, 1)); }},
    {"end", 1, 1, match_border<Border::End>},
    {"length", 0, 0, match_size},
    {"named_captures", 0, 0, match_pairs},
    {"names", 0, 0, match_names},
    {"offset", 1, 1, match_offset},
    {"post_match", 0, 0, match_after},
    {"pre_match", 0, 0, match_before},
    {"regexp", 0, 0, [](const Call& call) { return Object(*own_match(call).pattern); }},
    {"size", 0, 0, match_size},
    {"string", 0, 0,
     [](const Call& call) {
         return call.machine.heap().string(std::string(own_match(call).subject), Change::Frozen);
     }},
    {"to_a", 0, 0, [](const Call& call) { return list(call, match_groups(call, 0)); }},
    {"values_at", 0, Method::any, match_values_at},
};

}  // namespace

Table pattern_methods() { return pattern_table; }
Table match_methods() { return match_table; }

}  // namespace volley::ruby::methods
