#include "cli/help/language_reference.hpp"

#include <algorithm>
#include <set>
#include <vector>

#include "apply/compiler/compiler.hpp"
#include "cli/help/type_docs.hpp"
#include "language/functions/builtin.hpp"
#include "language/functions/stdlib/registry.hpp"

namespace volley::cli {
namespace {

using Functions = std::vector<const Builtin*>;

std::string parameter_text(const Dispatch::Parameter& parameter) {
    std::string text = std::string(parameter.type) + " ";
    if (parameter.arity == Dispatch::Repeated || parameter.arity == Dispatch::RequiredRepeated) text += "*";
    text += "$" + std::string(parameter.name);
    return parameter.arity == Dispatch::Optional ? "[" + text + "]" : text;
}

/// "split(String $str, Regexp $pattern) >> Array"
std::string signature_text(const Builtin& function, const Dispatch& dispatch) {
    std::string text = std::string(function.name) + "(";
    for (std::size_t i = 0; i < dispatch.params.size(); ++i)
        text += (i == 0 ? "" : ", ") + parameter_text(dispatch.params[i]);
    text += ")";
    if (!dispatch.block.empty()) text += " { " + std::string(dispatch.block) + " }";
    if (!dispatch.returns.empty()) text += " >> " + std::string(dispatch.returns);
    return text;
}

/// A function of Puppet's older API checks its arguments itself.
std::string legacy_signature(const Builtin& function) {
    const int arity = *function.legacy_arity;
    const int least = arity < 0 ? -arity - 1 : arity;
    std::string text = std::string(function.name) + "(";
    for (int i = 0; i < least; ++i)
        text += (i == 0 ? "" : ", ") + ("$" + std::string(1, static_cast<char>('a' + i)));
    if (arity < 0) text += std::string(least == 0 ? "" : ", ") + "*$more";
    return text + ")";
}

void add_function(std::string& page, const Builtin& function) {
    page += "### " + std::string(function.name) + "\n\n" + std::string(function.doc) + "\n\n";
    if (function.legacy_arity) {
        page += "    " + legacy_signature(function) + "\n\n";
        return;
    }
    for (const Dispatch& dispatch : function.dispatches) {
        if (!dispatch.explains) page += "    " + signature_text(function, dispatch) + "\n";
    }
    for (const auto& [name, text] : function.local_types) {
        const std::size_t meaning =
            text.starts_with('#') ? text.find(" = ") + 3 : 0;  // after the name in a definition
        page += "\n`" + std::string(name) + "` is `" + std::string(text.substr(meaning)) + "`.\n";
    }
    page += "\n";
}

void add_functions(std::string& page, std::string_view heading, Functions functions) {
    std::sort(functions.begin(), functions.end(),
              [](const Builtin* a, const Builtin* b) { return a->name < b->name; });
    page += "## " + std::string(heading) + "\n\n";
    for (const Builtin* function : functions) add_function(page, *function);
}

}  // namespace

std::string language_functions_page() {
    std::string page =
        "# Functions\n\n"
        "Made from the declarations of the functions: `./dev docs` writes it anew. A parameter in brackets "
        "may be left "
        "out,\none with a star may be given several times; what stands in braces is the type of the "
        "lambda.\n\n";
    add_functions(page, "Of the language", all_builtins());
    add_functions(page, "Of catalogs", compiler_builtins());
    add_functions(page, "Of stdlib", stdlib_builtins());
    page.pop_back();
    return page;
}

std::string language_types_page() {
    std::string page =
        "# Types\n\n"
        "Every type may stand in a parameter's declaration, after `=~` and in `case`. What goes between the "
        "brackets "
        "may be\nleft out from the right; `default` stands for no limit.\n\n| type | values |\n|---|---|\n";
    for (const TypeDoc& type : type_docs()) {
        const std::string parameters =
            type.parameters.empty() ? "" : "[" + std::string(type.parameters) + "]";
        page += "| `" + std::string(type.name) + parameters + "` | " + std::string(type.doc) + " |\n";
    }
    return page;
}

}  // namespace volley::cli
