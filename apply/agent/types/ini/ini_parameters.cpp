#include "apply/agent/types/ini/ini_parameters.hpp"

#include <charconv>

#include "apply/agent/types/parameters.hpp"
#include "apply/agent/types/tool.hpp"
#include "support/text.hpp"

namespace volley::agent {

namespace {

/// The number that a text begins with, as Ruby's to_i reads it; none below 0.
std::size_t number_in_front(std::string_view text) {
    text = trim(text);
    std::size_t number = 0;
    std::from_chars(text.data(), text.data() + text.size(), number);
    return number;
}

bool is_no(const Value* value) {
    return value != nullptr && value->is(Value::Kind::Boolean) && !value->boolean();
}

/// What the module makes part of a regular expression.
std::string pattern_text(const Resource& resource, std::string_view name, const char* usual) {
    const Value* value = resource.find(name);
    if (value == nullptr || is_no(value)) return usual;
    if (!value->is_text() || value->is(Value::Kind::Binary)) throw ApplyError(not_a_text(*value));
    return value->text();
}

}  // namespace

std::string ini_path(const Resource& resource, Run& run) {
    const Value* path = resource.find("path");
    // Compatibility: it is Ruby that complains about a path that is not given.
    if (path == nullptr) throw ApplyError("no implicit conversion of nil into String");
    if (!is_absolute_path(run, *path))
        throw parameter_error(resource, "path",
                              "File paths must be fully qualified, not '" + interpolated(*path) + "'");
    return path->text();
}

IniName ini_name(const Resource& resource, std::string_view attribute) {
    const Value* value = resource.find(attribute);
    if (value == nullptr) return {};
    return {interpolated(*value), value->is_text() && !value->is(Value::Kind::Binary)};
}

IniStyle ini_style(const Resource& resource) {
    IniStyle style;
    const Value* separator = resource.find("key_val_separator");
    if (is_no(separator))
        style.separator = "=";
    else if (separator != nullptr && !separator->is(Value::Kind::String))
        throw ApplyError(no_method(*separator, "strip"));
    else if (separator != nullptr)
        style.separator = separator->text();
    if (const Value* width = resource.find("indent_width"); width != nullptr && !is_no(width)) {
        const bool is_number = width->is(Value::Kind::Integer) || width->is(Value::Kind::Float);
        if (!is_number && !width->is(Value::Kind::String)) throw ApplyError(no_method(*width, "to_i"));
        style.indent_width = number_in_front(width->to_text());
    }
    style.section_prefix = pattern_text(resource, "section_prefix", "[");
    style.section_suffix = pattern_text(resource, "section_suffix", "]");
    style.indent = resource.text("indent_char", style.indent);
    return style;
}

}  // namespace volley::agent
