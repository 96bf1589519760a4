// For each template and Ruby function named on standard input: whether it is native, and if not, why. What
// only shows when it runs (an argument of a strange kind) is not seen. run.py adds it all up.

#include <array>
#include <cstdio>
#include <iostream>
#include <optional>
#include <string>
#include <string_view>

#include "language/functions/builtin.hpp"
#include "language/functions/stdlib/registry.hpp"
#include "language/ruby/native/method.hpp"
#include "language/ruby/native/program/function_file.hpp"
#include "language/ruby/native/program/source.hpp"
#include "language/ruby/native/run.hpp"
#include "support/files.hpp"
#include "tests/conformance/native_ruby/function_name.hpp"

namespace {

using namespace volley::ruby;

/// Whether some kind of object has a native method of that name.
bool is_known_method(std::string_view name) {
    static Heap heap;
    static const volley::Value foreign("x");
    static const Match match;
    static const std::array objects{Object(),
                                    Object(true),
                                    Object(std::int64_t{1}),
                                    Object(1.0),
                                    heap.symbol("a"),
                                    heap.string("a"),
                                    heap.array({}),
                                    heap.hash(),
                                    heap.range({}, {}, false),
                                    heap.pattern(volley::Regexp::compile("a")),
                                    Object(match),
                                    heap.enumerator({})};
    static constexpr std::array<std::string_view, 33> others{
        "lookupvar", "call_function", "include?", "has_variable?", "to_hash", "compiler",      "topscope",
        "catalog",   "classes",       "tags",     "undef_as",      "debug",   "info",          "notice",
        "warning",   "err",           "call",     "message",       "unwrap",  "closure_scope", "scope",
        "all_tags",  "versioncmp",    "function", "send",          "file",    "new",           "autoloader",
        "loaded?",   "load",          "ipv6?",    "ipv4?",         "version"};
    for (const Object& object : objects) {
        if (find_method(object, name)) return true;
    }
    for (const std::string_view one : others) {
        if (one == name) return true;
    }
    return name.starts_with("function_");
}

bool is_known_constant(std::string_view name) {
    if (name.starts_with("::")) name.remove_prefix(2);
    return is_known_module(name) || is_exception_class(name) || name == "Puppet" || name == "Facter" ||
           name == "Puppet::Util::Package" || name == "Puppet::Parser::Functions";
}

std::optional<std::string> unknown_in(const Program& program, const Code* code);

std::optional<std::string> unknown_in(const Program& program, const BlockCode* block) {
    if (!block) return std::nullopt;
    for (const auto& parameter : block->parameters) {
        if (auto why = unknown_in(program, parameter.initial.get())) return why;
    }
    return unknown_in(program, block->body.get());
}

std::optional<std::string> unknown_in(const Program& program, const Code* code) {
    if (!code) return std::nullopt;
    const auto place = " (line " + std::to_string(code->line) + ")";
    if (code->op == Op::Unknown) return code->text + place;
    const bool user = program.constants.contains(code->text);
    if (code->op == Op::Module && !user && !is_known_constant(code->text))
        return "constant " + code->text + place;
    if (code->op == Op::Operator && !is_known_method(code->text)) return "#" + code->text + place;
    if (code->op == Op::Call && !program.own_methods[code->slot]) {
        bool known = is_known_method(code->text);
        if (!code->first) known = known || find_kernel_function(code->text);
        if (code->first && code->first->op == Op::Module && !program.constants.contains(code->first->text)) {
            std::string_view name = code->first->text;
            if (name.starts_with("::")) name.remove_prefix(2);
            known = find_module_method(name, code->text) ||
                    (code->text == "new" && is_exception_class(name)) ||
                    (name.starts_with("Puppet") && known);
            if (!known) return std::string(name) + "." + code->text + place;
        }
        if (!known) return "#" + code->text + place;
    }
    for (const auto& part : code->parts) {
        if (auto why = unknown_in(program, part.get())) return why;
    }
    for (const Code* inner : {code->first.get(), code->second.get(), code->third.get(), code->pass.get()}) {
        if (auto why = unknown_in(program, inner)) return why;
    }
    return unknown_in(program, code->block.get());
}

std::string reason(const Program& program) {
    if (program.obstacle)
        return program.obstacle->why + " (line " + std::to_string(program.obstacle->line) + ")";
    if (const auto why = unknown_in(program, &program.top)) return *why;
    for (const auto& method : program.methods) {
        if (const auto why = unknown_in(program, method.get())) return *why;
    }
    return "";
}

/// Functions of Puppet and of stdlib are written in C++; no file is read for them.
bool is_built_in(const std::string& name) {
    for (const auto* all : {&volley::all_builtins(), &volley::stdlib_builtins()}) {
        for (const volley::Builtin* one : *all) {
            if (one->name == name) return true;
        }
    }
    return false;
}

}  // namespace

int main() {
    for (std::string path; std::getline(std::cin, path);) {
        const std::string text = volley::read_file(path, "a file");
        std::string why;
        if (path.ends_with(".erb")) {
            why = reason(*compile_erb(text));
        } else {
            const FunctionFile file =
                read_function_file(text, path.find("/parser/functions/") != std::string::npos);
            why = is_built_in(volley::tests::function_name(path)) ? "built in" : reason(*file.program);
        }
        std::printf("%s\t%s\n", path.c_str(), why.empty() ? "native" : why.c_str());
    }
    return 0;
}
