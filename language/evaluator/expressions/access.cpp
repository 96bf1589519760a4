#include <algorithm>

#include "language/binary.hpp"
#include "language/callable.hpp"
#include "language/errors.hpp"
#include "language/evaluator/evaluator.hpp"
#include "language/evaluator/expressions/members.hpp"
#include "language/evaluator/expressions/type_access.hpp"
#include "language/evaluator/labels.hpp"
#include "language/flattened.hpp"
#include "language/text/text.hpp"
#include "language/types/types.hpp"
#include "support/unicode/utf8.hpp"

namespace volley {
namespace {

std::vector<Value> all_flattened(const std::vector<Value>& values) {
    std::vector<Value> result;
    for (const Value& value : values) flatten_into(value, result);
    return result;
}

const ast::Node& key_node(const ast::Access& node, std::size_t index) {
    return index < node.keys.size() ? *node.keys[index] : static_cast<const ast::Node&>(node);
}

/// Start and length from what stands in brackets; a negative number counts from the end.
struct Slice {
    std::int64_t start;
    std::int64_t length;
};

Slice slice_of(std::int64_t size, std::int64_t from, std::int64_t length) {
    const std::int64_t start = from < 0 ? size + from : from;
    const std::int64_t count = length < 0 ? size - start + length + 1 : length;
    return start < 0 ? Slice{0, count + start} : Slice{start, count};
}

std::vector<std::string_view> characters(const std::string& text) {
    std::vector<std::string_view> result;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = next_character(text, begin);
        result.push_back(std::string_view(text).substr(begin, end - begin));
        begin = end;
    }
    return result;
}

/// The one or two numbers in the brackets after a text or binary.
std::vector<std::int64_t> substring_numbers(const ast::Access& node, const std::vector<Value>& raw) {
    const std::vector<Value> keys = all_flattened(raw);
    if (keys.empty() || keys.size() > 2) {
        Evaluator::fail("BAD_STRING_SLICE_ARITY", *node.left,
                        "String supports [] with one or two arguments. Got " + std::to_string(keys.size()));
    }
    std::vector<std::int64_t> numbers;
    for (std::size_t i = 0; i < keys.size(); ++i) {
        const auto number = keys[i].is_string() ? parse_number(keys[i].as_string()) : std::optional(keys[i]);
        if (!number || !number->is(Kind::Integer)) {
            const std::string type = key_type_name(number ? *number : keys[i]);
            Evaluator::fail("BAD_STRING_SLICE_KEY_TYPE", key_node(node, i),
                            "A substring operation does not accept " + a_an(type) +
                                " as a character index. Expected an Integer");
        }
        numbers.push_back(number->as_integer());
    }
    return numbers;
}

Value access_string(const ast::Access& node, const std::string& text, const std::vector<Value>& raw) {
    const std::vector<std::int64_t> numbers = substring_numbers(node, raw);
    const auto list = characters(text);
    const auto size = static_cast<std::int64_t>(list.size());
    Slice slice{numbers[0] < 0 ? size + numbers[0] : numbers[0], 1};
    if (numbers.size() == 2) slice = slice_of(size, numbers[0], numbers[1]);
    std::string result;
    if (slice.start < 0 || slice.start >= size) return result;
    const std::int64_t end = slice.length >= size - slice.start ? size : slice.start + slice.length;
    for (std::int64_t i = slice.start; i < end; ++i) result += list[static_cast<std::size_t>(i)];
    return result;
}

/// Bytes are counted as characters are.
Value access_binary(const ast::Access& node, const std::string& bytes, const std::vector<Value>& raw) {
    const std::vector<std::int64_t> numbers = substring_numbers(node, raw);
    const auto size = static_cast<std::int64_t>(bytes.size());
    Slice slice{numbers[0] < 0 ? size + numbers[0] : numbers[0], 1};
    if (numbers.size() == 2) slice = slice_of(size, numbers[0], numbers[1]);
    if (slice.start < 0 || slice.start >= size || slice.length < 0) return Binary::make("");
    return Binary::make(
        bytes.substr(static_cast<std::size_t>(slice.start), static_cast<std::size_t>(slice.length)));
}

}  // namespace

Value Evaluator::eval_access(const ast::Access& node, const FramePtr& frame) {
    const Value left = evaluate(*node.left, frame);
    const bool names_classes = left.is(Kind::Type) && left.as_type()->kind() == TypeKind::Class;
    const std::vector<Value> keys = names_classes ? class_keys(node, frame) : unfolded_keys(node, frame);
    switch (left.kind()) {
        case Kind::String:
            return access_string(node, left.as_string(), keys);
        case Kind::Binary:
            return access_binary(node, left.as<Binary>().bytes, keys);
        case Kind::Array:
            return access_array(node, left.as_array(), keys);
        case Kind::Hash: {
            if (keys.size() == 1) {
                const Value* found = left.as_hash().find(keys[0]);
                return found ? *found : Value();
            }
            std::vector<Value> result;
            for (const Value& key : keys) {
                const Value* found = left.as_hash().find(key);
                if (found && !found->is_undef()) result.push_back(*found);
            }
            return result;
        }
        case Kind::Type: {
            const bool by_name =
                left.as_type()->kind() == TypeKind::Struct || left.as_type()->kind() == TypeKind::Callable ||
                left.as_type()->kind() == TypeKind::Resource || left.as_type()->kind() == TypeKind::Class ||
                left.as_type()->kind() == TypeKind::Init;
            return access_type(*this, node, left.as_type(), by_name ? keys : all_flattened(keys), keys);
        }
        case Kind::Object: {
            if (has_member(left, "[]")) {
                CallContext context{*this, frame, nullptr, "[]", node};
                return call_member(context, left, "[]", keys);
            }
            if (keys.size() == 1 && keys[0].is_string()) {
                if (const auto value = left.as<ObjectBase>().indexed(keys[0].as_string())) return *value;
            }
            break;
        }
        default:
            break;
    }
    fail("OPERATOR_NOT_APPLICABLE", *node.left,
         "Operator '[]' is not applicable to " + a_an(label(left)) + ".");
}

std::vector<Value> Evaluator::unfolded_keys(const ast::Access& node, const FramePtr& frame) {
    std::vector<Value> keys;
    for (const ast::Node* key : node.keys) keys.push_back(evaluate(*key, frame));
    return keys;
}

/// Compatibility: the name of a type that does not exist is not a mistake here, though no name of a class
/// either.
std::vector<Value> Evaluator::class_keys(const ast::Access& node, const FramePtr& frame) {
    std::vector<Value> keys;
    for (const ast::Node* key : node.keys) {
        if (key->kind == ast::NodeKind::Reference) {
            const std::string name(ast::as<ast::Reference>(*key).cased_value);
            TypePtr type = environment_.types.load(name);
            if (!type)
                type =
                    make_shared_object<types::TextType>(TypeKind::Reference, std::vector<std::string>{name});
            keys.emplace_back(std::move(type));
        } else {
            keys.push_back(evaluate(*key, frame));
        }
    }
    return keys;
}

Value Evaluator::access_array(const ast::Access& node, const Array& items, const std::vector<Value>& raw) {
    const std::vector<Value> keys = all_flattened(raw);
    if (keys.empty() || keys.size() > 2) {
        fail("BAD_ARRAY_SLICE_ARITY", *node.left,
             "Array supports [] with one or two arguments. Got " + std::to_string(keys.size()));
    }
    std::vector<std::int64_t> numbers;
    for (std::size_t i = 0; i < keys.size(); ++i) {
        // Compatibility: a version counts as a number here.
        const Value number = keys[i].is(Kind::SemVer) ? keys[i] : coerce_numeric(keys[i], key_node(node, i));
        if (!number.is(Kind::Integer)) {
            fail("BAD_SLICE_KEY_TYPE", key_node(node, i),
                 "An Array[] cannot use " + key_type_name(number) + " where Integer is expected");
        }
        numbers.push_back(number.as_integer());
    }
    const auto size = static_cast<std::int64_t>(items.size());
    if (numbers.size() == 1) {
        const std::int64_t index = numbers[0] < 0 ? size + numbers[0] : numbers[0];
        return index < 0 || index >= size ? Value() : items[static_cast<std::size_t>(index)];
    }
    const Slice slice = slice_of(size, numbers[0], numbers[1]);
    std::vector<Value> result;
    if (slice.start > size || slice.length < 0) return result;
    const std::int64_t end = slice.length >= size - slice.start ? size : slice.start + slice.length;
    for (std::int64_t i = slice.start; i < end; ++i) result.push_back(items[static_cast<std::size_t>(i)]);
    return result;
}

}  // namespace volley
