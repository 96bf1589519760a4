#include "apply/agent/types/concat/merged_yaml.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string_view>

#include "apply/agent/text/pattern.hpp"
#include "apply/agent/values/errors.hpp"
#include "apply/agent/values/value.hpp"
#include "support/text.hpp"
#include "support/unicode/utf8.hpp"
#include "support/yaml/block_writer.hpp"
#include "support/yaml/common.hpp"
#include "support/yaml/scalar.hpp"

namespace volley::agent {
namespace {

using YamlWord = yaml::CommonYaml::Token;
constexpr int deepest_fragment = 100;

ApplyError bad_fragment(const std::string& why) {
    return ApplyError("A fragment is YAML that the agent does not merge: " + why);
}

/// Words that Ruby reads as something that a fragment must not hold, or that has more digits than a number of
/// 64 bits.
Value plain_value(std::string_view text) {
    static const Pattern refused(
        "\\A(?::.+|\\d{4}-\\d{1,2}-\\d{1,2}|\\d{4}-\\d{1,2}-\\d{1,2}(?:[Tt]|\\s+)\\d{1,2}:\\d\\d:\\d\\d.*)"
        "\\z");
    if (refused.matches(text))
        throw bad_fragment("'" + std::string(text) + "' is a symbol, a date or a time");
    if (text == "<<") throw bad_fragment("it has the key '<<'");
    const yaml::Kind kind = yaml::resolve_plain(text);
    const Json value = yaml::scalar_value(kind, text);
    if (kind == yaml::Kind::Integer && !value.is_number_integer())
        throw bad_fragment("the number " + std::string(text) + " has too many digits");
    bool sensitive = false;
    return value_from_json(value, sensitive);
}

/// 1 and 1.0 are different keys.
bool is_same_value(const Value& one, const Value& other) {
    return one.kind() == other.kind() && one == other;
}

Value* entry_of(Value::Pairs& pairs, const Value& key) {
    for (auto& [own, value] : pairs) {
        if (is_same_value(own, key)) return &value;
    }
    return nullptr;
}

/// Builds the value of a fragment.
class FragmentTree {
public:
    explicit FragmentTree(const std::vector<YamlWord>& words) : words_(words) {}

    Value value(int depth = 0) {
        if (at_ >= words_.size()) return {};
        if (depth > deepest_fragment) throw bad_fragment("it is nested too deeply");
        const YamlWord& word = words_[at_++];
        if (word.type == YamlWord::Type::Scalar)
            return word.plain ? plain_value(word.text) : Value(std::string(word.text));
        return word.type == YamlWord::Type::Map ? map(depth) : list(depth);
    }

private:
    bool ends() const { return at_ >= words_.size() || words_[at_].type == YamlWord::Type::Close; }

    Value map(int depth) {
        Value::Pairs pairs;
        while (!ends()) {
            Value key = value(depth + 1);
            if (key.is(Value::Kind::Array) || key.is(Value::Kind::Hash))
                throw bad_fragment("a key is a list or a map");
            Value item = value(depth + 1);
            if (Value* known = entry_of(pairs, key))
                *known = std::move(item);
            else
                pairs.emplace_back(std::move(key), std::move(item));
        }
        ++at_;
        return Value(std::move(pairs));
    }
    Value list(int depth) {
        Value::Items items;
        while (!ends()) items.push_back(value(depth + 1));
        ++at_;
        return Value(std::move(items));
    }

    const std::vector<YamlWord>& words_;
    std::size_t at_ = 0;
};

Value fragment_value(const std::string& text) {
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte < 0x20 && c != '\t' && c != '\n' && c != '\r')
            throw bad_fragment("it has control characters");
    }
    if (!is_utf8(text)) throw bad_fragment("it is not UTF-8");
    const std::vector<std::string> lines = split(text, '\n');
    const bool empty = std::all_of(lines.begin(), lines.end(), [](const std::string& line) {
        const std::string_view words = trim(line);
        return words.empty() || words.starts_with('#') || words == "---" || words == "...";
    });
    if (empty) return {};
    yaml::CommonYaml yaml(text);
    if (!yaml.read()) throw bad_fragment("it has mistakes, or anchors, tags or values of several lines");
    return FragmentTree(yaml.tokens()).value();
}

class YamlMerger {
public:
    explicit YamlMerger(bool force) : force_(force) {}

    Value merge(const Value& first, const Value& second) const {
        if (is_nothing(second)) return first;
        if (is_nothing(first)) return second;
        if (first.is(Value::Kind::Array) && second.is(Value::Kind::Array)) return all_of(first, second);
        if (!first.is(Value::Kind::Hash) || !second.is(Value::Kind::Hash))
            throw ApplyError("Fragments of different kinds cannot be merged: a map and a list, or one value");
        Value::Pairs merged = first.pairs();
        for (const auto& [key, value] : second.pairs()) {
            if (Value* known = entry_of(merged, key))
                *known = one_of(key, *known, value);
            else
                merged.emplace_back(key, value);
        }
        return Value(std::move(merged));
    }

private:
    static bool is_nothing(const Value& value) {
        if (value.is(Value::Kind::Array)) return value.items().empty();
        if (value.is(Value::Kind::Hash)) return value.pairs().empty();
        return value.is_undef() || (value.is_text() && value.text().empty());
    }

    static Value all_of(const Value& first, const Value& second) {
        Value::Items all;
        for (const Value* list : {&first, &second}) {
            for (const Value& item : list->items()) {
                if (std::none_of(all.begin(), all.end(),
                                 [&](const Value& one) { return is_same_value(one, item); }))
                    all.push_back(item);
            }
        }
        return Value(std::move(all));
    }

    Value one_of(const Value& key, const Value& first, const Value& second) const {
        const bool nested = first.is(Value::Kind::Hash) || first.is(Value::Kind::Array);
        if (nested && first.kind() == second.kind()) return merge(first, second);
        if (!equals(first, second) && !force_)
            throw ApplyError("Duplicate key '" + key.to_text() + "' found with values '" + first.to_text() +
                             "' and " + second.to_text() + "'. Use 'force' attribute to merge keys.");
        return first;
    }

    static bool equals(const Value& one, const Value& other) {
        const auto number = [](const Value& value) {
            return value.is(Value::Kind::Integer) ? static_cast<double>(value.integer()) : value.number();
        };
        const auto is_number = [](const Value& value) {
            return value.is(Value::Kind::Integer) || value.is(Value::Kind::Float);
        };
        if (is_number(one) && is_number(other)) return number(one) == number(other);
        return is_same_value(one, other);
    }

    bool force_;
};

/// Whether a character belongs to words. Outside of ASCII the agent knows the letters of the usual scripts.
bool belongs_to_word(char32_t c) {
    if (c < 0x80) return std::isalnum(static_cast<int>(c)) != 0 || c == '_';
    struct Range {
        char32_t first, last;
    };
    static constexpr std::array<Range, 12> letters = {{{0xC0, 0xD6},
                                                       {0xD8, 0xF6},
                                                       {0xF8, 0x2C1},
                                                       {0x388, 0x3F5},
                                                       {0x3F7, 0x481},
                                                       {0x48A, 0x52F},
                                                       {0x5D0, 0x5EA},
                                                       {0x620, 0x669},
                                                       {0x3041, 0x3096},
                                                       {0x30A1, 0x30FA},
                                                       {0x4E00, 0x9FFF},
                                                       {0xAC00, 0xD7A3}}};
    for (const Range& range : letters) {
        if (c >= range.first && c <= range.last) return true;
    }
    throw ApplyError(
        "The agent does not know how Ruby writes YAML texts that begin with the character of the number " +
        std::to_string(static_cast<std::uint32_t>(c)));
}

/// Whether a line begins with something else than a word and has no quote: Ruby puts such a text into double
/// quotes.
bool begins_oddly(const std::string& text) {
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t next = next_character(text, at);
        const std::size_t end = std::min(text.find('\n', next), text.size());
        if (!belongs_to_word(character_at(text, at).code) &&
            text.substr(next, end - std::min(next, end)).find('"') == std::string::npos)
            return true;
        at = std::min(text.find('\n', at), text.size() - 1) + 1;
    }
    return false;
}

yaml::ScalarStyle style_of(const std::string& text) {
    using yaml::ScalarStyle;
    // Numbers to the base of 60, dates, symbols, and numbers that only look like octal ones.
    static const Pattern special(
        "\\A(?:[-+]?\\d[\\d_,]*(?::[0-5]?\\d(?:\\.\\d*)?)+|\\d{4}-\\d{1,2}-\\d{1,2}(?:[Tt]|\\s+|\\z).*|:.+|"
        "0[0-7]*[89](?:.|\\n)*|[-+]?(?:0|[1-9](?:[0-9]|,[0-9]|_[0-9])*))\\z");
    static const Pattern inner_break("\\n(?!\\Z)");
    if (inner_break.matches(text)) return ScalarStyle::Literal;
    if (text == "y" || text == "Y" || text == "n" || text == "N") return ScalarStyle::DoubleQuoted;
    if (begins_oddly(text)) return ScalarStyle::DoubleQuoted;
    const bool other = yaml::resolve_plain(text) != yaml::Kind::String || special.matches(text);
    return other ? ScalarStyle::SingleQuoted : ScalarStyle::Plain;
}

yaml::BlockNode node_of(const Value& value) {
    using NodeKind = yaml::BlockNode::Kind;
    yaml::BlockNode node;
    if (value.is(Value::Kind::Hash)) {
        node.kind = NodeKind::Map;
        for (const auto& [key, item] : value.pairs()) {
            node.items.push_back(node_of(key));
            node.items.push_back(node_of(item));
        }
    } else if (value.is(Value::Kind::Array)) {
        node.kind = NodeKind::List;
        for (const Value& item : value.items()) node.items.push_back(node_of(item));
    } else if (value.is(Value::Kind::String)) {
        node.kind = NodeKind::Text;
        node.text = value.text();
        node.style = style_of(node.text);
    } else if (value.is(Value::Kind::Float) && !std::isfinite(value.number())) {
        node.text = std::isnan(value.number()) ? ".nan" : value.number() > 0 ? ".inf" : "-.inf";
    } else {
        node.text = value.to_text();
    }
    return node;
}

}  // namespace

std::string merged_yaml(const std::vector<std::string>& fragments, bool force) {
    const YamlMerger merger(force);
    Value all{Value::Pairs()};
    for (const std::string& fragment : fragments) all = merger.merge(all, fragment_value(fragment));
    return yaml::block_document(node_of(all), yaml::BlockLayout());
}

}  // namespace volley::agent
