#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "language/types/type.hpp"

namespace volley {

class FormatMap;

/// One format of String.new: %flags width.precision letter, and for containers their separators.
struct StringFormat {
    /// Throws EvalError when the text is not a format.
    explicit StringFormat(std::string text);

    std::string text;
    char letter = 's';
    bool left = false;
    bool alternate = false;
    char plus = 0;       // ' ', '+' or none
    char delimiter = 0;  // one of [ { ( < |
    std::optional<int> width;
    std::optional<int> precision;
    std::optional<std::string> separator;
    std::optional<std::string> separator2;
    std::shared_ptr<const FormatMap> elements;  // formats of a container's elements

    /// The text with another letter.
    std::string with(char other) const;
    std::pair<std::string, std::string> delimiters(std::string_view standard) const;
};

/// Formats by type; the first type that a value's type is assignable to decides.
class FormatMap {
public:
    using Entry = std::pair<TypePtr, StringFormat>;
    FormatMap() = default;
    explicit FormatMap(std::vector<Entry> list) : entries_(std::move(list)) {}
    const StringFormat& find(const Type& type) const;
    /// The formats of `over` before those of `under`, the more special types first.
    static FormatMap merged(const FormatMap& under, const FormatMap& over);
    /// From the hash that a program passes.
    static FormatMap from(const Hash& formats);

private:
    std::vector<Entry> entries_;
};

}  // namespace volley
