#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "language/ruby/source/syntax.hpp"
#include "language/ruby/source/token.hpp"

namespace volley::ruby_source {

/// Reads expressions by precedence, statements by line. A part of Ruby that it does not know throws
/// NotUnderstood inside, which costs one statement. Lives for one text.
class Parser {
public:
    explicit Parser(std::vector<Token> tokens) : tokens_(std::move(tokens)) {}
    NodePtr program();

private:
    struct NotUnderstood {};
    using MutableNode = std::unique_ptr<Node>;

    // parser.cpp: statements and expressions
    NodePtr body_until(std::size_t end);
    NodePtr guarded_body(std::size_t end);
    NodePtr rescue_clause(std::size_t end);
    NodePtr modified(NodePtr statement);
    NodePtr multiple_assignment(std::size_t end);
    bool is_multiple_assignment(std::size_t end) const;
    NodePtr targets();
    NodePtr assigned_value();
    NodePtr statement(std::size_t end);
    NodePtr skipped(std::size_t from, std::size_t end);
    NodePtr expression();
    NodePtr negatable();
    NodePtr assignment();
    NodePtr ternary();
    NodePtr binary(int level);
    NodePtr unary();
    NodePtr power();
    NodePtr postfix(NodePtr node);
    NodePtr index(NodePtr receiver);
    MutableNode call(NodePtr receiver, std::string name);
    void bare_arguments(Node& call);
    void arguments_until(Node& call, std::size_t end);
    void argument(Node& call, MutableNode& options);
    void maybe_block(Node& call);
    bool begins_bare_argument() const;

    // literals.cpp
    NodePtr primary();
    NodePtr text_literal(Node::Kind kind);
    NodePtr words(Node::Kind kind);
    NodePtr parentheses();
    NodePtr array_literal();
    NodePtr hash_literal();
    bool hash_entry(Node& hash);
    std::vector<NodePtr> pieces(const std::vector<Piece>& from, std::uint32_t line);
    NodePtr interpolation(const Piece& piece, std::uint32_t line);

    // structures.cpp
    NodePtr keyword();
    NodePtr conditional(bool negated);
    NodePtr case_of();
    NodePtr when(std::size_t end);
    NodePtr loop();
    NodePtr for_loop();
    NodePtr block();
    NodePtr definition();
    NodePtr module();
    NodePtr begin_block();
    NodePtr lambda();
    NodePtr return_value();
    std::vector<Parameter> parameters_until(std::size_t end);
    Parameter parameter(std::size_t end);
    std::size_t clause(std::size_t from, std::size_t end) const;

    /// The end of the text, once everything is read: what closes the last token may lie after it.
    const Token& now() const { return ahead(0); }
    const Token& ahead(std::size_t by = 1) const { return tokens_[std::min(at_ + by, tokens_.size() - 1)]; }
    void skip_newlines();
    void expect_operator(std::string_view text);
    bool take_operator(std::string_view text);
    MutableNode make(Node::Kind kind) const;
    static NodePtr negated(NodePtr condition);
    /// What is not understood becomes Unknown, from where it began.
    template <class Parse>
    NodePtr attempt(const Parse& parse) {
        const std::size_t begin = at_;
        const int depth = depth_;
        try {
            return parse();
        } catch (const NotUnderstood&) {
            at_ = begin;
            depth_ = depth;
            return make(Node::Kind::Unknown);
        }
    }

    // A name that has been assigned is a variable from there on, and takes no arguments: "x -1" subtracts.
    bool is_local(std::string_view name) const {
        return std::find(locals_.begin(), locals_.end(), name) != locals_.end();
    }
    void declare(const Node& target);
    void declare(const std::vector<Parameter>& parameters);
    /// The variables of a block end with it; a method sees none from outside.
    class Variables {
    public:
        Variables(Parser& parser, bool method) : parser_(parser), outside_(parser.locals_) {
            if (method) parser_.locals_.clear();
        }
        ~Variables() { parser_.locals_ = std::move(outside_); }
        Variables(const Variables&) = delete;
        Variables& operator=(const Variables&) = delete;

    private:
        Parser& parser_;
        std::vector<std::string> outside_;
    };

    /// Counts how deep expressions are nested.
    class Level {
    public:
        explicit Level(int& depth) : depth_(depth) {
            if (++depth_ > max_depth) {
                --depth_;
                throw NotUnderstood{};
            }
        }
        ~Level() { --depth_; }
        Level(const Level&) = delete;
        Level& operator=(const Level&) = delete;

    private:
        static constexpr int max_depth = 250;
        int& depth_;
    };

    std::vector<Token> tokens_;
    std::size_t at_ = 0;
    int depth_ = 0;
    std::vector<std::string> locals_;
    bool do_belongs_outside_ = false;  // a "do" here is the block of the call whose arguments are being read
};

}  // namespace volley::ruby_source
