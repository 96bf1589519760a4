#include "language/errors.hpp"
#include "language/functions/builtin.hpp"

namespace volley::builtins {
namespace {

Value import_discontinued(CallContext& context, std::span<const Value>) {
    throw EvalError(
        "DISCONTINUED_IMPORT",
        "Evaluation Error: Use of 'import' has been discontinued in favor of a manifest directory. See "
        "http://links.puppet.com/puppet-import-deprecation",
        context.at);
}

}  // namespace

const Builtin& import_builtin() {
    static const Builtin def{
        .name = "import",
        .doc = "Always an error: manifests are read from directories, no longer imported one by one.",
        .dispatches = {{.params = {{"Any", "args", Dispatch::Repeated}}, .call = import_discontinued}},
    };
    return def;
}

}  // namespace volley::builtins
