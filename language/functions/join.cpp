#include "language/errors.hpp"
#include "language/functions/builtin.hpp"
#include "language/text/ruby_text.hpp"

namespace volley::builtins {
namespace {

void join_into(const Array& items, const std::string& separator, std::string& out, bool& first) {
    const NestingGuard guard;
    for (const Value& item : items) {
        if (item.is_array()) {
            join_into(item.as_array(), separator, out, first);
            continue;
        }
        if (!first) out += separator;
        first = false;
        out += ruby_to_s(item);
        check_text_size(out.size());
    }
}
Value join(CallContext&, std::span<const Value> args) {
    std::string result;
    bool first = true;
    join_into(args[0].as_array(), args.size() > 1 ? args[1].as_string() : std::string(), result, first);
    return result;
}

}  // namespace

const Builtin& join_builtin() {
    static const Builtin def{
        .name = "join",
        .doc = "Joins the elements of an array, with a separator between them.",
        .pure = true,
        .dispatches = {{.params = {{"Array", "arg"}, {"String", "delimiter", Dispatch::Optional}},
                        .call = join}},
    };
    return def;
}

}  // namespace volley::builtins
