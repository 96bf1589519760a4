#include "language/ruby/ruby_questions.hpp"

#include <algorithm>
#include <atomic>
#include <map>
#include <nlohmann/json.hpp>

#include "language/errors.hpp"
#include "language/evaluator/evaluator.hpp"
#include "language/evaluator/expressions/members.hpp"
#include "language/functions/builtin.hpp"
#include "language/lookup/adapter.hpp"
#include "language/lookup/context.hpp"
#include "language/lookup/invocation.hpp"
#include "language/ruby/callbacks.hpp"
#include "language/ruby/program.hpp"
#include "language/ruby/ruby.hpp"
#include "language/ruby/ruby_block.hpp"
#include "language/ruby/worker_encoding.hpp"
#include "support/json/json_text.hpp"

namespace volley {
namespace {

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
    for (const Json& item : list) result.push_back(decode(item));
    return result;
}

Json RubyQuestions::encode(const Value& value) { return encode_for_worker(value, this); }

Json RubyQuestions::encode_all(std::span<const Value> values) {
    Json list = Json::array();
    for (const Value& value : values) list.push_back(encode(value));
    return list;
}

Value RubyQuestions::decode(const Json& data) {
    return decode_from_worker(data, context_.environment().types, this);
}

Value RubyQuestions::kept(std::uint64_t number) {
    const Value* object = objects_.find(number);
    if (!object) throw EvalError("", "Ruby code returned an object after the call that it was created for");
    return *object;
}

Value RubyQuestions::made_by(const std::string& function, std::vector<Value> arguments) {
    return call_from_ruby(context_, function, std::move(arguments));
}

Json RubyQuestions::describe(const Error& error) {
    auto* plan = dynamic_cast<PlanForRuby*>(&context_.environment().host);
    return plan ? encode(plan->error_value(error)) : Json();
}

const FramePtr& RubyQuestions::frame_of(const Json& question) const {
    // Compatibility: a lambda of the main manifest is part of the top scope as long as it runs.
    const bool inside = &context_.frame->root() == context_.evaluator.top().get();
    return text_in(question, "scope") == "top" && !inside ? context_.evaluator.top() : context_.frame;
}

/// Variables that code sees until the scope is closed.
Json RubyQuestions::local_scope(const Json& question) {
    if (question.value("open", false)) {
        const auto inner = std::make_shared<Frame>(context_.frame);
        const Value variables = decode(question.value("value", Json()));
        for (const auto& entry : variables.as_hash()) inner->set(entry.key.as_string(), entry.value);
        outer_.push_back(std::exchange(context_.frame, inner));
    } else if (!outer_.empty()) {
        context_.frame = std::move(outer_.back());
        outer_.pop_back();
    }
    return nullptr;
}

Json RubyQuestions::log(const Json& question) {
    const Severity severity = question_severity(text_in(question, "level"));
    context_.evaluator.log(severity, text_in(question, "message"), context_.frame, {});
    return nullptr;
}

/// A list of the value, or an empty one.
Json RubyQuestions::variable(const Json& question) {
    const std::string name = text_in(question, "name");
    if (text_in(question, "scope") == "own") {
        const Value* own = context_.frame->find_here(name);
        return own ? Json::array({encode(*own)}) : Json::array();
    }
    const FramePtr& frame = frame_of(question);
    const auto value = context_.evaluator.find_variable(name, frame);
    return value ? Json::array({encode_variable(name, *value, frame)}) : Json::array();
}

/// A value that Ruby code itself has set is named by its number too, so that the worker returns the very
/// object.
Json RubyQuestions::encode_variable(const std::string& name, const Value& value, const FramePtr& from) {
    Json encoded = encode(value);
    if (set_by_ruby_.empty() && !(native_ && native_->has_variables())) return encoded;
    for (FramePtr frame = from; frame; frame = frame->parent()) {
        if (!frame->find_here(name)) continue;
        if (Json object = native_ ? native_->hand_over(*frame, name) : Json(); !object.is_null()) {
            const std::uint64_t number = set_by_ruby_[{frame, name}] = next_object_number();
            return Json{
                {"__ptype", "RubyObject"}, {"__pvalue", number}, {"copy", std::move(object)}, {"keep", true}};
        }
        const auto known = set_by_ruby_.find({frame, name});
        if (known == set_by_ruby_.end()) return encoded;
        return Json{{"__ptype", "RubyObject"}, {"__pvalue", known->second}, {"copy", std::move(encoded)}};
    }
    return encoded;
}

/// scope.setvar(name, value): the number under which the worker has to keep the object.
Json RubyQuestions::set_variable(const Json& question) {
    const std::string name = text_in(question, "name");
    if (std::all_of(name.begin(), name.end(), [](char c) { return c >= '0' && c <= '9'; }))
        throw EvalError("", "Cannot assign to a numeric match result variable '$" + name + "'");
    if (name == "trusted" || name == "facts" || name == "server_facts")
        throw EvalError("", "Attempt to assign to a reserved variable name: '" + name + "'");
    const FramePtr frame = frame_of(question);
    if (frame->find_here(name)) throw EvalError("", "Cannot reassign variable '$" + name + "'");
    frame->set(name, decode(question.value("value", Json())));
    return set_by_ruby_[{frame, name}] = next_object_number();
}

Json RubyQuestions::changed(const Json& question) {
    const std::string name = text_in(question, "name");
    const auto old = context_.evaluator.find_variable(name, context_.frame);
    if (!old || (!old->is_array() && !old->is_hash())) return nullptr;
    replace_changed(context_, *old, decode(question.value("value", Json())));
    return nullptr;
}

/// What the catalog has so far; without one it is empty.
Json RubyQuestions::catalog(const std::string& what, const Json& question) {
    CatalogHooks* hooks = context_.evaluator.catalog();
    auto* catalog = dynamic_cast<CatalogForRuby*>(hooks);
    if (what == "resource") return catalog ? encode(catalog->resource(text_in(question, "name"))) : Json();
    if (what == "scope_resource") return catalog ? encode(catalog->resource_of(frame_of(question))) : Json();
    if (what == "source") return catalog ? encode(catalog->source_of(frame_of(question))) : Json();
    if (what == "resources") return catalog ? Json(catalog->resource_references()) : Json::array();
    if (!hooks) return Json::array();
    return what == "classes" ? hooks->class_names() : hooks->tag_names();
}

Json RubyQuestions::node() {
    Json result = Json::object();
    if (auto* catalog = dynamic_cast<CatalogForRuby*>(context_.evaluator.catalog())) {
        result["name"] = catalog->node_name();
        result["version"] = catalog->catalog_version();
    }
    auto* plan = dynamic_cast<PlanForRuby*>(&context_.environment().host);
    if (const auto project = plan ? plan->project() : std::nullopt)
        result["project"] = {{"name", project->name}, {"path", project->path}};
    return result;
}

Json RubyQuestions::modules() {
    Json list = Json::array();
    for (const LanguageHost::Module& module : context_.environment().host.modules())
        list.push_back({module.name, module.path});
    return list;
}

/// An attribute or method of an object: its value in a list, an empty one when it has none of that name.
Json RubyQuestions::object(const Json& question) {
    const Value receiver = kept(question.value("object", std::uint64_t{0}));
    const std::string name = text_in(question, "name");
    if (question.value("ask", false)) return has_member(receiver, name);
    if (!has_member(receiver, name)) return Json::array();
    const Ref<const Closure> block = block_of(question);
    CallContext inner{context_.evaluator, context_.frame, block.get(), name, context_.at};
    const std::vector<Value> arguments = values(question.value("args", Json::array()));
    return Json::array({encode(call_member(inner, receiver, name, arguments))});
}

/// What Ruby code wants of the context of a lookup. Values that are data are kept for functions in the
/// language too.
Json RubyQuestions::lookup_context(const Json& question) {
    const Value context = kept(question.value("object", std::uint64_t{0}));
    const auto& lookup = context.as<lookup::LookupContext>();
    HashBuilder& cache = lookup.memory().cache;
    const std::string what = text_in(question, "do");
    const Value given = decode(question.value("value", Json()));
    lookup::Invocation* invocation =
        lookup.of_program() ? context_.environment().lookup().adapter().current() : &lookup.invocation();
    if (what == "explaining") return invocation && invocation->explainer();
    if (what == "explain" && invocation) invocation->report_text(text_in(question, "text"));
    if (what == "interpolate")
        return encode(call_member(context_, context, "interpolate", std::span(&given, 1)));
    if (what == "top_key") return invocation ? Json(invocation->top_key) : Json();
    if (what == "cache") cache.set(decode(question.value("key", Json())), given);
    if (what == "cached") {
        const Value* value = cache.find(given);
        return value ? Json::array({encode(*value)}) : Json::array();
    }
    if (what == "entries") {
        const Value all = cache.build();
        cache = HashBuilder(all.as_hash());
        return encode(all);
    }
    return nullptr;
}

/// The block of a call that Ruby code makes; null when it has none.
Ref<const Closure> RubyQuestions::block_of(const Json& question) {
    const auto found = question.find("block");
    if (found == question.end() || !found->is_object()) return {};
    return ruby_block_closure(context_, (*found)["number"], found->value("arity", 0));
}

Json RubyQuestions::variables_named(const std::vector<std::string>& names) {
    Json result = Json::object();
    for (const std::string& name : names) {
        const Value* value = context_.frame->find(name);
        if (value && !value->is_undef() && !value->is(Kind::Callable))
            result[name] = encode_variable(name, *value, context_.frame);
    }
    return result;
}

Json RubyQuestions::variables(const Json& question) {
    if (question.contains("names")) return variables_named(question["names"].get<std::vector<std::string>>());
    Json result = Json::object();
    const FramePtr& from = frame_of(question);
    for (const Frame* frame = from.get(); frame; frame = frame->parent().get()) {
        for (const auto& [name, value] : frame->variables()) {
            if (!result.contains(name) && !value.is(Kind::Callable))
                result[name] = encode_variable(name, value, from);
        }
    }
    return result;
}

Json RubyQuestions::call(const Json& question) {
    const Ref<const Closure> block = block_of(question);
    return encode(call_with_block_from_ruby(context_, text_in(question, "name"), values(question["args"]),
                                            block.get()));
}

Json RubyQuestions::call_legacy(const Json& question) {
    return encode(call_legacy_from_ruby(context_, text_in(question, "name"), values(question["args"])));
}

Json RubyQuestions::known(const Json& question) {
    return context_.evaluator.has_function(text_in(question, "name"));
}

Json RubyQuestions::type(const Json& question) {
    TypeLoader& types = context_.environment().types;
    const std::string ask = text_in(question, "question");
    const Value value = decode(question.value("value", Json()));
    if (ask == "infer") return encode_for_worker(Value(infer(value)));
    if (ask == "infer_set") return encode_for_worker(Value(infer_set(value)));
    const TypePtr type = parse_type(text_in(question, "type"), types);
    if (ask == "instance") return is_instance(*type, value);
    if (ask == "assignable") return is_assignable(*type, *value.as_type());
    if (ask == "generalize") return encode_for_worker(Value(type->generalize()));
    if (ask == "mismatch") return describe_mismatch(text_in(question, "name"), type, value.as_type());
    return encode_for_worker(Value(type));
}

Json RubyQuestions::module_file(const Json& question) {
    const auto path =
        context_.environment().host.module_file_path(text_in(question, "kind"), text_in(question, "name"));
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
    return signature_->set().choose(text_in(question, "name"), arguments, block);
}

Json RubyQuestions::answer(const Json& question) {
    const std::string what = text_in(question, "cb");
    if (what == "variables") return variables(question);
    if (what == "variable") return variable(question);
    if (what == "legacy_call") return call_legacy(question);
    if (what == "call") return call(question);
    if (what == "known") return known(question);
    if (what == "yield") return encode(context_.yield(values(question["args"])));
    if (what == "log") return log(question);
    if (what == "type") return type(question);
    if (what == "dispatch") return dispatch(question);
    if (what == "module_file") return module_file(question);
    if (what == "stack") return stack();
    if (what == "scope_text") return "Scope(" + context_.frame->root().description() + ")";
    if (what == "module_path") {
        const auto path = context_.environment().host.module_path(text_in(question, "name"));
        return path ? Json(*path) : Json();
    }
    if (what == "deprecation") {
        context_.environment().deprecation(text_in(question, "key"), text_in(question, "message"));
        return nullptr;
    }
    if (what == "set_variable") return set_variable(question);
    if (what == "changed") return changed(question);
    if (what == "local_scope") return local_scope(question);
    if (what == "object") return object(question);
    if (what == "context") return lookup_context(question);
    if (what == "node") return node();
    if (what == "modules") return modules();
    if (what == "part") return std::string(ruby_worker_part(text_in(question, "name")));
    if (what == "classes" || what == "tags" || what == "resource" || what == "scope_resource" ||
        what == "resources" || what == "source")
        return catalog(what, question);
    throw EvalError("", "the Ruby worker asked for '" + what + "', which is unknown");
}

}  // namespace volley
