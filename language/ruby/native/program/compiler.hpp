#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "language/ruby/native/program/program.hpp"
#include "language/ruby/source/syntax.hpp"

namespace volley::ruby {

/// Makes a Program of a tree: variables become slots, literals are read once. What has no meaning here
/// becomes a step that throws NotNative when it is reached; what the parser has not understood makes the
/// whole an obstacle.
class Compiler {
public:
    using Node = ruby_source::Node;

    Compiler();
    ~Compiler();
    Compiler(const Compiler&) = delete;
    Compiler& operator=(const Compiler&) = delete;

    /// The body of the program.
    void top(const Node& body);
    /// A method that the program may call by its name; a block of code counts as one, too ("newfunction do
    /// |args|").
    const BlockCode& method(const std::string& name, const Node& definition);
    /// A constant, whose value is made once for each run, which must not change it.
    void constant(const std::string& name, const Node& value);
    /// Looks for comments at the beginning that change what the code means.
    void read_comments(std::string_view source);
    void obstacle(std::string why, std::uint32_t line);
    std::shared_ptr<const Program> finish();

private:
    using MutableCode = std::unique_ptr<Code>;
    /// The variables of a method or block, and what is around it.
    struct Scope {
        BlockCode* code = nullptr;
        Scope* outer = nullptr;        // null for a method
        int loops = 0;                 // that are around what is compiled now
        bool method_of_block = false;  // "newfunction do |args|": next leaves it as return does
        std::vector<std::string> names = {};
    };

    // compiler.cpp: statements and values
    CodePtr compile(const Node& node, bool statement = false);
    CodePtr compile_or_nil(const ruby_source::NodePtr& node, bool statement = false);
    CodePtr optional(const ruby_source::NodePtr& node, bool statement = false);
    CodePtr body(const Node& node, bool statement);
    CodePtr number(const Node& node);
    CodePtr text(const Node& node, Op plain, Op made);
    CodePtr pattern(const Node& node);
    CodePtr list(const Node& node, Op op);
    CodePtr variable(const Node& node);
    CodePtr name(const Node& node);
    CodePtr conditional(const Node& node, bool statement);
    CodePtr loop(const Node& node);
    CodePtr for_loop(const Node& node);
    CodePtr case_of(const Node& node, bool statement);
    CodePtr guarded(const Node& node, bool statement);
    CodePtr jump(const Node& node, bool statement);
    CodePtr unknown(const Node& node, std::string why);
    static MutableCode make(const Node& node, Op op);
    void arguments(const Node& node, Code& into);
    std::vector<CodePtr> parts(const Node& node);

    // compiler_calls.cpp: calls, assignments, blocks
    CodePtr call(const Node& node);
    CodePtr special_call(const Node& node);
    CodePtr binary(const Node& node, bool statement);
    CodePtr operation(const Node& node, std::string_view name, CodePtr left, CodePtr right);
    CodePtr assign(const Node& node);
    CodePtr update(const Node& node);
    CodePtr setter(const Node& target, CodePtr value);
    CodePtr defined(const Node& node);
    std::unique_ptr<BlockCode> block(const Node& lambda);
    void compile_block(BlockCode& code, const Node& lambda, Scope* outer);
    std::vector<BlockCode::Parameter> parameters(const std::vector<ruby_source::Parameter>& from);

    bool find_local(std::string_view name, std::uint32_t& depth, std::uint32_t& slot) const;
    std::uint32_t declare(const std::string& name);
    std::uint32_t instance_slot(const std::string& name);
    std::uint32_t own_slot(const std::string& name);

    std::unique_ptr<Program> program_;
    Scope top_;
    Scope* scope_ = nullptr;
    std::unordered_map<std::string, std::uint32_t> own_slots_;  // of Program::own_methods, by name
    int depth_ = 0;
};

}  // namespace volley::ruby
