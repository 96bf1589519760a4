#include <algorithm>

#include "language/conversion/creators.hpp"
#include "language/conversion/to_string.hpp"
#include "language/errors.hpp"
#include "language/evaluator/iterate.hpp"
#include "language/text/regexp.hpp"

namespace volley {
namespace {

Value string_args(CallContext&, std::span<const Value> args) {
    return convert_to_string(args[0], args.size() > 1 ? args[1] : Value::make_default());
}

Value regexp_args(CallContext&, std::span<const Value> args) {
    std::string pattern;
    const bool escape = args.size() > 1 && args[1].as_boolean();
    for (const char c : args[0].as_string()) {
        if (escape && std::string_view("[]{}()|-*.\\?+^$# ").find(c) != std::string_view::npos)
            pattern += '\\';
        if (escape && c == '\n')
            pattern += "\\n";
        else if (escape && c == '\t')
            pattern += "\\t";
        else
            pattern += c;
    }
    return Regexp::compile(pattern);
}

Value array_args(CallContext&, std::span<const Value> args) { return iterate_all(args[0]); }

Value array_wrapped(CallContext&, std::span<const Value> args) {
    return args[0].is_array() ? args[0] : Value(std::vector<Value>{args[0]});
}

Value array_error(CallContext&, std::span<const Value> args) {
    throw EvalError("", "'new_array' Value of type " + to_display_string(*infer(args[0])->generalize()) +
                            " cannot be converted to Array");
}

Value from_pairs(const Array& pairs) {
    HashBuilder builder;
    for (const Value& pair : pairs) builder.set(pair.as_array()[0], pair.as_array()[1]);
    return builder.build();
}

Value hash_tuples(CallContext&, std::span<const Value> args) { return from_pairs(args[0].as_array()); }

Value lists_as_hashes(const Value& value) {
    if (!value.is_array()) return value;
    HashBuilder builder;
    std::int64_t position = 0;
    for (const Value& item : value.as_array()) builder.set(Value(position++), lists_as_hashes(item));
    return builder.build();
}

/// A copy of `root` with `value` at the end of a path; what is missing on the way becomes hashes.
Value placed(const Value& root, std::span<const Value> path, const Value& value) {
    const NestingGuard guard;
    if (path.empty()) return value;
    if (root.is_array() && path[0].is(Kind::Integer)) {
        std::vector<Value> items = root.as_array().items();
        const auto index = static_cast<std::size_t>(std::max<std::int64_t>(path[0].as_integer(), 0));
        if (index > 100000) throw EvalError("", "index " + std::to_string(index) + " too big");
        if (index >= items.size()) items.resize(index + 1);
        items[index] = placed(items[index], path.subspan(1), value);
        return items;
    }
    HashBuilder builder = root.is_hash() ? HashBuilder(root.as_hash()) : HashBuilder();
    const Value* inner = builder.find(path[0]);
    builder.set(path[0], placed(inner ? *inner : Value(), path.subspan(1), value));
    return builder.build();
}

Value hash_tree(CallContext&, std::span<const Value> args) {
    if (args.size() < 2) return from_pairs(args[0].as_array());
    const bool all_hashes = args[1].as_string() == "hash_tree";
    Value result = HashBuilder().build();
    for (const Value& entry : args[0].as_array()) {
        const Array& path = entry.as_array()[0].as_array();
        const Value& value = entry.as_array()[1];
        if (!path.empty()) {
            result = placed(result, path.items(), all_hashes ? lists_as_hashes(value) : value);
            continue;
        }
        HashBuilder builder(result.as_hash());
        if (value.is_array()) {
            std::int64_t position = 0;
            for (const Value& item : value.as_array()) builder.set(Value(position++), item);
        } else if (value.is_hash()) {
            for (const auto& member : value.as_hash()) builder.set(member.key, member.value);
        }
        result = builder.build();
    }
    return result;
}

Value hash_any(CallContext&, std::span<const Value> args) {
    if (args[0].is_hash()) return args[0];
    Value list;
    try {
        if (!args[0].is(Kind::Binary)) list = iterate_all(args[0]);
    } catch (const EvalError&) {
    }
    if (!list.is_array()) {
        throw EvalError("", "Value of type " + to_display_string(*infer(args[0])->generalize()) +
                                " cannot be converted to Hash");
    }
    const Array& items = list.as_array();
    if (items.size() % 2 != 0) throw EvalError("", "odd number of arguments for Hash");
    HashBuilder builder;
    for (std::size_t i = 0; i < items.size(); i += 2) builder.set(items[i], items[i + 1]);
    return builder.build();
}

}  // namespace

const Builtin& string_creator() {
    static const Builtin def{
        .name = "new_string",
        .doc = "Text from any value, with formats.",
        .dispatches = {{.params = {{"Convertible", "from"},
                                   {"Formats", "string_formats", Dispatch::Optional}},
                        .call = string_args}},
        .local_types = {{"Format",
                         "Pattern[/^%([\\s\\[+#0{<(|-]*)([1-9][0-9]*)?(?:\\.([0-9]+))?([a-zA-Z])$/]"},
                        {"ContainerFormat",
                         "Struct[{Optional[format] => Format, Optional[separator] => String, "
                         "Optional[separator2] => String, "
                         "Optional[string_formats] => Hash[Type, Format]}]"},
                        {"TypeMap", "Hash[Type, Variant[Format, ContainerFormat]]"},
                        {"Convertible", "Any"},
                        {"Formats", "Variant[Default, String[1], TypeMap]"}},
    };
    return def;
}

const Builtin& regexp_creator() {
    static const Builtin def{
        .name = "new_float",  // compatibility: Puppet's name for it
        .doc = "A regular expression from its text.",
        .dispatches = {{.params = {{"String", "pattern"}, {"Boolean", "escape", Dispatch::Optional}},
                        .call = regexp_args}},
    };
    return def;
}

const Builtin& array_creator() {
    static const Builtin def{
        .name = "new_array",
        .doc = "An Array from what can be walked over, or around a value.",
        .dispatches = {{.params = {{"Variant[Array,Hash,Binary,Iterable]", "from"},
                                   {"Boolean[false]", "wrap", Dispatch::Optional}},
                        .call = array_args},
                       {.params = {{"Any", "from"}, {"Boolean[true]", "wrap"}}, .call = array_wrapped},
                       {.params = {{"Any", "from"}, {"Boolean", "wrap", Dispatch::Optional}},
                        .call = array_error,
                        .explains = true}},
    };
    return def;
}

const Builtin& hash_creator() {
    static const Builtin def{
        .name = "new_hash",
        .doc = "A Hash from pairs, from a flat list, or from paths and values.",
        .dispatches = {{.params = {{"TreeArray", "from"},
                                   {"NewHashOption", "build_option", Dispatch::Optional}},
                        .call = hash_tree},
                       {.params = {{"KeyValueArray", "from"}}, .call = hash_tuples},
                       {.params = {{"Any", "from"}}, .call = hash_any}},
        .local_types = {{"KeyValueArray", "Array[Tuple[Any,Any],1]"},
                        {"TreeArray", "Array[Tuple[Array,Any],1]"},
                        {"NewHashOption", "Enum[tree, hash_tree]"}},
    };
    return def;
}

}  // namespace volley
