#pragma once

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <string_view>

#include "support/json/json.hpp"

namespace volley::testing {

/// Reads the text of a PN (spec models/pn.md) back, in the form of Pn::json(). Throws std::invalid_argument
/// for what is none. For the property that printing loses nothing.
class PnReader {
public:
    static Json read(std::string_view text) {
        PnReader reader(text);
        Json result = reader.value();
        if (!reader.text_.empty()) reader.fail("more than one value");
        return result;
    }

private:
    explicit PnReader(std::string_view text) : text_(text) {}

    [[noreturn]] void fail(const std::string& what) const {
        throw std::invalid_argument(what + " before: " + std::string(text_.substr(0, 40)));
    }
    bool take(char wanted) {
        if (text_.empty() || text_.front() != wanted) return false;
        text_.remove_prefix(1);
        return true;
    }
    std::string word() {
        const std::size_t end = std::min(text_.find_first_of(" )]}"), text_.size());
        std::string result(text_.substr(0, end));
        if (result.empty()) fail("a word is missing");
        text_.remove_prefix(end);
        return result;
    }

    Json value() {
        if (take('[')) return items(']', Json::array());
        if (take('{')) return Json{{"#", entries()}};
        if (take('"')) return string();
        if (take('(')) {
            Json call = Json::array();
            call.push_back(word());
            take(' ');
            return Json{{"^", items(')', std::move(call))}};
        }
        return scalar(word());
    }

    Json items(char close, Json result) {
        while (!take(close)) {
            result.push_back(value());
            take(' ');
        }
        return result;
    }

    Json entries() {
        Json result = Json::array();
        while (!take('}')) {
            if (!take(':')) fail("a key is missing");
            result.push_back(word());
            if (!take(' ')) fail("a value is missing");
            result.push_back(value());
            take(' ');
        }
        return result;
    }

    char escaped() {
        if (text_.empty()) fail("an escape ends early");
        const char kind = text_.front();
        text_.remove_prefix(1);
        switch (kind) {
            case 't':
                return '\t';
            case 'n':
                return '\n';
            case 'r':
                return '\r';
            case 'o': {
                const std::string digits(text_.substr(0, 3));
                if (digits.size() < 3) fail("an escape ends early");
                text_.remove_prefix(3);
                return static_cast<char>(std::stoi(digits, nullptr, 8));
            }
            default:
                return kind;
        }
    }

    Json string() {
        std::string result;
        while (!take('"')) {
            if (text_.empty()) fail("a string does not end");
            const char c = text_.front();
            text_.remove_prefix(1);
            result += c == '\\' ? escaped() : c;
        }
        return result;
    }

    Json scalar(const std::string& text) const {
        if (text == "nil") return nullptr;
        if (text == "true" || text == "false") return text == "true";
        Json number = Json::parse(text, nullptr, false);
        if (!number.is_number()) fail("'" + text + "' is not a value");
        return number;
    }

    std::string_view text_;
};

}  // namespace volley::testing
