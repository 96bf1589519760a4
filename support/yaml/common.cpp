#include "support/yaml/common.hpp"

#include "support/unicode/byte_order_mark.hpp"

namespace volley::yaml {
namespace {

constexpr std::size_t common_depth = 100;
constexpr std::size_t common_key_length = 1000;

bool is_alphanumeric(char c) noexcept {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           static_cast<unsigned char>(c) >= 0x80;
}

/// What a plain scalar may begin with and surely be one.
bool begins_plain(char c, char following) noexcept {
    if (is_alphanumeric(c) ||
        (c != '\0' && std::string_view("_/.~$(+<=^;").find(c) != std::string_view::npos))
        return true;
    return c == '-' && (is_alphanumeric(following) || following == '.');
}

bool is_null_text(std::string_view text) noexcept {
    return text == "~" || text == "null" || text == "Null" || text == "NULL";
}

}  // namespace

bool CommonYaml::read() {
    if (text_.find('\r') != std::string_view::npos || text_.starts_with(byte_order_mark)) return false;
    tokens_.reserve(text_.size() / 12);
    while (next_line()) {
        if (!line()) return false;
    }
    if (tokens_.empty()) return false;
    while (!frames_.empty()) close();
    return true;
}

bool CommonYaml::next_line() {
    if (next_ >= text_.size()) return false;
    begin_ = at_ = next_;
    end_ = std::min(text_.find('\n', begin_), text_.size());
    next_ = end_ + 1;
    ++line_;
    return true;
}

void CommonYaml::skip_spaces() noexcept {
    while (peek() == ' ') ++at_;
}

/// Nothing but spaces and a comment is left. Stands on what else is there.
bool CommonYaml::at_line_end() noexcept {
    const std::size_t start = at_;
    skip_spaces();
    return at_end() || (peek() == '#' && (at_ > start || at_ == begin_));
}

Position CommonYaml::position() const noexcept { return {line_, static_cast<std::uint32_t>(column()) + 1}; }

bool CommonYaml::line() {
    skip_spaces();
    if (at_end() || peek() == '#') return true;
    const std::string_view rest = text_.substr(at_, end_ - at_);
    if (column() == 0 && (rest.starts_with("---") || rest.starts_with("..."))) {
        // A document's first line, which may hold a flow collection; anything more needs the full reader.
        const bool first = !started_ && tokens_.empty();
        started_ = true;
        if (!first || !rest.starts_with("---")) return false;
        at_ += 3;
        if (at_end()) return true;
        if (peek() != ' ') return false;
        skip_spaces();
        return at_end() || (begins_flow() && flow(0) && at_line_end());
    }
    if (tokens_.empty() && begins_flow()) return flow(0) && at_line_end();
    return content(column());
}

/// An entry of a list or map at that indentation; more than one may begin on a line ("- - key: value").
bool CommonYaml::content(std::size_t indent) {
    if (is_dash()) return place_entry(indent, true) && dash_entry();
    return place_entry(indent, false) && key_entry();
}

/// Finds the collection that the entry belongs to, and makes it when it is the first.
bool CommonYaml::place_entry(std::size_t indent, bool dash) {
    while (!frames_.empty() && frames_.back().indent > indent) close();
    if (frames_.empty()) {
        if (!tokens_.empty()) return false;
        open(!dash, indent);
        return true;
    }
    Frame* top = &frames_.back();
    const bool list_of_key = top->map && dash && top->indent == indent;  // may stand as far left as its key
    if (top->indent < indent || list_of_key) {
        if (!top->waiting || frames_.size() >= common_depth) return false;
        top->waiting = false;
        open(!dash, indent);
        return true;
    }
    if (!top->map && !dash) {
        close();
        if (frames_.empty() || !frames_.back().map || frames_.back().indent != indent) return false;
        top = &frames_.back();
    }
    if (top->waiting) give_null(*top);
    return true;
}

bool CommonYaml::dash_entry() {
    ++at_;
    frames_.back().waiting = true;
    frames_.back().place = position();
    if (at_line_end()) return true;
    if (is_dash() || key_end() != std::string_view::npos) return content(column());
    return value();
}

/// Where the colon of the key that begins here is; npos when what stands here is not a key.
std::size_t CommonYaml::key_end() const noexcept {
    std::size_t i = at_;
    if (const char quote = peek(); quote == '"' || quote == '\'') {
        for (++i; i < end_ && text_[i] != quote; ++i) {
            if (text_[i] == '\\' && quote == '"') ++i;
        }
        if (++i >= end_ || text_[i] != ':') return std::string_view::npos;
        return i + 1 >= end_ || text_[i + 1] == ' ' ? i : std::string_view::npos;
    }
    if (!begins_plain(peek(), peek(1))) return std::string_view::npos;
    for (; i < end_; ++i) {
        const char c = text_[i];
        if (c == ':' && (i + 1 >= end_ || text_[i + 1] == ' ')) return i;
        if (c == ' ' && i + 1 < end_ && text_[i + 1] == '#') break;
    }
    return std::string_view::npos;
}

bool CommonYaml::key_entry() {
    const std::size_t colon = key_end();
    if (colon == std::string_view::npos || colon - at_ > common_key_length) return false;
    const Position at = position();
    Scalar key;
    if (peek() == '"' || peek() == '\'') {
        if (!quoted_scalar(key) || at_ != colon) return false;
    } else {
        key = {text_.substr(at_, colon - at_), true};
        if (key.text.ends_with(' ') || key.text.find_first_of("\t{}[]\"',#&*") != std::string_view::npos)
            return false;
    }
    add(key, at);
    at_ = colon + 1;
    frames_.back().waiting = true;
    frames_.back().place = position();
    return at_line_end() || value();
}

/// What follows a key or a dash on its line.
bool CommonYaml::value() {
    Frame& frame = frames_.back();
    frame.waiting = false;
    const Position at = position();
    Scalar scalar;
    switch (peek()) {
        case '|':
            return literal_block();
        case '[':
        case '{':
            return flow(0) && at_line_end();
        case '"':
        case '\'':
            if (!quoted_scalar(scalar) || !at_line_end()) return false;
            break;
        default:
            if (!plain_scalar(scalar)) return false;
    }
    add(scalar, at);
    return true;
}

bool CommonYaml::plain_scalar(Scalar& scalar) {
    if (!begins_plain(peek(), peek(1))) return false;
    std::string_view text = text_.substr(at_, end_ - at_);
    text = text.substr(0, text.find(" #"));
    while (text.ends_with(' ')) text.remove_suffix(1);
    if (text.ends_with(':') || text.find(": ") != std::string_view::npos ||
        text.find('\t') != std::string_view::npos)
        return false;
    at_ = end_;
    scalar = {text, true};
    return true;
}

/// A scalar in quotes that ends on its line; stands after it afterwards.
bool CommonYaml::quoted_scalar(Scalar& scalar) {
    const char quote = peek();
    const std::size_t start = ++at_;
    std::string* changed = nullptr;
    for (; at_ < end_; ++at_) {
        const char c = text_[at_];
        const bool doubled = c == '\'' && quote == '\'' && peek(1) == '\'';
        const bool escape = c == '\\' && quote == '"';
        if (c == quote && !doubled) {
            scalar.text = changed ? std::string_view(*changed) : text_.substr(start, at_ - start);
            scalar.plain = false;
            ++at_;
            return true;
        }
        if ((doubled || escape) && !changed)
            changed = &unescaped_.emplace_back(text_.substr(start, at_ - start));
        if (doubled || escape) ++at_;
        if (!changed) continue;
        char meant = peek();
        if (escape) {
            static constexpr std::string_view written = "nt\\\"/";
            static constexpr std::string_view means = "\n\t\\\"/";
            const std::size_t known = meant == '\0' ? std::string_view::npos : written.find(meant);
            if (known == std::string_view::npos) return false;
            meant = means[known];
        }
        changed->push_back(meant);
    }
    return false;
}

/// "|" or "|-": lines as they are, without the indentation of the first.
bool CommonYaml::literal_block() {
    const Position at = position();
    const std::size_t outer = frames_.back().indent;
    const bool strip = peek(1) == '-';
    at_ += strip ? 2 : 1;
    skip_spaces();
    if (!at_end()) return false;
    std::string& text = unescaped_.emplace_back();
    std::size_t indent = 0;
    std::size_t blank_lines = 0;
    while (next_ < text_.size()) {
        const std::size_t back = next_;
        const std::uint32_t back_line = line_;
        next_line();
        skip_spaces();
        if (at_end() && (indent == 0 || column() <= indent)) {
            if (indent == 0 && column() > 0) return false;
            ++blank_lines;
            continue;
        }
        if (indent == 0) {
            indent = column();
            if (indent <= outer || peek() == '\t') return false;
        } else if (column() < indent) {
            if (column() > outer) return false;
            next_ = back;
            line_ = back_line;
            break;
        }
        if (end_ >= text_.size()) return false;  // the last line has no end
        text.append(blank_lines, '\n');
        blank_lines = 0;
        text.append(text_.substr(begin_ + indent, end_ - begin_ - indent));
        text.push_back('\n');
    }
    if (text.empty() || indent == 0) return false;
    if (strip) text.pop_back();
    add({text, false}, at);
    return true;
}

bool CommonYaml::flow(int depth) {
    if (depth > 20) return false;
    const bool map = peek() == '{';
    const char last = map ? '}' : ']';
    tokens_.push_back({map ? Token::Type::Map : Token::Type::Sequence, false, position()});
    ++at_;
    skip_spaces();
    if (peek() != last) {
        while (true) {
            if (map) {
                const Position at = position();
                Scalar key;
                if (!flow_scalar(key, true)) return false;
                add(key, at);
                if (peek() != ':' || peek(1) != ' ') return false;
                ++at_;
                skip_spaces();
            }
            if (!flow_item(depth)) return false;
            skip_spaces();
            if (peek() == last) break;
            if (peek() != ',' || peek(1) != ' ') return false;
            ++at_;
            skip_spaces();
        }
    }
    ++at_;
    tokens_.push_back({Token::Type::Close, false, position()});
    return true;
}

bool CommonYaml::flow_item(int depth) {
    if (peek() == '[' || peek() == '{') return flow(depth + 1);
    const Position at = position();
    Scalar item;
    if (!flow_scalar(item, false)) return false;
    add(item, at);
    return true;
}

bool CommonYaml::flow_scalar(Scalar& scalar, bool key) {
    if (peek() == '"' || peek() == '\'') return quoted_scalar(scalar);
    if (!begins_plain(peek(), peek(1))) return false;
    const std::size_t start = at_;
    for (; !at_end(); ++at_) {
        const char c = text_[at_];
        if (c == ',' || c == ']' || c == '}') break;
        if (c == ':' && key) break;
        const bool odd = c == '[' || c == '{' || c == '#' || c == '\t' || c == '"' || c == '\'' || c == '?';
        if (odd || (c == ':' && !is_alphanumeric(peek(1)) && peek(1) != '/')) return false;
    }
    scalar = {text_.substr(start, at_ - start), true};
    while (scalar.text.ends_with(' ')) scalar.text.remove_suffix(1);
    return !key || scalar.text.size() == at_ - start;
}

void CommonYaml::add(const Scalar& scalar, Position at) {
    const bool null = scalar.plain && is_null_text(scalar.text);
    tokens_.push_back({Token::Type::Scalar, scalar.plain, at, null ? std::string_view() : scalar.text});
}

void CommonYaml::open(bool map, std::size_t indent) {
    frames_.push_back({map, indent});
    tokens_.push_back({map ? Token::Type::Map : Token::Type::Sequence, false, position()});
}

void CommonYaml::close() {
    if (frames_.back().waiting) give_null(frames_.back());
    frames_.pop_back();
    tokens_.push_back({Token::Type::Close, false, {}});
}

void CommonYaml::give_null(Frame& frame) {
    frame.waiting = false;
    tokens_.push_back({Token::Type::Scalar, true, frame.place});
}

}  // namespace volley::yaml
