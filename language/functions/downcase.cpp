#include "language/characters_case.hpp"
#include "language/errors.hpp"
#include "language/functions/builtin.hpp"
#include "language/functions/iteration.hpp"

namespace volley::builtins {
namespace {

Value downcase_change(const Value& value) {
    const NestingGuard guard;
    if (value.is_string()) return to_lower(value.as_string());
    if (value.is_array()) {
        std::vector<Value> items;
        for (const Value& item : value.as_array()) items.push_back(downcase_change(item));
        return items;
    }
    if (!value.is_hash()) return value;
    HashBuilder result;
    for (const auto& entry : value.as_hash())
        result.set(downcase_change(entry.key), downcase_change(entry.value));
    return result.build();
}
Value downcase(CallContext&, std::span<const Value> args) { return downcase_change(args[0]); }

}  // namespace

const Builtin& downcase_builtin() {
    static const Builtin def{
        .name = "downcase",
        .doc = "Text in lower case.",
        .dispatches = {{.params = {{"Numeric", "arg"}}, .call = downcase},
                       {.params = {{"String", "arg"}}, .call = downcase},
                       {.params = {{"Array[StringData]", "arg"}}, .call = downcase},
                       {.params = {{"Hash[StringData, StringData]", "arg"}}, .call = downcase}},
        .local_types = {{"StringData",
                         "Variant[String, Numeric, Array[StringData], Hash[StringData, StringData]]"}},
    };
    return def;
}

}  // namespace volley::builtins
