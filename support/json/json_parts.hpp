#pragma once

#include <string>
#include <string_view>

#include "support/json/json.hpp"
#include "support/json/json_reader.hpp"

namespace volley {

/// Takes a JSON object in parts. What calls it is in json_reader.cpp, with the builder of documents.
class JsonParts {
public:
    virtual ~JsonParts() = default;
    /// Whether the items of a list come one by one.
    virtual bool wants_items(const std::string& name) const = 0;
    virtual void item(const std::string& list, Json item) = 0;
    /// Of a list whose items came one by one: after them, and empty.
    virtual void member(const std::string& name, Json value) = 0;
};

/// The members of the object that the text is, each as soon as it is read, so that a large document is never
/// in memory as a whole. False when the text is something else than an object. Throws as parse_json() does,
/// after the parts before the fault were taken, and what `parts` throws.
bool read_json_parts(std::string_view text, JsonParts& parts, const JsonLimits& limits = {});

}  // namespace volley
