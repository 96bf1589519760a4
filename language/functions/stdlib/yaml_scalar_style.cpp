#include "language/functions/stdlib/yaml_scalar_style.hpp"

#include "language/text/regexp.hpp"
#include "support/unicode/utf8.hpp"
#include "support/yaml/scalar.hpp"

namespace volley::stdlib {
namespace {

/// A word that would be read back as something else than text: numbers, Booleans, null, dates, symbols.
bool yaml_other_meaning(const std::string& text) {
    static const auto special = Regexp::compile(
        "\\A(?:[-+]?[\\d][\\d_,]*(?::[0-5]?\\d(?:\\.\\d*)?)+|\\d{4}-\\d{1,2}-\\d{1,2}(?:[Tt]|\\s+|\\z).*|:.+|"
        "0[0-7]*[89](?:.|\n)*|"
        "[-+]?(?:0|[1-9](?:[0-9]|,[0-9]|_[0-9])*))\\z");
    return yaml::resolve_plain(text) != yaml::Kind::String || special->matches(text);
}

}  // namespace

yaml::ScalarStyle wanted_yaml_style(const std::string& text, bool folds, std::size_t width) {
    static const auto inner_break = Regexp::compile("\\n(?!\\Z)");
    static const auto odd_start = Regexp::compile("^[^\\p{L}\\p{M}\\p{N}\\p{Pc}][^\"]*$");
    if (inner_break->matches(text)) return yaml::ScalarStyle::Literal;
    if (text == "y" || text == "Y" || text == "n" || text == "N") return yaml::ScalarStyle::DoubleQuoted;
    if (folds && character_count(text) > width) return yaml::ScalarStyle::Folded;
    if (odd_start->matches(text)) return yaml::ScalarStyle::DoubleQuoted;
    return yaml_other_meaning(text) ? yaml::ScalarStyle::SingleQuoted : yaml::ScalarStyle::Plain;
}

}  // namespace volley::stdlib
