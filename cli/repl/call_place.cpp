#include "cli/repl/call_place.hpp"

#include <cctype>
#include <vector>

namespace volley::cli {
namespace {

bool is_name(char c) noexcept {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == ':';
}

/// Reads code up to its end and knows which brackets are open there.
class CallReader {
public:
    explicit CallReader(std::string_view code) : code_(code) {}

    CallPlace read() {
        while (at_ < code_.size()) step();
        for (auto bracket = open_.rbegin(); bracket != open_.rend(); ++bracket) {
            if (bracket->place.function.empty()) continue;
            CallPlace place = bracket->place;
            place.key = key_;
            return place;
        }
        return {};
    }

private:
    struct Bracket {
        char kind;
        CallPlace place;
    };

    void step() {
        const char c = code_[at_];
        if (c == '\'' || c == '"') return read_text(c);
        if (is_name(c)) return read_word();
        ++at_;
        if (c == '(' || c == '[' || c == '{') {
            open_.push_back({c, {}});
            if (c == '(') open_.back().place.function = word_;
            key_.clear();
        } else if ((c == ')' || c == ']' || c == '}') && !open_.empty()) {
            open_.pop_back();
            key_.clear();
        } else if (c == ',') {
            if (!open_.empty()) ++open_.back().place.argument;
            key_.clear();
        } else if (c == '=' && at_ < code_.size() && code_[at_] == '>') {
            ++at_;
            key_ = last_;
        }
        if (c != ' ') word_.clear();
    }

    void read_text(char quote) {
        last_.clear();
        for (++at_; at_ < code_.size() && code_[at_] != quote; ++at_) {
            if (code_[at_] == '\\' && at_ + 1 < code_.size()) ++at_;
            last_ += code_[at_];
        }
        if (at_ < code_.size()) ++at_;
        if (!open_.empty() && open_.back().place.argument == 0) open_.back().place.first = last_;
        word_.clear();
    }

    void read_word() {
        const std::size_t begin = at_;
        while (at_ < code_.size() && is_name(code_[at_])) ++at_;
        word_ = code_.substr(begin, at_ - begin);
        last_ = word_;  // name => is a key as well as 'name' =>
    }

    std::string_view code_;
    std::size_t at_ = 0;
    std::vector<Bracket> open_;
    std::string word_;  // just before
    std::string last_;  // text or word
    std::string key_;
};

}  // namespace

CallPlace call_place(std::string_view code) { return CallReader(code).read(); }

}  // namespace volley::cli
