#include "language/syntax/ast_walk.hpp"

#include <algorithm>

namespace volley::ast {
namespace {

void widen(const Node& node, std::uint32_t& first, std::uint32_t& last) {
    first = std::min(first, node.span.begin);
    last = std::max(last, node.span.end());
    for_each_child(node, [&](const Node& child) { widen(child, first, last); });
}

}  // namespace

std::string_view source_text(const Node& node) {
    std::uint32_t first = node.span.begin;
    std::uint32_t last = node.span.end();
    widen(node, first, last);
    return node.source->slice({first, last - first});
}

}  // namespace volley::ast
