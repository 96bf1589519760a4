#include "language/ruby/source/pairing.hpp"

#include <string>

#include "support/error.hpp"

namespace volley::ruby_source {
namespace {

using TokenKind = Token::Kind;

constexpr std::size_t max_nesting = 200;

[[noreturn]] void unpaired(const Token& token, const std::string& what) {
    throw Error("puppet-type-unreadable", what + " (line: " + std::to_string(token.line) + ")");
}

/// "if" and its kind open a block where an expression may begin; after one they only modify it.
bool may_begin_block(const std::vector<Token>& tokens, std::size_t index) {
    if (index == 0) return true;
    const Token& last = tokens[index - 1];
    if (last.kind == TokenKind::Newline || last.kind == TokenKind::Label) return true;
    if (last.kind == TokenKind::Operator) return last.text != ")" && last.text != "]" && last.text != "}";
    if (last.kind != TokenKind::Keyword) return false;
    return last.text == "then" || last.text == "do" || last.text == "else" || last.text == "and" ||
           last.text == "or" || last.text == "not" || last.text == "begin" || last.text == "ensure" ||
           last.text == "when" || last.text == "in";
}

/// `def name(parameters) = expression` has no "end".
bool is_endless_definition(const std::vector<Token>& tokens, std::size_t index) {
    std::size_t at = index + 1;
    if (at + 2 < tokens.size() && tokens[at + 1].is_operator(".")) at += 2;
    ++at;
    if (at >= tokens.size()) return false;
    if (tokens[at].is_operator("(") && !tokens[at].space_before) {
        int open = 0;
        for (; at < tokens.size(); ++at) {
            if (tokens[at].is_operator("(")) ++open;
            if (tokens[at].is_operator(")") && --open == 0) break;
        }
        ++at;
    } else if (at < tokens.size() && tokens[at].is_operator("=") && !tokens[at].space_before) {
        return false;  // def name=(value)
    }
    return at < tokens.size() && tokens[at].is_operator("=") && tokens[at].space_before;
}

class Pairing {
public:
    explicit Pairing(std::vector<Token>& tokens) : tokens_(tokens) {}

    void run() {
        for (std::size_t i = 0; i < tokens_.size(); ++i) {
            const Token& token = tokens_[i];
            if (token.kind == TokenKind::Operator) bracket(i);
            if (token.kind == TokenKind::Keyword) keyword(i);
            // A loop's condition ends with its line, "do" or not.
            if (token.kind == TokenKind::Newline && !loops_.empty() && loops_.back() == open_.size())
                loops_.pop_back();
        }
        if (!open_.empty())
            unpaired(tokens_[open_.back()], "'" + tokens_[open_.back()].text + "' is never closed");
    }

private:
    void open(std::size_t index) {
        if (open_.size() >= max_nesting) unpaired(tokens_[index], "The code is nested too deeply");
        open_.push_back(index);
    }

    void close(std::size_t index, std::string_view opener) {
        const bool fits = !open_.empty() && (opener.empty() ? tokens_[open_.back()].kind == TokenKind::Keyword
                                                            : tokens_[open_.back()].is_operator(opener));
        if (!fits) unpaired(tokens_[index], "'" + tokens_[index].text + "' closes nothing");
        tokens_[open_.back()].match = index;
        open_.pop_back();
    }

    void bracket(std::size_t index) {
        const std::string& text = tokens_[index].text;
        if (text == "(" || text == "[" || text == "{") open(index);
        if (text == ")") close(index, "(");
        if (text == "]") close(index, "[");
        if (text == "}") close(index, "{");
    }

    void keyword(std::size_t index) {
        const std::string& text = tokens_[index].text;
        if (text == "end") {
            close(index, {});
        } else if (text == "do") {
            const bool of_loop = !loops_.empty() && loops_.back() == open_.size();
            if (of_loop)
                loops_.pop_back();
            else
                open(index);
        } else if (text == "def") {
            if (!is_endless_definition(tokens_, index)) open(index);
        } else if (text == "begin" || text == "case" || text == "class" || text == "module") {
            open(index);
        } else if (text == "if" || text == "unless") {
            if (may_begin_block(tokens_, index)) open(index);
        } else if (text == "while" || text == "until" || text == "for") {
            if (!may_begin_block(tokens_, index)) return;
            open(index);
            loops_.push_back(open_.size());
        }
        while (!loops_.empty() && loops_.back() > open_.size()) loops_.pop_back();
    }

    std::vector<Token>& tokens_;
    std::vector<std::size_t> open_;
    std::vector<std::size_t> loops_;  // depths at which a loop waits for its "do"
};

}  // namespace

void pair_tokens(std::vector<Token>& tokens) { Pairing(tokens).run(); }

}  // namespace volley::ruby_source
