#include "language/lookup/lookup.hpp"

#include "language/evaluator/environment.hpp"
#include "language/functions/builtin.hpp"

namespace volley::builtins {
namespace {

LookupRequest lookup_request(CallContext& context, const Value& name) {
    LookupRequest request;
    request.names_are_list = name.is_array();
    if (request.names_are_list) {
        for (const Value& one : name.as_array()) request.names.push_back(one.as_string());
    } else {
        request.names.push_back(name.as_string());
    }
    request.block = context.block;
    return request;
}

Value lookup_run(CallContext& context, const LookupRequest& request) {
    return context.environment().lookup().find(context.evaluator, context.frame, request);
}

/// name, type, merge; and the default, when there are four.
Value lookup_plain(CallContext& context, std::span<const Value> args) {
    LookupRequest request = lookup_request(context, args[0]);
    if (args.size() > 1 && !args[1].is_undef()) request.type = args[1].as_type();
    if (args.size() > 2) request.merge = args[2];
    if (args.size() > 3) request.default_value = args[3];
    return lookup_run(context, request);
}

Value lookup_with(CallContext& context, const Value& name, const Hash& options) {
    LookupRequest request = lookup_request(context, name);
    const auto option = [&options](const char* key) {
        const Value* value = options.find(key);
        return value ? *value : Value();
    };
    const Value type = option("value_type");
    if (!type.is_undef()) request.type = type.as_type();
    if (options.find("default_value")) request.default_value = option("default_value");
    request.merge = option("merge");
    request.override_values = option("override");
    request.default_values = option("default_values_hash");
    return lookup_run(context, request);
}

Value lookup_by_options(CallContext& context, std::span<const Value> args) {
    return lookup_with(context, *args[0].as_hash().find("name"), args[0].as_hash());
}
Value lookup_with_options(CallContext& context, std::span<const Value> args) {
    return lookup_with(context, args[0], args[1].as_hash());
}

constexpr std::string_view lookup_options_with_name =
    "Struct[{name => NameType, value_type => Optional[ValueType], default_value => "
    "Optional[DefaultValueType],"
    " override => Optional[Hash[String,Any]], default_values_hash => Optional[Hash[String,Any]],"
    " merge => Optional[MergeType]}]";
constexpr std::string_view lookup_options_without_name =
    "Struct[{value_type => Optional[ValueType], default_value => Optional[DefaultValueType],"
    " override => Optional[Hash[String,Any]], default_values_hash => Optional[Hash[String,Any]],"
    " merge => Optional[MergeType]}]";

}  // namespace

const Builtin& lookup_builtin() {
    static const Builtin def{
        .name = "lookup",
        .doc = "The value of a key in Hiera's data, merged and checked as asked.",
        .pure = true,
        .reads_variables = true,
        .dispatches = {{.params = {{"NameType", "name"},
                                   {"ValueType", "value_type", Dispatch::Optional},
                                   {"MergeType", "merge", Dispatch::Optional}},
                        .call = lookup_plain},
                       {.params = {{"NameType", "name"},
                                   {"Optional[ValueType]", "value_type"},
                                   {"Optional[MergeType]", "merge"},
                                   {"DefaultValueType", "default_value"}},
                        .call = lookup_plain},
                       {.params = {{"NameType", "name"},
                                   {"ValueType", "value_type", Dispatch::Optional},
                                   {"MergeType", "merge", Dispatch::Optional}},
                        .block = "BlockType",
                        .call = lookup_plain},
                       {.params = {{"OptionsWithName", "options_hash"}},
                        .block = "Optional[BlockType]",
                        .call = lookup_by_options},
                       {.params = {{"Variant[String,Array[String]]", "name"},
                                   {"OptionsWithoutName", "options_hash"}},
                        .block = "Optional[BlockType]",
                        .call = lookup_with_options}},
        .local_types = {{"NameType", "Variant[String, Array[String]]"},
                        {"ValueType", "Type"},
                        {"DefaultValueType", "Any"},
                        {"MergeType", "Variant[String[1], Hash[String, Scalar]]"},
                        {"BlockType", "Callable[NameType]"},
                        {"OptionsWithName", lookup_options_with_name},
                        {"OptionsWithoutName", lookup_options_without_name}},
    };
    return def;
}

}  // namespace volley::builtins
