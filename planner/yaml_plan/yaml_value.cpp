#include "planner/yaml_plan/yaml_value.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "language/json.hpp"
#include "language/syntax/parser.hpp"
#include "planner/plan/plan_error.hpp"

namespace volley::planner {
namespace {

std::string double_quoted(const std::string& text) {
    std::string code = "\"";
    for (const char c : text) {
        switch (c) {
            case '"': code += "\\\""; break;
            case '\\': code += "\\\\"; break;
            case '\n': code += "\\n"; break;
            case '\t': code += "\\t"; break;
            case '\r': code += "\\r"; break;
            default: code += c;
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

Value evaluate_code(const YamlValue& value, Evaluator& evaluator, const FramePtr& frame, const std::string& file) {
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
    const auto found = std::find_if(entries.begin(), entries.end(), [key](const auto& one) { return one.first == key; });
    return found == entries.end() ? nullptr : &found->second;
}

Json YamlValue::plain() const {
    switch (kind) {
        case Kind::Data: return to_json(data);
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
        default: return text;
    }
}

std::string YamlValue::shown() const { return plain().dump(-1, ' ', false, Json::error_handler_t::replace); }

std::string YamlValue::plain_text() const {
    const Json said = plain();
    return said.is_string() ? said.get<std::string>() : shown();
}

YamlValueReader::YamlValueReader(std::string_view source) : source_(source), lines_{0} {
    for (std::size_t at = source.find('\n'); at != std::string_view::npos; at = source.find('\n', at + 1)) {
        lines_.push_back(at + 1);
    }
}

/// The character a scalar begins with tells how it was written.
char YamlValueReader::style(yaml::Position at) const {
    if (at.line == 0 || at.line > lines_.size()) return 0;
    std::size_t place = lines_[at.line - 1];
    // Columns count characters.
    for (std::uint32_t column = 1; column < at.column && place < source_.size(); ++column) {
        ++place;
        while (place < source_.size() && (static_cast<unsigned char>(source_[place]) & 0xC0U) == 0x80U) ++place;
    }
    return place < source_.size() ? source_[place] : '\0';
}

YamlValue YamlValueReader::read(yaml::Node node) const {
    YamlValue value;
    value.line = static_cast<int>(node.position().line);
    if (node.is_map()) {
        value.kind = YamlValue::Kind::Map;
        for (const yaml::Entry entry : node.entries()) {
            value.entries.push_back({std::string(entry.key.text()), read(entry.value)});
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
    } else {
        value.data = from_json(node.to_json());
    }
    return value;
}

std::string yaml_code(const YamlValue& value) {
    return value.kind == YamlValue::Kind::DoubleQuoted ? double_quoted(value.text) : value.text;
}

Value evaluate_yaml(const YamlValue& value, Evaluator& evaluator, const FramePtr& frame, const std::string& file) {
    switch (value.kind) {
        case YamlValue::Kind::Data: return value.data;
        case YamlValue::Kind::List: {
            std::vector<Value> items;
            for (const YamlValue& item : value.items) items.push_back(evaluate_yaml(item, evaluator, frame, file));
            return items;
        }
        case YamlValue::Kind::Map: {
            HashBuilder map;
            for (const auto& [key, item] : value.entries) map.set(Value(key), evaluate_yaml(item, evaluator, frame, file));
            return map.build();
        }
        case YamlValue::Kind::Bare:
            if (!value.is_expression()) return value.text;
            break;
        default: break;
    }
    return evaluate_code(value, evaluator, frame, file);
}

}  // namespace volley::planner
