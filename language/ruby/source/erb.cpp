#include "language/ruby/source/erb.hpp"

#include <algorithm>
#include <vector>

namespace volley::ruby_source {
namespace {

/// Divides a template into text and tags, and writes the program: the rules of ERB's compiler for trim mode
/// "-".
class ErbWriter {
public:
    explicit ErbWriter(std::string_view text) : text_(text) { line_.push_back("_erbout = +''"); }

    std::string run() {
        while (at_ < text_.size()) {
            if (tag_.empty())
                text_until_tag();
            else
                code_until_end();
        }
        put_content();
        line_.push_back("_erbout");
        write_line();
        return std::move(program_);
    }

private:
    bool here(std::string_view wanted) const { return text_.substr(at_).starts_with(wanted); }

    /// Where "<%-" stands when `at` is the indentation before it; npos when it is something else.
    std::size_t trimmed_tag(std::size_t at, std::size_t begin) const {
        if (at == begin || text_[at - 1] == '\n') {
            const std::size_t tag = text_.find_first_not_of(" \t", at);
            if (tag != std::string_view::npos && text_.substr(tag).starts_with("<%-")) return tag;
        }
        return text_.substr(at).starts_with("<%-") ? at : std::string_view::npos;
    }

    void text_until_tag() {
        const std::size_t begin = at_;
        for (; at_ < text_.size(); ++at_) {
            if (text_[at_] != '<' && text_[at_] != ' ' && text_[at_] != '\t') continue;
            const std::size_t trimmed = trimmed_tag(at_, begin);
            if (trimmed == std::string_view::npos && !here("<%")) continue;
            content_ += text_.substr(begin, at_ - begin);
            if (trimmed != std::string_view::npos) {
                at_ = trimmed + 3;
                return open("<%");
            }
            at_ += 2;
            if (here("%")) {
                ++at_;
                content_ += "<%";
                return;
            }
            if (here("=") || here("#")) return open(here("=") ? "<%=" : "<%#"), void(++at_);
            return open("<%");
        }
        content_ += text_.substr(begin);
    }

    void open(std::string_view tag) {
        tag_ = tag;
        put_content();
    }

    void code_until_end() {
        const std::size_t begin = at_;
        for (; at_ < text_.size(); ++at_) {
            if (text_[at_] != '-' && text_[at_] != '%') continue;
            const bool trims = here("-%>");
            if (!trims && !here("%%>") && !here("%>")) continue;
            content_ += text_.substr(begin, at_ - begin);
            if (here("%%>")) {
                content_ += "%>";
                at_ += 3;
                return;
            }
            at_ += trims ? 3 : 2;
            close();
            if (trims) end_of_line();
            return;
        }
        content_ += text_.substr(begin);
    }

    /// "-%>" takes the line's end along.
    void end_of_line() {
        if (here("\r\n"))
            at_ += 2;
        else if (here("\n"))
            ++at_;
        else if (at_ < text_.size())
            return;
        write_line();
    }

    void close() {
        if (tag_ == "<%") {
            const bool ends_line = content_.ends_with('\n');
            if (ends_line) content_.pop_back();
            line_.push_back(content_);
            if (ends_line) write_line();
        } else if (tag_ == "<%=") {
            line_.push_back("_erbout.<<((" + content_ + ").to_s)");
        }
        tag_ = {};
        content_.clear();
    }

    void put_content() {
        if (content_.empty()) return;
        // One line, whatever the text holds: a comment before it hides all of it.
        std::string quoted = "_erbout.<< \"";
        for (const char c : content_) {
            if (c == '"' || c == '\\' || c == '#') quoted += '\\';
            if (c == '\n')
                quoted += "\\n";
            else
                quoted += c;
        }
        quoted += '"';
        quoted.append(static_cast<std::size_t>(std::count(content_.begin(), content_.end(), '\n')), '\n');
        line_.push_back(std::move(quoted));
        content_.clear();
    }

    void write_line() {
        for (std::size_t i = 0; i < line_.size(); ++i) {
            if (i > 0) program_ += "; ";
            program_ += line_[i];
        }
        program_ += '\n';
        line_.clear();
    }

    std::string_view text_;
    std::size_t at_ = 0;
    std::string_view tag_;
    std::string content_;
    std::vector<std::string> line_;
    std::string program_;
};

}  // namespace

std::string erb_program(std::string_view text) { return ErbWriter(text).run(); }

}  // namespace volley::ruby_source
