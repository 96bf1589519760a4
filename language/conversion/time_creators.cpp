#include <cmath>

#include "language/binary.hpp"
#include "language/conversion/creators.hpp"
#include "language/conversion/times.hpp"
#include "language/errors.hpp"
#include "language/evaluator/evaluator.hpp"
#include "language/float_to_integer.hpp"
#include "language/syntax/lexer/characters.hpp"
#include "language/time/time_text.hpp"
#include "support/text.hpp"

namespace volley {
namespace {

constexpr std::int64_t second = 1'000'000'000;

std::int64_t from_seconds(const Value& seconds) {
    return seconds.is(Kind::Integer) ? nanoseconds_of(seconds.as_integer())
                                     : nanoseconds_of(seconds.as_float());
}

std::vector<std::string> formats_of(const Value* given, std::span<const std::string_view> standard) {
    if (!given || given->is_undef()) return {standard.begin(), standard.end()};
    if (given->is_string()) return {given->as_string()};
    std::vector<std::string> list;
    for (const Value& format : given->as_array()) list.push_back(format.as_string());
    return list;
}

[[noreturn]] void unparsable(const std::string& text, const std::vector<std::string>& formats, bool several) {
    if (!several)
        throw EvalError("", "Unable to parse '" + text + "' using format '" + formats.front() + "'");
    throw EvalError("", "Unable to parse '" + text + "' using any of the formats " + join(formats, ", "));
}

const Value* member(const Value& hash, std::string_view name) { return hash.as_hash().find(name); }
const Value* argument(std::span<const Value> args, std::size_t index) {
    return index < args.size() ? &args[index] : nullptr;
}

Value parse_span(const std::string& text, const Value* given) {
    static constexpr std::string_view standard[] = {"%D-%H:%M:%S.%-N", "%H:%M:%S.%-N", "%M:%S.%-N", "%S.%-N",
                                                    "%D-%H:%M:%S",     "%H:%M:%S",     "%D-%H:%M",  "%S"};
    const std::vector<std::string> formats = formats_of(given, standard);
    for (const std::string& format : formats) {
        if (const auto found = parse_timespan(text, format)) return Value::timespan(*found);
    }
    unparsable(text, formats, !given || !given->is_string());
}

Value span_seconds(CallContext&, std::span<const Value> args) {
    return Value::timespan(from_seconds(args[0]));
}
Value span_string(CallContext&, std::span<const Value> args) {
    return parse_span(args[0].as_string(), argument(args, 1));
}
Value span_string_hash(CallContext&, std::span<const Value> args) {
    return parse_span(member(args[0], "string")->as_string(), member(args[0], "format"));
}

std::int64_t sum_fields(std::span<const std::int64_t> fields) {
    static constexpr std::int64_t sizes[] = {
        86400 * second, 3600 * second, 60 * second, second, 1'000'000, 1000, 1};
    std::int64_t total = 0;
    for (std::size_t i = 0; i < fields.size(); ++i) {
        std::int64_t part = 0;
        if (__builtin_mul_overflow(fields[i], sizes[i], &part) ||
            __builtin_add_overflow(total, part, &total)) {
            throw EvalError("", "The time is out of range");
        }
    }
    return total;
}

Value span_fields(CallContext&, std::span<const Value> args) {
    std::vector<std::int64_t> fields;
    for (const Value& value : args) fields.push_back(value.as_integer());
    return Value::timespan(sum_fields(fields));
}

Value timespan_of_fields(const Value& hash) {
    std::vector<std::int64_t> fields;
    for (const std::string_view name :
         {"days", "hours", "minutes", "seconds", "milliseconds", "microseconds", "nanoseconds"}) {
        const Value* field = member(hash, name);
        fields.push_back(field ? field->as_integer() : 0);
    }
    const Value* negative = member(hash, "negative");
    const std::int64_t total = sum_fields(fields);
    return Value::timespan(negative && negative->truthy() ? -total : total);
}

Value span_fields_hash(CallContext&, std::span<const Value> args) { return timespan_of_fields(args[0]); }

std::int64_t seconds_of_zone(const std::string& zone) {
    if (zone.empty() || lower(zone) == "current") return 0;
    const auto offset = zone_offset(zone);
    if (!offset) throw EvalError("", "Illegal timezone '" + zone + "'");
    return *offset;
}

Value parse_stamp(const std::string& text, const Value* given, const Value* zone) {
    static constexpr std::string_view with_zone[] = {"%FT%T.%N %Z", "%FT%T %Z", "%F %T.%N %Z", "%F %T %Z",
                                                     "%F %Z",       "%FT%T.%N", "%FT%T",       "%F %T.%N",
                                                     "%F %T",       "%F"};
    const bool zone_given = zone && zone->is_string();
    const bool standard = !given || given->is(Kind::Default) || given->is_undef();
    const std::span<const std::string_view> usual(zone_given ? with_zone + 5 : with_zone,
                                                  zone_given ? 5 : 10);
    const std::vector<std::string> formats = formats_of(standard ? nullptr : given, usual);
    const bool one_format = !standard && given->is_string();
    for (const std::string& format : formats) {
        const auto found = parse_timestamp(text, format);
        if (!found) continue;
        if (zone_given && !found->zone.empty()) {
            if (!one_format) continue;
            throw EvalError("",
                            "Using a Timezone designator in format specification is mutually exclusive to "
                            "providing an explicit timezone argument");
        }
        return Value::timestamp(found->nanoseconds -
                                seconds_of_zone(zone_given ? zone->as_string() : found->zone) *
                                    1'000'000'000);
    }
    unparsable(text, formats, !one_format);
}

Value stamp_now(CallContext& context, std::span<const Value>) {
    return Value::timestamp(context.environment().host.now());
}
Value stamp_seconds(CallContext&, std::span<const Value> args) {
    return Value::timestamp(from_seconds(args[0]));
}
Value stamp_string(CallContext&, std::span<const Value> args) {
    return parse_stamp(args[0].as_string(), argument(args, 1), argument(args, 2));
}
Value stamp_hash(CallContext&, std::span<const Value> args) {
    return parse_stamp(member(args[0], "string")->as_string(), member(args[0], "format"),
                       member(args[0], "timezone"));
}

/// As lenient as Ruby: other characters are left out, "=" as the third or fourth of a group ends it all, and
/// a rest of two or three characters becomes one byte or two.
std::string decode_relaxed_base64(std::string_view text) {
    std::string bytes;
    std::uint32_t bits = 0;
    int filled = 0;
    for (const char c : text) {
        const int digit = is_upper(c)   ? c - 'A'
                          : is_lower(c) ? c - 'a' + 26
                          : is_digit(c) ? c - '0' + 52
                          : c == '+'    ? 62
                          : c == '/'    ? 63
                                        : -1;
        if (c == '=' && filled >= 2) break;
        if (digit < 0) continue;
        bits = bits << 6 | static_cast<std::uint32_t>(digit);
        if (++filled < 4) continue;
        for (const int shift : {16, 8, 0}) bytes += static_cast<char>(bits >> shift & 0xff);
        bits = 0;
        filled = 0;
    }
    if (filled == 2) bytes += static_cast<char>(bits >> 4 & 0xff);
    if (filled == 3) {
        bytes += static_cast<char>(bits >> 10 & 0xff);
        bytes += static_cast<char>(bits >> 2 & 0xff);
    }
    return bytes;
}

Value decode(const std::string& text, const std::string& format) {
    if (format == "%s" || format == "%r") return Binary::make(text);
    if (format == "%b") return Binary::make(decode_relaxed_base64(text));
    std::string base64 = text;
    if (format == "%u") {
        for (char& c : base64) c = c == '-' ? '+' : c == '_' ? '/' : c;
        while (base64.size() % 4 != 0) base64 += '=';
    }
    const auto bytes = base64_decode(base64);
    // Only %b is lenient: all else must be exactly the encoding of the bytes.
    if (!bytes || base64_encode(*bytes) != base64) throw EvalError("", "invalid base64");
    return Binary::make(*bytes);
}

Value binary_string(CallContext&, std::span<const Value> args) {
    return decode(args[0].as_string(), args.size() > 1 ? args[1].as_string() : "%B");
}

Value from_bytes(const Array& numbers) {
    std::string bytes;
    for (const Value& number : numbers) bytes += static_cast<char>(number.as_integer());
    return Binary::make(std::move(bytes));
}

Value binary_array(CallContext&, std::span<const Value> args) { return from_bytes(args[0].as_array()); }

Value binary_hash(CallContext&, std::span<const Value> args) {
    const Value* value = member(args[0], "value");
    if (value->is_array()) return from_bytes(value->as_array());
    const Value* format = member(args[0], "format");
    return decode(value->as_string(), format && format->is_string() ? format->as_string() : "%B");
}

}  // namespace

Value timespan_from(const Value& given) {
    if (given.is_string()) return parse_span(given.as_string(), nullptr);
    return timespan_of_fields(given);
}

Value timestamp_from(const Value& given) {
    if (given.is_string()) return parse_stamp(given.as_string(), nullptr, nullptr);
    throw EvalError("", "Unable to create a Timestamp from a Hash");
}

const Builtin& timespan_creator() {
    static const Builtin def{
        .name = "new_timespan",
        .doc = "A duration from seconds, a text, or its parts.",
        .dispatches = {{.params = {{"Variant[Integer,Float]", "seconds"}}, .call = span_seconds},
                       {.params = {{"String[1]", "string"}, {"Formats", "format", Dispatch::Optional}},
                        .call = span_string},
                       {.params = {{"Integer", "days"},
                                   {"Integer", "hours"},
                                   {"Integer", "minutes"},
                                   {"Integer", "seconds"},
                                   {"Integer", "milliseconds", Dispatch::Optional},
                                   {"Integer", "microseconds", Dispatch::Optional},
                                   {"Integer", "nanoseconds", Dispatch::Optional}},
                        .call = span_fields},
                       {.params = {{"Struct[{string => String[1], Optional[format] => Formats}]",
                                    "hash_arg"}},
                        .call = span_string_hash},
                       {.params = {{"Struct[{Optional[negative] => Boolean, Optional[days] => Integer, "
                                    "Optional[hours] => Integer, "
                                    "Optional[minutes] => Integer, Optional[seconds] => Integer, "
                                    "Optional[milliseconds] => Integer, "
                                    "Optional[microseconds] => Integer, Optional[nanoseconds] => Integer}]",
                                    "hash_arg"}},
                        .call = span_fields_hash}},
        .local_types = {{"Formats", "Variant[String[2],Array[String[2], 1]]"}},
    };
    return def;
}

const Builtin& timestamp_creator() {
    static const Builtin def{
        .name = "new_timestamp",
        .doc = "A point in time: now, from seconds since 1970, or from a text.",
        .dispatches = {{.params = {}, .call = stamp_now},
                       {.params = {{"Variant[Integer,Float]", "seconds"}}, .call = stamp_seconds},
                       {.params = {{"String[1]", "string"},
                                   {"Formats", "format", Dispatch::Optional},
                                   {"String[1]", "timezone", Dispatch::Optional}},
                        .call = stamp_string},
                       {.params = {{"Struct[{string => String[1], Optional[format] => Formats, "
                                    "Optional[timezone] => String[1]}]",
                                    "hash_arg"}},
                        .call = stamp_hash}},
        .local_types = {{"Formats", "Variant[String[2],Array[String[2], 1]]"}},
    };
    return def;
}

const Builtin& binary_creator() {
    static const Builtin def{
        .name = "new_Binary",
        .doc = "Bytes from base64, text, or numbers.",
        .dispatches = {{.params = {{"String", "str"}, {"Base64Format", "format", Dispatch::Optional}},
                        .call = binary_string},
                       {.params = {{"Array[ByteInteger]", "byte_array"}}, .call = binary_array},
                       {.params = {{"BinaryArgsHash", "hash_args"}}, .call = binary_hash}},
        .local_types = {{"ByteInteger", "Integer[0,255]"},
                        {"Base64Format", "Enum['%b', '%u', '%B', '%s', '%r']"},
                        {"StringHash", "Struct[{value => String, 'format' => Optional[Base64Format]}]"},
                        {"ArrayHash", "Struct[{value => Array[ByteInteger]}]"},
                        {"BinaryArgsHash", "Variant[StringHash, ArrayHash]"}},
    };
    return def;
}

}  // namespace volley
