#include "planner/yaml_plan/yaml_value.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "language/serialization/json.hpp"
#include "language/syntax/parser.hpp"
#include "planner/plan/plan_error.hpp"
#include "support/json/json_text.hpp"

namespace volley::planner {
namespace {

std::string double_quoted(const std::string& text) {
    std::string code = "\"";
    for (const char c : text) {
        switch (c) {
            case '"':
                code += "\\\"";
                break;
            case '\\':
                code += "\\\\";
                break;
            case '\n':
                code += "\\n";
                break;
            case '\t':
                code += "\\t";
                break;
            case '\r':
                code += "\\r";
                break;
            default:
                code += c;
        }
    }
    return code + "\"";
}

/// Compatibility: Bolt counts from the line of the text; a plain one is on that very line.
PlanError evaluation_error(const std::string& message, int line_in_code, const YamlValue& value,
                           const std::string& file) {
    const int line = line_in_code + value.line - (value.kind == YamlValue::Kind::Bare ? 1 : 0);
    HashBuilder details;
    details.set("file", file);
    details.set("line", line);
    return PlanError(make_error_value(message, "bolt/evaluation-error", details.build(), {}), {});
}

Value evaluate_code(const YamlValue& value, Evaluator& evaluator, const FramePtr& frame,
                    const std::string& file) {
    try {
        auto program = parse_program(yaml_code(value), {.file = {}, .tasks = true});
        evaluator.environment().add_program(program);
        return evaluator.evaluate(*program->body, std::make_shared<Frame>(frame));
    } catch (const LanguageError& error) {
        throw evaluation_error(error.what(), error.location().line, value, file);
    } catch (const PlanError& error) {
        throw evaluation_error(error.what(), error.location().line, value, file);
    } catch (const Error& error) {
        throw evaluation_error(error.what(), 1, value, file);
    }
}

}  // namespace

const YamlValue* YamlValue::find(std::string_view key) const {
    const auto found =
        std::find_if(entries.begin(), entries.end(), [key](const auto& one) { return one.first == key; });
    return found == entries.end() ? nullptr : &found->second;
}

Json YamlValue::plain() const {
    switch (kind) {
        case Kind::Data:
            return to_json(data);
        case Kind::List: {
            Json list = Json::array();
            for (const YamlValue& item : items) list.push_back(item.plain());
            return list;
        }
        case Kind::Map: {
            Json map = Json::object();
            for (const auto& [key, value] : entries) map[key] = value.plain();
            return map;
        }
        default:
            return text;
    }
}

std::string YamlValue::shown() const { return compact_json(plain()); }

std::string YamlValue::plain_text() const {
    const Json said = plain();
    return said.is_string() ? said.get<std::string>() : shown();
}

YamlValueReader::YamlValueReader(std::string_view source) : source_(source), lines_{0} {
    for (std::size_t at = source.find('\n'); at != std::string_view::npos; at = source.find('\n', at + 1)) {
        lines_.push_back(at + 1);
    }
}

/// The character a scalar begins with shows how it was written.
char YamlValueReader::style(yaml::Position at) const {
    if (at.line == 0 || at.line > lines_.size()) return 0;
    const std::size_t place = lines_[at.line - 1] + at.column - 1;  // columns of YAML count bytes
    return place < source_.size() ? source_[place] : '\0';
}

/// The spaces before the first line of a block that is not empty.
int YamlValueReader::block_indent(yaml::Position at) const {
    for (std::size_t line = at.line; line < lines_.size(); ++line) {
        const std::size_t begin = lines_[line];
        const std::size_t text = source_.find_first_not_of(' ', begin);
        if (text == std::string_view::npos) return 0;
        if (source_[text] != '\n' && source_[text] != '\r') return static_cast<int>(text - begin);
    }
    return 0;
}

YamlValue YamlValueReader::read(yaml::Node node) const {
    YamlValue value;
    value.line = static_cast<int>(node.position().line);
    value.column = static_cast<int>(node.position().column);
    if (node.is_map()) {
        value.kind = YamlValue::Kind::Map;
        for (const yaml::Entry entry : node.entries()) {
            value.entries.push_back({std::string(entry.key.text()), read(entry.value)});
            value.entries.back().second.key_at = entry.key.position();
        }
    } else if (node.is_sequence()) {
        value.kind = YamlValue::Kind::List;
        for (const yaml::Node item : node.elements()) value.items.push_back(read(item));
    } else if (!node.is_quoted() && node.is_string()) {
        value.kind = YamlValue::Kind::Bare;
        value.text = node.text();
    } else if (node.is_quoted() && style(node.position()) == '"') {
        value.kind = YamlValue::Kind::DoubleQuoted;
        value.text = node.text();
    } else if (node.is_quoted() && style(node.position()) == '|') {
        value.kind = YamlValue::Kind::Code;
        value.text = node.text();
        value.indent = block_indent(node.position());
    } else {
        value.data = from_json(node.to_json());
    }
    return value;
}

std::string yaml_code(const YamlValue& value) {
    return value.kind == YamlValue::Kind::DoubleQuoted ? double_quoted(value.text) : value.text;
}

Location place_in_yaml(const YamlValue& value, const std::string& file, const Location& in_code) {
    const int column = std::max(in_code.column, 1);
    if (value.kind == YamlValue::Kind::Code)
        return {file, value.line + std::max(in_code.line, 1), value.indent + column};
    // Other texts become one line of code; one that spans several lines of the file is named as a whole.
    return {file, value.line, in_code.line > 1 ? value.column : value.column + column - 1};
}

Location place_of_yaml(const YamlValue& value, const std::string& file) {
    return {file, value.line, value.column};
}

Value evaluate_yaml(const YamlValue& value, Evaluator& evaluator, const FramePtr& frame,
                    const std::string& file) {
    switch (value.kind) {
        case YamlValue::Kind::Data:
            return value.data;
        case YamlValue::Kind::List: {
            std::vector<Value> items;
            for (const YamlValue& item : value.items)
                items.push_back(evaluate_yaml(item, evaluator, frame, file));
            return items;
        }
        case YamlValue::Kind::Map: {
            HashBuilder map;
            for (const auto& [key, item] : value.entries)
                map.set(Value(key), evaluate_yaml(item, evaluator, frame, file));
            return map.build();
        }
        case YamlValue::Kind::Bare:
            if (!value.is_expression()) return value.text;
            break;
        default:
            break;
    }
    return evaluate_code(value, evaluator, frame, file);
}

}  // namespace volley::planner
