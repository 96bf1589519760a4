#include "language/lookup_key.hpp"

#include "language/errors.hpp"
#include "language/evaluator/evaluator.hpp"
#include "language/syntax/lexer/characters.hpp"
#include "support/text.hpp"

namespace volley {
namespace {

bool is_integer(std::string_view text) {
    if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
    return !text.empty() && text.size() < 19 &&
           text.find_first_not_of("0123456789") == std::string_view::npos;
}

}  // namespace

std::vector<Value> split_lookup_key(std::string_view key, std::string_view message) {
    if (key.find_first_of("'\".") == std::string_view::npos) return {Value(key)};
    std::vector<Value> segments;
    std::size_t at = 0;
    const auto broken = [&message]() -> EvalError { return EvalError("", std::string(message)); };
    for (;;) {
        while (at < key.size() && is_space(key[at])) ++at;
        if (at >= key.size()) throw broken();
        if (key[at] == '"' || key[at] == '\'') {
            const std::size_t close = key.find(key[at], at + 1);
            if (close == std::string_view::npos || close == at + 1) throw broken();
            segments.emplace_back(key.substr(at + 1, close - at - 1));
            at = close + 1;
            while (at < key.size() && is_space(key[at])) ++at;
        } else {
            const std::size_t end = std::min(key.find_first_of("'\".", at), key.size());
            if (end == at) throw broken();
            const std::string_view text = trim(key.substr(at, end - at));
            segments.push_back(is_integer(text)
                                   ? Value(static_cast<std::int64_t>(std::stoll(std::string(text))))
                                   : Value(text));
            at = end;
        }
        if (at == key.size()) return segments;
        if (key[at] != '.') throw broken();
        ++at;
    }
}

}  // namespace volley
