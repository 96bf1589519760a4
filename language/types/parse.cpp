#include "language/types/parse.hpp"

#include <algorithm>
#include <mutex>
#include <utility>

#include "language/errors.hpp"
#include "language/syntax/ast_walk.hpp"
#include "language/syntax/parser.hpp"
#include "language/text/text.hpp"
#include "language/text/version.hpp"
#include "language/types/alias_cache.hpp"
#include "language/types/native_type.hpp"
#include "language/types/object_type.hpp"
#include "language/types/type_set.hpp"
#include "language/types/types.hpp"
#include "support/text.hpp"

namespace volley {
namespace {

using namespace types;

[[noreturn]] void not_a_type(const ast::Node& node) {
    throw EvalError("", "The expression <" + std::string(ast::source_text(node)) +
                            "> is not a valid type specification.");
}

/// Evaluates what may stand in a type: literals, lists, hashes, and types.
class Interpreter {
public:
    explicit Interpreter(TypeLoader& loader) : loader_(loader) {}

    TypePtr type(const ast::Node& node) {
        const Value result = any_value(node);
        if (!result.is(Kind::Type)) not_a_type(node);
        return result.as_type();
    }

    Value any_value(const ast::Node& node) {
        const NestingGuard nesting;
        switch (node.kind) {
            case ast::NodeKind::Reference:
                return reference(ast::as<ast::Reference>(node));
            case ast::NodeKind::Access:
                return access(ast::as<ast::Access>(node));
            case ast::NodeKind::TypeAlias:
                return loader_.define_alias(ast::as<ast::TypeAlias>(node));
            case ast::NodeKind::Undef:
                return {};
            case ast::NodeKind::Default:
                return Value::make_default();
            case ast::NodeKind::Boolean:
                return ast::as<ast::Boolean>(node).value;
            case ast::NodeKind::Integer:
                return integer(ast::as<ast::Integer>(node));
            case ast::NodeKind::Float:
                return ast::as<ast::Float>(node).value;
            case ast::NodeKind::String:
                return ast::as<ast::String>(node).value;
            case ast::NodeKind::Name:
                return ast::as<ast::Name>(node).value;
            case ast::NodeKind::Heredoc:
                return any_value(*ast::as<ast::Heredoc>(node).text);
            case ast::NodeKind::Regexp:
                return Ref<const Regexp>(ast::as<ast::RegexpLiteral>(node).value);
            case ast::NodeKind::Minus:
                return negated(node);
            case ast::NodeKind::List:
                return list(ast::as<ast::List>(node));
            case ast::NodeKind::Hash:
                return hash(ast::as<ast::Hash>(node));
            default:
                not_a_type(node);
        }
    }

private:
    static Value integer(const ast::Integer& node) {
        if (!node.fits) not_a_type(node);
        return node.value;
    }

    Value negated(const ast::Node& node) {
        const Value number = any_value(*ast::as<ast::Unary>(node).expr);
        if (number.is(Kind::Integer)) return -number.as_integer();
        if (number.is(Kind::Float)) return -number.as_float();
        not_a_type(node);
    }

    Value list(const ast::List& node) {
        std::vector<Value> items;
        for (const ast::Node* item : node.values) items.push_back(any_value(*item));
        return items;
    }

    Value hash(const ast::Hash& node) {
        HashBuilder builder;
        for (const ast::Entry* entry : node.entries)
            builder.set(any_value(*entry->key), any_value(*entry->value));
        return builder.build();
    }

    Value reference(const ast::Reference& node) {
        if (const TypePtr known = loader_.load(node.cased_value)) return known;
        return TypePtr(
            make_shared_object<TextType>(TypeKind::Reference, std::vector{std::string(node.cased_value)}));
    }

    Value access(const ast::Access& node) {
        std::vector<Value> parameters;
        for (const ast::Node* key : node.keys) parameters.push_back(any_value(*key));
        if (node.left->kind != ast::NodeKind::Reference) not_a_type(node);
        return parameterize(ast::as<ast::Reference>(*node.left).cased_value, std::move(parameters),
                            ast::source_text(node), loader_);
    }

    TypeLoader& loader_;
};

std::string normal_name(std::string_view name) {
    if (name.starts_with("::")) name.remove_prefix(2);
    return lower(name);
}

/// What stands in the brackets of Object[...] or TypeSet[...]; null for other types.
const ast::Node* body_of(const ast::Node& type, std::string_view name) {
    if (type.kind != ast::NodeKind::Access) return nullptr;
    const auto& access = ast::as<ast::Access>(type);
    const bool is_named = access.left->kind == ast::NodeKind::Reference &&
                          ast::as<ast::Reference>(*access.left).cased_value == name;
    return is_named && access.keys.size() == 1 ? access.keys[0] : nullptr;
}

/// What the comment directly above a definition says after "@summary", on that line; empty for none.
std::string summary_above(const ast::Node& node) {
    constexpr std::string_view tag = "@summary";
    std::string_view before = node.source->text().substr(0, node.span.begin);
    before = before.substr(0, before.rfind('\n') + 1);  // without what the line of the definition begins with
    while (before.ends_with('\n')) {
        before.remove_suffix(1);
        const std::size_t begin = before.rfind('\n') + 1;  // 0 in the first line
        const std::string_view line = trim(before.substr(begin));
        if (!line.starts_with('#')) break;
        const std::string_view text = trim(line.substr(1));
        if (text.starts_with(tag)) return std::string(trim(text.substr(tag.size())));
        before = before.substr(0, begin);
    }
    return {};
}

/// The set that an entry of "references" means. Throws EvalError when there is none of that name and version.
TypePtr referenced_set(const volley::Hash& reference, TypeLoader& loader) {
    const std::string name = reference.find("name")->as_string();
    const std::string label = "TypeSet reference '" + name + "'";
    TypePtr found = loader.load(name);
    if (!found) throw EvalError("", label + " cannot be resolved");
    if (found->kind() != TypeKind::TypeSet) throw EvalError("", label + " resolves to a " + found->name());
    const std::string range = to_text(*reference.find("version_range"));
    const std::string& version = as<TypeSetType>(*found).version();
    if (!version_in_range(Value(version), range)) {
        throw EvalError(
            "", label + " resolves to an incompatible version. Expected " + range + ", got " + version);
    }
    return found;
}

/// Types that contain themselves hold a reference to themselves and so live as long as the process.
void keep_forever(const TypePtr& type) {
    static std::vector<TypePtr>* const kept = new std::vector<TypePtr>;
    static std::mutex* const mutex = new std::mutex;
    const std::lock_guard lock(*mutex);
    kept->push_back(type);
}

/// Restores the former value of a pointer.
template <class T>
struct PointerRestored {
    T*& place;
    T* value;
    ~PointerRestored() { place = value; }
};

}  // namespace

void TypeLoader::define(std::string_view name, TypePtr type) { known_[normal_name(name)] = std::move(type); }

TypePtr TypeLoader::load(std::string_view name) {
    const std::string key = normal_name(name);
    if (!asked_) return find(key, name);
    Names* const asked =
        std::exchange(asked_, nullptr);  // what is asked for on the way is not asked for here
    const PointerRestored<Names> restored{asked_, asked};
    TypePtr type = find(key, name);
    const bool noted = std::ranges::any_of(*asked, [name](const auto& one) { return one.first == name; });
    if (!noted && !builtin_type(key)) asked->emplace_back(name, type);
    return type;
}

TypePtr TypeLoader::find(const std::string& key, std::string_view name) {
    const auto found = known_.find(key);
    if (found != known_.end()) return found->second;
    if (const auto declared = declared_.find(key); declared != declared_.end())
        return define_alias(*declared->second);
    if (TypePtr builtin = builtin_type(key)) return builtin;
    if (const auto node = in_question_.find(key); node != in_question_.end())
        return define_from_file(key, node->second);
    for (const NativeTypes* types : native_) {
        if (TypePtr type = types->find(key)) return type;
    }
    if (outer_) return outer_->load(name);
    // Compatibility: Puppet looks for a defined type of that name before it looks into types/.
    if (resource_types_ && resource_types_(key)) {
        return known_[key] = make_shared_object<CatalogType>(TypeKind::Resource, capitalize_segments(key),
                                                             std::nullopt);
    }
    const auto node = definitions_ ? definitions_(key) : nullptr;
    if (node && node->kind == ast::NodeKind::TypeAlias) return define_from_file(key, node);
    if (TypePtr type = load_from_set(key)) return type;
    const auto text = resolver_ ? resolver_(key) : std::nullopt;
    if (!text) return {};
    const auto program = parse_program(*text);
    if (program->body->kind != ast::NodeKind::TypeAlias) {
        throw EvalError("", "The code loaded to define the type '" + std::string(name) +
                                "' does not contain a type alias of that name");
    }
    return define_alias(ast::as<ast::TypeAlias>(*program->body));
}

TypePtr TypeLoader::define_from_file(const std::string& key, const std::shared_ptr<const ast::Node>& node) {
    if (!kept_) return define_alias(ast::as<ast::TypeAlias>(*node));
    if (TypePtr type = kept_alias(key, node)) return type;
    return define_and_keep(key, node);
}

/// What is kept, when every name in it means what it meant; null when it has to be read.
TypePtr TypeLoader::kept_alias(const std::string& key, const std::shared_ptr<const ast::Node>& node) {
    const NestingGuard nesting;
    const auto alias = kept_->find(key, *node);
    // Who comes here again on the way is in a circle that a changed file has closed.
    if (!alias || !in_question_.emplace(key, node).second) return {};
    const auto same = [this](const auto& name) { return load(name.first) == name.second; };
    bool right = false;
    try {
        right = std::ranges::all_of(alias->names, same);
    } catch (...) {
        in_question_.erase(key);
        throw;
    }
    in_question_.erase(key);
    if (const auto made = known_.find(key); made != known_.end()) return made->second;
    if (!right) return {};
    return known_[key] = alias->type;
}

TypePtr TypeLoader::define_and_keep(const std::string& key, const std::shared_ptr<const ast::Node>& node) {
    Names names;
    const PointerRestored<Names> restored{asked_, std::exchange(asked_, &names)};
    TypePtr type = define_alias(ast::as<ast::TypeAlias>(*node));
    // Objects have an identity. In a circle of aliases one at least is not kept yet, and so none of them is.
    const auto lasts = [this](const auto& name) {
        return !name.second || name.second->kind() != TypeKind::Alias ||
               kept_->holds(normal_name(name.first), name.second);
    };
    if (type->kind() == TypeKind::Alias && std::ranges::all_of(names, lasts))
        kept_->keep(key, {node, type, std::move(names)});
    return type;
}

/// Module::Name, when the module has a set of types that defines Name.
/// Compatibility: a set that a program itself defines is not looked into.
TypePtr TypeLoader::load_from_set(const std::string& key) {
    const std::size_t separator = key.find("::");
    if (separator == std::string::npos || !definitions_) return {};
    const std::string module = key.substr(0, separator);
    if (declared_.contains(module) || !definitions_(module)) return {};
    const TypePtr set = load(module);
    if (!set || set->kind() != TypeKind::TypeSet) return {};
    TypePtr type = as<TypeSetType>(*set).find(key.substr(separator + 2));
    if (type) known_[key] = type;
    return type;
}

const ast::TypeAlias* TypeLoader::declare_alias(const ast::TypeAlias& node) {
    const ast::TypeAlias*& known = declared_[normal_name(node.name)];
    const ast::TypeAlias* before = known == &node ? nullptr : known;
    known = &node;
    return before;
}

TypePtr TypeLoader::define_alias(const ast::TypeAlias& node) {
    if (const ast::Node* body = body_of(*node.type_expr, "Object")) return define_object(node.name, *body);
    if (const ast::Node* body = body_of(*node.type_expr, "TypeSet")) return define_type_set(node.name, *body);
    AliasType* alias = new AliasType(std::string(node.name));
    TypePtr result(alias);
    define(node.name, result);  // known while its own meaning is read
    alias->set_summary(summary_above(node));
    try {
        alias->resolve(Interpreter(*this).type(*node.type_expr));
    } catch (...) {
        known_.erase(normal_name(node.name));
        throw;
    }
    if (alias->recursive()) keep_forever(result);
    return result;
}

/// "type P = Object[{...}]": the Object type itself gets the name.
TypePtr TypeLoader::define_object(std::string_view name, const ast::Node& body) {
    auto* object = new ObjectType(std::string(name));
    TypePtr result(object);
    define(name, result);
    try {
        const Value definition = Interpreter(*this).any_value(body);
        if (!definition.is_hash()) not_a_type(body);
        object->define(definition.as_hash());
    } catch (...) {
        known_.erase(normal_name(name));
        throw;
    }
    if (contains_itself(*result)) keep_forever(result);
    return result;
}

/// The types of a set may name each other, so all are known before the first is read.
TypePtr TypeLoader::define_type_set(std::string_view name, const ast::Node& body) {
    if (body.kind != ast::NodeKind::Hash) not_a_type(body);
    auto* set = new TypeSetType(std::string(name), std::string(runtime_name_authority));
    TypePtr result(set);
    TypeLoader inner(this);
    HashBuilder definition;
    std::vector<std::pair<std::string, const ast::Node*>> members;
    const auto name_of = [&inner](const ast::Node& key) {
        if (key.kind == ast::NodeKind::Reference)
            return std::string(ast::as<ast::Reference>(key).cased_value);
        return to_text(Interpreter(inner).any_value(key));
    };
    for (const ast::Entry* entry : ast::as<ast::Hash>(body).entries) {
        const Value key = Interpreter(inner).any_value(*entry->key);
        const bool named = key == Value("types") || key == Value("references");
        if (!named || entry->value->kind != ast::NodeKind::Hash) {
            definition.set(key, Interpreter(inner).any_value(*entry->value));
            continue;
        }
        HashBuilder inside;
        for (const ast::Entry* member : ast::as<ast::Hash>(*entry->value).entries) {
            const std::string member_name = name_of(*member->key);
            if (key == Value("types")) {
                members.emplace_back(member_name, member->value);
                inside.set(Value(member_name), Value(any()));
            } else {
                inside.set(Value(member_name), Interpreter(inner).any_value(*member->value));
            }
        }
        definition.set(key, inside.build());
    }
    const Value whole = definition.build();
    set->define(whole.as_hash());
    if (const Value* references = whole.as_hash().find("references")) {
        for (const auto& entry : references->as_hash()) {
            const TypePtr other = referenced_set(entry.value.as_hash(), *this);
            set->add_reference(entry.key.as_string(), other);
            inner.define(entry.key.as_string(), other);
        }
    }
    add_members(*set, name, members, inner);
    return result;
}

namespace {

/// A member of a set that is an Object type: "{...}", "Object[{...}]", and short for them "Object {...}" and
/// "Parent {...}".
bool is_object_definition(const ast::Node& node) {
    return node.kind == ast::NodeKind::Hash || node.kind == ast::NodeKind::ResourceDefaults ||
           body_of(node, "Object");
}

Value object_definition(const ast::Node& node, TypeLoader& loader) {
    if (node.kind != ast::NodeKind::ResourceDefaults) {
        const ast::Node* body = body_of(node, "Object");
        Value definition = Interpreter(loader).any_value(body ? *body : node);
        if (!definition.is_hash()) not_a_type(node);
        return definition;
    }
    const auto& short_form = ast::as<ast::ResourceDefaults>(node);
    if (short_form.type_ref->kind != ast::NodeKind::Reference) not_a_type(node);
    HashBuilder definition;
    const std::string_view parent = ast::as<ast::Reference>(*short_form.type_ref).cased_value;
    if (parent != "Object" && parent != "TypeSet")
        definition.set("parent", Value(Interpreter(loader).type(*short_form.type_ref)));
    for (const ast::Node* operation : short_form.operations) {
        if (operation->kind != ast::NodeKind::Attribute) not_a_type(node);
        const auto& attribute = ast::as<ast::Attribute>(*operation);
        const std::string name(attribute.name);
        if (definition.contains(name))
            throw EvalError("DUPLICATE_KEY", "The key '" + name + "' is declared more than once",
                            operation->location());
        definition.set(name, Interpreter(loader).any_value(*attribute.value));
    }
    return definition.build();
}

}  // namespace

/// Sets the place of every type of a set and then its meaning.
void TypeLoader::add_members(TypeSetType& set, std::string_view name,
                             const std::vector<std::pair<std::string, const ast::Node*>>& members,
                             TypeLoader& inner) {
    for (const auto& [simple_name, node] : members) {
        const std::string full = std::string(name) + "::" + simple_name;
        const bool object = is_object_definition(*node);
        const TypePtr made = object ? TypePtr(new ObjectType(full)) : TypePtr(new AliasType(full));
        set.add(simple_name, made);
        inner.define(simple_name, made);
    }
    for (const auto& [simple_name, node] : members) {
        // Nobody else has seen the types yet.
        auto& made = const_cast<Type&>(*set.find(simple_name));
        if (made.kind() == TypeKind::Object) {
            static_cast<ObjectType&>(made).define(object_definition(*node, inner).as_hash());
        } else {
            static_cast<AliasType&>(made).resolve(Interpreter(inner).type(*node));
        }
        if (contains_itself(made)) keep_forever(set.find(simple_name));
    }
}

TypePtr interpret_type(const ast::Node& node, TypeLoader& loader) { return Interpreter(loader).type(node); }

Value parse_literal(std::string_view text, TypeLoader& loader) {
    const auto program = parse_program(std::string(text));
    return Interpreter(loader).any_value(*program->body);
}

TypePtr parse_type(std::string_view text, TypeLoader& loader) {
    const auto program = parse_program(std::string(text));
    return interpret_type(*program->body, loader);
}

TypePtr parse_type(std::string_view text, AliasResolver resolver) {
    TypeLoader loader(std::move(resolver));
    return parse_type(text, loader);
}

}  // namespace volley
