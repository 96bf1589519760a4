#include "language/ruby/source/parser.hpp"

namespace volley::ruby_source {

NodePtr Parser::keyword() {
    const std::string word = now().text;
    const auto simple = [this](Node::Kind kind) {
        Made node = make(kind);
        ++at_;
        return NodePtr(std::move(node));
    };
    if (word == "nil") return simple(Node::Kind::Nil);
    if (word == "true") return simple(Node::Kind::True);
    if (word == "false") return simple(Node::Kind::False);
    if (word == "self") return simple(Node::Kind::Self);
    if (word == "__FILE__") return simple(Node::Kind::File);
    if (word == "__dir__") return simple(Node::Kind::Directory);
    if (word == "return" || word == "next" || word == "break") return return_value();
    if (word == "yield" || word == "super" || word == "defined?") {
        ++at_;
        return call(nullptr, word);
    }
    if (now().match == 0) throw NotUnderstood{};
    if (word == "if" || word == "unless") return conditional(word == "unless");
    if (word == "case") return case_of();
    if (word == "def") return definition();
    if (word == "class" || word == "module") return module();
    if (word == "begin") return begin_block();
    return jump_over();
}

/// A loop, whose turns nobody can count here.
NodePtr Parser::jump_over() {
    const std::size_t begin = at_;
    const std::size_t end = now().match;
    NodePtr node = skipped(begin, end + 1);
    at_ = end + 1;
    return node;
}

/// The next "else", "elsif", "when", "rescue" ... that belongs to what ends at `end`; or `end`.
std::size_t Parser::clause(std::size_t from, std::size_t end) const {
    for (std::size_t i = from; i < end; ++i) {
        const Token& token = tokens_[i];
        if (token.match != 0) {
            i = token.match;
        } else if (token.kind == Token::Kind::Keyword) {
            const std::string& word = token.text;
            const bool starts = i == 0 || tokens_[i - 1].kind == Token::Kind::Newline;
            if (word == "else" || word == "elsif" || word == "when" || word == "ensure") return i;
            if ((word == "rescue" || word == "in") && starts) return i;
        }
    }
    return end;
}

NodePtr Parser::conditional(bool negated) {
    const Level level(depth_);
    // "elsif" comes here too: what it belongs to ends where the whole ends.
    Made node = make(Node::Kind::If);
    const std::size_t end = now().match;
    ++at_;
    node->first = expression();
    if (negated) {
        Made inverse = make(Node::Kind::Not);
        inverse->first = std::move(node->first);
        node->first = std::move(inverse);
    }
    skip_newlines();
    if (now().is_keyword("then")) ++at_;
    const std::size_t next = clause(at_, end);
    node->second = body_until(next);
    if (next < end && now().is_keyword("elsif")) {
        tokens_[next].match = end;
        node->third = conditional(false);
    } else if (next < end) {
        ++at_;
        node->third = body_until(end);
    }
    at_ = end + 1;
    return node;
}

/// Each branch may be taken: the subject is hardly ever known.
NodePtr Parser::case_of() {
    const std::size_t end = now().match;
    const std::size_t line = at_;
    std::vector<std::pair<std::size_t, std::size_t>> bodies;
    for (std::size_t i = clause(at_ + 1, end); i < end;) {
        const std::size_t next = clause(i + 1, end);
        std::size_t body = i + 1;
        if (!tokens_[i].is_keyword("else")) {
            while (body < next && tokens_[body].kind != Token::Kind::Newline &&
                   !tokens_[body].is_keyword("then"))
                body = std::max(body, tokens_[body].match) + 1;
            if (body < next) ++body;
        }
        bodies.emplace_back(body, next);
        i = next;
    }
    NodePtr rest;
    for (auto one = bodies.rbegin(); one != bodies.rend(); ++one) {
        at_ = line;
        Made node = make(Node::Kind::If);
        node->first = make(Node::Kind::Unknown);
        at_ = std::min(one->first, one->second);
        node->second = body_until(one->second);
        node->third = std::move(rest);
        rest = std::move(node);
    }
    at_ = end + 1;
    return rest ? std::move(rest) : make(Node::Kind::Nil);
}

NodePtr Parser::begin_block() {
    const std::size_t end = now().match;
    ++at_;
    NodePtr body = body_until(clause(at_, end));
    at_ = end + 1;
    return body;
}

NodePtr Parser::return_value() {
    Made node = make(Node::Kind::Return);
    ++at_;
    const bool nothing = now().kind == Token::Kind::Newline || now().is_keyword("if") ||
                         now().is_keyword("unless") || now().kind == Token::Kind::End ||
                         now().is_operator("}");
    if (!nothing && !now().is_keyword("end")) node->first = ternary();
    return node;
}

NodePtr Parser::definition() {
    Made node = make(Node::Kind::Definition);
    const std::size_t end = now().match;
    ++at_;
    if (ahead().is_operator(".")) {
        node->singleton = true;
        at_ += 2;
    }
    node->text = now().text;
    ++at_;
    if (now().is_operator("=") && !now().space_before) {
        node->text += "=";
        ++at_;
    }
    if (now().is_operator("(")) {
        const std::size_t close = now().match;
        ++at_;
        node->parameters = parameters_until(close);
        at_ = close + 1;
    } else {
        std::size_t line_end = at_;
        while (line_end < end && tokens_[line_end].kind != Token::Kind::Newline) ++line_end;
        node->parameters = parameters_until(line_end);
        at_ = line_end;
    }
    node->second = body_until(clause(at_, end));
    at_ = end + 1;
    return node;
}

NodePtr Parser::module() {
    Made node = make(Node::Kind::Module);
    const std::size_t end = now().match;
    ++at_;
    node->singleton = take_operator("<<");
    while (at_ < end && now().kind != Token::Kind::Newline && !now().is_operator("<")) {
        node->text += now().text;
        ++at_;
    }
    while (at_ < end && now().kind != Token::Kind::Newline) ++at_;
    node->second = body_until(end);
    at_ = end + 1;
    return node;
}

/// "{ |a| ... }" or "do |a| ... end".
NodePtr Parser::block() {
    Made node = make(Node::Kind::Lambda);
    const std::size_t end = now().match;
    ++at_;
    if (now().is_operator("|")) {
        std::size_t bar = at_ + 1;
        while (bar < end && !tokens_[bar].is_operator("|")) ++bar;
        ++at_;
        node->parameters = parameters_until(bar);
        at_ = std::min(bar + 1, end);
    } else if (now().is_operator("||")) {
        ++at_;
    }
    node->second = body_until(clause(at_, end));
    at_ = end + 1;
    return node;
}

NodePtr Parser::lambda() {
    ++at_;
    std::vector<Parameter> parameters;
    if (now().is_operator("(")) {
        const std::size_t close = now().match;
        ++at_;
        parameters = parameters_until(close);
        at_ = close + 1;
    } else {
        std::size_t body = at_;
        while (body + 1 < tokens_.size() && !tokens_[body].is_operator("{") &&
               !tokens_[body].is_keyword("do") && tokens_[body].kind != Token::Kind::Newline)
            ++body;
        parameters = parameters_until(body);
        at_ = body;
    }
    if (now().match == 0 || !(now().is_operator("{") || now().is_keyword("do"))) throw NotUnderstood{};
    Made node = make(Node::Kind::Lambda);
    const std::size_t end = now().match;
    ++at_;
    node->parameters = std::move(parameters);
    node->second = body_until(clause(at_, end));
    at_ = end + 1;
    return node;
}

std::vector<Parameter> Parser::parameters_until(std::size_t end) {
    std::vector<Parameter> parameters;
    while (at_ < end) {
        Parameter one;
        if (take_operator("*"))
            one.kind = Parameter::Kind::Rest;
        else if (take_operator("**"))
            one.kind = Parameter::Kind::KeywordRest;
        else if (take_operator("&"))
            one.kind = Parameter::Kind::Block;
        if (now().kind == Token::Kind::Label) one.kind = Parameter::Kind::Keyword;
        if (at_ < end && now().match != 0) {
            at_ = now().match;  // |(a, b), c|: the parts get no value
        } else if (at_ < end && !now().is_operator(",")) {
            one.name = now().text;
        }
        if (at_ < end && !now().is_operator(",")) ++at_;
        const bool optional = take_operator("=");
        if (optional) one.kind = Parameter::Kind::Optional;
        if ((optional || one.kind == Parameter::Kind::Keyword) && at_ < end && !now().is_operator(","))
            one.initial = binary(6);  // tighter than the "|" that ends a block's parameters
        while (at_ < end && !now().is_operator(",")) at_ = std::max(at_, now().match) + 1;
        if (at_ < end) ++at_;
        if (!one.name.empty()) parameters.push_back(std::move(one));
    }
    at_ = end;
    return parameters;
}

}  // namespace volley::ruby_source
