#include "language/functions/stdlib/old_checks.hpp"

#include <algorithm>

#include "language/errors.hpp"
#include "language/functions/stdlib/ip_address.hpp"
#include "language/text/regexp.hpp"
#include "language/text/ruby_text.hpp"
#include "language/text/text.hpp"

namespace volley::stdlib {
namespace {

void checked_count(std::span<const Value> args, std::string_view function) {
    if (args.size() != 1)
        fail(std::string(function) + "(): Wrong number of arguments given " + std::to_string(args.size()) +
             " for 1");
}

void checked_any(std::span<const Value> args, std::string_view function) {
    if (args.empty()) fail(std::string(function) + "(): wrong number of arguments (0; must be > 0)");
}

void checked_kind(std::span<const Value> args, std::string_view function, bool (*accepts)(const Value&),
                  std::string_view wanted) {
    checked_any(args, function);
    for (const Value& value : args) {
        if (!accepts(value)) {
            fail(ruby_inspect(value) + " is not " + std::string(wanted) + ".  It looks to be a " +
                 ruby_class(value));
        }
    }
}

bool is_path(const Value& value) {
    if (!value.is_string()) return false;
    static const auto windows = Regexp::compile(
        "\\A(?:(?:[A-Z]:[\\\\/])|(?:[\\\\/][\\\\/][^\\\\/]+[\\\\/][^\\\\/]+)|(?:[\\\\/][\\\\/]\\?[\\\\/"
        "][^\\\\/]+))",
        Regexp::IgnoreCase);
    return value.as_string().starts_with('/') || windows->matches(value.as_string());
}

}  // namespace

std::string deprecated_text(std::string_view type, DeprecatedFor use) {
    if (use == DeprecatedFor::Match) {
        return "This method is deprecated, please use match expressions with " + std::string(type) +
               " instead. They are described at "
               "https://docs.puppet.com/puppet/latest/reference/lang_data_type.html#match-expressions.";
    }
    return "This method is deprecated, please use the stdlib validate_legacy function,\n                    "
           "with " +
           std::string(type) + ". There is further documentation for validate_legacy function in the README.";
}

bool check_is_array(std::span<const Value> args) {
    if (args.empty()) fail("is_array(): Wrong number of arguments given (0 for 1)");
    return args[0].is_array();
}

bool check_is_string(std::span<const Value> args) {
    if (args.empty()) fail("is_string(): Wrong number of arguments given (0 for 1)");
    if (args[0].is_undef()) return true;
    if (!args[0].is_string()) return false;
    const std::string& text = args[0].as_string();
    if (text == std::to_string(loose_integer(args[0]))) return false;
    return text != float_text(std::strtod(text.c_str(), nullptr));
}

bool check_is_bool(std::span<const Value> args) {
    if (args.size() != 1)
        fail("is_bool(): Wrong number of arguments given (" + std::to_string(args.size()) + " for 1)");
    return args[0].is(Kind::Boolean);
}

bool check_is_numeric(std::span<const Value> args) {
    checked_count(args, "is_numeric");
    static const auto form = Regexp::compile("^-?(?:(?:[1-9]\\d*)|0)(?:\\.\\d+)?(?:[eE]-?\\d+)?$");
    return args[0].is_number() || (args[0].is_string() && form->matches(args[0].as_string()));
}

bool check_is_float(std::span<const Value> args) {
    checked_count(args, "is_float");
    if (args[0].is(Kind::Float)) return true;
    if (!args[0].is_string()) return false;
    const std::string& text = args[0].as_string();
    return text == float_text(std::strtod(text.c_str(), nullptr));
}

bool check_is_absolute_path(std::span<const Value> args) {
    check_legacy_arity("is_absolute_path", 1, args.size());
    return is_path(args[0]);
}

bool check_is_ip_address(std::span<const Value> args) {
    checked_count(args, "is_ip_address");
    return args[0].is_string() && IpAddress::parse(args[0].as_string());
}

void check_strings(std::span<const Value> args) {
    checked_any(args, "validate_string");
    for (const Value& value : args) {
        if (!value.is_string() && !value.is_undef())
            fail(ruby_inspect(value) + " is not a string.  It looks to be a " + ruby_class(value));
    }
}

void check_booleans(std::span<const Value> args) {
    checked_kind(
        args, "validate_bool", [](const Value& value) { return value.is(Kind::Boolean); }, "a boolean");
}

void check_arrays(std::span<const Value> args) {
    checked_kind(
        args, "validate_array", [](const Value& value) { return value.is_array(); }, "an Array");
}

void check_hashes(std::span<const Value> args) {
    checked_kind(
        args, "validate_hash", [](const Value& value) { return value.is_hash(); }, "a Hash");
}

void check_pattern(std::span<const Value> args) {
    if (args.size() < 2 || args.size() > 3)
        fail("validate_re(): wrong number of arguments (" + std::to_string(args.size()) +
             "; must be 2 or 3)");
    if (!args[0].is_string()) fail("validate_re(): input needs to be a String, not a " + ruby_class(args[0]));
    for (const Value& pattern : flattened(args[1])) {
        const bool matches = pattern.is(Kind::Regexp)
                                 ? pattern.as_regexp().matches(args[0].as_string())
                                 : Regexp::compile(ruby_to_s(pattern))->matches(args[0].as_string());
        if (matches) return;
    }
    if (args.size() > 2 && args[2].truthy()) fail(ruby_to_s(args[2]));
    fail("validate_re(): " + ruby_inspect(args[0]) + " does not match " + ruby_inspect(args[1]));
}

void check_lengths(std::span<const Value> args) {
    const std::string self = "validate_slength(): ";
    if (args.size() != 2 && args.size() != 3)
        fail(self + "Wrong number of arguments (" + std::to_string(args.size()) + "; must be 2 or 3)");
    const auto most = strict_integer(ruby_to_s(args[1]));
    if (!most || *most <= 0) {
        fail(self + "Expected second argument to be a positive Numeric, got " + ruby_to_s(args[1]) + ":" +
             ruby_class(args[1]));
    }
    const bool bounded = args.size() > 2 && args[2].truthy();
    const auto least = bounded ? strict_integer(ruby_to_s(args[2])) : 0;
    if (!least || *least < 0) {
        fail(self + "Expected third argument to be unset or a positive Numeric, got " + ruby_to_s(args[2]) +
             ":" + ruby_class(args[2]));
    }
    if (*most < *least) fail(self + "Expected second argument to be equal to or larger than third argument");
    if (!args[0].is_string() && !args[0].is_array())
        fail(self + "Expected first argument to be a String or Array, got " + ruby_class(args[0]));
    const std::vector<Value> texts =
        args[0].is_array() ? args[0].as_array().items() : std::vector<Value>{args[0]};
    for (std::size_t i = 0; i < texts.size(); ++i) {
        if (!texts[i].is_string()) {
            fail(self + "Expected element at array position " + std::to_string(i) + " to be a String, got " +
                 ruby_class(texts[i]));
        }
        const auto length = static_cast<std::int64_t>(character_count(texts[i].as_string()));
        if (length >= *least && length <= *most) continue;
        // Compatibility: for a list, its own size is what the message shows.
        const std::int64_t shown = args[0].is_array() ? static_cast<std::int64_t>(texts.size()) : length;
        fail(self + "Expected length of " + ruby_inspect(args[0]) + " to be between " +
             std::to_string(*least) + " and " + std::to_string(*most) + ", was " + std::to_string(shown));
    }
}

void check_absolute_paths(std::span<const Value> args) {
    checked_any(args, "validate_absolute_path");
    for (const Value& value : args) {
        for (const Value& path : value.is_array() ? value.as_array().items() : std::vector<Value>{value}) {
            if (!is_path(path)) fail(ruby_inspect(path) + " is not an absolute path.");
        }
    }
}

void check_ip_addresses(std::span<const Value> args) {
    checked_any(args, "validate_ip_address");
    for (const Value& value : args) {
        if (!value.is_string()) fail(ruby_inspect(value) + " is not a string.");
        if (!IpAddress::parse(value.as_string())) fail(ruby_inspect(value) + " is not a valid IP address.");
    }
}

OldCheck old_check(std::string_view function) {
    static constexpr std::pair<std::string_view, OldCheck> table[] = {
        {"validate_string", check_strings},
        {"validate_bool", check_booleans},
        {"validate_array", check_arrays},
        {"validate_hash", check_hashes},
        {"validate_integer", check_integers},
        {"validate_numeric", check_numbers},
        {"validate_re", check_pattern},
        {"validate_slength", check_lengths},
        {"validate_absolute_path", check_absolute_paths},
        {"validate_ip_address", check_ip_addresses},
    };
    const auto* found = std::find_if(std::begin(table), std::end(table),
                                     [function](const auto& row) { return row.first == function; });
    return found == std::end(table) ? nullptr : found->second;
}

OldQuestion old_question(std::string_view function) {
    static constexpr std::pair<std::string_view, OldQuestion> table[] = {
        {"is_array", check_is_array},
        {"is_string", check_is_string},
        {"is_bool", check_is_bool},
        {"is_numeric", check_is_numeric},
        {"is_float", check_is_float},
        {"is_absolute_path", check_is_absolute_path},
        {"is_ip_address", check_is_ip_address},
    };
    const auto* found = std::find_if(std::begin(table), std::end(table),
                                     [function](const auto& row) { return row.first == function; });
    return found == std::end(table) ? nullptr : found->second;
}

}  // namespace volley::stdlib
