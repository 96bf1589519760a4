#include "language/ruby/ruby_questions.hpp"

#include <algorithm>
#include <atomic>
#include <map>
#include <nlohmann/json.hpp>

#include "language/errors.hpp"
#include "language/evaluator/evaluator.hpp"
#include "language/functions/builtin.hpp"
#include "language/ruby/callbacks.hpp"
#include "language/ruby/ruby_functions.hpp"
#include "language/ruby/wire.hpp"

namespace volley {
namespace {

std::string question_text(const Json& question, const char* key) {
    const auto found = question.find(key);
    return found != question.end() && found->is_string() ? found->get<std::string>() : std::string();
}

Severity question_severity(const std::string& level) {
    static const std::map<std::string, Severity, std::less<>> levels{
        {"debug", Severity::Debug}, {"info", Severity::Info},   {"notice", Severity::Notice},
        {"err", Severity::Err},     {"alert", Severity::Alert}, {"emerg", Severity::Emerg},
        {"crit", Severity::Crit}};
    const auto found = levels.find(level);
    return found == levels.end() ? Severity::Warning : found->second;
}

/// Names an object that the worker keeps, in all environments.
std::uint64_t next_object_number() {
    static std::atomic<std::uint64_t> last{0};
    return ++last;
}

}  // namespace

std::vector<Value> RubyQuestions::values(const Json& list) {
    std::vector<Value> result;
    for (const Json& item : list) result.push_back(from_wire(item, context_.environment().types));
    return result;
}

Json RubyQuestions::log(const Json& question) {
    const Severity severity = question_severity(question_text(question, "level"));
    context_.evaluator.log(severity, question_text(question, "message"), context_.frame, {});
    return nullptr;
}

/// A list of the value, or an empty one.
Json RubyQuestions::variable(const Json& question) {
    const auto value = context_.evaluator.find_variable(question_text(question, "name"), context_.frame);
    return value ? Json::array({variable_to_wire(question_text(question, "name"), *value)}) : Json::array();
}

/// A value that Ruby code itself has set is named by its number too, so that the worker gives the very
/// object.
Json RubyQuestions::variable_to_wire(const std::string& name, const Value& value) {
    Json wire = to_wire(value);
    if (set_by_ruby_.empty() && set_natively_.empty()) return wire;
    for (FramePtr frame = context_.frame; frame; frame = frame->parent()) {
        if (!frame->find_here(name)) continue;
        if (Json object = set_natively_.hand_over(*frame, name); !object.is_null()) {
            const std::uint64_t number = set_by_ruby_[{frame, name}] = next_object_number();
            return Json{{"__ptype", "RubyObject"}, {"__pvalue", number}, {"copy", std::move(object)}, {"keep", true}};
        }
        const auto known = set_by_ruby_.find({frame, name});
        if (known == set_by_ruby_.end()) return wire;
        return Json{{"__ptype", "RubyObject"}, {"__pvalue", known->second}, {"copy", std::move(wire)}};
    }
    return wire;
}

/// scope.setvar(name, value): the number under which the worker has to keep the object.
Json RubyQuestions::set_variable(const Json& question) {
    const std::string name = question_text(question, "name");
    if (std::all_of(name.begin(), name.end(), [](char c) { return c >= '0' && c <= '9'; }))
        throw EvalError("", "Cannot assign to a numeric match result variable '$" + name + "'");
    if (name == "trusted" || name == "facts" || name == "server_facts")
        throw EvalError("", "Attempt to assign to a reserved variable name: '" + name + "'");
    if (context_.frame->find_here(name)) throw EvalError("", "Cannot reassign variable '$" + name + "'");
    context_.frame->set(name, from_wire(question.value("value", Json()), context_.environment().types));
    return set_by_ruby_[{context_.frame, name}] = next_object_number();
}

Json RubyQuestions::changed(const Json& question) {
    const std::string name = question_text(question, "name");
    const auto old = context_.evaluator.find_variable(name, context_.frame);
    if (!old || (!old->is_array() && !old->is_hash())) return nullptr;
    replace_changed(context_, *old, from_wire(question.value("value", Json()), context_.environment().types));
    return nullptr;
}

/// What the catalog has so far; without one it is empty.
Json RubyQuestions::catalog(const std::string& what, const Json& question) {
    CatalogHooks* catalog = context_.evaluator.catalog();
    if (what == "resource")
        return catalog ? to_wire(catalog->resource_parameters(question_text(question, "name"))) : Json();
    if (!catalog) return Json::array();
    return what == "classes" ? catalog->class_names() : catalog->tag_names();
}

Json RubyQuestions::variables_named(const std::vector<std::string>& names) {
    Json result = Json::object();
    for (const std::string& name : names) {
        const Value* value = context_.frame->find(name);
        if (value && !value->is_undef() && !value->is(Kind::Callable))
            result[name] = variable_to_wire(name, *value);
    }
    return result;
}

Json RubyQuestions::variables(const Json& question) {
    if (question.contains("names")) return variables_named(question["names"].get<std::vector<std::string>>());
    Json result = Json::object();
    for (const Frame* frame = context_.frame.get(); frame; frame = frame->parent().get()) {
        for (const auto& [name, value] : frame->variables()) {
            if (!result.contains(name) && !value.is(Kind::Callable))
                result[name] = variable_to_wire(name, value);
        }
    }
    return result;
}

Json RubyQuestions::call(const Json& question) {
    return to_wire(call_from_ruby(context_, question_text(question, "name"), values(question["args"])));
}

Json RubyQuestions::call_legacy(const Json& question) {
    return to_wire(
        call_legacy_from_ruby(context_, question_text(question, "name"), values(question["args"])));
}

Json RubyQuestions::known(const Json& question) {
    return context_.evaluator.has_function(question_text(question, "name"));
}

Json RubyQuestions::type(const Json& question) {
    TypeLoader& types = context_.environment().types;
    const std::string ask = question_text(question, "question");
    const Value value = from_wire(question.value("value", Json()), types);
    if (ask == "infer") return to_wire(Value(infer(value)));
    if (ask == "infer_set") return to_wire(Value(infer_set(value)));
    const TypePtr type = parse_type(question_text(question, "type"), types);
    if (ask == "instance") return is_instance(*type, value);
    if (ask == "assignable") return is_assignable(*type, *value.as_type());
    if (ask == "generalize") return to_wire(Value(type->generalize()));
    if (ask == "mismatch") return describe_mismatch(question_text(question, "name"), type, value.as_type());
    return to_wire(Value(type));
}

Json RubyQuestions::module_file(const Json& question) {
    const auto path = context_.environment().host.module_file_path(question_text(question, "kind"),
                                                                   question_text(question, "name"));
    return path ? Json(*path) : Json();
}

Json RubyQuestions::stack() {
    const Location at = context_.at;
    return Json::array({Json::array({at.file.empty() ? std::string("unknown") : at.file, at.line})});
}

Json RubyQuestions::dispatch(const Json& question) {
    if (!signature_) throw EvalError("", "there is no function to dispatch for");
    const Closure* block = question.value("block", false) ? context_.block : nullptr;
    const std::vector<Value> arguments = values(question["args"]);
    return signature_->set().choose(question_text(question, "name"), arguments, block);
}

Json RubyQuestions::answer(const Json& question) {
    const std::string what = question_text(question, "cb");
    if (what == "variables") return variables(question);
    if (what == "variable") return variable(question);
    if (what == "legacy_call") return call_legacy(question);
    if (what == "call") return call(question);
    if (what == "known") return known(question);
    if (what == "yield") return to_wire(context_.yield(values(question["args"])));
    if (what == "log") return log(question);
    if (what == "type") return type(question);
    if (what == "dispatch") return dispatch(question);
    if (what == "module_file") return module_file(question);
    if (what == "stack") return stack();
    if (what == "scope_text") return "Scope(" + context_.frame->root().description() + ")";
    if (what == "module_path") {
        const auto path = context_.environment().host.module_path(question_text(question, "name"));
        return path ? Json(*path) : Json();
    }
    if (what == "deprecation") {
        context_.environment().deprecation(question_text(question, "key"),
                                           question_text(question, "message"));
        return nullptr;
    }
    if (what == "set_variable") return set_variable(question);
    if (what == "changed") return changed(question);
    if (what == "classes" || what == "tags" || what == "resource") return catalog(what, question);
    throw EvalError("", "the Ruby worker asked for '" + what + "', which nobody knows");
}

}  // namespace volley
