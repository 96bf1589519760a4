#include "language/functions/builtin.hpp"
#include "language/text/version_compare.hpp"

namespace volley::builtins {
namespace {

Value compare_versions(CallContext&, std::span<const Value> args) {
    return version_compare(args[0].as_string(), args[1].as_string(), args.size() > 2 && args[2].as_boolean());
}

}  // namespace

const Builtin& versioncmp_builtin() {
    static const Builtin def{
        .name = "versioncmp",
        .doc = "Compares two version numbers: -1, 0 or 1.",
        .pure = true,
        .dispatches = {{.params = {{"String", "a"},
                                   {"String", "b"},
                                   {"Boolean", "ignore_trailing_zeroes", Dispatch::Optional}},
                        .call = compare_versions}},
    };
    return def;
}

}  // namespace volley::builtins
