#pragma once

#include <string>
#include <string_view>

namespace volley::stdlib {

/// Ruby's Shellwords.escape: special characters get a backslash, newlines go into quotes, '' for nothing.
std::string shell_escaped(std::string_view word);

/// Ruby's URI::DEFAULT_PARSER.escape: bytes that a URI does not hold as %XX; reserved characters stay.
std::string uri_escaped(std::string_view text);

}  // namespace volley::stdlib
