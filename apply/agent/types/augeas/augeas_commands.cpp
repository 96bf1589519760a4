#include "apply/agent/types/augeas/augeas_commands.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include "apply/agent/values/errors.hpp"
#include "apply/agent/values/value.hpp"
#include "support/text.hpp"

namespace volley::agent {
namespace {

using Kind = AugeasArgument::Kind;

struct CommandForm {
    std::string_view name;
    std::vector<Kind> arguments;
};

const CommandForm* form_of(std::string_view name) {
    static const std::array<CommandForm, 22> forms = {{
        {"set", {Kind::Path, Kind::Text}},
        {"setm", {Kind::Path, Kind::Text, Kind::Text}},
        {"rm", {Kind::Path}},
        {"remove", {Kind::Path}},
        {"clear", {Kind::Path}},
        {"clearm", {Kind::Path, Kind::Text}},
        {"touch", {Kind::Path}},
        {"mv", {Kind::Path, Kind::Path}},
        {"move", {Kind::Path, Kind::Path}},
        {"rename", {Kind::Path, Kind::Text}},
        {"insert", {Kind::Text, Kind::Text, Kind::Path}},
        {"ins", {Kind::Text, Kind::Text, Kind::Path}},
        {"get", {Kind::Path, Kind::Comparator, Kind::Text}},
        {"values", {Kind::Path, Kind::Rest}},
        {"defvar", {Kind::Text, Kind::Path}},
        {"defnode", {Kind::Text, Kind::Path, Kind::Text}},
        {"match", {Kind::Path, Kind::Rest}},
        {"size", {Kind::Comparator, Kind::Number}},
        {"include", {Kind::Text}},
        {"not_include", {Kind::Text}},
        {"==", {Kind::Rest}},
        {"!=", {Kind::Rest}},
    }};
    const auto found =
        std::find_if(forms.begin(), forms.end(), [&](const CommandForm& form) { return form.name == name; });
    return found == forms.end() ? nullptr : &*found;
}

bool is_space(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

/// Walks over a line as Ruby's StringScanner does.
class LineReader {
public:
    LineReader(std::string_view line, const std::string& context) : line_(line), context_(context) {}

    AugeasCommand command() {
        AugeasCommand read;
        read.name = verb();
        const CommandForm* form = form_of(read.name);
        if (form == nullptr) throw ApplyError("Unknown command " + read.name);
        for (const Kind kind : form->arguments) {
            skip_space();
            ++number_;
            read.arguments.push_back({kind, argument(kind, read.name)});
        }
        return read;
    }

private:
    bool ends() const { return at_ >= line_.size(); }
    void skip_space() {
        while (!ends() && is_space(line_[at_])) ++at_;
    }
    std::string verb() {
        const auto in_word = [](char c) {
            return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
        };
        if (line_.starts_with("==") || line_.starts_with("!=")) at_ = 2;
        while (at_ < line_.size() && in_word(line_[at_]) && in_word(line_[0])) ++at_;
        return std::string(line_.substr(0, at_));
    }

    std::string argument(Kind kind, const std::string& name) {
        switch (kind) {
            case Kind::Path:
                return path();
            case Kind::Text:
                return text(name);
            case Kind::Comparator:
                return comparator(name);
            case Kind::Number:
                return digits();
            case Kind::Rest:
                break;
        }
        return std::string(line_.substr(std::min(at_, line_.size())));
    }

    /// Up to a blank that is neither in brackets nor in quotes.
    std::string path() {
        const std::size_t start = at_;
        int brackets = 0;
        bool single_quotes = false, double_quotes = false;
        std::size_t end = line_.size();
        while (!ends()) {
            const char c = line_[at_++];
            if (c == '\\' && !ends()) {
                ++at_;
                continue;
            }
            if (c == '[') ++brackets;
            if (c == ']') --brackets;
            if (c == '\'') single_quotes = !single_quotes;
            if (c == '"') double_quotes = !double_quotes;
            if (brackets < 0) throw ApplyError("unmatched [");
            if (brackets == 0 && !single_quotes && !double_quotes && is_space(c)) {
                end = at_ - 1;
                break;
            }
        }
        std::string_view found = line_.substr(start, end - start);
        if (!found.empty() && (found[0] == '\'' || found[0] == '"'))
            found = found.substr(1, found.size() < 2 ? 0 : found.size() - 2);
        if (found.ends_with('/')) found.remove_suffix(1);
        const bool whole = !found.empty() && (found[0] == '$' || found[0] == '/');
        return (whole ? std::string() : context_) + std::string(found);
    }

    std::string text(const std::string& name) {
        const char quote = ends() ? '\0' : line_[at_];
        std::string found;
        if (quote == '\'' || quote == '"') {
            for (++at_; !ends() && line_[at_] != quote; ++at_) {
                const bool escapes = line_[at_] == '\\' && at_ + 1 < line_.size();
                // Only the quote loses its backslash: Augeas has to see the others.
                if (line_[at_] == '\\' && !escapes) break;
                if (escapes) {
                    if (line_[at_ + 1] != quote) found += line_[at_];
                    ++at_;
                }
                found += line_[at_];
            }
            ++at_;
            return found;
        }
        while (!ends() && !is_space(line_[at_])) found += line_[at_++];
        if (found.empty())
            throw ApplyError("missing string argument " + std::to_string(number_) + " for " + name);
        return found;
    }

    std::string comparator(const std::string& name) {
        for (const std::string_view one : {"==", "!=", "=~", "<=", ">=", "<", ">"}) {
            if (!line_.substr(std::min(at_, line_.size())).starts_with(one)) continue;
            at_ += one.size();
            return std::string(one);
        }
        throw ApplyError("invalid comparator for command " + name);
    }

    std::string digits() {
        std::string found;
        while (!ends() && std::isdigit(static_cast<unsigned char>(line_[at_])) != 0) found += line_[at_++];
        return found.empty() ? "0" : found;
    }

    std::string_view line_;
    const std::string& context_;
    std::size_t at_ = 0;
    int number_ = 0;
};

}  // namespace

std::string AugeasCommand::inspected() const {
    Value::Items items;
    for (const AugeasArgument& argument : arguments) items.emplace_back(argument.text);
    return Value(std::move(items)).inspected();
}

std::vector<AugeasCommand> augeas_commands(const std::vector<std::string>& lines, std::string context) {
    if (!context.empty() && context.back() != '/') context += '/';
    std::vector<AugeasCommand> commands;
    for (const std::string& one : lines) {
        const std::string_view line = trim(one);
        if (!line.empty()) commands.push_back(LineReader(line, context).command());
    }
    return commands;
}

std::optional<std::vector<std::string>> augeas_list(std::string_view text) {
    std::vector<std::string> items;
    text = trim(text);
    if (text.size() < 2 || text.front() != '[' || text.back() != ']') return std::nullopt;
    text = trim(text.substr(1, text.size() - 2));
    while (!text.empty()) {
        const char quote = text[0];
        if (quote != '\'' && quote != '"') return std::nullopt;
        std::string item;
        std::size_t at = 1;
        for (; at < text.size() && text[at] != quote; ++at) {
            const bool escapes =
                text[at] == '\\' && at + 1 < text.size() && (text[at + 1] == quote || text[at + 1] == '\\');
            if (escapes) ++at;
            item += text[at];
        }
        if (at >= text.size()) return std::nullopt;
        items.push_back(std::move(item));
        text = trim(text.substr(at + 1));
        if (text.empty()) break;
        if (text[0] != ',') return std::nullopt;
        text = trim(text.substr(1));
        if (text.empty()) return std::nullopt;
    }
    return items;
}

}  // namespace volley::agent
