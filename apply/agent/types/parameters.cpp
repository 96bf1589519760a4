#include "apply/agent/types/parameters.hpp"

#include "support/text.hpp"

namespace volley::agent {

namespace {

bool is_among(std::string_view words, std::string_view word) {
    while (true) {
        const std::size_t end = words.find(", ");
        if (words.substr(0, end) == word) return true;
        if (end == std::string_view::npos) return false;
        words.remove_prefix(end + 2);
    }
}

}  // namespace

ApplyError parameter_error(const Resource& resource, std::string_view name, const std::string& why) {
    return ApplyError("Parameter " + std::string(name) + " failed on " + resource.reference() + ": " + why);
}

ApplyError conversion_error(const Resource& resource, std::string_view name, const Value& value,
                            const std::string& why) {
    return parameter_error(
        resource, name,
        "Munging failed for value " + value.inspected() + " in class " + std::string(name) + ": " + why);
}

ApplyError check_error(const Resource& resource, std::string_view name, const std::string& why) {
    return parameter_error(resource, name,
                           "Validate method failed for class " + std::string(name) + ": " + why);
}

std::string converted_text(const Resource& resource, std::string_view name, std::string_view method,
                           std::string_view usual) {
    const Value* value = resource.find(name);
    if (value == nullptr) return std::string(usual);
    if (!value->is(Value::Kind::String) && !value->is(Value::Kind::Symbol))
        throw conversion_error(resource, name, *value, no_method(*value, method));
    return value->text();
}

std::string matched_text(const Value& value) {
    if (value.is_undef()) return {};
    if (value.is(Value::Kind::String) || value.is(Value::Kind::Symbol)) return value.text();
    if (value.is(Value::Kind::Object) && value.object_class() == "Symbol") return value.to_text();
    throw SystemError(not_a_text(value));
}

std::vector<Value> each_value(const Resource& resource, std::string_view name) {
    const Value* value = resource.find(name);
    if (value == nullptr) return {};
    return value->is(Value::Kind::Array) ? value->items() : Value::Items{*value};
}

std::vector<Value> flattened(const std::vector<Value>& items) {
    std::vector<Value> found;
    for (const Value& item : items) {
        if (!item.is(Value::Kind::Array)) {
            found.push_back(item);
            continue;
        }
        for (Value& inner : flattened(item.items())) found.push_back(std::move(inner));
    }
    return found;
}

std::string whole_text(const Resource& resource, std::string_view name, std::string_view usual) {
    const Value* value = resource.find(name);
    return value == nullptr ? std::string(usual) : interpolated(*value);
}

std::string invalid_value(const Value& value, std::string_view words, std::string_view patterns) {
    std::string text = "Invalid value " + value.inspected() + ".";
    if (!words.empty()) text += " Valid values are " + std::string(words) + ".";
    if (!patterns.empty()) text += " Valid values match " + std::string(patterns) + ".";
    return text;
}

ApplyError invalid_parameter(const Resource& resource, std::string_view name, std::string_view words,
                             std::string_view patterns) {
    static const Value none;
    const Value* value = resource.find(name);
    return parameter_error(resource, name, invalid_value(value != nullptr ? *value : none, words, patterns));
}

std::string word_parameter(const Resource& resource, std::string_view name, std::string_view words,
                           std::string_view usual) {
    const Value* value = resource.find(name);
    if (value == nullptr) return std::string(usual);
    std::string word = value->to_text();
    if (value->is(Value::Kind::Array) || !is_among(words, word))
        throw invalid_parameter(resource, name, words);
    return word;
}

bool true_or_false(const Resource& resource, std::string_view name, bool usual) {
    return word_parameter(resource, name, "true, false", usual ? "true" : "false") == "true";
}

bool boolean_parameter(const Resource& resource, std::string_view name, bool usual) {
    const Value* value = resource.find(name);
    if (value == nullptr) return usual;
    const std::string word = word_parameter(resource, name, "true, false, yes, no");
    return word == "true" || word == "yes";
}

bool converted_boolean(const Resource& resource, std::string_view name, const Value& value) {
    const std::string word = lower(value.to_text());
    if (word == "true" || word == "yes") return true;
    if (word == "false" || word == "no") return false;
    throw conversion_error(resource, name, value, "expected a boolean value");
}

bool converted_boolean(const Resource& resource, std::string_view name, bool usual) {
    const Value* value = resource.find(name);
    return value == nullptr ? usual : converted_boolean(resource, name, *value);
}

}  // namespace volley::agent
