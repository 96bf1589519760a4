#include "apply/types/ruby_type.hpp"

#include <algorithm>

#include "language/errors.hpp"
#include "language/regexp.hpp"

namespace volley {
namespace {

bool ruby_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/// A token of Ruby, as far as type definitions need it.
struct RubyToken {
    enum class Kind { Word, Symbol, Text, Regexp, Sign, End };
    Kind kind = Kind::End;
    std::string text;   // a symbol without its colon, the content of a string, the source of a regexp
    std::string flags;  // of a regexp
};

/// Cuts Ruby into tokens. Comments, heredocs' markers and interpolations are not understood, only stepped over:
/// an interpolated regexp is marked by the flag "#".
class RubyReader {
public:
    explicit RubyReader(std::string_view text) : text_(text) {}

    std::vector<RubyToken> tokens() {
        std::vector<RubyToken> result;
        for (;;) {
            RubyToken token = next(result.empty() ? nullptr : &result.back());
            if (token.kind == RubyToken::Kind::End) return result;
            result.push_back(std::move(token));
        }
    }

private:
    char peek(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }

    std::string word() {
        const std::size_t begin = at_;
        while (ruby_word(peek())) ++at_;
        return std::string(text_.substr(begin, at_ - begin));
    }

    void skip_space() {
        while (at_ < text_.size()) {
            const char c = peek();
            if (c == '#') {
                while (at_ < text_.size() && peek() != '\n') ++at_;
            } else if (c == '=' && text_.substr(at_).starts_with("=begin") && (at_ == 0 || text_[at_ - 1] == '\n')) {
                const std::size_t end = text_.find("\n=end", at_);
                at_ = end == std::string_view::npos ? text_.size() : end + 5;
            } else if (c == ' ' || c == '\t' || c == '\r' || c == '\n') {
                ++at_;
            } else {
                return;
            }
        }
    }

    static char closing(char open) {
        return open == '{' ? '}' : open == '[' ? ']' : open == '(' ? ')' : open == '<' ? '>' : open;
    }

    /// Up to the closing delimiter; brackets of the same kind nest.
    std::string delimited(char open, bool raw) {
        const char close = closing(open);
        std::string result;
        for (int depth = 1; at_ < text_.size(); ++at_) {
            const char c = peek();
            if (c == '\\' && at_ + 1 < text_.size()) {
                if (raw || (peek(1) != close && peek(1) != '\\')) result += c;
                result += peek(1);
                ++at_;
                continue;
            }
            if (c == open && open != close) ++depth;
            if (c == close && --depth == 0) {
                ++at_;
                break;
            }
            result += c;
        }
        return result;
    }

    RubyToken regexp(char open) {
        RubyToken token{RubyToken::Kind::Regexp, delimited(open, true), {}};
        while (peek() == 'm' || peek() == 'i' || peek() == 'x') token.flags += text_[at_++];
        if (token.text.find("#{") != std::string::npos) token.flags += '#';
        return token;
    }

    /// The text of a heredoc is skipped: it begins on the next line and ends with a line that is the word.
    bool heredoc() {
        std::size_t begin = at_ + 2;
        if (begin < text_.size() && (text_[begin] == '-' || text_[begin] == '~')) ++begin;
        const char quote = begin < text_.size() ? text_[begin] : '\0';
        if (quote == '\'' || quote == '"') ++begin;
        std::size_t end = begin;
        while (end < text_.size() && ruby_word(text_[end])) ++end;
        if (end == begin || text_[begin] < 'A' || text_[begin] > 'Z') return false;
        const std::string_view name = text_.substr(begin, end - begin);
        std::size_t line = text_.find('\n', end);
        while (line != std::string_view::npos) {
            std::size_t first = line + 1;
            while (first < text_.size() && (text_[first] == ' ' || text_[first] == '\t')) ++first;
            const std::size_t stop = std::min(text_.find('\n', first), text_.size());
            std::string_view content = text_.substr(first, stop - first);
            while (!content.empty() && content.back() == '\r') content.remove_suffix(1);
            if (content == name) {
                at_ = stop;
                return true;
            }
            line = stop < text_.size() ? stop : std::string_view::npos;
        }
        return false;
    }

    RubyToken next(const RubyToken* before) {
        skip_space();
        if (at_ >= text_.size()) return {};
        const char c = peek();
        if (ruby_word(c)) {
            RubyToken token{RubyToken::Kind::Word, word(), {}};
            if (peek() == '?' || (peek() == '!' && peek(1) != '=')) token.text += text_[at_++];
            if (peek() == ':' && peek(1) != ':') {
                ++at_;
                token.kind = RubyToken::Kind::Symbol;
                token.flags = ":";  // written as name:
            }
            return token;
        }
        if (c == ':' && (ruby_word(peek(1)) || peek(1) == '"' || peek(1) == '\'')) {
            ++at_;
            if (ruby_word(peek())) return {RubyToken::Kind::Symbol, word(), {}};
            const char quote = text_[at_++];
            return {RubyToken::Kind::Symbol, delimited(quote, false), {}};
        }
        if (c == '"' || c == '\'' || c == '`') {
            ++at_;
            return {RubyToken::Kind::Text, delimited(c, false), {}};
        }
        if (c == '%' && peek(1) == 'r' && !ruby_word(peek(2))) {
            at_ += 3;
            return regexp(text_[at_ - 1]);
        }
        if (c == '%' && (peek(1) == 'q' || peek(1) == 'Q' || peek(1) == 'w' || peek(1) == 'i') && !ruby_word(peek(2)) &&
            peek(2) != ' ') {
            at_ += 3;
            return {RubyToken::Kind::Text, delimited(text_[at_ - 1], false), {}};
        }
        if (c == '<' && peek(1) == '<' && heredoc()) return {RubyToken::Kind::Text, {}, {}};
        // A slash begins a regexp where a value cannot have ended.
        const bool after_value = before && (before->kind != RubyToken::Kind::Sign || before->text == ")" ||
                                            before->text == "]" || before->text == "}");
        if (c == '/' && !after_value) {
            ++at_;
            return regexp('/');
        }
        ++at_;
        return {RubyToken::Kind::Sign, std::string(1, c), {}};
    }

    std::string_view text_;
    std::size_t at_ = 0;
};

/// Collects what the tokens say about a type.
class TypeReader {
public:
    explicit TypeReader(std::vector<RubyToken> tokens) : tokens_(std::move(tokens)) {}

    std::unique_ptr<const ResourceType> read(const std::string& name) {
        bool is_type = false;
        for (at_ = 0; at_ < tokens_.size(); ++at_) {
            if (is_word("newtype")) is_type = true;
            if (is_word("register_type")) {
                is_type = true;
                read_resource_api();
            } else if (is_word("newparam") || is_word("newproperty") || is_word("newcheck")) {
                read_attribute();
            } else if (is_word("ensurable")) {
                attributes_.insert("ensure");
            } else if (is_word("isnamevar") && !last_.empty()) {
                namevars_.push_back(last_);
            } else if (is_word("title_patterns") && at_ > 0 && tokens_[at_ - 1].text == ".") {
                read_title_patterns();
            }
        }
        if (!is_type) known_ = false;
        if (attributes_.contains("name") && namevars_.empty()) namevars_.emplace_back("name");
        attributes_.insert("provider");
        std::sort(namevars_.begin(), namevars_.end());
        namevars_.erase(std::unique(namevars_.begin(), namevars_.end()), namevars_.end());
        return std::make_unique<const ResourceType>(name, known_ ? std::optional(attributes_) : std::nullopt, namevars_,
                                                    patterns_);
    }

private:
    using Kind = RubyToken::Kind;
    bool is_word(std::string_view word) const { return is(at_, Kind::Word, word); }
    bool is(std::size_t at, Kind kind, std::string_view text) const {
        return at < tokens_.size() && tokens_[at].kind == kind && tokens_[at].text == text;
    }
    bool is_sign(std::size_t at, std::string_view sign) const { return is(at, Kind::Sign, sign); }

    /// newparam(:name, :namevar => true) do
    void read_attribute() {
        if (at_ > 0 && is(at_ - 1, Kind::Word, "def")) return;
        if (at_ > 0 && is_sign(at_ - 1, ".") && !is(at_ - 2, Kind::Word, "self")) return;
        std::size_t next = at_ + 1;
        if (is_sign(next, "(")) ++next;
        if (next >= tokens_.size() || (tokens_[next].kind != Kind::Symbol && tokens_[next].kind != Kind::Text)) {
            known_ = false;  // made in a loop, or by a method of its own
            return;
        }
        last_ = tokens_[next].text;
        attributes_.insert(last_);
        for (; next < tokens_.size() && !is(next, Kind::Word, "do") && !is_sign(next, "{") && !is(next, Kind::Word, "end");
             ++next) {
            if (is(next, Kind::Symbol, "namevar")) namevars_.push_back(last_);
        }
    }

    static unsigned options(const std::string& flags) {
        unsigned result = Regexp::None;
        if (flags.find('i') != std::string::npos) result |= Regexp::IgnoreCase;
        if (flags.find('x') != std::string::npos) result |= Regexp::Extended;
        if (flags.find('m') != std::string::npos) result |= Regexp::MultiLine;
        return result;
    }

    static Ref<const Regexp> compiled(const RubyToken& token) {
        if (token.flags.find('#') != std::string::npos) return {};
        try {
            return Regexp::compile(token.text, options(token.flags));
        } catch (const LanguageError&) {
            return {};
        }
    }

    /// [[/(.*)/, [[:name]]], ...] up to the `end` of the method; nothing when it is computed.
    void read_title_patterns() {
        std::vector<TitlePattern> patterns;
        std::size_t next = at_ + 1;
        if (!is_sign(next, "[")) return;
        int depth = 0;
        for (; next < tokens_.size(); ++next) {
            const RubyToken& token = tokens_[next];
            if (is_sign(next, "[")) ++depth;
            if (is_sign(next, "]") && --depth == 0) break;
            if (token.kind == Kind::Regexp) {
                const Ref<const Regexp> pattern = compiled(token);
                if (!pattern) return;
                patterns.push_back({pattern, {}});
            } else if (token.kind == Kind::Symbol && !patterns.empty()) {
                patterns.back().attributes.push_back(token.text);
            } else if (token.kind == Kind::Word) {
                return;  // a constant or a lambda
            }
        }
        patterns_ = std::move(patterns);
    }

    /// register_type(name: 'x', attributes: { a: { type: 'String', behaviour: :namevar } }, ...)
    void read_resource_api() {
        int depth = 0;
        int attributes_depth = -1;
        int patterns_depth = -1;
        std::string key;
        std::size_t next = at_ + 1;
        for (; next < tokens_.size(); ++next) {
            const RubyToken& token = tokens_[next];
            if (is_sign(next, "{") || is_sign(next, "[") || is_sign(next, "(")) {
                ++depth;
                if (key == "attributes" && attributes_depth < 0) attributes_depth = depth;
                if (key == "title_patterns" && patterns_depth < 0) patterns_depth = depth;
            } else if (is_sign(next, "}") || is_sign(next, "]") || is_sign(next, ")")) {
                if (depth == attributes_depth) attributes_depth = -2;
                if (depth == patterns_depth) patterns_depth = -2;
                if (--depth <= 0) break;
            } else if (is_key(next)) {
                key = token.text;
                if (depth == attributes_depth) {
                    last_ = key;
                    attributes_.insert(last_);
                }
            } else if (attributes_depth > 0 && key == "behaviour" && token.text == "namevar") {
                namevars_.push_back(last_);
            } else if (patterns_depth > 0 && token.kind == Kind::Regexp) {
                add_named_pattern(token);
            }
        }
        at_ = next;
    }

    bool is_key(std::size_t at) const {
        const RubyToken& token = tokens_[at];
        if (token.kind == Kind::Symbol && token.flags == ":") return true;
        return (token.kind == Kind::Symbol || token.kind == Kind::Text) && is_sign(at + 1, "=") && is_sign(at + 2, ">");
    }

    void add_named_pattern(const RubyToken& token) {
        const Ref<const Regexp> pattern = compiled(token);
        if (!pattern) return;
        TitlePattern result{pattern, {}};
        for (const auto& [name, number] : pattern->group_names()) {
            const auto index = static_cast<std::size_t>(number);
            if (result.attributes.size() < index) result.attributes.resize(index);
            result.attributes[index - 1] = name;
        }
        patterns_.push_back(std::move(result));
    }

    std::vector<RubyToken> tokens_;
    std::size_t at_ = 0;
    bool known_ = true;
    std::string last_;
    std::unordered_set<std::string> attributes_;
    std::vector<std::string> namevars_;
    std::vector<TitlePattern> patterns_;
};

}  // namespace

std::unique_ptr<const ResourceType> read_ruby_type(const std::string& name, std::string_view ruby) {
    return TypeReader(RubyReader(ruby).tokens()).read(name);
}

}  // namespace volley
