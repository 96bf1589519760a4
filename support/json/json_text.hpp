#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "support/json/json.hpp"

namespace volley {

/// The string that an object has under `key`; empty when there is none, when it is of another type, and when
/// `object` is something else. For data of which others made sure, or where nothing follows from a lack.
std::string text_in(const Json& object, const char* key);

/// The strings in the list under `key`, likewise; what is of another type is left out.
std::vector<std::string> texts_in(const Json& object, const char* key);

/// The value as text without blanks between its parts, as value.dump() writes it, with half of its
/// instructions (tests/bench/apply: reports of thousands of resources); what is not UTF-8 becomes U+FFFD.
std::string compact_json(const Json& value);

/// How long value.dump() is, of valid UTF-8, or any number above `most` when it is longer than that: for
/// whoever has no use for what is too long. It neither makes the text nor looks at the rest.
std::size_t json_text_size(const Json& value, std::size_t most);
/// json_text_size() is at most that. Long texts are looked at only when it depends on what is in them.
bool json_text_fits(const Json& value, std::size_t most);

}  // namespace volley
