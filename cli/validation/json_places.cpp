#include "cli/validation/json_places.hpp"

namespace volley::cli {
namespace {

/// Goes through a text that is known to be valid.
class PlaceFinder {
public:
    explicit PlaceFinder(std::string_view text) : text_(text) {}
    std::map<std::string, std::size_t> places;

    void value(const std::string& way) {
        skip_space();
        places.emplace(way, at_);
        if (here() == '{') return members(way);
        if (here() == '[') return elements(way);
        if (here() == '"') return skip_string();
        while (at_ < text_.size() &&
               std::string_view(",]} \t\r\n").find(text_[at_]) == std::string_view::npos)
            ++at_;
    }

private:
    char here() const { return at_ < text_.size() ? text_[at_] : '\0'; }
    void skip_space() {
        while (at_ < text_.size() && std::string_view(" \t\r\n").find(text_[at_]) != std::string_view::npos)
            ++at_;
    }
    void skip_string() {
        for (++at_; at_ < text_.size() && text_[at_] != '"'; ++at_) {
            if (text_[at_] == '\\') ++at_;
        }
        ++at_;
    }
    /// After a comma; false at the closing bracket, which is passed.
    bool more(char closing) {
        skip_space();
        if (here() == ',') ++at_;
        skip_space();
        if (here() != closing && at_ < text_.size()) return true;
        ++at_;
        return false;
    }
    void members(const std::string& way) {
        ++at_;
        while (more('}')) {
            const std::size_t begin = at_;
            skip_string();
            const std::string key = way + "/" + std::string(text_.substr(begin + 1, at_ - begin - 2));
            places[key] = begin;
            skip_space();
            ++at_;  // the colon
            value(key);
        }
    }
    void elements(const std::string& way) {
        ++at_;
        for (std::size_t number = 0; more(']'); ++number) value(way + "/" + std::to_string(number));
    }

    std::string_view text_;
    std::size_t at_ = 0;
};

}  // namespace

std::map<std::string, std::size_t> places_in_json(std::string_view text) {
    PlaceFinder finder(text);
    finder.value("");
    return std::move(finder.places);
}

}  // namespace volley::cli
