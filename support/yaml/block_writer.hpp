#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace volley::yaml {

enum class ScalarStyle : std::uint8_t { Plain, SingleQuoted, DoubleQuoted, Literal, Folded };

/// What a text allows, by the rules of YAML's writer.
struct ScalarAnalysis {
    bool multiline = false;
    bool plain = true;
    bool single_quoted = true;
    bool block = true;
};
ScalarAnalysis analyze_scalar(std::string_view text);

/// A value to be written.
struct BlockNode {
    enum class Kind : std::uint8_t {
        Word,  ///< as it is: a number, true, nothing
        Text,
        List,
        Map,  ///< `items`: keys and values in turn
    };
    Kind kind = Kind::Word;
    ScalarStyle style = ScalarStyle::Plain;  ///< that a Text shall have, where it allows it
    std::string text = {};
    std::vector<BlockNode> items = {};
};

struct BlockLayout {
    std::size_t indentation = 2;
    std::size_t width = 80;  // lines are broken at the first space after it
    bool folds = false;      // longer texts are written in folded style
};

/// A YAML document as Ruby writes it (Psych over libyaml): the same quotes, line breaks and indentation. What
/// is nested deeply needs as deep a stack.
std::string block_document(const BlockNode& value, const BlockLayout& layout);

}  // namespace volley::yaml
