#pragma once

#include <string_view>

namespace volley {

/// The page of catalog_to_html: what stands before and after its data, a JSON object in a script element. The
/// private base of graph_html.cpp.
std::string_view graph_page_head();
std::string_view graph_page_tail();

}  // namespace volley
