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
    {"*", "/", "%"},
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

Parser::MutableNode Parser::make(Node::Kind kind) const {
    auto node = std::make_unique<Node>();
    node->kind = kind;
    node->line = now().line;
    return node;
}

NodePtr Parser::body_until(std::size_t end) {
    MutableNode body = make(Node::Kind::Body);
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
        NodePtr node = is_multiple_assignment(end) ? multiple_assignment(end) : expression();
        while (now().kind == Token::Kind::Keyword && at_ < end) node = modified(std::move(node));
        if (at_ >= end || now().kind == Token::Kind::Newline) return node;
    } catch (const NotUnderstood&) {
    }
    depth_ = depth;
    do_belongs_outside_ = false;
    return skipped(begin, end);
}

/// `statement if condition` and its kind.
NodePtr Parser::modified(NodePtr node) {
    const std::string word = now().text;
    if (word == "rescue") {
        MutableNode guarded = make(Node::Kind::Begin);
        MutableNode handler = make(Node::Kind::Rescue);
        ++at_;
        handler->second = expression();
        guarded->second = std::move(node);
        guarded->parts.push_back(std::move(handler));
        return guarded;
    }
    const bool loop = word == "while" || word == "until";
    if (!loop && word != "if" && word != "unless") throw NotUnderstood{};
    MutableNode made = make(loop ? Node::Kind::While : Node::Kind::If);
    if (loop) {
        made->text = word;
        made->singleton = node->kind == Node::Kind::Begin;  // "begin ... end while x" begins with its body
    }
    ++at_;
    made->first = expression();
    if (word == "unless") made->first = negated(std::move(made->first));
    made->second = std::move(node);
    return made;
}

NodePtr Parser::negated(NodePtr condition) {
    auto node = std::make_unique<Node>();
    node->kind = Node::Kind::Not;
    node->line = condition->line;
    node->first = std::move(condition);
    return node;
}

/// "a, b = ..." or "*a = ...": a comma before the "=" of a statement that begins with something assignable.
bool Parser::is_multiple_assignment(std::size_t end) const {
    using Kind = Token::Kind;
    bool several = now().is_operator("*");
    bool after_comma = true;
    for (std::size_t i = at_; i < end; ++i) {
        const Token& token = tokens_[i];
        if (token.kind == Kind::Operator && token.text == "=") return several;
        if (token.kind == Kind::Newline || token.kind == Kind::Keyword) {
            if (!token.is_keyword("self")) return false;
        }
        if (token.is_operator(",")) {
            several = true;
            after_comma = true;
            continue;
        }
        if (!after_comma && token.space_before) return false;  // "raise Error, x = 1"
        if (token.kind == Kind::Operator && token.match == 0 && token.text != "." && token.text != "*" &&
            token.text != "::" && token.text != "&.")
            return false;
        if (token.match == 0 && token.kind != Kind::Operator && token.kind != Kind::Identifier &&
            token.kind != Kind::Constant && token.kind != Kind::Variable && token.kind != Kind::Keyword)
            return false;
        after_comma = token.is_operator("*") && after_comma;
        if (token.match != 0) i = token.match;
    }
    return false;
}

NodePtr Parser::multiple_assignment(std::size_t end) {
    MutableNode node = make(Node::Kind::Assign);
    node->text = "=";
    node->first = targets();
    if (now().is_operator(",")) ++at_;
    expect_operator("=");
    skip_newlines();
    declare(*node->first);
    node->second = assigned_value();
    if (at_ > end) throw NotUnderstood{};
    return node;
}

/// "a, (b, *c), d[1]".
NodePtr Parser::targets() {
    const Level level(depth_);
    MutableNode node = make(Node::Kind::Targets);
    for (;;) {
        if (now().is_operator("*")) {
            MutableNode rest = make(Node::Kind::Splat);
            ++at_;
            rest->first = postfix(primary());
            node->parts.push_back(std::move(rest));
        } else if (now().is_operator("(")) {
            const std::size_t close = now().match;
            ++at_;
            node->parts.push_back(targets());
            if (at_ != close) throw NotUnderstood{};
            ++at_;
        } else {
            node->parts.push_back(postfix(primary()));
        }
        if (!now().is_operator(",") || ahead().is_operator("=")) return node;
        ++at_;
    }
}

/// What stands right of "=" in a statement: "1, *list" is an array.
NodePtr Parser::assigned_value() {
    MutableNode list = make(Node::Kind::Array);
    bool several = false;
    do {
        skip_newlines();
        if (now().is_operator("*")) {
            MutableNode splat = make(Node::Kind::Splat);
            ++at_;
            splat->first = ternary();
            list->parts.push_back(std::move(splat));
            several = true;
        } else {
            list->parts.push_back(assignment());
        }
        several = several || now().is_operator(",");
    } while (take_operator(","));
    if (several) return list;
    NodePtr only = std::move(list->parts.front());
    return now().is_keyword("rescue") ? modified(std::move(only)) : std::move(only);
}

void Parser::declare(const Node& target) {
    if (target.kind == Node::Kind::Name && !is_local(target.text)) locals_.push_back(target.text);
    if (target.kind == Node::Kind::Splat) declare(*target.first);
    if (target.kind == Node::Kind::Targets) {
        for (const NodePtr& part : target.parts) declare(*part);
    }
}

void Parser::declare(const std::vector<Parameter>& parameters) {
    for (const Parameter& one : parameters) {
        if (!one.name.empty() && !is_local(one.name)) locals_.push_back(one.name);
        declare(one.parts);
    }
}

/// Goes to the end of a statement that is not understood, and keeps whether it might have declared something.
NodePtr Parser::skipped(std::size_t from, std::size_t end) {
    at_ = from;
    MutableNode node = make(Node::Kind::Unknown);
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
    NodePtr left = negatable();
    while (now().is_keyword("and") || now().is_keyword("or")) {
        MutableNode node = make(Node::Kind::Binary);
        node->text = now().text == "and" ? "&&" : "||";
        ++at_;
        skip_newlines();
        node->first = std::move(left);
        node->second = negatable();
        left = std::move(node);
    }
    return left;
}

/// An operand of "and" and "or".
NodePtr Parser::negatable() {
    const Level level(depth_);
    if (!now().is_keyword("not")) return assignment();
    ++at_;
    return negated(negatable());
}

NodePtr Parser::assignment() {
    const Level level(depth_);
    NodePtr target = ternary();
    if (!is_assignment_operator(now())) return target;
    MutableNode node = make(Node::Kind::Assign);
    node->text = now().text;
    ++at_;
    skip_newlines();
    declare(*target);
    node->first = std::move(target);
    if (now().is_operator("*")) {
        node->second = assigned_value();
        return node;
    }
    node->second = assignment();
    if (now().is_keyword("rescue")) node->second = modified(std::move(node->second));
    return node;
}

NodePtr Parser::ternary() {
    const Level level(depth_);
    NodePtr condition = binary(0);
    if (!now().is_operator("?")) return condition;
    MutableNode node = make(Node::Kind::If);
    ++at_;
    skip_newlines();
    node->first = std::move(condition);
    if (now().kind == Token::Kind::Label) {  // a ? b: c
        MutableNode name = make(Node::Kind::Name);
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
        MutableNode node = make(Node::Kind::Binary);
        node->text = now().text;
        ++at_;
        skip_newlines();
        node->first = std::move(left);
        const bool endless = level == 0 && (now().is_operator(")") || now().is_operator("]") ||
                                            now().is_keyword("then") || now().kind == Token::Kind::End);
        if (!endless) node->second = binary(level + 1);
        left = std::move(node);
    }
    return left;
}

NodePtr Parser::unary() {
    const Level level(depth_);
    if (now().is_operator("!")) {
        MutableNode node = make(Node::Kind::Not);
        ++at_;
        node->first = unary();
        return node;
    }
    if (now().is_operator("-") || now().is_operator("+") || now().is_operator("~")) {
        const bool sign = !now().is_operator("~") && ahead().kind == Token::Kind::Number &&
                          !ahead().space_before && !ahead(2).is_operator("**");
        if (sign) {  // "-1.abs" is 1
            MutableNode number = make(Node::Kind::Number);
            number->text = (now().text == "-" ? "-" : "") + ahead().text;
            at_ += 2;
            return postfix(std::move(number));
        }
        MutableNode node = make(Node::Kind::Unary);
        node->text = now().text;
        ++at_;
        node->first = unary();
        return node;
    }
    return power();
}

NodePtr Parser::power() {
    NodePtr base = postfix(primary());
    if (!now().is_operator("**")) return base;
    MutableNode node = make(Node::Kind::Binary);
    node->text = "**";
    ++at_;
    skip_newlines();
    node->first = std::move(base);
    node->second = unary();
    return node;
}

/// What follows a value: ".method", "::Constant", "[index]".
NodePtr Parser::postfix(NodePtr node) {
    for (;;) {
        if (now().is_operator(".") || now().is_operator("&.")) {
            const bool safe = now().is_operator("&.");
            ++at_;
            skip_newlines();
            std::string name = now().is_operator("(") ? "call" : now().text;
            if (now().kind == Token::Kind::Label || name.empty()) throw NotUnderstood{};
            if (!now().is_operator("(")) ++at_;
            MutableNode made = call(std::move(node), std::move(name));
            made->safe = safe;
            node = std::move(made);
        } else if (now().is_operator("::") && !now().space_before) {
            ++at_;
            const bool constant = now().kind == Token::Kind::Constant && !ahead().is_operator("(");
            if (constant && node->kind == Node::Kind::Constant) {
                MutableNode path = make(Node::Kind::Constant);
                path->text = node->text + "::" + now().text;
                ++at_;
                node = std::move(path);
            } else {
                std::string name = now().text;
                ++at_;
                node = call(std::move(node), std::move(name));
            }
        } else if (now().is_operator("[") &&
                   (!now().space_before || (node->kind == Node::Kind::Name && is_local(node->text)))) {
            node = index(std::move(node));
        } else {
            return node;
        }
    }
}

NodePtr Parser::index(NodePtr receiver) {
    MutableNode node = make(Node::Kind::Call);
    node->text = "[]";
    const std::size_t end = now().match;
    ++at_;
    arguments_until(*node, end);
    node->first = std::move(receiver);
    return node;
}

/// What follows the name of a method: arguments with or without parentheses, and a block.
Parser::MutableNode Parser::call(NodePtr receiver, std::string name) {
    const bool local = !receiver && is_local(name);
    MutableNode node = make(Node::Kind::Call);
    node->text = std::move(name);
    const bool parentheses = now().is_operator("(") && !now().space_before;
    bool bare = !parentheses;
    if (parentheses) {
        const std::size_t end = now().match;
        ++at_;
        arguments_until(*node, end);
    } else if (!local && begins_bare_argument()) {
        bare_arguments(*node);
        bare = false;
    }
    if (!local || !bare) maybe_block(*node);
    if (bare && !receiver && !node->block) node->kind = Node::Kind::Name;
    node->first = std::move(receiver);
    return node;
}

bool Parser::begins_bare_argument() const {
    const Token& token = now();
    using Kind = Token::Kind;
    if (!token.space_before) {  // "list.include?name"
        const std::string& name = at_ > 0 ? tokens_[at_ - 1].text : token.text;
        return (name.ends_with('?') || name.ends_with('!')) && tokens_[at_ - 1].kind == Kind::Identifier &&
               (token.kind == Kind::Identifier || token.kind == Kind::Variable || token.kind == Kind::Text);
    }
    switch (token.kind) {
        case Kind::Newline:
        case Kind::End:
            return false;
        case Kind::Keyword:
            return token.text == "nil" || token.text == "true" || token.text == "false" ||
                   token.text == "self" || token.text == "not" || token.text == "defined?" ||
                   token.text == "yield" || token.text == "case" || token.text.starts_with("__");
        case Kind::Operator:
            if (token.text == "[" || token.text == "->" || token.text == "(") return true;
            return !token.space_after &&
                   (token.text == "-" || token.text == "*" || token.text == "**" || token.text == "&" ||
                    token.text == "::" || token.text == "!" || token.text == "~");
        default:
            return true;
    }
}

void Parser::bare_arguments(Node& node) {
    const bool outside = std::exchange(do_belongs_outside_, true);
    MutableNode options;
    do {
        skip_newlines();
        argument(node, options);
    } while (take_operator(","));
    if (options) node.parts.push_back(std::move(options));
    do_belongs_outside_ = outside;
}

void Parser::arguments_until(Node& node, std::size_t end) {
    const bool outside = std::exchange(do_belongs_outside_, false);
    MutableNode options;
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
void Parser::argument(Node& node, MutableNode& options) {
    const bool block = now().is_operator("&");
    if (block || now().is_operator("*")) {
        MutableNode wrapped = make(block ? Node::Kind::BlockPass : Node::Kind::Splat);
        ++at_;
        wrapped->first = ternary();
        node.parts.push_back(std::move(wrapped));
        return;
    }
    MutableNode pair = make(Node::Kind::Hash);
    if (hash_entry(*pair)) {
        if (!options) options = make(Node::Kind::Hash);
        options->labels = true;
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
