// The only file that knows yaml-cpp.
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <istream>
#include <limits>
#include <streambuf>
#include <string>
#include <utility>

#include "support/text.hpp"
#include "support/unicode/byte_order_mark.hpp"
#include "support/yaml/builder.hpp"
#include "support/yaml/common.hpp"
#include "support/yaml/events.hpp"
#include "support/yaml/scalar.hpp"

namespace volley::yaml {
namespace {

/// Lets yaml-cpp read the text where it is.
class TextBuffer final : public std::streambuf {
public:
    explicit TextBuffer(std::string_view text) {
        char* begin = const_cast<char*>(text.data());  // streambuf's interface; never written to
        setg(begin, begin, begin + text.size());
    }
};

/// What Ruby's parser calls a fault, for people who search for it, and what is mostly wrong.
struct FaultText {
    std::string_view ours, theirs;
};
constexpr FaultText fault_texts[] = {
    {"illegal map value", "mapping values are not allowed in this context"},
    {"illegal block entry", "block sequence entries are not allowed in this context"},
    {"illegal map key", "mapping keys are not allowed in this context"},
    {"end of map not found", "did not find expected key"},
    {"end of sequence not found", "did not find expected '-' indicator"},
    {"end of map flow not found", "did not find expected ',' or '}'"},
    {"end of sequence flow not found", "did not find expected ',' or ']'"},
    {"illegal tab when looking for indentation",
     "tabs are not allowed as indentation; use spaces (found character that cannot start any token)"},
    {"illegal EOF in scalar", "found unexpected end of stream (a quote is not closed)"},
    {"unknown escape character: ", "found unknown escape character "},
};

std::string words_for(const std::string& problem) {
    for (const FaultText& one : fault_texts) {
        if (problem.starts_with(one.ours)) return std::string(one.theirs) + problem.substr(one.ours.size());
    }
    return problem;
}

/// Where the line that the parser stumbled over is indented with a tab; 0 when it is not.
std::uint32_t column_of_tab(std::string_view text, const YAML::Mark& mark) {
    if (mark.is_null()) return 0;
    for (int line = 0; line < mark.line; ++line) {
        const std::size_t end = text.find('\n');
        if (end == std::string_view::npos) return 0;
        text.remove_prefix(end + 1);
    }
    const std::size_t first = text.find_first_not_of(' ');
    return first != std::string_view::npos && text[first] == '\t' ? static_cast<std::uint32_t>(first) + 1 : 0;
}

Position position_of(const YAML::Mark& mark) {
    if (mark.is_null()) return {};
    return {static_cast<std::uint32_t>(mark.line) + 1, static_cast<std::uint32_t>(mark.column) + 1};
}

/// What is wrong in the words of Ruby's parser, and where. A tab at the beginning of the line is the fault,
/// whatever yaml-cpp made of it.
std::pair<std::string, Position> fault_of(const YAML::Exception& error, std::string_view text) {
    Position at = position_of(error.mark);
    const std::uint32_t tab = column_of_tab(text, error.mark);
    if (tab == 0) return {words_for(error.msg), at};
    at.column = tab;
    return {words_for("illegal tab when looking for indentation"), at};
}

/// The text from where a mark stands; the columns of marks count bytes.
std::string_view text_at(std::string_view text, const YAML::Mark& mark) {
    for (int line = 0; line < mark.line; ++line)
        text.remove_prefix(std::min(text.size(), text.find('\n') + 1));
    if (mark.line == 0) text = without_byte_order_mark(text);
    return text.substr(std::min(text.size(), static_cast<std::size_t>(std::max(mark.column, 0))));
}

/// yaml-cpp takes a quote that is never closed for a scalar that ends where the text does, so that the rest
/// of a file becomes one value without a word. Such a scalar is always the last one.
bool has_open_quote(std::string_view text, const YAML::Mark& last) {
    if (last.is_null()) return false;
    text = text_at(text, last);
    while (text.starts_with('!') || text.starts_with('&')) {  // its tag and anchor
        const std::size_t end = text.find_first_of(" \n");
        const std::size_t next = text.find_first_not_of(" \n", end);
        if (end == std::string_view::npos || next == std::string_view::npos) return false;
        text.remove_prefix(next);
    }
    if (!text.starts_with('\'') && !text.starts_with('"')) return false;
    const char quote = text.front();
    for (std::size_t i = 1; i < text.size(); ++i) {
        if (text[i] == '\\' && quote == '"') {
            ++i;
        } else if (text[i] == quote) {
            if (quote == '"' || i + 1 == text.size() || text[i + 1] != quote) return false;
            ++i;
        }
    }
    return true;
}

constexpr std::string_view open_quote = "found unexpected end of stream (a quote is not closed)";

class Handler final : public YAML::EventHandler {
public:
    explicit Handler(Builder& builder) : builder_(builder) {}

    void OnDocumentStart(const YAML::Mark&) override {}
    void OnDocumentEnd() override {}
    void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
        refuse_anchor(mark, anchor);
        builder_.scalar(Kind::Null, false, {}, position_of(mark));
    }
    void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
        builder_.fail("aliases (*name) are not supported; repeat the value", position_of(mark));
    }
    void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  const std::string& value) override {
        refuse_anchor(mark, anchor);
        last_scalar_ = mark;
        const bool plain = tag != "!";
        builder_.scalar(kind_of(tag, value, mark), !plain, tag == binary ? bytes_of(value, mark) : value,
                        position_of(mark));
    }
    void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                         YAML::EmitterStyle::value) override {
        open(Kind::Sequence, mark, tag, anchor);
    }
    void OnSequenceEnd() override { builder_.close(); }
    void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                    YAML::EmitterStyle::value) override {
        open(Kind::Map, mark, tag, anchor);
    }
    void OnMapEnd() override { builder_.close(); }
    const YAML::Mark& last_scalar() const noexcept { return last_scalar_; }

private:
    static constexpr std::string_view binary = "tag:yaml.org,2002:binary";

    void open(Kind kind, const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor) {
        refuse_anchor(mark, anchor);
        refuse_ruby(mark, tag);
        builder_.open(kind, position_of(mark));
    }

    void refuse_anchor(const YAML::Mark& mark, YAML::anchor_t anchor) const {
        if (anchor == 0) return;
        builder_.fail("anchors (&name) and aliases are not supported; repeat the value", position_of(mark));
    }

    void refuse_ruby(const YAML::Mark& mark, const std::string& tag) const {
        if (tag.starts_with("!ruby/"))
            builder_.fail("objects (" + tag + ") are not supported", position_of(mark));
    }

    Kind kind_of(const std::string& tag, const std::string& value, const YAML::Mark& mark) const {
        if (tag == "!" || tag == "tag:yaml.org,2002:str" || tag == "!str" || tag == binary)
            return Kind::String;
        refuse_ruby(mark, tag);
        const Kind kind = resolve_plain(value);
        // A number written as !!float 1 is a float.
        return tag == "tag:yaml.org,2002:float" && kind == Kind::Integer ? Kind::Float : kind;
    }

    std::string bytes_of(const std::string& value, const YAML::Mark& mark) const {
        if (auto bytes = base64_decode(value)) return *std::move(bytes);
        builder_.fail("!!binary needs base64", position_of(mark));
    }

    Builder& builder_;
    YAML::Mark last_scalar_ = YAML::Mark::null_mark();
};

/// Passes yaml-cpp's events on.
class Forwarder final : public YAML::EventHandler {
public:
    Forwarder(Events& events, const Source& source) : events_(events), source_(source) {}

    void OnDocumentStart(const YAML::Mark&) override {}
    void OnDocumentEnd() override {}
    void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
        events_.scalar({{}, anchor, position_of(mark)}, {}, true);
    }
    void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
        events_.alias(anchor, position_of(mark));
    }
    void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  const std::string& value) override {
        last_scalar_ = mark;
        events_.scalar({written(tag), anchor, position_of(mark)}, value, tag != "!");
    }
    void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                         YAML::EmitterStyle::value) override {
        open(Kind::Sequence, mark, tag, anchor);
    }
    void OnSequenceEnd() override { close(); }
    void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                    YAML::EmitterStyle::value) override {
        open(Kind::Map, mark, tag, anchor);
    }
    void OnMapEnd() override { close(); }
    const YAML::Mark& last_scalar() const noexcept { return last_scalar_; }

private:
    /// yaml-cpp calls the tag of a plain node "?" and that of a quoted one "!".
    static std::string_view written(const std::string& tag) {
        return tag == "?" || tag == "!" ? std::string_view() : std::string_view(tag);
    }
    void open(Kind kind, const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor) {
        if (++depth_ > maximum_depth) {
            fail(source_, "it is nested deeper than " + std::to_string(maximum_depth) + " levels",
                 position_of(mark));
        }
        events_.open(kind, {written(tag), anchor, position_of(mark)});
    }
    void close() {
        --depth_;
        events_.close();
    }

    static constexpr int maximum_depth = 200;
    Events& events_;
    const Source& source_;
    int depth_ = 0;
    YAML::Mark last_scalar_ = YAML::Mark::null_mark();
};

Position position_at(std::string_view text, std::size_t offset) {
    const std::string_view before = text.substr(0, offset);
    const auto lines = static_cast<std::uint32_t>(std::ranges::count(before, '\n'));
    const std::size_t line_start = before.rfind('\n');
    const std::size_t column = line_start == std::string_view::npos ? offset : offset - line_start - 1;
    return {lines + 1, static_cast<std::uint32_t>(column) + 1};
}

bool is_forbidden(char c) noexcept {
    const auto byte = static_cast<unsigned char>(c);
    return byte < 0x20 && c != '\t' && c != '\n' && c != '\r';
}

/// yaml-cpp takes the byte 4 for the end of the text and lets other faults pass, so they are found here.
void check_characters(std::string_view text, const Source& source) {
    if (text.size() > std::numeric_limits<std::int32_t>::max()) fail(source, "it is larger than 2 GiB", {});
    const auto control = std::ranges::find_if(text, is_forbidden);
    if (control != text.end()) {
        fail(source, "control characters are not allowed",
             position_at(text, static_cast<std::size_t>(control - text.begin())));
    }
    if (is_utf8(text)) return;
    std::size_t line_start = 0;
    while (true) {
        const std::size_t line_end = text.find('\n', line_start);
        if (!is_utf8(text.substr(line_start, line_end - line_start)) || line_end == std::string_view::npos) {
            fail(source, "the line is not UTF-8", position_at(text, line_start));
        }
        line_start = line_end + 1;
    }
}

void replay(const CommonYaml& common, Builder& builder) {
    for (const CommonYaml::Token& token : common.tokens()) {
        switch (token.type) {
            case CommonYaml::Token::Type::Scalar:
                builder.scalar(token.plain ? resolve_plain(token.text) : Kind::String, !token.plain,
                               token.text, token.at);
                break;
            case CommonYaml::Token::Type::Map:
                builder.open(Kind::Map, token.at);
                break;
            case CommonYaml::Token::Type::Sequence:
                builder.open(Kind::Sequence, token.at);
                break;
            case CommonYaml::Token::Type::Close:
                builder.close();
                break;
        }
    }
}

void replay(const CommonYaml& common, Events& events) {
    for (const CommonYaml::Token& token : common.tokens()) {
        switch (token.type) {
            case CommonYaml::Token::Type::Scalar:
                events.scalar({{}, 0, token.at}, token.text, token.plain);
                break;
            case CommonYaml::Token::Type::Map:
                events.open(Kind::Map, {{}, 0, token.at});
                break;
            case CommonYaml::Token::Type::Sequence:
                events.open(Kind::Sequence, {{}, 0, token.at});
                break;
            case CommonYaml::Token::Type::Close:
                events.close();
                break;
        }
    }
}

}  // namespace

std::unique_ptr<const Document> Document::parse(std::string_view text, Source source) {
    check_characters(text, source);
    Builder builder(std::move(source));
    if (CommonYaml common(text); common.read()) {
        replay(common, builder);
        return builder.finish();
    }
    TextBuffer buffer(text);
    std::istream stream(&buffer);
    Handler handler(builder);
    try {
        YAML::Parser parser(stream);
        parser.HandleNextDocument(handler);
    } catch (const YAML::Exception& error) {
        const auto [words, at] = fault_of(error, text);
        builder.fail(words, at);
    }
    if (has_open_quote(text, handler.last_scalar()))
        builder.fail(open_quote, position_of(handler.last_scalar()));
    return builder.finish();
}

void read(std::string_view text, const Source& source, Events& events) {
    check_characters(text, source);
    if (CommonYaml common(text); common.read()) return replay(common, events);
    read_fully(text, source, events);
}

void read_fully(std::string_view text, const Source& source, Events& events) {
    TextBuffer buffer(text);
    std::istream stream(&buffer);
    Forwarder forwarder(events, source);
    try {
        YAML::Parser parser(stream);
        parser.HandleNextDocument(forwarder);
    } catch (const YAML::Exception& error) {
        const auto [words, at] = fault_of(error, text);
        fail(source, words, at);
    }
    if (has_open_quote(text, forwarder.last_scalar()))
        fail(source, open_quote, position_of(forwarder.last_scalar()));
}

}  // namespace volley::yaml
