#pragma once

#include <string>
#include <string_view>

namespace volley::transports::winrm {

/// UTF-8 as UTF-16LE; what is not UTF-8 becomes U+FFFD.
std::string utf16le(std::string_view utf8);
/// In upper case by Unicode's rules, whatever the locale of this machine: names of accounts may have any
/// letter.
std::string upper_case(std::string_view utf8);

}  // namespace volley::transports::winrm
