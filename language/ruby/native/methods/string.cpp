#include <algorithm>

#include "language/ruby/native/arguments.hpp"
#include "language/ruby/native/methods/tables.hpp"
#include "language/ruby/native/text/characters.hpp"
#include "language/ruby/native/text/formats.hpp"
#include "language/ruby/native/walk.hpp"
#include "language/text/characters_case.hpp"
#include "support/text.hpp"
#include "support/unicode/utf8.hpp"

/// String: what it is, letters' case, padding, and what makes a new String of the whole.
namespace volley::ruby::methods {
namespace {

using Kind = Object::Kind;

const std::string& own_text(const Call& call) { return call.self.string().text; }

/// Letters whose case the tables know exactly as Ruby's do; everything without case is fine too.
bool has_known_case(char32_t code) {
    const auto within = [&](char32_t low, char32_t high) { return code >= low && code <= high; };
    return code < 0x130 || within(0x132, 0x148) || within(0x14a, 0x17e) || within(0x391, 0x3a1) ||
           within(0x3a3, 0x3af) || within(0x3b1, 0x3ce) || within(0x400, 0x481) || within(0x48a, 0x4bf) ||
           within(0x4c1, 0x4ce) || within(0x4d0, 0x52f) || within(0x531, 0x556) || within(0x561, 0x586) ||
           within(0x5d0, 0x6ff) || within(0x900, 0xeff) || within(0x1e00, 0x1e95) || within(0x1ea0, 0x1eff) ||
           within(0x2000, 0x2070) || within(0x20a0, 0x20cf) || within(0x2190, 0x23ff) ||
           within(0x2500, 0x2bff) || within(0x3000, 0xa4cf) || within(0xac00, 0xd7a3) ||
           within(0xff01, 0xff20) || within(0x1f300, 0x1faff);
}

std::string change_case(const std::string& text, std::string (*change)(const std::string&)) {
    check_characters(text);
    for (std::size_t at = 0; at < text.size();) {
        const Character c = character_at(text, at);
        if (!has_known_case(c.code) || c.code == 0x149) not_native("the case of such letters");
        at += c.length;
    }
    return change(text);
}

std::string swap_case(const std::string& text) {
    std::string out;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t length = character_at(text, at).length;
        const std::string c = text.substr(at, length);
        const std::string upper = to_upper(c);
        out += upper == c ? to_lower(c) : upper;
        at += length;
    }
    return out;
}

template <std::string (*change)(const std::string&)>
Object string_case(const Call& call) {
    if (!call.arguments.empty()) not_native("upcase and others with options");
    return text(call, change_case(own_text(call), change));
}

template <std::string (*change)(const std::string&)>
Object string_case_bang(const Call& call) {
    if (!call.arguments.empty()) not_native("upcase! and others with options");
    std::string changed = change_case(own_text(call), change);
    if (changed == own_text(call)) return {};
    call.machine.heap().grown(changed.size());
    call.self.string().text = std::move(changed);
    return call.self;
}

Object string_add(const Call& call) {
    const std::string& more = to_string(call.arguments[0]);
    call.machine.heap().grown(own_text(call).size());
    return text(call, own_text(call) + more);
}

Object string_times(const Call& call) {
    const std::int64_t times = to_integer(call.arguments[0]);
    if (times < 0) raise_argument("negative argument");
    const std::string& once = own_text(call);
    if (!once.empty() && static_cast<std::size_t>(times) > Heap::most_bytes / once.size())
        not_native("a very long text");
    std::string out;
    if (!once.empty()) {
        out.reserve(once.size() * static_cast<std::size_t>(times));
        for (std::int64_t i = 0; i < times; ++i) out += once;
    }
    return text(call, std::move(out));
}

Object string_format(const Call& call) {
    const Object& given = call.arguments[0];
    if (given.is(Kind::Array)) return text(call, format_text(own_text(call), given.array().items));
    return text(call, format_text(own_text(call), std::span(&given, 1)));
}

Object string_equal(const Call& call) {
    const Object& other = call.arguments[0];
    return Object(other.is(Kind::String) && other.string().text == own_text(call));
}

Object string_compare(const Call& call) {
    const auto order = compare(call.self, call.arguments[0]);
    return order ? Object(static_cast<std::int64_t>(*order)) : Object();
}

char string_ascii_lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

Object string_casecmp(const Call& call) {
    const Object& other = call.arguments[0];
    if (other.is(Kind::Host) || other.is(Kind::Foreign)) not_native("casecmp with an object of Puppet");
    if (!other.is(Kind::String)) return {};
    std::string left = own_text(call);
    std::string right = other.string().text;
    std::transform(left.begin(), left.end(), left.begin(), string_ascii_lower);
    std::transform(right.begin(), right.end(), right.begin(), string_ascii_lower);
    const int order = left.compare(right);
    return Object(std::int64_t{order < 0 ? -1 : order > 0 ? 1 : 0});
}

Object string_same_but_case(const Call& call) {
    const Object& other = call.arguments[0];
    if (other.is(Kind::Host) || other.is(Kind::Foreign)) not_native("casecmp? with an object of Puppet");
    if (!other.is(Kind::String)) return {};
    if (!is_ascii(own_text(call)) || !is_ascii(other.string().text)) not_native("casecmp? beyond ASCII");
    return Object(string_casecmp(call).integer() == 0);
}

std::string reversed(const std::string& text) {
    check_characters(text);
    std::string out;
    out.reserve(text.size());
    for (std::size_t end = text.size(); end > 0;) {
        std::size_t begin = end - 1;
        while (continues_character(text[begin])) --begin;
        out.append(text, begin, end - begin);
        end = begin;
    }
    return out;
}

/// As much of the padding as fills `count` characters.
std::string padding(const std::string& pad, std::size_t count) {
    const std::size_t characters = count_characters(pad);
    std::string out;
    for (std::size_t i = 0; i < count / characters; ++i) out += pad;
    return out + pad.substr(0, *byte_of_character(pad, count % characters));
}

enum class Side { Left, Right, Both };

template <Side side>
Object string_justify(const Call& call) {
    const std::int64_t width = to_integer(call.arguments[0]);
    const std::string pad = call.arguments.size() > 1 ? to_string(call.arguments[1]) : " ";
    if (pad.empty()) raise_argument("zero width padding");
    const std::size_t length = count_characters(own_text(call));
    if (width < 0 || static_cast<std::size_t>(width) <= length) return text(call, own_text(call));
    const std::size_t missing = static_cast<std::size_t>(width) - length;
    if (missing > Heap::most_bytes / pad.size()) not_native("a very long text");
    const std::size_t left = side == Side::Left ? 0 : side == Side::Right ? missing : missing / 2;
    return text(call, padding(pad, left) + own_text(call) + padding(pad, missing - left));
}

Object string_to_symbol(const Call& call) {
    check_characters(own_text(call));
    return call.machine.heap().symbol(own_text(call));
}

Object string_ord(const Call& call) {
    check_characters(own_text(call));
    if (own_text(call).empty()) raise_argument("empty string");
    return Object(static_cast<std::int64_t>(character_at(own_text(call), 0).code));
}

Object string_succ(const Call& call) { return text(call, successor(own_text(call))); }

Object string_succ_bang(const Call& call) {
    call.self.string().text = successor(own_text(call));
    return call.self;
}

Object string_upto(const Call& call) {
    if (!call.block) return enumerator(call, "upto");
    const bool exclusive = call.arguments.size() > 1 && call.arguments[1].truthy();
    for (const Object& item : range_texts(call, own_text(call), to_string(call.arguments[0]), exclusive))
        yield(call, item);
    return call.self;
}

Object string_force_encoding(const Call& call) {
    const std::string& name = to_string(call.arguments[0]);
    if (name != "UTF-8" && name != "utf-8") not_native("force_encoding to " + name);
    return call.self;
}

Object string_encode(const Call& call) {
    if (call.arguments.size() != 1 || !call.arguments[0].is(Kind::String)) not_native("String#encode");
    const std::string& name = call.arguments[0].string().text;
    if (name != "UTF-8" && name != "utf-8") not_native("encode to " + name);
    check_characters(own_text(call));
    return text(call, own_text(call));
}

Object string_scrub(const Call& call) {
    check_characters(own_text(call));
    return text(call, own_text(call));
}

Object string_frozen_copy(const Call& call) {
    if (call.self.string().change == Change::Borrowed) not_native("-string of a value of the manifest");
    return call.self.string().change == Change::Frozen
               ? call.self
               : call.machine.heap().string(own_text(call), Change::Frozen);
}

Object string_changeable_copy(const Call& call) {
    if (call.self.string().change == Change::Borrowed) not_native("+string of a value of the manifest");
    return call.self.string().change == Change::Allowed ? call.self : text(call, own_text(call));
}

Object string_length(const Call& call) { return size_object(count_characters(own_text(call))); }
Object string_itself(const Call& call) { return call.self; }
Object string_reverse_bang(const Call& call) {
    call.self.string().text = reversed(own_text(call));
    return call.self;
}

constexpr Method string_table[] = {
    {"%", 1, 1, string_format},
    {"*", 1, 1, string_times},
    {"+", 1, 1, string_add},
    {"+@", 0, 0, string_changeable_copy},
    {"-@", 0, 0, string_frozen_copy},
    {"<=>", 1, 1, string_compare},
    {"==", 1, 1, string_equal},
    {"===", 1, 1, string_equal},
    {"ascii_only?", 0, 0, [](const Call& call) { return Object(is_ascii(own_text(call))); }},
    {"bytesize", 0, 0, [](const Call& call) { return size_object(own_text(call).size()); }},
    {"capitalize", 0, 2, string_case<to_capitalized>},
    {"capitalize!", 0, 2, string_case_bang<to_capitalized>, true},
    {"casecmp", 1, 1, string_casecmp},
    {"casecmp?", 1, 1, string_same_but_case},
    {"center", 1, 2, string_justify<Side::Both>},
    {"downcase", 0, 2, string_case<to_lower>},
    {"downcase!", 0, 2, string_case_bang<to_lower>, true},
    {"empty?", 0, 0, [](const Call& call) { return Object(own_text(call).empty()); }},
    {"encode", 0, Method::any, string_encode},
    {"eql?", 1, 1, string_equal},
    {"force_encoding", 1, 1, string_force_encoding, true},
    {"intern", 0, 0, string_to_symbol},
    {"length", 0, 0, string_length},
    {"ljust", 1, 2, string_justify<Side::Left>},
    {"next", 0, 0, string_succ},
    {"next!", 0, 0, string_succ_bang, true},
    {"ord", 0, 0, string_ord},
    {"reverse", 0, 0, [](const Call& call) { return text(call, reversed(own_text(call))); }},
    {"reverse!", 0, 0, string_reverse_bang, true},
    {"rjust", 1, 2, string_justify<Side::Right>},
    {"scrub", 0, 1, string_scrub},
    {"size", 0, 0, string_length},
    {"succ", 0, 0, string_succ},
    {"succ!", 0, 0, string_succ_bang, true},
    {"swapcase", 0, 2, string_case<swap_case>},
    {"swapcase!", 0, 2, string_case_bang<swap_case>, true},
    {"to_s", 0, 0, string_itself},
    {"to_str", 0, 0, string_itself},
    {"to_sym", 0, 0, string_to_symbol},
    {"upcase", 0, 2, string_case<to_upper>},
    {"upcase!", 0, 2, string_case_bang<to_upper>, true},
    {"upto", 1, 2, string_upto},
    {"valid_encoding?", 0, 0, [](const Call& call) { return Object(is_utf8(own_text(call))); }},
};

}  // namespace

Table string_methods() { return string_table; }

}  // namespace volley::ruby::methods
