#pragma once

#include <string>
#include <string_view>

namespace volley::cli {

/// Where a text in quotes stands in the call around it.
struct CallPlace {
    std::string function;      ///< empty: in no call
    std::size_t argument = 0;  ///< counted from 0
    std::string first;         ///< the text of the first argument when that is one in quotes
    std::string key;           ///< of the value that is being typed: 'name' => '
};

/// `code`: what stands before the quote. A hash or list in an argument belongs to that argument.
CallPlace call_place(std::string_view code);

}  // namespace volley::cli
