#pragma once

#include <cstddef>
#include <exception>
#include <stdexcept>
#include <string>
#include <string_view>

#include "support/json/json.hpp"

NLOHMANN_JSON_NAMESPACE_BEGIN
template <typename BasicJsonType>
struct json_sax;
NLOHMANN_JSON_NAMESPACE_END

namespace volley {

/// What a JSON text may hold. The depth is the one of Ruby's reader, and so of Bolt; what only Volley reads
/// may be as deep as a value of the language (value_json_limits).
struct JsonLimits {
    std::size_t depth = 100;                  ///< lists and objects inside each other
    std::size_t values = 20'000'000;          ///< scalars, lists and objects together
    std::size_t bytes = 512UL * 1024 * 1024;  ///< of the text
};

/// The language's own limit (NestingGuard).
inline constexpr std::size_t deepest_value = 1000;
/// For data that become values: facts, Hiera's data, requests.
inline constexpr JsonLimits value_json_limits{.depth = deepest_value};
/// For messages and records of our own that hold values: one level of a value may be two there, and more is
/// around it.
inline constexpr JsonLimits wrapped_value_json_limits{.depth = 2 * deepest_value + 100};

/// Why a text could not be read as JSON: what() is the place and the reason, "line 1, column 8: unexpected
/// ']'", of a limit "line 1, column 101: nested more than 100 levels deep". It does not quote the text, which
/// may hold secrets.
class JsonError : public std::runtime_error {
public:
    enum class Fault { Syntax, Limit };
    JsonError(std::string_view text, std::size_t offset, const std::string& reason,
              Fault fault = Fault::Syntax);
    Fault fault() const noexcept { return fault_; }
    std::size_t offset() const noexcept { return offset_; }         ///< in bytes; the text's size at its end
    std::size_t line() const noexcept { return line_; }             ///< from 1
    std::size_t column() const noexcept { return column_; }         ///< in bytes, from 1
    const std::string& reason() const noexcept { return reason_; }  ///< without the place

private:
    struct Place {
        std::size_t line = 1;
        std::size_t column = 1;
    };
    static Place place_in(std::string_view text, std::size_t offset);
    JsonError(Place place, std::size_t offset, const std::string& reason, Fault fault);

    std::size_t offset_;
    std::size_t line_;
    std::size_t column_;
    std::string reason_;
    Fault fault_;
};

/// The one way from text to Json, for whatever the text is: answers of servers and targets, files, arguments.
/// Of equal keys the last value counts, at the place of the first. Throws JsonError for what is not JSON and
/// for what is beyond a limit, which it names.
Json parse_json(std::string_view text, const JsonLimits& limits = {});

/// The same without throwing: is_discarded() when the text could not be read, and then `fault` is the what()
/// of the error.
Json try_parse_json(std::string_view text, std::string& fault, const JsonLimits& limits = {});
Json try_parse_json(std::string_view text, const JsonLimits& limits = {});

/// what() for users: what the JSON library throws about data of another form than its reader asked for
/// becomes a sentence.
std::string plain_message(const std::exception& error);

/// The text as a row of events, for those who need no document. parse_error() is not called: JsonError is
/// thrown.
void read_json_events(std::string_view text, nlohmann::json_sax<Json>& events, const JsonLimits& limits = {});

}  // namespace volley
