#include "planner/checks/apply_checks.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <nlohmann/json.hpp>

#include "apply/types/resource_type.hpp"
#include "apply/types/type_spec.hpp"
#include "language/syntax/ast_walk.hpp"
#include "language/syntax/parser.hpp"
#include "planner/checks/static_types.hpp"
#include "planner/yaml_plan/yaml_plan.hpp"
#include "support/error.hpp"
#include "support/files.hpp"
#include "support/text.hpp"
#include "tasks/metadata.hpp"

namespace volley::planner {
namespace {

namespace fs = std::filesystem;
using ast::NodeKind;

/// An attribute as it is written.
struct WrittenAttribute {
    std::string name;
    Location at;
};

/// Classes and resource types that catalogs of the project can have.
class CatalogNames {
public:
    explicit CatalogNames(const CheckSources& sources)
        : sources_(sources), types_(sources.environment.host) {}

    /// The definition of a class or defined type; null when no module has it.
    const ast::Definition* find(NodeKind kind, std::string name) {
        name = lower(name);
        if (name.starts_with("::")) name = name.substr(2);
        // Compatibility: "a::b::c" may also be in the files of "a::b" and "a".
        for (std::string place = name;; place = place.substr(0, place.rfind("::"))) {
            if (const ast::Program* program = manifest(place)) {
                for (const ast::Node* node : program->definitions) {
                    if (node->kind != kind) continue;
                    const auto& definition = ast::as<ast::Definition>(*node);
                    if (lower(definition.name) == name) return &definition;
                }
            }
            if (place.find("::") == std::string::npos) return nullptr;
        }
    }
    const ResourceType* native(const std::string& name) { return types_.find(name); }
    /// A manifest that cannot be read leaves everything open.
    bool doubtful() const noexcept { return doubtful_; }

    std::vector<std::string> type_names() {
        std::vector<std::string> names{"class"};
        for (const TypeSpec* one : core_types()) names.emplace_back(one->name);
        return names;
    }
    std::vector<std::string> class_names() {
        std::vector<std::string> names;
        for (const std::string& module : sources_.library.module_names()) {
            const tasks::Module* found = sources_.library.find_module(module);
            if (found) add_classes(*found, names);
        }
        return names;
    }

private:
    static void add_classes(const tasks::Module& module, std::vector<std::string>& names) {
        const fs::path folder = module.path / "manifests";
        std::error_code error;
        for (fs::recursive_directory_iterator at(folder, error), end; !error && at != end;
             at.increment(error)) {
            if (at->path().extension() != ".pp") continue;
            std::string name = module.name;
            // Named: a range-based for does not keep the temporary that replace_extension() refers to.
            const fs::path relative = at->path().lexically_relative(folder).replace_extension();
            for (const fs::path& part : relative) name += "::" + part.string();
            names.push_back(name.ends_with("::init") ? name.substr(0, name.size() - 6) : name);
        }
    }

    const ast::Program* manifest(const std::string& name) {
        const auto known = manifests_.find(name);
        if (known != manifests_.end()) return known->second.get();
        return (manifests_[name] = read(name)).get();
    }

    std::shared_ptr<const ast::Program> read(const std::string& name) {
        const std::vector<std::string> parts = split(name, "::");
        if (!std::ranges::all_of(parts, tasks::is_plain_name)) return nullptr;
        const tasks::Module* module = sources_.library.find_module(parts.front());
        if (!module) return nullptr;
        fs::path file = module->path / "manifests";
        for (std::size_t i = 1; i < parts.size(); ++i) file /= parts[i];
        if (parts.size() == 1) file /= "init";
        file += ".pp";
        std::error_code ignored;
        if (!fs::is_regular_file(file, ignored)) return nullptr;
        try {
            return parse_program(read_file(file, "manifest"), {.file = file.string()});
        } catch (const LanguageError&) {
            doubtful_ = true;
        } catch (const Error&) {
            doubtful_ = true;
        }
        return nullptr;
    }

    const CheckSources& sources_;
    ResourceTypes types_;
    std::map<std::string, std::shared_ptr<const ast::Program>> manifests_;
    bool doubtful_ = false;
};

/// Checks resources by what the project's modules and the core define.
class ResourceChecker {
public:
    explicit ResourceChecker(const CheckSources& sources) : names_(sources) {}
    std::vector<PlanFinding> findings;

    void complain(std::string message, Location at) {
        findings.push_back({std::move(message), std::move(at)});
    }

    void classes(const std::string& name, const Location& at) {
        if (names_.find(NodeKind::Class, name) || names_.doubtful()) return;
        complain("Could not find the class " + name + meant_name(name, names_.class_names()), at);
    }

    /// `complete`: there are no other attributes than these.
    void resource(const std::string& written, const std::vector<std::pair<std::string, Location>>& titles,
                  const std::vector<WrittenAttribute>& attributes, bool complete, const Location& at) {
        const std::string type = lower(written.starts_with("::") ? written.substr(2) : written);
        if (type == "class") {
            for (const auto& [title, where] : titles) {
                classes(title, where);
                if (const ast::Definition* found = names_.find(NodeKind::Class, title))
                    parameters("class " + title, *found, attributes, false, at);
            }
            return;
        }
        if (const ast::Definition* found = names_.find(NodeKind::Define, type))
            return parameters("defined type " + type, *found, attributes, complete, at);
        if (const ResourceType* native = names_.native(type)) return native_attributes(*native, attributes);
        if (names_.doubtful()) return;
        complain("Unknown resource type '" + written + "'" + meant_name(type, names_.type_names()), at);
    }

private:
    void native_attributes(const ResourceType& type, const std::vector<WrittenAttribute>& attributes) {
        for (const WrittenAttribute& one : attributes) {
            if (!type.has_attribute(one.name))
                complain("The resource type " + type.name() + " has no attribute '" + one.name + "'" +
                             meant_name(one.name, attribute_names(type.name())),
                         one.at);
        }
    }

    static std::vector<std::string> attribute_names(const std::string& type) {
        std::vector<std::string> names(metaparameters().begin(), metaparameters().end());
        if (const TypeSpec* spec = find_core_type(type)) {
            for (const AttributeSpec& one : spec->attributes) names.emplace_back(one.name);
        }
        return names;
    }

    void parameters(const std::string& what, const ast::Definition& definition,
                    const std::vector<WrittenAttribute>& attributes, bool complete, const Location& at) {
        std::vector<std::string> names;
        for (const ast::Parameter* one : definition.parameters) names.emplace_back(one->name);
        for (const WrittenAttribute& one : attributes) {
            if (std::ranges::find(names, one.name) == names.end() && !is_metaparameter(one.name))
                complain("The " + what + " has no parameter '" + one.name + "'" + meant_name(one.name, names),
                         one.at);
        }
        if (!complete) return;
        for (const ast::Parameter* one : definition.parameters) {
            const bool given = std::ranges::any_of(
                attributes, [one](const WrittenAttribute& attribute) { return attribute.name == one->name; });
            const bool optional = one->value || !one->type ||
                                  ast::source_text(*one->type).starts_with("Optional") ||
                                  ast::source_text(*one->type).starts_with("Any");
            if (!given && !optional)
                complain("The " + what + " needs the parameter '" + std::string(one->name) + "'", at);
        }
    }

    CatalogNames names_;
};

class ApplyWalk {
public:
    ApplyWalk(const PlanCode& code, const CheckSources& sources) : code_(code), judge_(sources) {
        visit(*code.root, false);
    }
    std::vector<PlanFinding> found() { return std::move(judge_.findings); }

private:
    void visit(const ast::Node& node, bool catalog) {
        if (node.kind == NodeKind::Apply) {
            if (ast::as<ast::Apply>(node).body) visit(*ast::as<ast::Apply>(node).body, true);
            return;
        }
        if (catalog && node.kind == NodeKind::Resource) resource(ast::as<ast::Resource>(node));
        if (catalog && node.kind == NodeKind::ResourceDefaults)
            defaults(ast::as<ast::ResourceDefaults>(node));
        if (catalog && node.kind == NodeKind::Call) classes(ast::as<ast::Call>(node));
        ast::for_each_child(node, [this, catalog](const ast::Node& child) { visit(child, catalog); });
    }

    struct Attributes {
        std::vector<WrittenAttribute> written;
        bool complete = true;
    };
    Attributes attributes(ast::NodeList operations) {
        Attributes all;
        for (const ast::Node* one : operations) {
            if (one->kind == NodeKind::Attribute) {
                all.written.push_back({std::string(ast::as<ast::Attribute>(*one).name), code_.at(*one)});
            } else {
                all.complete = false;
            }
        }
        return all;
    }

    std::vector<std::pair<std::string, Location>> titles(const ast::Node& node) {
        if (const auto text = literal_text(node)) return {{*text, code_.at(node)}};
        std::vector<std::pair<std::string, Location>> all;
        if (node.kind == NodeKind::List) {
            for (const ast::Node* one : ast::as<ast::List>(node).values) {
                if (const auto text = literal_text(*one)) all.emplace_back(*text, code_.at(*one));
            }
        }
        return all;
    }

    void resource(const ast::Resource& node) {
        const auto type = type_name(*node.type_name);
        if (!type) return;
        const bool has_defaults = std::ranges::any_of(node.bodies, [](const ast::ResourceBody* body) {
            return body->title->kind == NodeKind::Default;
        });
        for (const ast::ResourceBody* body : node.bodies) {
            const Attributes given = attributes(body->operations);
            judge_.resource(
                *type, titles(*body->title), given.written, given.complete && !has_defaults,
                code_.at(body == node.bodies.front() ? static_cast<const ast::Node&>(node) : *body->title));
        }
    }

    void defaults(const ast::ResourceDefaults& node) {
        if (const auto type = type_name(*node.type_ref))
            judge_.resource(*type, {}, attributes(node.operations).written, false, code_.at(node));
    }

    static std::optional<std::string> type_name(const ast::Node& node) {
        if (node.kind == NodeKind::Reference) return std::string(ast::as<ast::Reference>(node).cased_value);
        return literal_text(node);
    }

    void classes(const ast::Call& node) {
        static constexpr auto functions = std::to_array<std::string_view>({"contain", "include", "require"});
        const auto name = literal_text(*node.functor);
        if (!name || std::ranges::find(functions, *name) == functions.end()) return;
        for (const ast::Node* argument : node.arguments) {
            for (const auto& [title, at] : titles(*argument)) judge_.classes(title, at);
        }
    }

    const PlanCode& code_;
    ResourceChecker judge_;
};

void judge_step_resource(const YamlValue& resource, const std::string& file, ResourceChecker& judge) {
    const YamlValue* type = resource.find("type");
    const YamlValue* title = resource.find("title");
    std::string name = type && !type->is_code() ? type->plain_text() : std::string();
    Location at = type ? place_of_yaml(*type, file) : place_of_yaml(resource, file);
    for (const auto& [key, value] : resource.entries) {
        if (type || key == "parameters") continue;
        name = key;
        title = &value;
    }
    if (name.empty()) return;
    std::vector<WrittenAttribute> attributes;
    const YamlValue* parameters = resource.find("parameters");
    const bool complete = !parameters || parameters->kind == YamlValue::Kind::Map;
    if (parameters) {
        for (const auto& [key, value] : parameters->entries)
            attributes.push_back(
                {key, {file, static_cast<int>(value.key_at.line), static_cast<int>(value.key_at.column)}});
    }
    std::vector<std::pair<std::string, Location>> titles;
    if (title && !title->is_code()) titles.emplace_back(title->plain_text(), place_of_yaml(*title, file));
    judge.resource(name, titles, attributes, complete, at);
}

}  // namespace

std::vector<PlanFinding> check_apply_blocks(const PlanCode& code, const CheckSources& sources) {
    return ApplyWalk(code, sources).found();
}

std::vector<PlanFinding> check_step_resources(const PlanDefinition& plan, const CheckSources& sources) {
    if (!plan.yaml) return {};
    ResourceChecker judge(sources);
    for (const YamlStep& step : plan.yaml->steps()) {
        if (step.action != "resources") continue;
        for (const YamlValue& resource : step.body.find("resources")->items)
            judge_step_resource(resource, plan.yaml->file(), judge);
    }
    return std::move(judge.findings);
}

}  // namespace volley::planner
