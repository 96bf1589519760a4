#include <algorithm>
#include <array>

#include "language/ruby/native/method.hpp"
#include "language/ruby/native/program/compiler.hpp"
#include "language/ruby/native/run.hpp"

namespace volley::ruby {
namespace {

using CalledNode = ruby_source::Node;
using CalledKind = ruby_source::Node::Kind;
using ParameterKind = BlockCode::Parameter::Kind;

Operation operation_of(std::string_view name, std::size_t arguments) {
    struct Row {
        std::string_view name;
        std::size_t arguments;
        Operation operation;
    };
    static constexpr std::array<Row, 13> rows{{{"==", 1, Operation::Equal},
                                               {"!=", 1, Operation::Different},
                                               {"<", 1, Operation::Less},
                                               {"<=", 1, Operation::LessEqual},
                                               {">", 1, Operation::Greater},
                                               {">=", 1, Operation::GreaterEqual},
                                               {"+", 1, Operation::Plus},
                                               {"-", 1, Operation::Minus},
                                               {"<<", 1, Operation::Append},
                                               {"[]", 1, Operation::Index},
                                               {"nil?", 0, Operation::IsNil},
                                               {"empty?", 0, Operation::IsEmpty},
                                               {"to_s", 0, Operation::Text}}};
    for (const Row& row : rows) {
        if (row.name == name && row.arguments == arguments) return row.operation;
    }
    return Operation::Other;
}

/// Libraries whose methods are native, or whose absence shows when something of them is called.
bool is_known_library(std::string_view name) {
    static constexpr std::array<std::string_view, 16> names{
        "json", "yaml", "erb",  "set",    "digest", "digest/md5", "digest/sha1", "digest/sha2",
        "uri",  "time", "date", "base64", "cgi",    "ipaddr",     "shellwords",  "securerandom"};
    return std::find(names.begin(), names.end(), name) != names.end() || name == "puppet" ||
           name.starts_with("puppet/util") || name.starts_with("puppet/parser");
}

bool has_splat(const CalledNode& node) {
    return std::any_of(node.parts.begin(), node.parts.end(), [](const auto& part) {
        return !part || part->kind == CalledKind::Splat || part->kind == CalledKind::BlockPass ||
               part->labels;
    });
}

/// Whether a value is one that nobody can change, as it is written.
bool never_changes(const ruby_source::Node& value) {
    const auto each = [](const auto& parts) {
        return std::all_of(parts.begin(), parts.end(),
                           [](const auto& part) { return !part || never_changes(*part); });
    };
    switch (value.kind) {
        case CalledKind::Nil:
        case CalledKind::True:
        case CalledKind::False:
        case CalledKind::Number:
        case CalledKind::Symbol:
        case CalledKind::Pattern:
            return true;
        case CalledKind::Call: {
            if (value.text != "freeze" || !value.first || !value.parts.empty() || value.block) return false;
            const ruby_source::Node& frozen = *value.first;
            const bool list = frozen.kind == CalledKind::Array || frozen.kind == CalledKind::Hash;
            return frozen.kind == CalledKind::Text || (list && each(frozen.parts)) || never_changes(frozen);
        }
        default:
            return false;
    }
}

}  // namespace

CodePtr Compiler::operation(const Node& node, std::string_view name, CodePtr left, CodePtr right) {
    MutableCode made = make(node, Op::Operator);
    made->text = name;
    made->operation = operation_of(name, right ? 1 : 0);
    made->first = std::move(left);
    if (right) made->parts.push_back(std::move(right));
    return made;
}

CodePtr Compiler::call(const Node& node) {
    if (!node.first) {
        if (CodePtr special = special_call(node)) return special;
    } else if (node.text == "new" && node.first->kind == CalledKind::Constant && node.first->text == "Proc" &&
               node.block) {
        MutableCode made = make(node, Op::Lambda);
        made->block = block(*node.block);
        return made;
    } else if (!node.safe && !node.block && !has_splat(node) && node.parts.size() < 2) {
        const Operation known = operation_of(node.text, node.parts.size());
        if (known != Operation::Other)
            return operation(node, node.text, compile(*node.first),
                             node.parts.empty() ? CodePtr() : compile(*node.parts[0]));
    }
    MutableCode made = make(node, Op::Call);
    made->text = node.text;
    made->flag = node.safe;
    made->first = optional(node.first);
    arguments(node, *made);
    if (node.block) made->block = block(*node.block);
    if (!node.first) made->slot = own_slot(node.text);
    return made;
}

void Compiler::arguments(const Node& node, Code& into) {
    for (const auto& part : node.parts) {
        if (part->kind == CalledKind::BlockPass) {
            if (part->first) into.pass = compile(*part->first);
            continue;
        }
        into.keywords = part->labels;
        into.parts.push_back(compile(*part));
    }
}

/// Calls that are words of the language, or as good as that; null for all others.
CodePtr Compiler::special_call(const Node& node) {
    const std::string& name = node.text;
    const auto with_parts = [&](Op op) {
        MutableCode made = make(node, op);
        arguments(node, *made);
        if (made->pass) return unknown(node, name + " with a block");
        if (node.block) made->block = block(*node.block);
        return CodePtr(std::move(made));
    };
    if (name == "yield") return with_parts(Op::Yield);
    if (name == "raise" || name == "fail") return with_parts(Op::Raise);
    if (name == "throw") return with_parts(Op::Throw);
    if (name == "catch" && node.block) return with_parts(Op::Catch);
    if (name == "loop" && node.block) return with_parts(Op::Loop);
    if (name == "block_given?") return make(node, Op::BlockGiven);
    if (name == "defined?") return defined(node);
    if (name == "super" || name == "binding" || name == "eval") return unknown(node, name);
    if ((name == "lambda" || name == "proc") && node.block && node.parts.empty()) {
        MutableCode made = make(node, Op::Lambda);
        made->flag = name == "lambda";
        made->block = block(*node.block);
        return made;
    }
    if (name == "_" && node.parts.size() == 1 && !has_splat(node)) return compile(*node.parts[0]);
    if (name == "require") {
        const bool text = node.parts.size() == 1 && node.parts[0]->kind == CalledKind::Text &&
                          node.parts[0]->parts.size() == 1;
        if (text && is_known_library(node.parts[0]->parts[0]->text)) return make(node, Op::Nil);
        return unknown(node, "a library that is required");
    }
    return nullptr;
}

CodePtr Compiler::defined(const Node& node) {
    const Node* what = node.parts.size() == 1 ? node.parts[0].get() : nullptr;
    while (what && what->kind == CalledKind::Body && what->parts.size() == 1) what = what->parts[0].get();
    if (what && what->kind == CalledKind::Instance && what->text.starts_with('@') &&
        !what->text.starts_with("@@")) {
        MutableCode made = make(node, Op::Defined);
        made->slot = instance_slot(what->text);
        return made;
    }
    if (what && what->kind == CalledKind::Constant &&
        (is_exception_class(what->text) || is_known_module(what->text))) {
        MutableCode made = make(node, Op::String);
        made->text = "constant";
        return made;
    }
    std::uint32_t depth = 0;
    std::uint32_t slot = 0;
    if (what && what->kind == CalledKind::Name && find_local(what->text, depth, slot)) {
        MutableCode made = make(node, Op::String);
        made->text = "local-variable";
        return made;
    }
    return unknown(node, "defined?");
}

CodePtr Compiler::binary(const Node& node, bool statement) {
    const std::string& name = node.text;
    if (name == "&&" || name == "||") {
        MutableCode made = make(node, name == "&&" ? Op::And : Op::Or);
        made->first = compile(*node.first);
        made->second = compile(*node.second, statement);
        return made;
    }
    if (name == ".." || name == "...") {
        MutableCode made = make(node, Op::Range);
        made->flag = name == "...";
        made->first = compile(*node.first);
        made->second = optional(node.second);
        return made;
    }
    if (!node.second) return unknown(node, "the operator " + name);
    const bool named =
        name == "=~" && node.first->kind == CalledKind::Pattern &&
        std::any_of(node.first->parts.begin(), node.first->parts.end(), [](const auto& part) {
            return part->text.find("(?<") != std::string::npos || part->text.find("(?'") != std::string::npos;
        });
    if (named) {  // it sets variables
        obstacle("a pattern that sets variables", node.line);
        return unknown(node, "a pattern that sets variables");
    }
    if (name == "!~") {
        MutableCode made = make(node, Op::Not);
        made->first = operation(node, "=~", compile(*node.first), compile(*node.second));
        return made;
    }
    return operation(node, name, compile(*node.first), compile(*node.second));
}

CodePtr Compiler::assign(const Node& node) {
    const Node& target = *node.first;
    if (node.text != "=") return update(node);
    // The variable exists before its value is made: "a = a" is nil.
    std::uint32_t depth = 0;
    std::uint32_t slot = 0;
    if (target.kind == CalledKind::Name && !find_local(target.text, depth, slot)) declare(target.text);
    if (target.kind == CalledKind::Call && target.first && target.text != "[]" && target.parts.empty()) {
        MutableCode made = make(node, Op::Call);
        made->text = target.text + "=";
        made->flag = target.safe;
        made->first = compile(*target.first);
        made->parts.push_back(compile(*node.second));
        return made;
    }
    return setter(target, compile(*node.second));
}

/// Assigns to a target the value of `value`, or of Given.
CodePtr Compiler::setter(const Node& target, CodePtr value) {
    switch (target.kind) {
        case CalledKind::Name: {
            MutableCode made = make(target, Op::SetLocal);
            if (!find_local(target.text, made->depth, made->slot)) made->slot = declare(target.text);
            made->first = std::move(value);
            return made;
        }
        case CalledKind::Instance: {
            if (!target.text.starts_with('@') || target.text.starts_with("@@")) break;
            MutableCode made = make(target, Op::SetInstance);
            made->slot = instance_slot(target.text);
            made->first = std::move(value);
            return made;
        }
        case CalledKind::Call: {
            if (target.text != "[]" || !target.first || has_splat(target)) break;
            MutableCode made = make(target, Op::SetIndex);
            made->first = compile(*target.first);
            made->parts = parts(target);
            made->second = std::move(value);
            return made;
        }
        case CalledKind::Targets: {
            MutableCode made = make(target, Op::Assign);
            made->first = std::move(value);
            for (const auto& part : target.parts) {
                const bool rest = part->kind == CalledKind::Splat;
                CodePtr one = setter(rest ? *part->first : *part, make(*part, Op::Given));
                if (rest) {
                    MutableCode splat = make(*part, Op::Splat);
                    splat->first = std::move(one);
                    one = std::move(splat);
                }
                made->parts.push_back(std::move(one));
            }
            return made;
        }
        default:
            break;
    }
    return unknown(target, "an assignment");
}

/// "+=", "||=" and their kind.
CodePtr Compiler::update(const Node& node) {
    const Node& target = *node.first;
    std::uint32_t depth = 0;
    std::uint32_t slot = 0;
    if (target.kind == CalledKind::Name && !find_local(target.text, depth, slot)) declare(target.text);
    const bool index =
        target.kind == CalledKind::Call && target.text == "[]" && target.first && !has_splat(target);
    if (!index && target.kind != CalledKind::Name && target.kind != CalledKind::Instance)
        return unknown(node, "the assignment " + node.text);
    MutableCode made = make(node, index ? Op::UpdateIndex : Op::Update);
    made->text = node.text.substr(0, node.text.size() - 1);
    made->first = compile(index ? *target.first : target);
    made->second = compile(*node.second);
    if (index)
        made->parts = parts(target);
    else
        made->parts.push_back(setter(target, make(node, Op::Given)));
    return made;
}

const BlockCode& Compiler::method(const std::string& name, const Node& definition) {
    auto made = std::make_unique<BlockCode>();
    made->name = name;
    compile_block(*made, definition, nullptr);
    program_->methods.push_back(std::move(made));
    return *program_->methods.back();
}

void Compiler::constant(const std::string& name, const Node& value) {
    Constant made{compile(value), program_->constants.size()};
    if (!program_->constants.emplace(name, std::move(made)).second)
        obstacle("a constant that is set twice", value.line);
    if (!never_changes(value)) program_->constants_may_change = true;
}

std::unique_ptr<BlockCode> Compiler::block(const Node& lambda) {
    for (Scope* scope = scope_; scope; scope = scope->outer) scope->code->nests = true;
    auto made = std::make_unique<BlockCode>();
    compile_block(*made, lambda, scope_);
    return made;
}

void Compiler::compile_block(BlockCode& code, const Node& lambda, Scope* outer) {
    Scope scope;
    scope.code = &code;
    scope.outer = outer;
    scope.method_of_block = !outer && lambda.kind == CalledKind::Lambda;
    Scope* const outside = std::exchange(scope_, &scope);
    code.parameters = parameters(lambda.parameters);
    std::size_t several = 0;
    bool rest = false;
    for (const BlockCode::Parameter& one : code.parameters) {
        if (one.kind == ParameterKind::Rest)
            rest = true;
        else if (one.kind != ParameterKind::Block)
            ++several;
    }
    code.takes_pairs_apart = several > 1 || (several == 1 && rest);
    code.body = compile_or_nil(lambda.second, true);
    code.slots = static_cast<std::uint32_t>(scope.names.size());
    scope_ = outside;
}

std::vector<BlockCode::Parameter> Compiler::parameters(const std::vector<ruby_source::Parameter>& from) {
    using From = ruby_source::Parameter::Kind;
    std::vector<BlockCode::Parameter> made;
    bool rest = false;
    for (const ruby_source::Parameter& one : from) {
        if (rest && (one.kind == From::Optional || one.kind == From::Rest))
            obstacle("parameters that Ruby refuses", one.initial ? one.initial->line : 0);
        rest = rest || one.kind == From::Rest;
        if (one.kind == From::Local) {
            declare(one.name);
            continue;
        }
        if (one.kind == From::Keyword || one.kind == From::KeywordRest || one.kind == From::Strange)
            obstacle("a parameter that is given by name", scope_->code->body ? scope_->code->body->line : 0);
        BlockCode::Parameter parameter;
        parameter.kind = one.kind == From::Optional       ? ParameterKind::Optional
                         : one.kind == From::Rest         ? ParameterKind::Rest
                         : one.kind == From::Block        ? ParameterKind::Block
                         : one.kind == From::Destructured ? ParameterKind::Destructured
                                                          : ParameterKind::Required;
        if (one.kind == From::Destructured)
            parameter.parts = parameters(one.parts);
        else
            parameter.slot = declare(one.name);
        if (one.initial) parameter.initial = compile(*one.initial);
        made.push_back(std::move(parameter));
    }
    return made;
}

}  // namespace volley::ruby
