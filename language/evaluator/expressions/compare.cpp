#include <algorithm>
#include <cmath>

#include "language/binary.hpp"
#include "language/errors.hpp"
#include "language/evaluator/evaluator.hpp"
#include "language/evaluator/expressions/time_arithmetic.hpp"
#include "language/evaluator/labels.hpp"
#include "language/evaluator/match.hpp"
#include "language/evaluator/wrapped_error.hpp"
#include "language/syntax/lexer/characters.hpp"
#include "language/text/characters_case.hpp"
#include "language/text/ruby_text.hpp"
#include "language/text/version.hpp"
#include "language/types/types.hpp"

namespace volley {
namespace {

/// ASCII letters only, as Ruby's casecmp.
int compare_ignoring_case(std::string_view a, std::string_view b) {
    const auto fold = [](char c) { return static_cast<unsigned char>(is_upper(c) ? c - 'A' + 'a' : c); };
    const std::size_t shared = std::min(a.size(), b.size());
    for (std::size_t i = 0; i < shared; ++i) {
        const int difference = fold(a[i]) - fold(b[i]);
        if (difference != 0) return difference;
    }
    return a.size() < b.size() ? -1 : a.size() > b.size() ? 1 : 0;
}

int sign(auto a, auto b) { return a < b ? -1 : a > b ? 1 : 0; }

int compare_numbers(const Value& a, const Value& b) {
    if (a.is(Kind::Integer) && b.is(Kind::Integer)) return sign(a.as_integer(), b.as_integer());
    return sign(a.as_float(), b.as_float());
}

double seconds(const Value& value) { return static_cast<double>(value.as_integer()) / 1e9; }

void keep_match(Frame* frame, const std::string& subject, const std::optional<RegexpMatch>& match) {
    if (frame && match) frame->match = std::make_shared<const MatchData>(MatchData{subject, *match});
}

bool match_regexp(const Regexp& regexp, const Value& value, Frame* frame) {
    if (!value.is_string()) return false;
    const auto match = regexp.search(value.as_string());
    keep_match(frame, value.as_string(), match);
    return match.has_value();
}

/// Whether bytes hold others, a text's, or a number as one of them.
bool compare_binary_includes(const std::string& bytes, const Value& wanted) {
    if (wanted.is(Kind::Binary)) return bytes.find(wanted.as<Binary>().bytes) != std::string::npos;
    if (wanted.is_string()) return bytes.find(wanted.as_string()) != std::string::npos;
    return wanted.is_number() && std::any_of(bytes.begin(), bytes.end(), [&wanted](char c) {
               return static_cast<double>(static_cast<unsigned char>(c)) == wanted.as_float();
           });
}

}  // namespace

bool puppet_equals(const Value& a, const Value& b) {
    const NestingGuard guard;
    switch (a.kind()) {
        case Kind::String:
            return b.is_string() && compare_ignoring_case(a.as_string(), b.as_string()) == 0;
        case Kind::Integer:
        case Kind::Float:
            if (is_time(b)) return a.as_float() == seconds(b);
            return b.is_number() && compare_numbers(a, b) == 0;
        case Kind::Timespan:
        case Kind::Timestamp:
            return b.is_number() ? seconds(a) == b.as_float() : a == b;
        case Kind::Array: {
            if (!b.is_array() || a.as_array().size() != b.as_array().size()) return false;
            for (std::size_t i = 0; i < a.as_array().size(); ++i) {
                if (!puppet_equals(a.as_array()[i], b.as_array()[i])) return false;
            }
            return true;
        }
        case Kind::Hash: {
            if (!b.is_hash() || a.as_hash().size() != b.as_hash().size()) return false;
            for (const auto& entry : a.as_hash()) {
                const Value* other = b.as_hash().find(entry.key);
                if (!puppet_equals(other ? *other : Value(), entry.value)) return false;
            }
            return true;
        }
        default:
            return a == b;
    }
}

int puppet_compare(const Value& a, const Value& b) {
    switch (a.kind()) {
        case Kind::String:
            if (!b.is_string()) throw EvalError("", "A String is not comparable to a non String");
            return compare_ignoring_case(a.as_string(), b.as_string());
        case Kind::Integer:
        case Kind::Float:
            if (is_time(b)) return sign(a.as_float(), seconds(b));
            if (!b.is_number()) throw EvalError("", "A Numeric is not comparable to non Numeric");
            return compare_numbers(a, b);
        case Kind::Timespan:
        case Kind::Timestamp:
            if (b.kind() == a.kind()) return sign(a.as_integer(), b.as_integer());
            if (b.is_number()) return sign(seconds(a), b.as_float());
            throw EvalError("", std::string(kind_name(a.kind())) + "s are only comparable to " +
                                    std::string(kind_name(a.kind())) + "s, Integers, and Floats");
        case Kind::SemVer:
            if (!b.is(Kind::SemVer)) throw EvalError("", "Versions not comparable to non Versions");
            return a.as<Version>().compare(b.as<Version>());
        case Kind::Default:
            if (b.is(Kind::Default)) return 0;
            throw EvalError("", "Symbol not comparable to non Symbol");
        default:
            throw EvalError("", "Only Strings, Numbers, Timespans, Timestamps, and Versions are comparable");
    }
}

bool Evaluator::matches(const Value& value, const Value& pattern, Frame* frame) {
    const NestingGuard guard;
    switch (pattern.kind()) {
        case Kind::Regexp:
            return match_regexp(pattern.as_regexp(), value, frame);
        case Kind::SemVerRange:
            return version_in_range(value, pattern.as<VersionRange>());
        case Kind::SemVer: {
            const auto other = value.is_string() ? Version::parse(value.as_string()) : std::optional(value);
            return other && *other == pattern;
        }
        case Kind::Type:
            return is_instance(*pattern.as_type(), value);
        case Kind::Default:
            return true;
        case Kind::Array: {
            if (!value.is_array() || value.as_array().size() != pattern.as_array().size()) return false;
            for (std::size_t i = 0; i < pattern.as_array().size(); ++i) {
                if (!matches(value.as_array()[i], pattern.as_array()[i], frame)) return false;
            }
            return true;
        }
        case Kind::Hash: {
            if (!value.is_hash()) return false;
            return std::all_of(pattern.as_hash().begin(), pattern.as_hash().end(),
                               [&](const Hash::Entry& entry) {
                                   const Value* item = value.as_hash().find(entry.key);
                                   return matches(item ? *item : Value(), entry.value, frame);
                               });
        }
        default:
            return puppet_equals(value, pattern);
    }
}

bool case_matches(const Value& value, const Value& option) {
    return Evaluator::matches(value, option, nullptr);
}

bool puppet_includes(Evaluator& evaluator, const Value& collection, const Value& wanted, Frame* frame) {
    switch (collection.kind()) {
        case Kind::String: {
            const std::string& text = collection.as_string();
            if (wanted.is_string()) {
                return to_lower(text).find(to_lower(wanted.as_string())) != std::string::npos;
            }
            if (wanted.is(Kind::Regexp)) return match_regexp(wanted.as_regexp(), collection, frame);
            return false;
        }
        case Kind::Array: {
            const Array& items = collection.as_array();
            const auto has = [&](const auto& holds) {
                return std::any_of(items.begin(), items.end(), holds);
            };
            switch (wanted.kind()) {
                case Kind::Regexp:
                    return has(
                        [&](const Value& item) { return match_regexp(wanted.as_regexp(), item, frame); });
                case Kind::String:
                case Kind::SemVer:
                    return has([&](const Value& item) { return evaluator.matches(wanted, item, frame); });
                case Kind::Type:
                    return has([&](const Value& item) { return is_instance(*wanted.as_type(), item); });
                default:
                    return has([&](const Value& item) { return puppet_equals(item, wanted); });
            }
        }
        case Kind::SemVerRange:
            return evaluator.matches(wanted, collection, frame);
        case Kind::Hash: {
            std::vector<Value> keys;
            for (const auto& entry : collection.as_hash()) keys.push_back(entry.key);
            return puppet_includes(evaluator, Value(std::move(keys)), wanted, frame);
        }
        case Kind::Binary:
            return compare_binary_includes(collection.as<Binary>().bytes, wanted);
        default:
            return false;
    }
}

Value Evaluator::eval_comparison(const ast::Binary& node, const FramePtr& frame) {
    const Value left = evaluate(*node.left, frame);
    const Value right = evaluate(*node.right, frame);
    if (left.is(Kind::Type)) {
        if (!right.is(Kind::Type)) return node.op == "!=";
        const Type& a = *left.as_type();
        const Type& b = *right.as_type();
        const bool up = is_assignable(a, b);
        const bool down = is_assignable(b, a);
        const bool same = (up && down) || same_type(a, b);
        if (node.op == "==") return same;
        if (node.op == "!=") return !same;
        if (node.op == "<") return down && !same;
        if (node.op == "<=") return down;
        if (node.op == ">") return up && !same;
        return up;
    }
    if (node.op == "==") return puppet_equals(left, right);
    if (node.op == "!=") return !puppet_equals(left, right);
    try {
        const int order = puppet_compare(left, right);
        if (node.op == "<") return order < 0;
        if (node.op == "<=") return order <= 0;
        if (node.op == ">") return order > 0;
        return order >= 0;
    } catch (const EvalError& error) {
        throw WrappedError::caused_by("COMPARISON_NOT_POSSIBLE",
                                      "Evaluation Error: Comparison of: " + label(left) + " " +
                                          std::string(node.op) + " " + label(right) +
                                          ", is not possible. Caused by '" + error.what() + "'.",
                                      error.what(), node.location());
    }
}

Value Evaluator::eval_match(const ast::Binary& node, const FramePtr& frame) {
    const Value left = evaluate(*node.left, frame);
    Value pattern = evaluate(*node.right, frame);
    const bool wanted = node.op == "=~";
    if (pattern.is(Kind::Type)) return is_instance(*pattern.as_type(), left) == wanted;
    if (pattern.is(Kind::SemVerRange)) return matches(left, pattern, frame.get()) == wanted;
    if (!pattern.is(Kind::Regexp)) {
        std::string reason;
        try {
            if (pattern.is_string())
                pattern = Value(Regexp::compile(pattern.as_string()));
            else
                reason = "no implicit conversion of " + ruby_class(pattern) + " into String";
        } catch (const EvalError& error) {
            reason = error.what();
        }
        if (!reason.empty()) {
            throw WrappedError::caused_by(
                "MATCH_NOT_REGEXP",
                "Evaluation Error: Can not convert right match operand to a regular "
                "expression. Caused by '" +
                    reason + "'.",
                reason, node.right->location());
        }
    }
    if (!left.is_string()) {
        fail("MATCH_NOT_STRING", *node.left,
             "Left match operand must result in a String value. Got " + a_an(label(left)) + ".");
    }
    return match_regexp(pattern.as_regexp(), left, frame.get()) == wanted;
}

}  // namespace volley
