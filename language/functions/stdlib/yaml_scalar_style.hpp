#pragma once

#include <string>
#include <string_view>

namespace volley::stdlib {

enum class YamlStyle { Plain, SingleQuoted, DoubleQuoted, Literal, Folded };

/// What a text allows, by the rules of YAML's writer.
struct YamlAnalysis {
    bool multiline = false;
    bool plain = true;
    bool single_quoted = true;
    bool block = true;
};
YamlAnalysis analyze_yaml_scalar(std::string_view text);

/// The style in which Ruby asks for a text; what is then used depends on the analysis.
YamlStyle wanted_yaml_style(const std::string& text, bool folds, std::size_t width);

bool yaml_printable(char32_t code);
bool yaml_break(char32_t code);

}  // namespace volley::stdlib
