#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "support/json/json.hpp"

namespace volley::planner {

/// Takes a text piece by piece; each piece is valid during the call only.
using TextSink = std::function<void(std::string_view piece)>;

/// Writes bytes that come in pieces as one JSON string with its quotes, in pieces of bounded size; bytes that
/// are not UTF-8 become the text \xNN (RES-019). A character may be spread over pieces.
class JsonString {
public:
    explicit JsonString(const TextSink& sink);
    /// Writes the closing quote.
    void finish();
    void add(std::string_view bytes);

private:
    void flush(bool everything);

    const TextSink& sink_;
    std::string waiting_;
};

/// A whole JSON string at once.
void write_json_string(const TextSink& sink, std::string_view bytes);
std::string json_string(std::string_view bytes);

/// The value with every string (keys too) made valid UTF-8 as in RES-019. Cheap when nothing is wrong.
Json scrubbed(Json value);

}  // namespace volley::planner
