#include "apply/compiler/definitions.hpp"

#include <algorithm>

#include "language/compile.hpp"
#include "language/errors.hpp"
#include "language/loaders/definition_names.hpp"
#include "language/text/characters_case.hpp"
#include "language/text/text.hpp"
#include "support/text.hpp"

namespace volley {
namespace {

std::string normal_definition_name(std::string_view name) {
    if (name.starts_with("::")) name.remove_prefix(2);
    return lower(name);
}

/// " (line: 1)", " (file: f, line: 1)", or nothing.
std::string definition_place(const Definition& definition) {
    if (!definition.node) return {};
    const Location at = definition.node->location();
    if (at.file.empty()) return " (line: " + std::to_string(at.line) + ")";
    return " (file: " + at.file + ", line: " + std::to_string(at.line) + ")";
}

[[noreturn]] void fail_redefinition(const Definition& definition, const std::string& message) {
    const Location at = definition.node->location();
    throw EvalError("", message, {at.file, at.line, 0});
}

/// The name under which Puppet knows a node with a regular expression.
/// As in Puppet 8 the marks of groups that look around are part of it: /(?<!a)sync/ is not /async/.
std::string pattern_node_name(const std::string& source) {
    const std::string text = to_lower(source);
    std::string marked;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = text.compare(at, 2, "(?") == 0 ? text.find(')', at) : std::string::npos;
        if (end == std::string::npos) {
            marked += text[at++];
            continue;
        }
        for (; at <= end; ++at) {
            constexpr std::string_view marks = "(?<>!=)";
            constexpr std::string_view names[] = {"LP", "QU", "LT", "GT", "EX", "EQ", "RP"};
            const std::size_t mark = marks.find(text[at]);
            marked += mark == std::string_view::npos ? std::string_view(text).substr(at, 1) : names[mark];
        }
    }
    std::string kept;
    for (const char c : marked) {
        const bool word =
            (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
        if (word || c == '-' || c == ':' || c == '.') kept += c;
    }
    kept.erase(0, std::min(kept.find_first_not_of('.'), kept.size()));
    return "__node_regexp__" + kept;
}

/// Compatibility: defined types are entities of the loader, whose message has another form and no position.
[[noreturn]] void fail_second_define(const Definition& old) {
    const Location at = old.node->location();
    throw EvalError("", "Attempt to redefine entity 'http://puppet.com/2016.1/runtime/type/" + old.name +
                            "'. Originally set at " + (at.file.empty() ? "string:" : "file://" + at.file) +
                            "?line=" + std::to_string(at.line) + "&pos=" + std::to_string(at.column) + ".");
}

std::shared_ptr<DefinitionCode> class_or_define_code(const ast::Node& node, const std::string& module_name) {
    const auto& source = ast::as<ast::Definition>(node);
    auto code = std::make_shared<DefinitionCode>();
    code->kind =
        node.kind == ast::NodeKind::Class ? DefinitionCode::Kind::Class : DefinitionCode::Kind::Define;
    code->name = lower(source.name);
    code->reference = capitalize_segments(code->name);
    code->node = &node;
    code->body = source.body;
    code->parameters = source.parameters;
    code->module_name = module_name;
    if (!source.parent.empty())
        code->parent = (source.parent.starts_with("::") ? "" : "::") + std::string(source.parent);
    return code;
}

std::shared_ptr<DefinitionCode> node_code(const ast::NodeDefinition& node, const ast::Node& match,
                                          const std::string& module_name) {
    auto code = std::make_shared<DefinitionCode>();
    code->kind = DefinitionCode::Kind::Node;
    code->node = &node;
    code->body = node.body;
    code->module_name = module_name;
    if (match.kind == ast::NodeKind::Regexp) {
        code->pattern = Ref<const Regexp>(ast::as<ast::RegexpLiteral>(match).value);
        code->name = pattern_node_name(code->pattern->source());
    } else if (match.kind == ast::NodeKind::Default) {
        code->name = "default";
    } else {
        code->name = to_lower(std::string(ast::as<ast::String>(match).value));
    }
    code->reference = code->name;
    return code;
}

std::vector<std::shared_ptr<DefinitionCode>> codes_of(const ast::Program& program,
                                                      const std::string& module_name) {
    std::vector<std::shared_ptr<DefinitionCode>> codes;
    for (const ast::Node* node : program.definitions) {
        if (node->kind == ast::NodeKind::NodeDefinition) {
            const auto& source = ast::as<ast::NodeDefinition>(*node);
            for (const ast::Node* match : source.matches)
                codes.push_back(node_code(source, *match, module_name));
        } else if (node->kind == ast::NodeKind::Class || node->kind == ast::NodeKind::Define) {
            codes.push_back(class_or_define_code(*node, module_name));
        }
    }
    return codes;
}

}  // namespace

Definition::Definition(std::shared_ptr<DefinitionCode> its_code)
    : code(std::move(its_code)),
      kind(code->kind),
      name(code->name),
      reference(code->reference),
      node(code->node),
      body(code->body),
      parameters(code->parameters),
      parent(code->parent),
      module_name(code->module_name) {}

bool Definition::has_parameter(std::string_view parameter) const {
    const auto name_at = [this](std::size_t i) { return parameters[i]->name; };
    return code->parameter_index.find(parameter, parameters.size(), name_at) < parameters.size();
}

bool Definition::is_child_of(const Definition* other) const {
    if (overrides_everything) return true;
    int depth = 0;
    for (const Definition* up = parent_definition; up && depth < 1000; up = up->parent_definition, ++depth) {
        if (up == other || up->overrides_everything) return true;
    }
    return false;
}

Definitions::Definitions(Environment& environment, const DefinitionLease& lease,
                         std::function<void(Definition&)> added)
    : environment_(environment), lease_(lease), added_(std::move(added)) {
    main_ = &add_empty_class("");
}

Definition& Definitions::add_empty_class(const std::string& name) {
    auto code = std::make_shared<DefinitionCode>();
    code->name = name;
    code->reference = name.empty() ? "main" : capitalize_segments(name);
    all_.push_back(std::make_unique<Definition>(std::move(code)));
    return *(classes_[name] = all_.back().get());
}

void Definitions::add(const ast::Program& program, const std::string& module_name) {
    for (const auto& code : codes_of(program, module_name)) add_one(code);
}

void Definitions::check_name(const Definition& one) const {
    const auto taken = [&name = one.name](const Table& table) -> const Definition* {
        const auto found = table.find(name);
        return found == table.end() ? nullptr : found->second;
    };
    const std::string quoted = "'" + one.name + "'";
    if (one.kind == Definition::Kind::Class) {
        if (const Definition* old = taken(classes_))
            fail_redefinition(one, "Class " + quoted + " is already defined" + definition_place(*old) +
                                       "; cannot redefine");
        if (const Definition* old = taken(nodes_))
            fail_redefinition(one, "Node " + quoted + " is already defined" + definition_place(*old) +
                                       "; cannot be redefined as a class");
        if (const Definition* old = taken(defines_))
            fail_redefinition(one, "Definition " + quoted + " is already defined" + definition_place(*old) +
                                       "; cannot be redefined as a class");
    } else if (one.kind == Definition::Kind::Define) {
        if (const Definition* old = taken(classes_))
            fail_redefinition(one, quoted + " is already defined" + definition_place(*old) +
                                       " as a class; cannot redefine as a definition");
        if (const Definition* old = taken(defines_)) fail_second_define(*old);
    } else {
        if (const Definition* old = taken(nodes_))
            fail_redefinition(
                one, "Node " + quoted + " is already defined" + definition_place(*old) + "; cannot redefine");
        if (const Definition* old = taken(classes_))
            fail_redefinition(one, "Class " + quoted + " is already defined" + definition_place(*old) +
                                       "; cannot be redefined as a node");
    }
}

void Definitions::add_one(const std::shared_ptr<DefinitionCode>& code) {
    auto definition = std::make_unique<Definition>(code);
    Definition& one = *definition;
    check_name(one);
    if (added_) added_(one);
    all_.push_back(std::move(definition));
    Table& table = one.kind == Definition::Kind::Class    ? classes_
                   : one.kind == Definition::Kind::Define ? defines_
                                                          : nodes_;
    table[one.name] = &one;
    if (code->pattern) patterns_.push_back(&one);
}

/// The file of a module.
void Definitions::add_loaded(const std::string& name, const std::shared_ptr<const ast::Program>& program) {
    const std::string module_name = name.substr(0, name.find("::"));
    CachedDefinitions* const kept = lease_.code();
    if (!kept) return add(*program, module_name);
    CachedDefinitions::Manifest& manifest = kept->manifests[name];
    if (manifest.program != program) manifest = {program, codes_of(*program, module_name)};
    for (const auto& code : manifest.definitions) add_one(code);
}

bool Definitions::load(const std::string& name) {
    if (!loaded_.insert(name).second) return false;
    std::shared_ptr<const ast::Program> program;
    try {
        const auto source = environment_.host.manifest_source(name);
        if (!source) return false;
        program =
            source->program ? source->program : compile_program(source->text, environment_, source->path);
    } catch (const LanguageError&) {
        loaded_.erase(name);  // who asks again gets the error again
        throw;
    }
    environment_.add_program(program);
    add_loaded(name, program);
    return true;
}

Definition* Definitions::find_or_load(Table& table, std::string_view name) {
    const std::string key = normal_definition_name(name);
    if (const auto found = table.find(key); found != table.end()) return found->second;
    // "a::b::c" may be in a/manifests/b/c.pp, a/manifests/b.pp or a/manifests/init.pp. Compatibility: the
    // last is read first, whichever the name.
    if (load(key.substr(0, key.find("::")))) {
        if (const auto found = table.find(key); found != table.end()) return found->second;
    }
    for (std::string file = key; !file.empty();) {
        if (load(file)) {
            if (const auto found = table.find(key); found != table.end()) return found->second;
        }
        const std::size_t separator = file.rfind("::");
        file.erase(separator == std::string::npos ? 0 : separator);
    }
    return nullptr;
}

Definition* Definitions::find_class(std::string_view name) { return find_or_load(classes_, name); }
Definition* Definitions::find_define(std::string_view name) { return find_or_load(defines_, name); }

std::vector<std::string> Definitions::names(Definition::Kind kind) const {
    std::vector<std::string> names = definition_names(environment_.host.modules(), "manifests");
    for (const auto& [name, definition] : kind == Definition::Kind::Class ? classes_ : defines_) {
        if (!name.empty()) names.push_back(name);
    }
    std::sort(names.begin(), names.end());
    return names;
}

Definition* Definitions::known_class(std::string_view name) {
    const auto found = classes_.find(normal_definition_name(name));
    return found == classes_.end() ? nullptr : found->second;
}

Definition* Definitions::find_node(std::string_view name) {
    const std::string key = to_lower(std::string(name));
    if (const auto found = nodes_.find(key); found != nodes_.end()) return found->second;
    for (Definition* one : patterns_) {
        auto match = one->code->pattern->search(key);
        if (!match) continue;
        one->match = std::make_shared<const MatchData>(MatchData{key, std::move(*match)});
        return one;
    }
    return nullptr;
}

}  // namespace volley
