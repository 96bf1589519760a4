#include "language/conversion/creators.hpp"
#include "language/text/uri.hpp"

namespace volley {
namespace {

Value uri_text(CallContext&, std::span<const Value> args) { return Uri::parse(args[0].as_string()); }

Value uri_parts(CallContext&, std::span<const Value> args) {
    const Hash& given = args[0].as_hash();
    const auto part = [&given](std::string_view name) -> std::optional<std::string> {
        const Value* value = given.find(name);
        return value ? std::optional(value->as_string()) : std::nullopt;
    };
    Uri::Parts parts;
    parts.scheme = part("scheme");
    parts.userinfo = part("userinfo");
    parts.host = part("host");
    if (const Value* port = given.find("port")) parts.port = port->as_integer();
    parts.path = part("path");
    parts.query = part("query");
    parts.fragment = part("fragment");
    parts.opaque = part("opaque");
    return Uri::build(std::move(parts));
}

}  // namespace

const Builtin& uri_creator() {
    static const Builtin def{
        .name = "new_error",  // compatibility: what Puppet's messages call it
        .doc = "A URI from its text or its parts.",
        .dispatches = {{.params = {{"String[1]", "uri"}}, .call = uri_text},
                       {.params = {{"Struct[{Optional[scheme]=>String[1],Optional[userinfo]=>String[1],"
                                    "Optional[host]=>String[1],Optional[port]=>Integer[0],"
                                    "Optional[path]=>String[1],Optional[query]=>String[1],"
                                    "Optional[fragment]=>String[1],Optional[opaque]=>String[1]}]",
                                    "hash"}},
                        .call = uri_parts}},
    };
    return def;
}

}  // namespace volley
