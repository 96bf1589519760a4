#include "language/evaluator/evaluator.hpp"
#include "language/functions/stdlib/common.hpp"
#include "language/text/regexp.hpp"

namespace volley::stdlib {
namespace {

/// "a.\"b.c\".d" is a, b.c and d.
std::vector<std::string> stdlib_fact_path(const std::string& text) {
    std::vector<std::string> parts;
    const auto part = Regexp::compile("([^.\"]+)|(?:\")([^\"]+)(?:\")");
    for (auto match = part->search(text); match;
         match = part->search(text, static_cast<std::size_t>(match->groups[0].end))) {
        parts.emplace_back(match->group(text, match->groups[1].begin >= 0 ? 1 : 2));
    }
    return parts;
}

std::string stdlib_dotted(std::span<const std::string> parts) {
    std::string result;
    for (const std::string& part : parts) {
        const std::string quote = part.find('.') == std::string::npos ? "" : "\"";
        result += (result.empty() ? "" : ".") + quote + part + quote;
    }
    return result;
}

Value stdlib_fact(CallContext& context, std::span<const Value> args) {
    const std::string& name = args[0].as_string();
    const std::vector<std::string> parts = stdlib_fact_path(name);
    Value value = context.evaluator.find_variable("facts", context.evaluator.top()).value_or(Value());
    for (std::size_t i = 0; i < parts.size() && !value.is_undef(); ++i) {
        const std::string walked = stdlib_dotted(std::span(parts).first(i));
        const auto warn = [&](const std::string& why) {
            context.environment().log(
                {Severity::Warning,
                 "fact request for " + name + " returning nil: '" + walked + "' is " + why,
                 "",
                 {}});
        };
        if (value.is_array()) {
            const auto index = strict_integer(parts[i]);
            if (!index) warn("an array; cannot index to '" + parts[i] + "'");
            const auto size = static_cast<std::int64_t>(value.as_array().size());
            const std::int64_t at = index ? (*index < 0 ? *index + size : *index) : -1;
            value = at >= 0 && at < size ? Value(value.as_array()[static_cast<std::size_t>(at)]) : Value();
        } else if (value.is_hash()) {
            const Value* found = value.as_hash().find(parts[i]);
            value = found ? Value(*found) : Value();
        } else {
            warn("not a collection; cannot walk to '" + parts[i] + "'");
            value = {};
        }
    }
    return value;
}

}  // namespace

const Builtin& fact_function() {
    static const Builtin def{
        .name = "fact",
        .doc =
            "The value of a fact by a path with dots, such as os.family; parts that have dots are in double "
            "quotes. Undef when there is none.",
        .pure = true,
        .reads_variables = true,
        .dispatches = {{.params = {{"String", "fact_name"}}, .call = stdlib_fact}},
    };
    return def;
}

}  // namespace volley::stdlib
