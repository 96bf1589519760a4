#include "language/functions/stdlib/common.hpp"
#include "language/item_set.hpp"
#include "language/text/ruby_text.hpp"

namespace volley::stdlib {
namespace {

Value stdlib_without_item(const Array& list, const Value& item) {
    std::vector<Value> kept;
    for (const Value& value : list) {
        if (!ruby_equal(value, item)) kept.push_back(value);
    }
    return kept;
}

Value stdlib_without_keys(const Hash& hash, const ItemSet& keys) {
    HashBuilder kept;
    for (const auto& entry : hash) {
        if (!keys.contains(entry.key)) kept.set(entry.key, entry.value);
    }
    return kept.build();
}

Value stdlib_without_part(std::string text, const Value& part) {
    if (!part.is_string()) fail("wrong argument type " + ruby_class(part) + " (expected Regexp)");
    const std::string& gone = part.as_string();
    if (gone.empty()) return text;
    for (std::size_t at = text.find(gone); at != std::string::npos; at = text.find(gone, at))
        text.erase(at, gone.size());
    return text;
}

Value stdlib_delete(CallContext&, std::span<const Value> args) {
    if (args.size() != 2)
        fail("delete(): Wrong number of arguments given " + std::to_string(args.size()) + " for 2");
    Value result = args[0];
    const std::vector<Value> items =
        args[1].is_array() ? args[1].as_array().items() : std::vector<Value>{args[1]};
    if (result.is_hash()) return stdlib_without_keys(result.as_hash(), ItemSet(items));
    for (const Value& item : items) {
        if (result.is_array())
            result = stdlib_without_item(result.as_array(), item);
        else if (result.is_string())
            result = stdlib_without_part(result.as_string(), item);
        else
            fail("delete(): First argument must be an Array, String, or Hash. Given an argument of class " +
                 ruby_class(result) + ".");
    }
    return result;
}

}  // namespace

const Builtin& delete_values_function() {
    static const Builtin def{
        .name = "delete",
        .doc =
            "A list without an element, a hash without a key, or a text without a part. Several can be given "
            "as a list.",
        .pure = true,
        .dispatches = {legacy_dispatch(stdlib_delete)},
        .legacy_arity = -1,
    };
    return def;
}

}  // namespace volley::stdlib
