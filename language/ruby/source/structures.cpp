#include "language/ruby/source/parser.hpp"

namespace volley::ruby_source {

NodePtr Parser::keyword() {
    const std::string word = now().text;
    const auto simple = [this](Node::Kind kind) {
        MutableNode node = make(kind);
        ++at_;
        return NodePtr(std::move(node));
    };
    if (word == "nil") return simple(Node::Kind::Nil);
    if (word == "true") return simple(Node::Kind::True);
    if (word == "false") return simple(Node::Kind::False);
    if (word == "self") return simple(Node::Kind::Self);
    if (word == "__FILE__") return simple(Node::Kind::File);
    if (word == "__dir__") return simple(Node::Kind::Directory);
    if (word == "return" || word == "next" || word == "break" || word == "redo" || word == "retry")
        return return_value();
    if (word == "yield" || word == "super" || word == "defined?") {
        ++at_;
        return call(nullptr, word);
    }
    if (word == "def") return definition();
    if (now().match == 0) throw NotUnderstood{};
    if (word == "if" || word == "unless") return conditional(word == "unless");
    if (word == "case") return case_of();
    if (word == "class" || word == "module") return module();
    if (word == "begin") return begin_block();
    if (word == "for") return for_loop();
    if (word == "while" || word == "until") return loop();
    throw NotUnderstood{};
}

/// Whoever cannot count its turns finds the whole as something unknown in `third`.
NodePtr Parser::loop() {
    const Level level(depth_);
    MutableNode node = make(Node::Kind::While);
    const std::size_t begin = at_;
    const std::size_t end = now().match;
    node->text = now().text;
    node->third = skipped(begin, end + 1);
    at_ = begin + 1;
    const bool outside = std::exchange(do_belongs_outside_, true);
    node->first = attempt([this] { return expression(); });
    do_belongs_outside_ = outside;
    const bool understood = now().kind == Token::Kind::Newline || now().is_keyword("do");
    if (node->first->kind == Node::Kind::Unknown || !understood) {
        node->first = make(Node::Kind::Unknown);
        at_ = end + 1;
        return node;
    }
    if (now().is_keyword("do")) ++at_;
    node->second = body_until(end);
    at_ = end + 1;
    return node;
}

NodePtr Parser::for_loop() {
    const Level level(depth_);
    MutableNode node = make(Node::Kind::For);
    const std::size_t end = now().match;
    ++at_;
    node->first = targets();
    declare(*node->first);
    if (!now().is_keyword("in")) throw NotUnderstood{};
    ++at_;
    const bool outside = std::exchange(do_belongs_outside_, true);
    node->second = expression();
    do_belongs_outside_ = outside;
    if (now().kind != Token::Kind::Newline && !now().is_keyword("do")) throw NotUnderstood{};
    if (now().is_keyword("do")) ++at_;
    node->third = body_until(end);
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

NodePtr Parser::conditional(bool inverse) {
    const Level level(depth_);
    // "elsif" comes here too: what it belongs to ends where the whole ends.
    MutableNode node = make(Node::Kind::If);
    const std::size_t end = now().match;
    ++at_;
    node->first = expression();
    if (inverse) node->first = negated(std::move(node->first));
    if (now().kind != Token::Kind::Newline && !now().is_keyword("then")) throw NotUnderstood{};
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

NodePtr Parser::case_of() {
    const Level level(depth_);
    MutableNode node = make(Node::Kind::Case);
    const std::size_t end = now().match;
    const std::size_t first = clause(at_ + 1, end);
    ++at_;
    if (now().kind != Token::Kind::Newline && at_ < first)
        node->first = attempt([this] { return expression(); });
    if (node->first && now().kind != Token::Kind::Newline && at_ != first)
        node->first = make(Node::Kind::Unknown);
    at_ = first;
    while (at_ < end) {
        if (now().is_keyword("else")) {
            ++at_;
            node->third = body_until(end);
        } else {
            node->parts.push_back(when(end));
        }
    }
    at_ = end + 1;
    return node;
}

/// One "when" with its body; `in` and whatever else may stand here is not known.
NodePtr Parser::when(std::size_t end) {
    MutableNode node = make(Node::Kind::When);
    const bool known = now().is_keyword("when");
    const std::size_t next = clause(at_ + 1, end);
    const std::size_t begin = ++at_;
    std::size_t body = begin;
    while (body < next && tokens_[body].kind != Token::Kind::Newline && !tokens_[body].is_keyword("then"))
        body = std::max(body, tokens_[body].match) + 1;
    try {
        do {
            skip_newlines();
            MutableNode splat;
            if (now().is_operator("*")) {
                splat = make(Node::Kind::Splat);
                ++at_;
            }
            NodePtr value = ternary();
            if (splat) splat->first = std::move(value);
            node->parts.push_back(splat ? NodePtr(std::move(splat)) : std::move(value));
        } while (take_operator(","));
    } catch (const NotUnderstood&) {
        at_ = end;
    }
    if (!known || at_ != body) node->parts.push_back(make(Node::Kind::Unknown));
    at_ = std::min(body, next);
    if (at_ < next) ++at_;
    node->second = body_until(next);
    return node;
}

NodePtr Parser::begin_block() {
    const std::size_t end = now().match;
    ++at_;
    NodePtr body = guarded_body(end);
    at_ = end + 1;
    if (body->kind == Node::Kind::Begin) return body;
    MutableNode node = make(Node::Kind::Begin);
    node->second = std::move(body);
    return node;
}

/// A body with its "rescue", "else" and "ensure" clauses, if it has some.
NodePtr Parser::guarded_body(std::size_t end) {
    MutableNode node = make(Node::Kind::Begin);
    node->second = body_until(clause(at_, end));
    if (at_ >= end) return std::move(node->second);
    while (at_ < end) {
        const std::size_t next = clause(at_ + 1, end);
        if (now().is_keyword("rescue")) {
            node->parts.push_back(rescue_clause(next));
        } else if (now().is_keyword("else") || now().is_keyword("ensure")) {
            NodePtr& body = now().is_keyword("else") ? node->third : node->block;
            ++at_;
            body = body_until(next);
        } else {
            node->parts.push_back(make(Node::Kind::Unknown));
            at_ = next;
        }
    }
    return node;
}

NodePtr Parser::rescue_clause(std::size_t end) {
    MutableNode node = make(Node::Kind::Rescue);
    std::size_t body = ++at_;
    while (body < end && tokens_[body].kind != Token::Kind::Newline && !tokens_[body].is_keyword("then"))
        body = std::max(body, tokens_[body].match) + 1;
    try {
        while (at_ < body && !now().is_operator("=>")) {
            MutableNode splat;
            if (now().is_operator("*")) {
                splat = make(Node::Kind::Splat);
                ++at_;
            }
            NodePtr value = ternary();
            if (splat) splat->first = std::move(value);
            node->parts.push_back(splat ? NodePtr(std::move(splat)) : std::move(value));
            if (at_ < body && !now().is_operator("=>")) expect_operator(",");
        }
        if (at_ < body) {
            ++at_;
            node->first = postfix(primary());
            declare(*node->first);
        }
    } catch (const NotUnderstood&) {
        at_ = end + 1;
    }
    if (at_ != body) node->parts.push_back(make(Node::Kind::Unknown));
    at_ = std::min(body, end);
    if (at_ < end) ++at_;
    node->second = body_until(end);
    return node;
}

/// "return", "next", "break", "redo" and "retry".
NodePtr Parser::return_value() {
    MutableNode node = make(Node::Kind::Return);
    node->text = now().text;
    ++at_;
    const Token& next = now();
    const bool nothing = next.kind == Token::Kind::Newline || next.kind == Token::Kind::End ||
                         next.is_operator("}") || next.is_operator(")") || next.is_operator("]") ||
                         next.is_operator(":") || next.is_keyword("if") || next.is_keyword("unless") ||
                         next.is_keyword("while") || next.is_keyword("until") || next.is_keyword("rescue") ||
                         next.is_keyword("and") || next.is_keyword("or") || next.is_keyword("end");
    if (nothing) return node;
    MutableNode list = make(Node::Kind::Array);
    do {
        skip_newlines();
        MutableNode splat;
        if (now().is_operator("*")) {
            splat = make(Node::Kind::Splat);
            ++at_;
        }
        NodePtr value = ternary();
        const bool one = !splat && list->parts.empty() && !now().is_operator(",");
        if (one) {
            node->first = std::move(value);
            return node;
        }
        if (splat) splat->first = std::move(value);
        list->parts.push_back(splat ? NodePtr(std::move(splat)) : std::move(value));
    } while (take_operator(","));
    node->first = std::move(list);
    return node;
}

NodePtr Parser::definition() {
    MutableNode node = make(Node::Kind::Definition);
    const std::size_t end = now().match;  // 0: "def name(parameters) = expression"
    ++at_;
    if (ahead().is_operator(".")) {
        node->singleton = true;
        at_ += 2;
    }
    node->text = now().text;
    ++at_;
    if (end != 0 && now().is_operator("=") && !now().space_before) {
        node->text += "=";
        ++at_;
    }
    const Variables variables(*this, true);
    if (now().is_operator("(")) {
        const std::size_t close = now().match;
        ++at_;
        node->parameters = parameters_until(close);
        at_ = close + 1;
    } else if (end != 0) {
        std::size_t line_end = at_;
        while (line_end < end && tokens_[line_end].kind != Token::Kind::Newline) ++line_end;
        node->parameters = parameters_until(line_end);
        at_ = line_end;
    }
    if (end == 0) {
        expect_operator("=");
        skip_newlines();
        node->second = assignment();
        if (now().is_keyword("rescue")) node->second = modified(std::move(node->second));
        return node;
    }
    node->second = guarded_body(end);
    at_ = end + 1;
    return node;
}

NodePtr Parser::module() {
    const Variables variables(*this, true);
    MutableNode node = make(Node::Kind::Module);
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
    const Variables variables(*this, false);
    MutableNode node = make(Node::Kind::Lambda);
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
    node->second = guarded_body(end);
    at_ = end + 1;
    return node;
}

NodePtr Parser::lambda() {
    const Variables variables(*this, false);
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
    MutableNode node = make(Node::Kind::Lambda);
    node->text = "->";
    const std::size_t end = now().match;
    ++at_;
    node->parameters = std::move(parameters);
    node->second = guarded_body(end);
    at_ = end + 1;
    return node;
}

std::vector<Parameter> Parser::parameters_until(std::size_t end) {
    std::vector<Parameter> parameters;
    bool local = false;  // after the ";" of "|a; b|"
    while (at_ < end) {
        if (now().kind == Token::Kind::Newline) {
            local = local || now().text == ";";
            ++at_;
            continue;
        }
        Parameter one = parameter(end);
        if (local) one.kind = Parameter::Kind::Local;
        parameters.push_back(std::move(one));
        declare(parameters.back().parts);
        if (!parameters.back().name.empty()) locals_.push_back(parameters.back().name);
        if (at_ < end && now().is_operator(",")) ++at_;
        const bool excess = at_ >= end && tokens_[at_ - 1].is_operator(",");  // |a,| takes an array apart
        if (excess) parameters.back().kind = Parameter::Kind::Strange;
    }
    at_ = end;
    return parameters;
}

/// One parameter, up to its comma. What cannot be read has no value.
Parameter Parser::parameter(std::size_t end) {
    Parameter one;
    if (take_operator("*"))
        one.kind = Parameter::Kind::Rest;
    else if (take_operator("**"))
        one.kind = Parameter::Kind::KeywordRest;
    else if (take_operator("&"))
        one.kind = Parameter::Kind::Block;
    if (now().kind == Token::Kind::Label) one.kind = Parameter::Kind::Keyword;
    if (at_ < end && now().is_operator("(")) {
        const std::size_t close = now().match;
        one.kind = Parameter::Kind::Destructured;
        ++at_;
        one.parts = parameters_until(close);
        at_ = close + 1;
    } else if (at_ < end && !now().is_operator(",") && now().kind != Token::Kind::Newline) {
        const bool name = now().kind == Token::Kind::Identifier || now().kind == Token::Kind::Label;
        if (name) one.name = now().text;
        if (!name) one.kind = Parameter::Kind::Strange;
        ++at_;
    }
    const bool optional = take_operator("=");
    if (optional) one.kind = Parameter::Kind::Optional;
    if ((optional || one.kind == Parameter::Kind::Keyword) && at_ < end && !now().is_operator(","))
        one.initial = binary(6);  // tighter than the "|" that ends a block's parameters
    while (at_ < end && !now().is_operator(",") && now().kind != Token::Kind::Newline) {
        one.kind = Parameter::Kind::Strange;
        at_ = std::max(at_, now().match) + 1;
    }
    return one;
}

}  // namespace volley::ruby_source
