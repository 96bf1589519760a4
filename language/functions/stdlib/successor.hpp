#pragma once

#include <string>

namespace volley::stdlib {

/// Ruby's String#succ for ASCII text: az is followed by ba, zz by aaa, a9 by b0, "1.9" by "2.0".
std::string successor(std::string text);

}  // namespace volley::stdlib
