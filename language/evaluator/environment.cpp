#include "language/evaluator/environment.hpp"

#include "language/functions/builtin.hpp"
#include "language/syntax/parser.hpp"

namespace volley {

LanguageHost::ProgramResult LanguageHost::run_program(const std::vector<std::string>& argv,
                                                      const std::string&) {
    throw EvalError("",
                    "The program " + argv.front() + " cannot be run: this evaluation may not start programs");
}

Environment::Environment(LanguageHost& world, LanguageSettings options)
    : host(world),
      settings(std::move(options)),
      types([this](std::string_view name) -> std::optional<std::string> {
          const auto file = host.type_source(name);
          return file ? std::optional(file->text) : std::nullopt;
      }) {
    add_builtins(all_builtins());
}

void Environment::add_program(std::shared_ptr<const ast::Program> program) {
    for (const ast::Node* node : program->definitions) {
        if (node->kind == ast::NodeKind::Function) {
            const auto& definition = ast::as<ast::Definition>(*node);
            functions_[std::string(definition.name)] = &definition;
        } else if (node->kind == ast::NodeKind::TypeAlias) {
            types.declare_alias(ast::as<ast::TypeAlias>(*node));
        }
    }
    programs_.push_back(std::move(program));
}

const ast::Definition* Environment::find_function(std::string_view name) {
    if (name.starts_with("::")) name.remove_prefix(2);
    const auto found = functions_.find(std::string(name));
    if (found != functions_.end()) return found->second;
    const auto file = host.function_source(name);
    if (!file) return nullptr;
    auto program = parse_program(file->text, {.file = file->path, .tasks = settings.tasks});
    add_program(program);
    const auto loaded = functions_.find(std::string(name));
    if (loaded != functions_.end()) return loaded->second;
    throw EvalError("",
                    "The code loaded from " + file->path + " produced no function with the name '" +
                        std::string(name) + "'",
                    {file->path, 0, 0});
}

void Environment::add_builtins(const std::vector<const Builtin*>& more) {
    for (const Builtin* builtin : more) builtins_[std::string(builtin->name)] = builtin;
}

const Builtin* Environment::find_builtin(std::string_view name) const {
    if (name.starts_with("::")) name.remove_prefix(2);
    const auto found = builtins_.find(std::string(name));
    return found == builtins_.end() ? nullptr : found->second;
}

}  // namespace volley
