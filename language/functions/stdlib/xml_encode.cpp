#include "language/functions/stdlib/common.hpp"

namespace volley::stdlib {
namespace {

Value stdlib_xml_encode(CallContext&, std::span<const Value> args) {
    const bool attribute = args.size() > 1 && args[1].as_string() == "attr";
    std::string result;
    for (const char c : args[0].as_string()) {
        if (c == '&')
            result += "&amp;";
        else if (c == '<')
            result += "&lt;";
        else if (c == '>')
            result += "&gt;";
        else if (c == '"' && attribute)
            result += "&quot;";
        else if (c == '\'' && attribute)
            result += "&apos;";
        else
            result += c;
    }
    return attribute ? "\"" + result + "\"" : result;
}

}  // namespace

const Builtin& xml_encode_function() {
    static const Builtin def{
        .name = "stdlib::xml_encode",
        .doc = "A text escaped for the content of an XML element, or for an attribute, with its quotes.",
        .pure = true,
        .dispatches = {{.params = {{"String", "str"}, {"Enum['text','attr']", "type", Dispatch::Optional}},
                        .returns = "String",
                        .call = stdlib_xml_encode}},
    };
    return def;
}

}  // namespace volley::stdlib
