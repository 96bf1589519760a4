#include "language/functions/stdlib/yaml_text.hpp"

#include <cmath>

#include "language/errors.hpp"
#include "language/functions/stdlib/yaml_scalar_style.hpp"
#include "language/text/ruby_text.hpp"
#include "language/text/text.hpp"

namespace volley::stdlib {
namespace {

using yaml::BlockNode;

std::string yaml_word_of(const Value& value) {
    switch (value.kind()) {
        case Kind::Undef:
            return {};
        case Kind::Float: {
            const double number = value.as_float();
            if (std::isnan(number)) return ".nan";
            return std::isinf(number) ? (number > 0 ? ".inf" : "-.inf") : float_text(number);
        }
        case Kind::Default:
            return ":default";
        default:
            return to_text(value);
    }
}

BlockNode yaml_node_of(const Value& value, const YamlLayout& layout) {
    const NestingGuard guard;
    BlockNode node;
    if (value.is_array()) {
        node.kind = BlockNode::Kind::List;
        for (const Value& item : value.as_array()) node.items.push_back(yaml_node_of(item, layout));
    } else if (value.is_hash()) {
        node.kind = BlockNode::Kind::Map;
        for (const auto& entry : value.as_hash()) {
            node.items.push_back(yaml_node_of(entry.key, layout));
            node.items.push_back(yaml_node_of(entry.value, layout));
        }
    } else if (value.is(Kind::Undef) || value.is(Kind::Boolean) || value.is(Kind::Integer) ||
               value.is(Kind::Float) || value.is(Kind::Default)) {
        node.text = yaml_word_of(value);
    } else {
        node.kind = BlockNode::Kind::Text;
        node.text = value.is_string() ? value.as_string() : ruby_to_s(value);
        node.style = wanted_yaml_style(node.text, layout.folds, layout.width);
    }
    return node;
}

}  // namespace

std::string yaml_text(const Value& value, const YamlLayout& layout) {
    return yaml::block_document(yaml_node_of(value, layout), layout);
}

}  // namespace volley::stdlib
