#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "language/ruby/native/method.hpp"

/// What built-in methods need to read their arguments, to raise what Ruby raises and to make what they
/// answer.
namespace volley::ruby {

[[noreturn]] void raise_argument(const std::string& message);  ///< ArgumentError
[[noreturn]] void raise_type(const std::string& message);      ///< TypeError
[[noreturn]] void raise_index(const std::string& message);     ///< IndexError
[[noreturn]] void raise_range(const std::string& message);     ///< RangeError
/// "comparison of Integer with nil failed"
[[noreturn]] void raise_not_comparable(const Object& left, const Object& right);

/// What messages about conversions call an object: nil, true, false, or its class.
std::string conversion_name(const Object& object);
/// What messages about comparisons call the object on the right: small values are shown, others named.
std::string comparison_name(const Object& object);

// Ruby's implicit conversions; each raises TypeError for what has none.
std::int64_t to_integer(const Object& object);  ///< a Float is cut off
/// to_integer() for the few methods that keep the argument in 32 bits (bases, digits, levels, limits): raises
/// RangeError beyond them.
int to_small_integer(const Object& object);
std::size_t to_count(const Object& object, const char* negative_message);
const std::string& to_string(const Object& object);
const std::vector<Object>& to_items(const Object& object);
Hash& to_hash(const Object& object);
/// A String or a Symbol as a name: `send`, `respond_to?`.
const std::string& to_name(const Object& object);

/// The value of a keyword argument; nullptr when it was not given.
const Object* keyword(const Call& call, std::string_view name);
/// The arguments without the keywords at the end.
std::span<const Object> positional(const Call& call);
/// ArgumentError for a number of arguments, whatever the method's row says.
void expect_arguments(std::size_t given, int least, int most);

inline Object size_object(std::size_t count) { return Object(static_cast<std::int64_t>(count)); }
Object text(const Call& call, std::string text);
Object list(const Call& call, std::vector<Object> items);
Object pair(const Call& call, const Object& first, const Object& second);

/// Calls the block with one value, or with two.
Object yield(const Call& call, const Object& argument);
Object yield(const Call& call, const Object& first, const Object& second);
/// Throws NotNative when there is no block: Ruby would return an Enumerator, or do something else.
void need_block(const Call& call, std::string_view method);
/// What `method` answers when it has no block.
Object enumerator(const Call& call, std::string_view method);
[[noreturn]] void not_native(std::string_view what);

/// <=> as sorting needs it. Raises ArgumentError for what has no order.
int order(const Object& left, const Object& right);
/// What a block for sorting answered, as a sign: a number; others are compared with 0.
int order_of_answer(const Object& answer, const Object& left, const Object& right);
/// pattern === object.
bool case_equal(Machine& machine, const Object& pattern, const Object& object);
/// ==, also of objects of the program.
bool equal_objects(const Call& call, const Object& left, const Object& right);
/// to_s, also of objects of the program.
std::string text_of(const Call& call, const Object& object);

/// FrozenError or NotNative for an object that must not change.
void check_changeable(const Call& call, std::uint32_t own_walks = 0);

/// A run of places in a list or text: what [1, 2], [1..-1] and others mean.
struct Slice {
    std::size_t begin = 0;
    std::size_t length = 0;
};
/// nullopt where Ruby returns nil: it begins outside.
std::optional<Slice> slice_of(std::int64_t begin, std::int64_t length, std::size_t size);
std::optional<Slice> slice_of(const Range& range, std::size_t size);

}  // namespace volley::ruby
