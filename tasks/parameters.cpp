#include "tasks/parameters.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <unordered_set>
#include <utility>

#include "language/errors.hpp"
#include "language/serialization/json.hpp"
#include "language/types/explain.hpp"
#include "support/error.hpp"
#include "support/json/json_reader.hpp"
#include "support/text.hpp"
#include "tasks/type_aliases.hpp"

namespace volley::tasks {
namespace {

const Parameter* find_parameter(const TaskDefinition& task, std::string_view name) {
    if (!task.parameters) return nullptr;
    const auto found = std::find_if(task.parameters->begin(), task.parameters->end(),
                                    [&](const Parameter& parameter) { return parameter.name == name; });
    return found == task.parameters->end() ? nullptr : &*found;
}

[[noreturn]] void fail(const std::string& msg) { throw Error("bolt/pal-error", msg); }

/// Without a type a parameter takes any data (TSK-003).
TypePtr type_of(const TaskDefinition& task, const Parameter& parameter, TypeLoader& loader) {
    try {
        return parse_type(parameter.type.value_or("Data"), loader);
    } catch (const LanguageError& error) {
        fail("Failed to load metadata for task " + task.name + ": the type of parameter '" + parameter.name +
             "' is wrong: " + error.full_message());
    }
}

/// ARG-006: the word as JSON; nullopt when it is none. Ruby's numbers have no end, ours do: a whole number
/// beyond 64 bits stays a text, so that no digit is lost.
std::optional<Json> parse_word(const std::string& word) {
    Json value = try_parse_json(word);
    if (value.is_discarded()) return std::nullopt;
    if (value.is_number_float() && word.find_first_of(".eE") == std::string::npos) return std::nullopt;
    return value;
}

/// False also for what the language cannot hold.
bool accepts(const TypePtr& type, const Json& value) {
    try {
        return is_instance(*type, from_json(value));
    } catch (const LanguageError&) {
        return false;
    }
}

/// Bytes that are not UTF-8 cannot travel in JSON; say so before any target runs.
void check_text(const std::string& parameter, const Json& value) {
    if (value.is_string() && !is_utf8(value.get_ref<const std::string&>())) {
        fail("Task parameter '" + parameter +
             "' holds bytes that are not UTF-8; encode them, for example as base64");
    }
    if (!value.is_structured()) return;
    for (const auto& [key, item] : value.items()) {
        if (!is_utf8(key)) fail("Task parameter '" + parameter + "' holds a key that is not UTF-8");
        check_text(parameter, item);
    }
}

/// TSK-040. Compatibility: parameters with a default come first, in the metadata's order, as in Ruby's merge.
Json with_defaults(const TaskDefinition& task, const Json& given) {
    Json all = Json::object();
    for (const Parameter& parameter : task.parameters.value_or(std::vector<Parameter>())) {
        if (!parameter.default_value) continue;
        const auto found = given.find(parameter.name);
        const bool passed = found != given.end() && !found->is_null();
        all[parameter.name] = passed ? *found : *parameter.default_value;
    }
    for (const auto& [name, value] : given.items()) {
        if (!all.contains(name)) all[name] = value;
    }
    return all;
}

/// What the language's checker is asked. Values of sensitive parameters are judged here, because its
/// messages may quote them.
struct Question {
    std::vector<ParameterDeclaration> declared;
    Json values;
    std::vector<std::string> faults;  // of sensitive parameters
};

Question make_question(const TaskDefinition& task, const Json& values, TypeLoader& loader, bool words) {
    Question question{{}, values, {}};
    for (const Parameter& parameter : *task.parameters) {
        const TypePtr type = type_of(task, parameter, loader);
        const auto value = values.find(parameter.name);
        if (parameter.sensitive && value != values.end() && !accepts(type, *value)) {
            question.faults.push_back(" parameter '" + parameter.name + "' expects a value of type " +
                                      to_string(*type) + "; the sensitive value does not match");
            question.values.erase(parameter.name);
            continue;
        }
        if (words && value != values.end() && value->is_string() && !accepts(type, *value)) {
            const auto meant = parse_word(value->get<std::string>());
            if (meant && takes_kind_of(*type, from_json(*meant))) question.values[parameter.name] = *meant;
        }
        const bool may_be_missing = is_instance(*type, Value());  // TSK-042
        question.declared.push_back(ParameterDeclaration{parameter.name, type, may_be_missing});
    }
    return question;
}

void check_types(const TaskDefinition& task, const Json& values, const Library& library, bool words) {
    TypeLoader loader(type_aliases(library));
    Question question{{}, values, {}};
    std::optional<std::vector<ParameterDeclaration>> declared;
    if (task.parameters) {
        question = make_question(task, values, loader, words);
        declared = question.declared;
    }
    std::optional<std::string> message;
    try {
        const Value given = from_json(question.values);
        message = explain_task_parameters(task.name, declared, given.as_hash());
    } catch (const LanguageError& error) {
        message = "Task " + task.name + ":\n " + error.full_message();
    }
    if (!message && !question.faults.empty()) message = "Task " + task.name + ":";
    for (const std::string& fault : question.faults) *message += "\n" + fault;
    if (message) fail(*message);
}

}  // namespace

Json typed_arguments(const TaskDefinition& task,
                     const std::vector<std::pair<std::string, std::string>>& words, const Library& library) {
    TypeLoader loader(type_aliases(library));
    Json arguments = Json::object();
    for (const auto& [name, word] : words) {
        const Parameter* parameter = find_parameter(task, name);
        std::optional<Json> value = parse_word(word);
        if (value && parameter != nullptr && !accepts(type_of(task, *parameter, loader), *value))
            value.reset();
        arguments[name] = value ? std::move(*value) : Json(word);
    }
    return arguments;
}

void check_parameter_types(const TaskDefinition& task, const Library& library) {
    if (!task.parameters) return;
    TypeLoader loader(type_aliases(library));
    for (const Parameter& parameter : *task.parameters) type_of(task, parameter, loader);
}

Arguments check_arguments(const TaskDefinition& task, const Json& given, bool noop, const Library& library,
                          bool words) {
    if (!given.is_object()) {
        throw Error("bolt/cli-error", "Task parameters must be a JSON object, such as {\"name\": \"value\"}");
    }
    for (const auto& [name, value] : given.items()) check_text(name, value);
    const Json values = with_defaults(task, given);
    check_types(task, values, library, words);
    if (noop && !task.supports_noop) fail("Task does not support noop: " + task.name);
    std::unordered_set<std::string_view> sensitive;
    if (task.parameters) {
        for (const Parameter& parameter : *task.parameters) {
            if (parameter.sensitive) sensitive.insert(parameter.name);
        }
    }
    Arguments arguments;
    for (const auto& [name, value] : values.items())
        arguments.push_back(Argument{name, std::make_shared<const Json>(value), sensitive.contains(name)});
    return arguments;
}

}  // namespace volley::tasks
