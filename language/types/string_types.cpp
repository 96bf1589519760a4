#include <strings.h>

#include <algorithm>
#include <functional>

#include "language/errors.hpp"
#include "language/text/text.hpp"
#include "language/types/types.hpp"

namespace volley::types {
namespace {

void append_range(std::string& out, const TypePtr& size) {
    if (!size || range(*size).unbounded()) return;
    std::string printed;
    size->print(printed, {});
    out += printed.substr(std::string_view("Integer").size());
}

std::pair<std::int64_t, std::int64_t> length_range(const EnumType& type) {
    std::int64_t low = RangeType::highest;
    std::int64_t high = 0;
    for (const std::string& word : type.values) {
        const auto length = static_cast<std::int64_t>(character_count(word));
        low = std::min(low, length);
        high = std::max(high, length);
    }
    return {low, high};
}

}  // namespace

StringType::StringType(TypePtr size_type) : Type(TypeKind::String), size(range(*size_type).to_size()) {}

bool StringType::instance(const Value& candidate, TypeGuard&) const {
    if (!candidate.is_string()) return false;
    const std::string& text = candidate.as_string();
    if (size) return range(*size).contains(static_cast<std::int64_t>(character_count(text)));
    return !value || *value == text;
}

TypePtr StringType::generalize() const { return default_of(TypeKind::String); }

TypePtr StringType::iterable_type() const {
    return wrap(TypeKind::Iterable, make_shared_object<StringType>(size_range(1, 1)));
}

void StringType::print(std::string& out, const PrintOptions&) const {
    out += "String";
    append_range(out, size);
}

void StringType::for_each_contained(const std::function<void(const Type&)>& visit) const {
    if (size) visit(*size);
}

std::size_t StringType::hash() const { return Type::hash() ^ (value ? std::hash<std::string>{}(*value) : 0); }

bool StringType::accepts(const Type& other, TypeGuard&) const {
    if (!size) {
        switch (other.kind()) {
            case TypeKind::String:
                return !value || (!as<StringType>(other).size && as<StringType>(other).value == value);
            case TypeKind::Enum: {
                // Compatibility: any Enum of one word is accepted by the type of another word.
                const auto& words = as<EnumType>(other);
                return !value || (words.values.size() == 1 && !words.case_insensitive);
            }
            case TypeKind::Pattern:
                return !value;
            default:
                return false;
        }
    }
    const RangeType& mine = range(*size);
    switch (other.kind()) {
        case TypeKind::String: {
            const auto& that = as<StringType>(other);
            if (that.size) return mine.contains(range(*that.size));
            if (that.value) return mine.contains(static_cast<std::int64_t>(character_count(*that.value)));
            return mine.from <= 0 && mine.to == RangeType::highest;
        }
        case TypeKind::Enum: {
            const auto& words = as<EnumType>(other);
            if (words.values.empty()) return mine.from <= 0 && mine.to == RangeType::highest;
            const auto [low, high] = length_range(words);
            return mine.from <= low && mine.to >= high;
        }
        case TypeKind::Pattern:
            return mine.from <= 0 && mine.to == RangeType::highest;
        default:
            return false;
    }
}

bool StringType::same(const Type& other) const {
    const auto& that = as<StringType>(other);
    return value == that.value && equal_or_both_null(size, that.size);
}

EnumType::EnumType(std::vector<std::string> words, bool ignore_case)
    : Type(TypeKind::Enum),
      values([&words] {
          std::sort(words.begin(), words.end());
          words.erase(std::unique(words.begin(), words.end()), words.end());
          return std::move(words);
      }()),
      case_insensitive(ignore_case) {}

bool EnumType::has(const std::string& word) const {
    if (!case_insensitive) return std::binary_search(values.begin(), values.end(), word);
    return std::any_of(values.begin(), values.end(), [&word](const std::string& known) {
        return strcasecmp(known.c_str(), word.c_str()) == 0;
    });
}

bool EnumType::instance(const Value& candidate, TypeGuard&) const {
    return candidate.is_string() && has(candidate.as_string());
}

TypePtr EnumType::generalize() const {
    if (values.empty()) return default_of(TypeKind::String);
    const auto [low, high] = length_range(*this);
    return make_shared_object<StringType>(size_range(low, high));
}

TypePtr EnumType::iterable_type() const { return default_of(TypeKind::String)->iterable_type(); }

void EnumType::print(std::string& out, const PrintOptions&) const {
    out += "Enum";
    if (values.empty()) return;
    out += "[";
    for (std::size_t i = 0; i < values.size(); ++i) out += (i > 0 ? ", " : "") + puppet_quote(values[i]);
    out += case_insensitive ? ", true]" : "]";
}

std::size_t EnumType::hash() const {
    std::size_t result = Type::hash();
    for (const std::string& word : values) result = result * 31 + std::hash<std::string>{}(word);
    return result;
}

bool EnumType::accepts(const Type& other, TypeGuard&) const {
    if (equals(other)) return true;
    if (values.empty()) {
        return other.kind() == TypeKind::String || other.kind() == TypeKind::Enum ||
               other.kind() == TypeKind::Pattern;
    }
    if (other.kind() == TypeKind::String) {
        const auto& text = as<StringType>(other).value;
        return text && has(*text);
    }
    if (other.kind() != TypeKind::Enum) return false;
    const auto& that = as<EnumType>(other);
    if (that.values.empty() || (!case_insensitive && that.case_insensitive)) return false;
    return std::all_of(that.values.begin(), that.values.end(),
                       [this](const std::string& word) { return has(word); });
}

bool EnumType::same(const Type& other) const {
    return values == as<EnumType>(other).values && case_insensitive == as<EnumType>(other).case_insensitive;
}

bool RegexpType::instance(const Value& candidate, TypeGuard&) const {
    return candidate.is(Kind::Regexp) && (!regexp || regexp->equals(candidate.as_regexp()));
}

void RegexpType::print(std::string& out, const PrintOptions&) const {
    out += regexp ? "Regexp[" + to_program_text(Value(regexp)) + "]" : "Regexp";
}

std::size_t RegexpType::hash() const { return Type::hash() ^ (regexp ? regexp->hash() : 0); }

bool RegexpType::accepts(const Type& other, TypeGuard&) const {
    if (other.kind() != TypeKind::Regexp) return false;
    return !regexp || same(other);
}

bool RegexpType::same(const Type& other) const {
    const auto& that = as<RegexpType>(other);
    return regexp && that.regexp ? regexp->pattern() == that.regexp->pattern() : !regexp && !that.regexp;
}

PatternType::PatternType(std::vector<Ref<const volley::Regexp>> any_of)
    : Type(TypeKind::Pattern), patterns([&any_of] {
          std::vector<Ref<const volley::Regexp>> unique;
          for (auto& pattern : any_of) {
              const bool known = std::any_of(unique.begin(), unique.end(), [&pattern](const auto& other) {
                  return other->pattern() == pattern->pattern();
              });
              if (!known) unique.push_back(std::move(pattern));
          }
          return unique;
      }()) {}

bool PatternType::matches(const std::string& text) const {
    return patterns.empty() || std::any_of(patterns.begin(), patterns.end(),
                                           [&text](const auto& pattern) { return pattern->matches(text); });
}

bool PatternType::instance(const Value& candidate, TypeGuard&) const {
    return candidate.is_string() && matches(candidate.as_string());
}

void PatternType::print(std::string& out, const PrintOptions&) const {
    out += "Pattern";
    for (std::size_t i = 0; i < patterns.size(); ++i) {
        out += (i == 0 ? "[" : ", ") + to_program_text(Value(patterns[i]));
    }
    if (!patterns.empty()) out += "]";
}

bool PatternType::accepts(const Type& other, TypeGuard&) const {
    if (equals(other)) return true;
    switch (other.kind()) {
        case TypeKind::String: {
            const auto& text = as<StringType>(other).value;
            return text ? matches(*text) : patterns.empty();
        }
        case TypeKind::Enum: {
            const auto& words = as<EnumType>(other).values;
            if (words.empty()) return patterns.empty();
            return std::all_of(words.begin(), words.end(),
                               [this](const std::string& word) { return matches(word); });
        }
        case TypeKind::Pattern:
            return patterns.empty();
        default:
            return false;
    }
}

bool PatternType::same(const Type& other) const {
    const auto& that = as<PatternType>(other);
    if (patterns.size() != that.patterns.size()) return false;
    return std::all_of(patterns.begin(), patterns.end(), [&that](const auto& mine) {
        return std::any_of(that.patterns.begin(), that.patterns.end(), [&mine](const auto& other_one) {
            return other_one->pattern() == mine->pattern();
        });
    });
}

TypePtr string_literal(std::string text) { return make_shared_object<StringType>(std::move(text)); }

}  // namespace volley::types
