#include <algorithm>
#include <array>

#include "apply/types/ruby/interpreter.hpp"

namespace volley::ruby_source {
namespace {

using DatumKind = Datum::Kind;

/// Words that a type may say without declaring an attribute by it.
constexpr std::array<std::string_view, 28> harmless_words{
    "desc",         "doc",      "feature",  "autorequire",   "autobefore",      "autosubscribe",
    "autonotify",   "validate", "munge",    "unmunge",       "include",         "defaultto",
    "newvalues",    "newvalue", "apply_to", "apply_to_all",  "apply_to_device", "apply_to_host",
    "def",          "private",  "public",   "attr_accessor", "attr_reader",     "attr_writer",
    "alias_method", "fail",     "raise",    "warning"};

bool is_iteration(std::string_view name) {
    return name == "each" || name == "each_pair" || name == "each_with_index" || name == "map" ||
           name == "collect" || name == "each_key" || name == "each_value" || name == "flat_map" ||
           name == "times" || name == "tap";
}

}  // namespace

std::vector<Datum> Interpreter::arguments_of(const Node& node, Frame& frame, Datum& block) {
    std::vector<Datum> arguments;
    for (const NodePtr& part : node.parts) {
        Datum value = evaluate(*part, frame);
        if (part->kind == Node::Kind::BlockPass) {
            block = std::move(value);
        } else if (part->kind == Node::Kind::Splat && value.is_array()) {
            arguments.insert(arguments.end(), value.items.begin(), value.items.end());
        } else {
            arguments.push_back(std::move(value));
        }
    }
    if (node.block) block = evaluate(*node.block, frame);
    return arguments;
}

Datum Interpreter::call(const Node& node, Frame& frame) {
    Datum block = Datum::of(DatumKind::Nil);
    if (!node.first || node.first->kind == Node::Kind::Self) {
        std::vector<Datum> arguments = arguments_of(node, frame, block);
        return own_call(node, node.text, std::move(arguments), block, frame);
    }
    Datum receiver = evaluate(*node.first, frame);
    std::vector<Datum> arguments = arguments_of(node, frame, block);
    if (node.text == "provide" && frame.type == nullptr && !types_.empty())
        types_.back().has_providers = true;
    if (node.text == "call" && receiver.kind == DatumKind::Closure)
        return run_block(receiver, arguments, frame);
    if (receiver.kind == DatumKind::Module) {
        if (auto result = module_call(receiver.text, node.text, arguments, block, frame)) return *result;
    }
    if (block.kind == DatumKind::Closure && is_iteration(node.text))
        return iterate(receiver, node.text, block, frame);
    Datum result = call_builtin(receiver, node.text, arguments);
    const bool changes = node.text == "push" || node.text == "concat" || node.text == "append";
    if (changes && node.first->kind == Node::Kind::Name) {
        for (Scope* scope = frame.scope.get(); scope; scope = scope->parent.get()) {
            const auto found = scope->locals.find(node.first->text);
            if (found != scope->locals.end()) found->second = result;
        }
    }
    return result;
}

/// A call without receiver: a declaration, a method of the type, the module or the program, or one of Ruby's.
Datum Interpreter::own_call(const Node& node, std::string_view name, std::vector<Datum> arguments,
                            const Datum& block, Frame& frame) {
    if ((name == "send" || name == "public_send" || name == "__send__") && !arguments.empty() &&
        arguments.front().is_text()) {
        const std::string target = arguments.front().text;
        arguments.erase(arguments.begin());
        return own_call(node, target, std::move(arguments), block, frame);
    }
    std::string module;
    if (const Node* method = find_method(name, frame, module)) {
        Frame inside;
        inside.type = frame.type;
        inside.attribute = frame.attribute;
        inside.module = std::move(module);
        return run_method(*method, arguments, block, std::move(inside));
    }
    if (declare(name, arguments, block, frame)) return {};
    if (name == "require" || name == "require_relative") {
        require(arguments, name == "require_relative", frame);
        return Datum::of(DatumKind::True);
    }
    if (name == "lambda" || name == "proc") return block;
    if (name == "Array" && arguments.size() == 1)
        return arguments[0].is_array() ? arguments[0] : Datum::array({arguments[0]});
    if (name == "String" && arguments.size() == 1) return call_builtin(arguments[0], "to_s", {});
    if (name == "yield") return run_block(frame.block, arguments, frame);
    if (name == "class_eval" || name == "instance_eval" || name == "class_exec" || name == "instance_exec") {
        if (block.kind == DatumKind::Closure) return run_block(block, arguments, frame);
    }
    const bool harmless =
        frame.attribute != nullptr ||
        std::find(harmless_words.begin(), harmless_words.end(), name) != harmless_words.end();
    // A word that nobody explains may be a mixin's, or code in a text.
    const bool evaluates = name == "eval" || name == "class_eval" || name == "instance_eval";
    if (frame.type && !harmless && (frame.type->strange_mixin || evaluates))
        frame.type->description.complete = false;
    return {};
}

const Node* Interpreter::find_method(std::string_view name, const Frame& frame, std::string& module) {
    const auto in = [name](const ModuleInfo& info) -> const Node* {
        const auto singleton = info.singleton_methods.find(name);
        if (singleton != info.singleton_methods.end()) return singleton->second;
        const auto plain = info.methods.find(name);
        return plain == info.methods.end() ? nullptr : plain->second;
    };
    if (frame.type && !frame.attribute) {
        const auto own = frame.type->methods.singleton_methods.find(name);
        module = frame.module;
        if (own != frame.type->methods.singleton_methods.end()) return own->second;
        for (const std::string& extended : frame.type->extended) {
            module = extended;
            if (const Node* method = in(modules_[extended])) return method;
        }
    }
    for (module = frame.module;; module.clear()) {
        const auto found = modules_.find(module);
        const Node* method =
            found == modules_.end() || (frame.attribute && !module.empty()) ? nullptr : in(found->second);
        if (method || module.empty()) return method;
    }
}

std::optional<Datum> Interpreter::module_call(const std::string& module, std::string_view name,
                                              const std::vector<Datum>& arguments, const Datum& block,
                                              Frame& frame) {
    const bool puppet_type = module == "Puppet::Type" || module == "Type" || module == "::Puppet::Type";
    if (puppet_type && name == "newtype") {
        declare_type(arguments, block, frame);
        return Datum();
    }
    if (module.ends_with("ResourceApi") && name == "register_type") {
        register_type(arguments);
        return Datum();
    }
    // What `puppet generate types` writes is close enough to Ruby.
    if (module == "Puppet::Resource::ResourceType3" && name == "new") {
        generated_type(arguments);
        return Datum();
    }
    if (module == "Puppet::Resource" && name == "Param") return Datum::array(arguments);
    if (ModuleInfo* info = find_module(module, frame.module)) {
        const auto singleton = info->singleton_methods.find(name);
        const auto plain = info->methods.find(name);
        const Node* method = singleton != info->singleton_methods.end() ? singleton->second
                             : plain != info->methods.end()             ? plain->second
                                                                        : nullptr;
        if (method) {
            Frame inside;
            inside.module = module;
            return run_method(*method, arguments, block, std::move(inside));
        }
    }
    return call_module_builtin(module, name, arguments);
}

Datum Interpreter::run_method(const Node& method, const std::vector<Datum>& arguments, const Datum& block,
                              Frame frame) {
    frame.scope = new_scope();
    bind(method, arguments, block, frame);
    frame.block = block;
    return body(*method.second, frame);
}

Datum Interpreter::run_block(const Datum& closure, const std::vector<Datum>& arguments, Frame& frame) {
    if (closure.kind != DatumKind::Closure || !closure.code) return {};
    Frame inside = frame;
    inside.returned = false;
    inside.scope = new_scope();
    inside.scope->parent = closure.scope;
    bind(*closure.code, arguments, Datum::of(DatumKind::Nil), inside);
    return body(*closure.code->second, inside);
}

void Interpreter::bind(const Node& code, const std::vector<Datum>& arguments, const Datum& block,
                       Frame& frame) {
    std::size_t given = 0;
    auto& locals = frame.scope->locals;
    const Datum* options = !arguments.empty() && arguments.back().is_hash() ? &arguments.back() : nullptr;
    for (const Parameter& one : code.parameters) {
        Datum value = Datum::of(DatumKind::Nil);
        switch (one.kind) {
            case Parameter::Kind::Rest:
                value = Datum::array(
                    {arguments.begin() + static_cast<std::ptrdiff_t>(std::min(given, arguments.size())),
                     arguments.end()});
                given = arguments.size();
                break;
            case Parameter::Kind::KeywordRest:
                value = options ? *options : Datum::of(DatumKind::Hash);
                break;
            case Parameter::Kind::Block:
                value = block;
                break;
            case Parameter::Kind::Keyword: {
                const Datum* found = options ? options->at(one.name) : nullptr;
                value = found ? *found : one.initial ? evaluate(*one.initial, frame) : Datum();
                break;
            }
            default:
                if (given < arguments.size())
                    value = arguments[given++];
                else if (one.initial)
                    value = evaluate(*one.initial, frame);
        }
        locals[one.name] = std::move(value);
    }
}

/// Runs a block for each item; once with nothing known when the items are not.
Datum Interpreter::iterate(const Datum& receiver, std::string_view name, const Datum& block, Frame& frame) {
    if (name == "tap") {
        run_block(block, {receiver}, frame);
        return receiver;
    }
    if (!receiver.is_array() && !receiver.is_hash()) {
        run_block(block, {Datum(), Datum()}, frame);
        return {};
    }
    std::vector<Datum> results;
    const std::size_t step = receiver.is_hash() ? 2 : 1;
    for (std::size_t i = 0; i + step <= receiver.items.size(); i += step) {
        std::vector<Datum> arguments{receiver.items[i]};
        if (name == "each_with_index")
            arguments.push_back(Datum::integer(static_cast<std::int64_t>(i / step)));
        if (step == 2) arguments.push_back(receiver.items[i + 1]);
        if (step == 2 && name == "each_value") arguments.erase(arguments.begin());
        // |a, b| takes a pair apart.
        if (arguments.size() == 1 && arguments[0].is_array() && block.code->parameters.size() > 1)
            arguments = std::vector<Datum>(arguments[0].items);
        results.push_back(run_block(block, arguments, frame));
    }
    return name == "map" || name == "collect" ? Datum::array(std::move(results)) : receiver;
}

}  // namespace volley::ruby_source
