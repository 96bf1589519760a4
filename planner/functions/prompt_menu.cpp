#include <algorithm>

#include "language/text/text.hpp"
#include "planner/functions/ask.hpp"
#include "planner/functions/plan_function.hpp"
#include "support/error.hpp"

namespace volley::planner {
namespace {

Value menu_of(const Value& given) {
    if (given.is_hash()) return given;
    HashBuilder menu;
    std::size_t number = 0;
    for (const Value& choice : given.as_array()) menu.set(Value(std::to_string(++number)), choice);
    return menu.build();
}

std::string menu_text(const Hash& menu) {
    std::size_t width = 0;
    for (const Hash::Entry& entry : menu) width = std::max(width, character_count(entry.key.as_string()) + 2);
    std::string text;
    for (const Hash::Entry& entry : menu) {
        const std::string key = "(" + entry.key.as_string() + ")";
        text += key + std::string(width - character_count(entry.key.as_string()) - 2, ' ') + " " +
                Evaluator::text(entry.value) + "\n";
    }
    return text;
}

Value do_prompt_menu(PlanCall& call) {
    const Value choices = menu_of(call.arguments[1]);
    const Hash& menu = choices.as_hash();
    if (menu.empty()) throw Error("bolt/validation-error", "Menu cannot be empty");
    const PromptOptions options = prompt_options(call, 2);
    const bool known = std::any_of(menu.begin(), menu.end(), [&options](const Hash::Entry& entry) {
        return entry.value == options.fallback;
    });
    if (options.has_fallback && !known) {
        throw Error("bolt/validation-error", "Default value '" + Evaluator::text(options.fallback) +
                                                 "' is not one of the provided menu options");
    }
    std::string question = menu_text(menu) + call.text(0);
    while (true) {
        Value answer = ask_person(call, question, options);
        if (const Value* chosen = menu.find(answer)) return *chosen;
        if (options.has_fallback && answer == options.fallback) return answer;
        question = "Invalid option, try again. " + call.text(0);
    }
}

}  // namespace

const Builtin& prompt_menu_function() {
    static const Builtin def{
        .name = "prompt::menu",
        .doc = "Lets the person at the terminal choose from a menu.",
        .dispatches =
            {{.params = {{"String", "prompt"},
                         {"Variant[Array[Variant[Target, Data]], Hash[String[1], Variant[Target, Data]]]",
                          "menu"},
                         {"Hash[String[1], Variant[Target, Data]]", "options", Dispatch::Optional}},
              .call = plan_body<do_prompt_menu>}},
        .local_types = plan_local_types(),
        .native_types = &plan_types(),
        .options = FunctionOptions{{"default", "sensitive"}},
    };
    return def;
}

}  // namespace volley::planner
