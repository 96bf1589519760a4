#include "language/characters_case.hpp"
#include "language/errors.hpp"
#include "language/functions/builtin.hpp"
#include "language/functions/iteration.hpp"

namespace volley::builtins {
namespace {

Value upcase_change(const Value& value) {
    const NestingGuard guard;
    if (value.is_string()) return to_upper(value.as_string());
    if (value.is_array()) {
        std::vector<Value> items;
        for (const Value& item : value.as_array()) items.push_back(upcase_change(item));
        return items;
    }
    if (!value.is_hash()) return value;
    HashBuilder result;
    for (const auto& entry : value.as_hash())
        result.set(upcase_change(entry.key), upcase_change(entry.value));
    return result.build();
}
Value upcase(CallContext&, std::span<const Value> args) { return upcase_change(args[0]); }

}  // namespace

const Builtin& upcase_builtin() {
    static const Builtin def{
        .name = "upcase",
        .doc = "Text in upper case.",
        .dispatches = {{.params = {{"Numeric", "arg"}}, .call = upcase},
                       {.params = {{"String", "arg"}}, .call = upcase},
                       {.params = {{"Array[StringData]", "arg"}}, .call = upcase},
                       {.params = {{"Hash[StringData, StringData]", "arg"}}, .call = upcase}},
        .local_types = {{"StringData",
                         "Variant[String, Numeric, Array[StringData], Hash[StringData, StringData]]"}},
    };
    return def;
}

}  // namespace volley::builtins
