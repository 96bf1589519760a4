#include "language/ruby/source/parser.hpp"

#include <array>

namespace volley::ruby_source {
namespace {

/// Binary operators from loose to tight.
constexpr std::array<std::array<std::string_view, 6>, 10> binary_levels{{
    {"..", "..."},
    {"||"},
    {"&&"},
    {"<=>", "==", "===", "!=", "=~", "!~"},
    {"<", "<=", ">", ">="},
    {"|", "^"},
    {"&"},
    {"<<", ">>"},
    {"+", "-"},
    {"*", "/", "%", "**"},
}};

bool is_assignment_operator(const Token& token) {
    if (token.kind != Token::Kind::Operator || token.text.empty() || token.text.back() != '=') return false;
    return token.text != "==" && token.text != "!=" && token.text != ">=" && token.text != "<=" &&
           token.text != "===";
}

bool declares_something(const Token& token) {
    return token.kind == Token::Kind::Identifier &&
           (token.text.starts_with("newp") || token.text == "ensurable" || token.text == "isnamevar");
}

}  // namespace

NodePtr parse_ruby(std::string_view source) { return Parser(tokenize(source)).program(); }

NodePtr Parser::program() { return body_until(tokens_.size() - 1); }

void Parser::skip_newlines() {
    while (now().kind == Token::Kind::Newline) ++at_;
}

bool Parser::take_operator(std::string_view text) {
    if (!now().is_operator(text)) return false;
    ++at_;
    return true;
}

void Parser::expect_operator(std::string_view text) {
    if (!take_operator(text)) throw NotUnderstood{};
}

Parser::Made Parser::make(Node::Kind kind) const {
    auto node = std::make_unique<Node>();
    node->kind = kind;
    node->line = now().line;
    return node;
}

NodePtr Parser::body_until(std::size_t end) {
    Made body = make(Node::Kind::Body);
    const bool outside = std::exchange(do_belongs_outside_, false);
    for (skip_newlines(); at_ < end; skip_newlines()) body->parts.push_back(statement(end));
    do_belongs_outside_ = outside;
    at_ = end;
    return body;
}

NodePtr Parser::statement(std::size_t end) {
    const std::size_t begin = at_;
    const int depth = depth_;
    try {
        NodePtr node = expression();
        while (now().kind == Token::Kind::Keyword && at_ < end) {
            const std::string word = now().text;
            if (word == "rescue") {
                ++at_;
                expression();
                continue;
            }
            if (word != "if" && word != "unless") throw NotUnderstood{};
            Made conditional = make(Node::Kind::If);
            ++at_;
            conditional->first = expression();
            if (word == "unless") {
                Made negated = make(Node::Kind::Not);
                negated->first = std::move(conditional->first);
                conditional->first = std::move(negated);
            }
            conditional->second = std::move(node);
            node = std::move(conditional);
        }
        if (at_ >= end || now().kind == Token::Kind::Newline) return node;
    } catch (const NotUnderstood&) {
    }
    depth_ = depth;
    do_belongs_outside_ = false;
    return skipped(begin, end);
}

/// Goes to the end of a statement that is not understood, and keeps whether it might have declared something.
NodePtr Parser::skipped(std::size_t from, std::size_t end) {
    at_ = from;
    Made node = make(Node::Kind::Unknown);
    const auto look = [&node, this](std::size_t begin, std::size_t last) {
        for (std::size_t i = begin; i <= last; ++i) {
            if (declares_something(tokens_[i])) node->text = "declares";
        }
    };
    while (at_ < end && now().kind != Token::Kind::Newline) {
        const std::size_t next = std::min(std::max(at_, now().match), end - 1);
        look(at_, next);
        at_ = next + 1;
    }
    return node;
}

NodePtr Parser::expression() {
    const Level level(depth_);
    if (now().is_keyword("not")) {
        Made node = make(Node::Kind::Not);
        ++at_;
        node->first = expression();
        return node;
    }
    NodePtr left = assignment();
    while (now().is_keyword("and") || now().is_keyword("or")) {
        Made node = make(Node::Kind::Binary);
        node->text = now().text == "and" ? "&&" : "||";
        ++at_;
        skip_newlines();
        node->first = std::move(left);
        node->second = assignment();
        left = std::move(node);
    }
    return left;
}

NodePtr Parser::assignment() {
    const Level level(depth_);
    NodePtr target = ternary();
    if (!is_assignment_operator(now())) return target;
    Made node = make(Node::Kind::Assign);
    node->text = now().text;
    ++at_;
    skip_newlines();
    node->first = std::move(target);
    node->second = assignment();
    return node;
}

NodePtr Parser::ternary() {
    const Level level(depth_);
    NodePtr condition = binary(0);
    if (!now().is_operator("?")) return condition;
    Made node = make(Node::Kind::If);
    ++at_;
    skip_newlines();
    node->first = std::move(condition);
    if (now().kind == Token::Kind::Label) {  // a ? b: c
        Made name = make(Node::Kind::Name);
        name->text = now().text;
        ++at_;
        node->second = std::move(name);
    } else {
        node->second = ternary();
        skip_newlines();
        expect_operator(":");
    }
    skip_newlines();
    node->third = ternary();
    return node;
}

NodePtr Parser::binary(int level) {
    if (level == static_cast<int>(binary_levels.size())) return unary();
    const auto& operators = binary_levels[static_cast<std::size_t>(level)];
    NodePtr left = binary(level + 1);
    while (now().kind == Token::Kind::Operator &&
           std::find(operators.begin(), operators.end(), now().text) != operators.end()) {
        Made node = make(Node::Kind::Binary);
        node->text = now().text;
        ++at_;
        skip_newlines();
        node->first = std::move(left);
        node->second = binary(level + 1);
        left = std::move(node);
    }
    return left;
}

NodePtr Parser::unary() {
    const Level level(depth_);
    if (now().is_operator("!")) {
        Made node = make(Node::Kind::Not);
        ++at_;
        node->first = unary();
        return node;
    }
    if (now().is_operator("-") || now().is_operator("+") || now().is_operator("~")) {
        Made node = make(Node::Kind::Unknown);
        ++at_;
        unary();
        return node;
    }
    return postfix();
}

NodePtr Parser::postfix() {
    NodePtr node = primary();
    for (;;) {
        if (now().is_operator(".") || now().is_operator("&.")) {
            ++at_;
            skip_newlines();
            std::string name = now().is_operator("(") ? "call" : now().text;
            if (now().kind == Token::Kind::Label) throw NotUnderstood{};
            if (!now().is_operator("(")) ++at_;
            node = call(std::move(node), std::move(name));
        } else if (now().is_operator("::") && !now().space_before) {
            ++at_;
            const bool constant = now().kind == Token::Kind::Constant && !ahead().is_operator("(");
            if (constant && node->kind == Node::Kind::Constant) {
                Made path = make(Node::Kind::Constant);
                path->text = node->text + "::" + now().text;
                ++at_;
                node = std::move(path);
            } else {
                std::string name = now().text;
                ++at_;
                node = call(std::move(node), std::move(name));
            }
        } else if (now().is_operator("[") && !now().space_before) {
            node = index(std::move(node));
        } else {
            return node;
        }
    }
}

NodePtr Parser::index(NodePtr receiver) {
    Made node = make(Node::Kind::Call);
    node->text = "[]";
    const std::size_t end = now().match;
    ++at_;
    arguments_until(*node, end);
    node->first = std::move(receiver);
    return node;
}

/// What follows the name of a method: arguments with or without parentheses, and a block.
NodePtr Parser::call(NodePtr receiver, std::string name) {
    Made node = make(Node::Kind::Call);
    node->text = std::move(name);
    const bool parentheses = now().is_operator("(") && !now().space_before;
    bool bare = !parentheses;
    if (parentheses) {
        const std::size_t end = now().match;
        ++at_;
        arguments_until(*node, end);
    } else if (begins_bare_argument()) {
        bare_arguments(*node);
        bare = false;
    }
    maybe_block(*node);
    if (bare && !receiver && !node->block) node->kind = Node::Kind::Name;
    node->first = std::move(receiver);
    return node;
}

bool Parser::begins_bare_argument() const {
    const Token& token = now();
    if (!token.space_before) return false;
    using Kind = Token::Kind;
    switch (token.kind) {
        case Kind::Newline:
        case Kind::End:
            return false;
        case Kind::Keyword:
            return token.text == "nil" || token.text == "true" || token.text == "false" ||
                   token.text == "self" || token.text == "not" || token.text == "defined?" ||
                   token.text == "case" || token.text.starts_with("__");
        case Kind::Operator:
            if (token.text == "[" || token.text == "->" || token.text == "(") return true;
            return !token.space_after && (token.text == "-" || token.text == "*" || token.text == "**" ||
                                          token.text == "&" || token.text == "::" || token.text == "!");
        default:
            return true;
    }
}

void Parser::bare_arguments(Node& node) {
    const bool outside = std::exchange(do_belongs_outside_, true);
    Made options;
    do {
        skip_newlines();
        argument(node, options);
    } while (take_operator(","));
    if (options) node.parts.push_back(std::move(options));
    do_belongs_outside_ = outside;
}

void Parser::arguments_until(Node& node, std::size_t end) {
    const bool outside = std::exchange(do_belongs_outside_, false);
    Made options;
    for (skip_newlines(); at_ < end; skip_newlines()) {
        argument(node, options);
        skip_newlines();
        if (at_ < end) expect_operator(",");
    }
    if (options) node.parts.push_back(std::move(options));
    do_belongs_outside_ = outside;
    at_ = end + 1;
}

/// One argument. Pairs are gathered in `options`, which becomes the last argument.
void Parser::argument(Node& node, Made& options) {
    const bool block = now().is_operator("&");
    if (block || now().is_operator("*")) {
        Made wrapped = make(block ? Node::Kind::BlockPass : Node::Kind::Splat);
        ++at_;
        wrapped->first = ternary();
        node.parts.push_back(std::move(wrapped));
        return;
    }
    Made pair = make(Node::Kind::Hash);
    if (hash_entry(*pair)) {
        if (!options) options = make(Node::Kind::Hash);
        for (NodePtr& part : pair->parts) options->parts.push_back(std::move(part));
    } else {
        node.parts.push_back(std::move(pair->parts.front()));
    }
}

void Parser::maybe_block(Node& node) {
    if (now().is_operator("{") || (now().is_keyword("do") && !do_belongs_outside_ && now().match != 0))
        node.block = block();
}

}  // namespace volley::ruby_source
