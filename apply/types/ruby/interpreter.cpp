#include "apply/types/ruby/interpreter.hpp"

#include <charconv>
#include <filesystem>

#include "language/text/regexp.hpp"
#include "support/error.hpp"

namespace volley::ruby_source {
namespace {

using NodeKind = Node::Kind;

constexpr std::size_t max_steps = 300'000;
constexpr int max_evaluation_depth = 800;

unsigned pattern_options(std::string_view flags) {
    unsigned options = Regexp::None;
    for (const char c : flags) {
        if (c == 'i') options |= Regexp::IgnoreCase;
        if (c == 'x') options |= Regexp::Extended;
        if (c == 'm') options |= Regexp::MultiLine;
    }
    return options;
}

Datum integer_literal(const std::string& text) {
    std::int64_t number = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
    return read.ptr == text.data() + text.size() ? Datum::integer(number) : Datum();
}

}  // namespace

std::vector<TypeDescription> Interpreter::types_of(const std::string& path, std::string_view text) {
    try {
        run_file(path, text);
    } catch (const Exhausted&) {
        for (TypeDescription& type : types_) type.complete = false;
    }
    return std::move(types_);
}

Interpreter::~Interpreter() {
    for (const auto& each : scopes_) {
        if (const auto scope = each.lock()) scope->locals.clear();
    }
}

std::shared_ptr<Scope> Interpreter::new_scope() {
    auto scope = std::make_shared<Scope>();
    scopes_.push_back(scope);
    return scope;
}

void Interpreter::run_file(const std::string& path, std::string_view text) {
    programs_.push_back(parse_ruby(text));
    const std::string outside = std::exchange(file_, path);
    Frame frame;
    frame.scope = new_scope();
    const Node& program = *programs_.back();
    body(program, frame);
    file_ = outside;
}

Datum Interpreter::evaluate(const Node& node, Frame& frame) {
    if (++steps_ > max_steps || depth_ >= max_evaluation_depth) throw Exhausted{};
    ++depth_;
    Datum result = evaluate_checked(node, frame);
    --depth_;  // Exhausted ends everything, so that nothing needs to be put back then
    return result;
}

Datum Interpreter::evaluate_checked(const Node& node, Frame& frame) {
    switch (node.kind) {
        case NodeKind::Unknown:
            if (frame.type && node.text == "declares") frame.type->description.complete = false;
            return {};
        case NodeKind::Nil:
            return Datum::of(Datum::Kind::Nil);
        case NodeKind::True:
            return Datum::of(Datum::Kind::True);
        case NodeKind::False:
            return Datum::of(Datum::Kind::False);
        case NodeKind::Self:
            return frame.module.empty() ? Datum() : Datum::string(frame.module, Datum::Kind::Module);
        case NodeKind::File:
            return Datum::string(file_);
        case NodeKind::Directory:
            return Datum::string(std::filesystem::path(file_).parent_path().string());
        case NodeKind::Number:
            return integer_literal(node.text);
        case NodeKind::Text:
        case NodeKind::Symbol:
        case NodeKind::Pattern:
            return interpolated(node, frame);
        case NodeKind::Array:
        case NodeKind::Hash:
            return array_or_hash(node, frame);
        case NodeKind::Constant:
            return constant(node.text, frame);
        case NodeKind::Instance: {
            const auto found = instances_.find(node.text);
            return found == instances_.end() ? Datum() : found->second;
        }
        case NodeKind::Name:
            return name(node, frame);
        case NodeKind::Call:
            return call(node, frame);
        case NodeKind::Splat:
        case NodeKind::BlockPass:
            return evaluate(*node.first, frame);
        case NodeKind::Assign:
            return assign(node, frame);
        case NodeKind::Binary:
            return binary(node, frame);
        case NodeKind::Not: {
            const auto truth = evaluate(*node.first, frame).truth();
            return truth ? Datum::boolean(!*truth) : Datum();
        }
        case NodeKind::If:
            return conditional(node, frame);
        case NodeKind::While:
            if (node.third) return evaluate(*node.third, frame);
            return evaluate(*node.second, frame);
        case NodeKind::For:
            return evaluate(*node.third, frame);
        case NodeKind::Case:
            return one_of(node, frame);
        case NodeKind::Begin:
        case NodeKind::When:
            return body(*node.second, frame);
        case NodeKind::Unary:
        case NodeKind::Rescue:
        case NodeKind::Targets:
            return {};
        case NodeKind::Body:
            return body(node, frame);
        case NodeKind::Definition:
            return definition(node, frame);
        case NodeKind::Module:
            return module(node, frame);
        case NodeKind::Lambda: {
            Datum closure = Datum::of(Datum::Kind::Closure);
            closure.code = &node;
            closure.scope = frame.scope;
            return closure;
        }
        case NodeKind::Return:
            frame.result = node.first ? evaluate(*node.first, frame) : Datum::of(Datum::Kind::Nil);
            frame.returned = true;
            return frame.result;
    }
    return {};
}

Datum Interpreter::body(const Node& node, Frame& frame) {
    Datum result = Datum::of(Datum::Kind::Nil);
    if (node.kind != NodeKind::Body) return evaluate(node, frame);
    for (const NodePtr& one : node.parts) {
        result = evaluate(*one, frame);
        if (frame.returned) return frame.result;
    }
    return result;
}

Datum Interpreter::interpolated(const Node& node, Frame& frame) {
    Datum result = Datum::string(node.parts.empty() && node.kind == NodeKind::Text ? node.text : "");
    if (node.kind == NodeKind::Symbol) result.kind = Datum::Kind::Symbol;
    if (node.kind == NodeKind::Pattern) {
        result.kind = Datum::Kind::Pattern;
        result.options = pattern_options(node.text);
    }
    for (const NodePtr& part : node.parts) {
        const auto text = evaluate(*part, frame).to_text();
        if (!text) return {};
        result.text += *text;
    }
    return result;
}

Datum Interpreter::array_or_hash(const Node& node, Frame& frame) {
    Datum result = Datum::of(node.kind == NodeKind::Array ? Datum::Kind::Array : Datum::Kind::Hash);
    for (std::size_t i = 0; i < node.parts.size(); ++i) {
        const bool merged = !node.parts[i] || node.parts[i]->kind == NodeKind::Splat;
        if (!node.parts[i]) ++i;
        Datum item = evaluate(*node.parts[i], frame);
        if (!merged) {
            result.items.push_back(std::move(item));
            continue;
        }
        if (item.kind != result.kind) return {};
        result.items.insert(result.items.end(), item.items.begin(), item.items.end());
    }
    return result;
}

Datum Interpreter::name(const Node& node, Frame& frame) {
    for (const Scope* scope = frame.scope.get(); scope; scope = scope->parent.get()) {
        const auto found = scope->locals.find(node.text);
        if (found != scope->locals.end()) return found->second;
    }
    return own_call(node, node.text, {}, Datum::of(Datum::Kind::Nil), frame);
}

Interpreter::ModuleInfo* Interpreter::find_module(std::string_view path, std::string_view from) {
    for (std::string around(from);;) {
        const auto found =
            modules_.find(around.empty() ? std::string(path) : around + "::" + std::string(path));
        if (found != modules_.end()) return &found->second;
        if (around.empty()) return nullptr;
        const std::size_t cut = around.rfind("::");
        around = cut == std::string::npos ? "" : around.substr(0, cut);
    }
}

Datum Interpreter::constant(std::string_view path, const Frame& frame) {
    const std::size_t cut = path.rfind("::");
    const std::string_view last = cut == std::string_view::npos ? path : path.substr(cut + 2);
    if (frame.type && cut == std::string_view::npos) {
        const auto own = frame.type->methods.constants.find(last);
        if (own != frame.type->methods.constants.end()) return own->second;
    }
    std::string around = frame.module;
    for (;;) {
        std::string holder = around;
        if (cut != std::string_view::npos)
            holder += (around.empty() ? "" : "::") + std::string(path.substr(0, cut));
        const auto found = modules_.find(holder);
        if (found != modules_.end()) {
            const auto value = found->second.constants.find(last);
            if (value != found->second.constants.end()) return value->second;
        }
        if (around.empty()) break;
        const std::size_t outer = around.rfind("::");
        around = outer == std::string::npos ? "" : around.substr(0, outer);
    }
    return Datum::string(std::string(path), Datum::Kind::Module);
}

Interpreter::ModuleInfo& Interpreter::methods_of(const Frame& frame) {
    return frame.type ? frame.type->methods : modules_[frame.module];
}

Datum Interpreter::assign(const Node& node, Frame& frame) {
    const Node& target = *node.first;
    Datum value = evaluate(*node.second, frame);
    if (node.text != "=") {
        Datum before = target.kind == NodeKind::Name || target.kind == NodeKind::Instance ||
                               target.kind == NodeKind::Constant
                           ? evaluate(target, frame)
                           : Datum();
        if (node.text == "||=" || node.text == "&&=") {
            const auto truth = before.truth();
            if (truth && *truth == (node.text == "||=")) value = std::move(before);
        } else {
            value =
                call_builtin(before, std::string_view(node.text).substr(0, node.text.size() - 1), {value});
        }
    }
    if (target.kind == NodeKind::Name) {
        Scope* scope = frame.scope.get();
        while (scope && !scope->locals.contains(target.text)) scope = scope->parent.get();
        (scope ? *scope : *frame.scope).locals[target.text] = value;
    } else if (target.kind == NodeKind::Instance) {
        if (frame.type && target.text == "@isomorphic")
            frame.type->description.isomorphic = value.truth().value_or(true);
        instances_[target.text] = value;
    } else if (target.kind == NodeKind::Constant) {
        methods_of(frame).constants[target.text] = value;
    }
    return value;
}

Datum Interpreter::binary(const Node& node, Frame& frame) {
    Datum left = evaluate(*node.first, frame);
    if (node.text == "&&" || node.text == "||") {
        const auto truth = left.truth();
        if (truth && *truth == (node.text == "||")) return left;
        Datum right = evaluate(*node.second, frame);
        return truth ? right : Datum();
    }
    const Datum right = node.second ? evaluate(*node.second, frame) : Datum();
    if (node.text == "==" || node.text == "!=") {
        const auto same = equal(left, right);
        return same ? Datum::boolean(*same == (node.text == "==")) : Datum();
    }
    if (node.text == "+" && left.kind == Datum::Kind::Text && right.kind == Datum::Kind::Text)
        return Datum::string(left.text + right.text);
    Datum result = call_builtin(left, node.text, {right});
    if (node.text == "<<" && node.first->kind == NodeKind::Name && frame.scope) {
        for (Scope* scope = frame.scope.get(); scope; scope = scope->parent.get()) {
            const auto found = scope->locals.find(node.first->text);
            if (found == scope->locals.end()) continue;
            found->second = result;
            break;
        }
    }
    return result;
}

Datum Interpreter::conditional(const Node& node, Frame& frame) {
    const auto truth = evaluate(*node.first, frame).truth();
    if (truth) {
        const Node* branch = *truth ? node.second.get() : node.third.get();
        return branch ? body(*branch, frame) : Datum::of(Datum::Kind::Nil);
    }
    // Either may be what happens: what both declare may exist.
    for (const Node* branch : {node.second.get(), node.third.get()}) {
        if (branch) body(*branch, frame);
        frame.returned = false;
    }
    return {};
}

/// Each branch may be taken: the subject is hardly ever known.
Datum Interpreter::one_of(const Node& node, Frame& frame) {
    for (const NodePtr& branch : node.parts) {
        evaluate(*branch, frame);
        frame.returned = false;
    }
    if (node.third) body(*node.third, frame);
    frame.returned = false;
    return {};
}

Datum Interpreter::definition(const Node& node, Frame& frame) {
    ModuleInfo& methods = methods_of(frame);
    (node.singleton || frame.singleton_class ? methods.singleton_methods : methods.methods)[node.text] =
        &node;
    return Datum::string(node.text, Datum::Kind::Symbol);
}

Datum Interpreter::module(const Node& node, Frame& frame) {
    Frame inside;
    inside.scope = new_scope();
    inside.module = frame.module;
    inside.type = node.singleton ? frame.type : nullptr;
    inside.singleton_class = node.singleton;
    if (!node.singleton) inside.module += (frame.module.empty() ? "" : "::") + node.text;
    modules_[inside.module];
    body(*node.second, inside);
    return Datum::of(Datum::Kind::Nil);
}

}  // namespace volley::ruby_source
