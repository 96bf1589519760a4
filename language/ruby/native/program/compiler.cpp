#include "language/ruby/native/program/compiler.hpp"

#include <algorithm>
#include <charconv>

#include "language/errors.hpp"
#include "language/text/characters_case.hpp"

namespace volley::ruby {
namespace {

using CompiledNode = ruby_source::Node;
using CompiledKind = ruby_source::Node::Kind;

/// Deeper trees are not run here: every level is a frame of the stack.
constexpr int most_levels = 400;

/// A text without "#{}"; nullopt when it has some.
std::optional<std::string> literal_text(const CompiledNode& node) {
    if (node.parts.empty()) return node.kind == CompiledKind::Text ? node.text : std::string();
    std::string text;
    for (const auto& part : node.parts) {
        if (part->kind != CompiledKind::Text || !part->parts.empty()) return std::nullopt;
        text += part->text;
    }
    return text;
}

std::optional<unsigned> pattern_flags(std::string_view flags) {
    unsigned options = Regexp::None;
    for (const char c : flags) {
        if (c == 'i')
            options |= Regexp::IgnoreCase;
        else if (c == 'x')
            options |= Regexp::Extended;
        else if (c == 'm')
            options |= Regexp::MultiLine;
        else
            return std::nullopt;
    }
    return options;
}

/// "1_000", "0x1f", "-2"; nullopt for what is not an Integer of 64 bits.
std::optional<std::int64_t> integer_of(std::string text) {
    std::erase(text, '_');
    const bool negative = text.starts_with('-');
    if (negative) text.erase(0, 1);
    int base = 10;
    if (text.size() > 1 && text[0] == '0') {
        const char kind = static_cast<char>(text[1] | 0x20);
        base = kind == 'x' ? 16 : kind == 'b' ? 2 : kind == 'd' ? 10 : 8;
        text.erase(0, kind == 'x' || kind == 'b' || kind == 'd' || kind == 'o' ? 2 : 1);
    }
    if (negative) text.insert(0, 1, '-');
    std::int64_t value = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), value, base);
    if (read.ec != std::errc{} || read.ptr != text.data() + text.size()) return std::nullopt;
    return value;
}

/// Nothing for a whole number beyond 64 bits: Ruby keeps all of its digits.
std::optional<double> float_of(std::string text) {
    std::erase(text, '_');
    if (text.find_first_of(".eE") == std::string::npos) return std::nullopt;
    if (text.find_first_not_of("0123456789.eE+-") != std::string::npos) return std::nullopt;
    double value = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
    if (read.ec != std::errc{} || read.ptr != text.data() + text.size()) return std::nullopt;
    return value;
}

}  // namespace

std::size_t BlockCode::required() const {
    return static_cast<std::size_t>(
        std::count_if(parameters.begin(), parameters.end(), [](const Parameter& one) {
            return one.kind == Parameter::Kind::Required || one.kind == Parameter::Kind::Destructured;
        }));
}

std::size_t BlockCode::most() const {
    std::size_t count = 0;
    for (const Parameter& one : parameters) {
        if (one.kind == Parameter::Kind::Rest) return static_cast<std::size_t>(-1);
        if (one.kind != Parameter::Kind::Block) ++count;
    }
    return count;
}

const BlockCode* Program::method(std::string_view name) const {
    // The last definition of a name counts.
    const auto found = std::find_if(methods.rbegin(), methods.rend(),
                                    [&](const auto& method) { return method->name == name; });
    return found == methods.rend() ? nullptr : found->get();
}

Compiler::Compiler() : program_(std::make_unique<Program>()), scope_(&top_) { top_.code = &program_->top; }
Compiler::~Compiler() = default;

void Compiler::top(const Node& body_node) { program_->top.body = compile(body_node, true); }

void Compiler::read_comments(std::string_view source) {
    for (std::uint32_t number = 1; source.starts_with('#') || source.starts_with('\n'); ++number) {
        const std::string_view line = source.substr(0, source.find('\n'));
        // Ruby takes dashes for underscores here, and does not look at case.
        std::string words = to_lower(std::string(line));
        std::replace(words.begin(), words.end(), '-', '_');
        if (const std::size_t at = words.find("frozen_string_literal:"); at != std::string::npos) {
            const std::size_t value =
                words.find_first_not_of(" \t", at + std::string_view("frozen_string_literal:").size());
            program_->frozen_literals = value != std::string::npos && words.compare(value, 4, "true") == 0;
        }
        const std::size_t coding = words.find("coding");
        const bool says_it = number <= 2 && coding != std::string::npos && coding + 6 < words.size() &&
                             (words[coding + 6] == ':' || words[coding + 6] == '=');
        if (says_it) {
            const std::size_t name = words.find_first_not_of(" \t", coding + 7);
            if (name == std::string::npos || words.compare(name, 5, "utf_8") != 0)
                obstacle("a comment that says the encoding", number);
        }
        source.remove_prefix(std::min(source.size(), line.size() + 1));
    }
}

void Compiler::obstacle(std::string why, std::uint32_t line) {
    if (!program_->obstacle) program_->obstacle = NotNative{std::move(why), line};
}

std::shared_ptr<const Program> Compiler::finish() {
    for (const auto& [name, slot] : own_slots_) program_->own_methods[slot] = program_->method(name);
    if (!program_->top.body) program_->top.body = std::make_unique<Code>();
    program_->top.slots = static_cast<std::uint32_t>(top_.names.size());
    return std::move(program_);
}

/// Which method it is shows at the end only: it may come later.
std::uint32_t Compiler::own_slot(const std::string& name) {
    const auto [place, added] =
        own_slots_.emplace(name, static_cast<std::uint32_t>(program_->own_methods.size()));
    if (added) program_->own_methods.push_back(nullptr);
    return place->second;
}

Compiler::MutableCode Compiler::make(const Node& node, Op op) {
    auto made = std::make_unique<Code>();
    made->op = op;
    made->line = node.line;
    return made;
}

CodePtr Compiler::unknown(const Node& node, std::string why) {
    MutableCode made = make(node, Op::Unknown);
    made->text = std::move(why);
    return made;
}

CodePtr Compiler::optional(const ruby_source::NodePtr& node, bool statement) {
    return node ? compile(*node, statement) : CodePtr();
}

CodePtr Compiler::compile_or_nil(const ruby_source::NodePtr& node, bool statement) {
    return node ? compile(*node, statement) : std::make_unique<Code>();
}

std::vector<CodePtr> Compiler::parts(const Node& node) {
    std::vector<CodePtr> made;
    made.reserve(node.parts.size());
    for (const auto& part : node.parts) made.push_back(optional(part));
    return made;
}

CodePtr Compiler::compile(const Node& node, bool statement) {
    struct Level {
        int& depth;
        ~Level() { --depth; }
    } const level{++depth_};
    if (depth_ > most_levels) {
        obstacle("code that is nested so deeply", node.line);
        return std::make_unique<Code>();
    }
    switch (node.kind) {
        case CompiledKind::Unknown:
            obstacle("a construct that native Ruby does not know", node.line);
            return unknown(node, "a construct");
        case CompiledKind::Nil:
            return make(node, Op::Nil);
        case CompiledKind::True:
            return make(node, Op::True);
        case CompiledKind::False:
            return make(node, Op::False);
        case CompiledKind::Self:
            return make(node, Op::Self);
        case CompiledKind::Number:
            return number(node);
        case CompiledKind::Text:
            return text(node, Op::String, Op::Interpolated);
        case CompiledKind::Symbol:
            return text(node, Op::Symbol, Op::SymbolOf);
        case CompiledKind::Pattern:
            return pattern(node);
        case CompiledKind::Array:
            return list(node, Op::Array);
        case CompiledKind::Hash:
            return list(node, Op::Hash);
        case CompiledKind::Constant: {
            MutableCode made = make(node, Op::Module);
            made->text = node.text;
            made->literal = program_->literals++;
            return made;
        }
        case CompiledKind::Instance:
            return variable(node);
        case CompiledKind::Name:
            return name(node);
        case CompiledKind::Call:
            return call(node);
        case CompiledKind::Assign:
            return assign(node);
        case CompiledKind::Binary:
            return binary(node, statement);
        case CompiledKind::Unary: {
            MutableCode made = make(node, Op::Call);
            made->text = node.text == "~" ? "~" : node.text + "@";
            made->first = compile(*node.first);
            return made;
        }
        case CompiledKind::Not: {
            MutableCode made = make(node, Op::Not);
            made->first = compile(*node.first);
            return made;
        }
        case CompiledKind::If:
            return conditional(node, statement);
        case CompiledKind::While:
        case CompiledKind::For:
            // What leaves the method from inside would have to leave the expression, too.
            if (!statement) return unknown(node, "a loop inside of an expression");
            return node.kind == CompiledKind::While ? loop(node) : for_loop(node);
        case CompiledKind::Case:
            return case_of(node, statement);
        case CompiledKind::Begin:
            return guarded(node, statement);
        case CompiledKind::Body:
            return body(node, statement);
        case CompiledKind::Return:
            return jump(node, statement);
        case CompiledKind::Lambda: {
            MutableCode made = make(node, Op::Lambda);
            made->flag = true;
            made->block = block(node);
            return made;
        }
        case CompiledKind::Definition:
            if (node.singleton || scope_ != &top_) return unknown(node, "a method that is defined here");
            method(node.text, node);
            return make(node, Op::Nil);
        case CompiledKind::Splat: {
            MutableCode made = make(node, Op::Splat);
            made->first = compile(*node.first);
            return made;
        }
        case CompiledKind::File:
        case CompiledKind::Directory:
            return unknown(node, "the name of the file");
        case CompiledKind::Module:
            return unknown(node, "a module");
        case CompiledKind::BlockPass:
        case CompiledKind::When:
        case CompiledKind::Rescue:
        case CompiledKind::Targets:
            break;
    }
    return unknown(node, "a construct");
}

CodePtr Compiler::body(const Node& node, bool statement) {
    if (node.parts.empty()) return make(node, Op::Nil);
    if (node.parts.size() == 1) return compile(*node.parts.front(), statement);
    MutableCode made = make(node, Op::Body);
    // In a value "(a; b)" a jump would have to leave more than the statements.
    for (const auto& part : node.parts) made->parts.push_back(compile(*part, statement));
    return made;
}

CodePtr Compiler::number(const Node& node) {
    if (const auto whole = integer_of(node.text)) {
        MutableCode made = make(node, Op::Integer);
        made->integer = *whole;
        return made;
    }
    const auto real = float_of(node.text);
    if (!real) return unknown(node, "the number " + node.text);
    MutableCode made = make(node, Op::Float);
    made->number = *real;
    return made;
}

CodePtr Compiler::text(const Node& node, Op plain, Op made_of_parts) {
    const auto literal = literal_text(node);
    MutableCode made = make(node, literal ? plain : made_of_parts);
    if (plain == Op::Symbol && literal) made->literal = program_->literals++;
    if (literal)
        made->text = *literal;
    else
        made->parts = parts(node);
    return made;
}

CodePtr Compiler::pattern(const Node& node) {
    const auto options = pattern_flags(node.text);
    if (!options) return unknown(node, "a pattern with the options '" + node.text + "'");
    std::string source;
    bool literal = true;
    for (const auto& part : node.parts) {
        literal = literal && part->kind == CompiledKind::Text && part->parts.empty();
        source += part->text;
    }
    MutableCode made = make(node, literal ? Op::Pattern : Op::PatternOf);
    made->integer = *options;
    if (!literal) {
        made->parts = parts(node);
        return made;
    }
    try {
        made->pattern = Regexp::compile(source, *options);
    } catch (const LanguageError&) {
        obstacle("the pattern /" + source + "/", node.line);
        return unknown(node, "a pattern");
    }
    return made;
}

CodePtr Compiler::list(const Node& node, Op op) {
    MutableCode made = make(node, op);
    made->parts = parts(node);
    return made;
}

/// "@name", "$1" and their kind.
CodePtr Compiler::variable(const Node& node) {
    const std::string& name = node.text;
    if (name.starts_with("@@") || name.size() < 2) return unknown(node, "the variable " + name);
    if (name.starts_with('@')) {
        MutableCode made = make(node, Op::Instance);
        made->slot = instance_slot(name);
        return made;
    }
    if (name == "$!") return make(node, Op::Error);
    MutableCode made = make(node, Op::Match);
    made->integer = -1;
    if (name == "$~") return made;
    if (name.size() > 2 || name[1] < '1' || name[1] > '9') return unknown(node, "the variable " + name);
    made->integer = name[1] - '0';
    return made;
}

CodePtr Compiler::name(const Node& node) {
    std::uint32_t depth = 0;
    std::uint32_t slot = 0;
    if (!find_local(node.text, depth, slot)) return call(node);
    MutableCode made = make(node, Op::Local);
    made->slot = slot;
    made->depth = depth;
    return made;
}

namespace {

bool is_constant(const ruby_source::Node& condition) {
    if (condition.kind == CompiledKind::Not) return is_constant(*condition.first);
    return condition.kind == CompiledKind::True || condition.kind == CompiledKind::False ||
           condition.kind == CompiledKind::Nil;
}

bool ends_in_jump(const ruby_source::Node* branch) {
    while (branch && branch->kind == CompiledKind::Body && !branch->parts.empty())
        branch = branch->parts.back().get();
    return branch && branch->kind == CompiledKind::Return;
}

}  // namespace

CodePtr Compiler::conditional(const Node& node, bool statement) {
    // Ruby's compiler drops what is never reached, and an `ensure` around it with it.
    if (is_constant(*node.first) && (ends_in_jump(node.second.get()) || ends_in_jump(node.third.get())))
        return unknown(node, "a jump under a constant condition");
    MutableCode made = make(node, Op::If);
    made->first = compile(*node.first);
    made->second = optional(node.second, statement);
    made->third = optional(node.third, statement);
    return made;
}

CodePtr Compiler::loop(const Node& node) {
    MutableCode made = make(node, Op::While);
    made->integer = node.text == "until" ? 1 : 0;
    made->flag = node.singleton;
    made->first = compile(*node.first);
    ++scope_->loops;
    made->second = compile_or_nil(node.second, true);
    --scope_->loops;
    return made;
}

CodePtr Compiler::for_loop(const Node& node) {
    MutableCode made = make(node, Op::For);
    made->second = compile(*node.second);
    MutableCode given = make(node, Op::Given);
    const bool one = node.first->parts.size() == 1 && node.first->parts[0]->kind != CompiledKind::Splat;
    made->first = setter(one ? *node.first->parts[0] : *node.first, std::move(given));
    ++scope_->loops;
    made->third = compile_or_nil(node.third, true);
    --scope_->loops;
    return made;
}

CodePtr Compiler::case_of(const Node& node, bool statement) {
    MutableCode made = make(node, Op::Case);
    made->first = optional(node.first);
    for (const auto& branch : node.parts) {
        MutableCode when = make(*branch, Op::When);
        when->parts = parts(*branch);
        when->second = compile_or_nil(branch->second, statement);
        made->parts.push_back(std::move(when));
    }
    made->third = optional(node.third, statement);
    return made;
}

CodePtr Compiler::guarded(const Node& node, bool statement) {
    if (node.parts.empty() && !node.third && !node.block) return compile_or_nil(node.second, statement);
    MutableCode made = make(node, Op::Begin);
    made->second = compile_or_nil(node.second, statement);
    for (const auto& clause : node.parts) {
        if (clause->kind != CompiledKind::Rescue) {
            made->parts.push_back(compile(*clause));
            continue;
        }
        MutableCode rescue = make(*clause, Op::Rescue);
        rescue->parts = parts(*clause);
        if (clause->first) rescue->first = setter(*clause->first, make(*clause, Op::Error));
        rescue->second = compile_or_nil(clause->second, statement);
        made->parts.push_back(std::move(rescue));
    }
    made->third = optional(node.third, statement);
    made->first = optional(node.block, false);
    return made;
}

CodePtr Compiler::jump(const Node& node, bool statement) {
    const bool in_block = scope_->outer != nullptr;
    const bool in_loop = scope_->loops > 0;
    const bool leaves_method = node.text == "next" && !in_loop && scope_->method_of_block;
    if ((node.text == "next" || node.text == "break") && !leaves_method) {
        if (!in_loop && !in_block) return unknown(node, node.text + " here");
        if (in_loop && !statement) return unknown(node, node.text + " inside of an expression");
        MutableCode made = make(node, node.text == "next" ? Op::Next : Op::Break);
        made->integer = in_loop ? 1 : 0;
        made->flag = statement && (in_loop || node.text == "next");
        made->first = optional(node.first);
        return made;
    }
    if ((node.text != "return" && !leaves_method) || scope_ == &top_)
        return unknown(node, node.text + " here");
    MutableCode made = make(node, Op::Return);
    made->flag = statement && !in_block;
    made->first = optional(node.first);
    return made;
}

bool Compiler::find_local(std::string_view wanted, std::uint32_t& depth, std::uint32_t& slot) const {
    std::uint32_t further = 0;
    for (const Scope* scope = scope_; scope; scope = scope->outer, ++further) {
        const auto found = std::find(scope->names.begin(), scope->names.end(), wanted);
        if (found == scope->names.end()) continue;
        depth = further;
        slot = static_cast<std::uint32_t>(found - scope->names.begin());
        return true;
    }
    return false;
}

std::uint32_t Compiler::declare(const std::string& wanted) {
    scope_->names.push_back(wanted);
    return static_cast<std::uint32_t>(scope_->names.size() - 1);
}

std::uint32_t Compiler::instance_slot(const std::string& wanted) {
    auto& names = program_->instances;
    const auto found = std::find(names.begin(), names.end(), wanted);
    if (found != names.end()) return static_cast<std::uint32_t>(found - names.begin());
    names.push_back(wanted);
    return static_cast<std::uint32_t>(names.size() - 1);
}

}  // namespace volley::ruby
