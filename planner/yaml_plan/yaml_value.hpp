#pragma once

#include <memory>
#include <string>
#include <vector>

#include "language/evaluator/evaluator.hpp"
#include "language/syntax/ast.hpp"
#include "support/yaml/document.hpp"

namespace volley::planner {

/// A value of a YAML plan. How a text was written decides what it means (YML-005): in double quotes it may
/// interpolate, plain with a leading $ it is an expression, as a | block it is code, else it is itself.
struct YamlValue {
    struct Entry;
    enum class Kind { Data, DoubleQuoted, Bare, Code, List, Map };
    Kind kind = Kind::Data;
    Value data;        ///< Data: a number, a boolean, undef, or text in single quotes or folded
    std::string text;  ///< DoubleQuoted, Bare, Code
    int line = 0;
    int column = 0;
    int indent = 0;                ///< of the lines of a block: what stands before the text in each
    yaml::Position key_at;         ///< where its key stands, for the value of an entry of a map
    std::vector<YamlValue> items;  ///< List
    std::vector<Entry> entries;    ///< Map; keys are never evaluated (YML-007)

    /// True for a text that is Puppet code of some sort; others are what they look like.
    bool is_code() const noexcept {
        return kind == Kind::DoubleQuoted || kind == Kind::Code || is_expression();
    }
    bool is_expression() const noexcept { return kind == Kind::Bare && text.starts_with('$'); }
    const YamlValue* find(std::string_view key) const;
    /// Everything as it is written, nothing evaluated.
    Json plain() const;
    /// That as JSON text, for messages. Binary data (!!binary) need not be UTF-8.
    std::string shown() const;
    /// A text as it is, other values as JSON.
    std::string plain_text() const;
};

struct YamlValue::Entry {
    std::string first;
    YamlValue second;
};

/// Reads a value; `source` is the whole text, where the style of a scalar is looked up.
class YamlValueReader {
public:
    explicit YamlValueReader(std::string_view source);
    YamlValue read(yaml::Node node) const;

private:
    char style(yaml::Position at) const;
    int block_indent(yaml::Position at) const;
    std::string_view source_;
    std::vector<std::size_t> lines_;
};

/// The Puppet code that stands for a text: itself, or a double-quoted string for YamlValue::DoubleQuoted.
std::string yaml_code(const YamlValue& value);

/// Where something stands in `file` that is at `in_code` of yaml_code(value).
Location place_in_yaml(const YamlValue& value, const std::string& file, const Location& in_code);
/// Where the value itself begins.
Location place_of_yaml(const YamlValue& value, const std::string& file);

/// Evaluates everything in it. Each piece of code has a scope of its own inside `frame` (YML-025). Throws
/// PlanError bolt/evaluation-error with the line in `file` (YML-023).
Value evaluate_yaml(const YamlValue& value, Evaluator& evaluator, const FramePtr& frame,
                    const std::string& file);

}  // namespace volley::planner
