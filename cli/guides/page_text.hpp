#pragma once

#include <string>
#include <string_view>

namespace volley::cli {

/// A page of docs/, written in Markdown, as text for a terminal: paragraphs wrapped to 76 columns, tables as
/// lists, links as what they say. Code stays as it is.
std::string page_text(std::string_view markdown);

/// Where an installation keeps a page that is called "docs/NAME.md" here; that name itself when it has none.
std::string documentation_place(std::string_view page);

}  // namespace volley::cli
