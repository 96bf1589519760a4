#include <functional>
#include <unordered_set>

#include "language/errors.hpp"
#include "language/types/types.hpp"

namespace volley::types {
namespace {

constexpr std::string_view builtin_aliases[] = {"Data", "RichDataKey", "RichData", "Puppet::LookupKey",
                                                "Puppet::LookupValue"};

bool is_builtin(std::string_view name) {
    for (const std::string_view builtin : builtin_aliases) {
        if (builtin == name) return true;
    }
    return false;
}

/// Walks everything an alias is made of, through other aliases, each once.
void walk(const Type& type, std::unordered_set<const Type*>& seen,
          const std::function<void(const Type&)>& visit) {
    const NestingGuard guard;
    visit(type);
    if (!seen.insert(&type).second) return;
    if (type.kind() == TypeKind::Alias) {
        if (const TypePtr meaning = as<AliasType>(type).resolved_ptr()) walk(*meaning, seen, visit);
    } else {
        type.for_each_contained([&](const Type& part) { walk(part, seen, visit); });
    }
}

bool means_something(const Type& type) {
    bool real = false;
    std::unordered_set<const Type*> seen;
    walk(type, seen, [&real](const Type& part) {
        if (part.kind() != TypeKind::Alias && part.kind() != TypeKind::Variant) real = true;
    });
    return real;
}

bool contains(const Type& type, const Type& wanted) {
    bool found = false;
    std::unordered_set<const Type*> seen;
    walk(type, seen, [&](const Type& part) { found = found || &part == &wanted; });
    return found;
}

}  // namespace

bool contains_itself(const Type& type) {
    bool found = false;
    std::unordered_set<const Type*> seen;
    type.for_each_contained([&](const Type& part) {
        walk(part, seen, [&](const Type& inner) { found = found || &inner == &type; });
    });
    return found;
}

const Type& AliasType::resolved() const {
    if (!resolved_) throw EvalError("", "Reference to unresolved type " + name_);
    return *resolved_;
}

AliasType::AliasType(std::string alias_name, TypePtr meaning)
    : Type(TypeKind::Alias),
      name_(std::move(alias_name)),
      resolved_(meaning ? std::move(meaning) : default_of(TypeKind::Reference)) {}

void AliasType::resolve(TypePtr meaning) {
    resolved_ = meaning->normalize();
    if (!means_something(*this)) {
        resolved_ = {};
        throw EvalError("", "Type alias '" + name_ + "' cannot be resolved to a real type");
    }
    look_for_itself();
    if (!recursive_) return;
    // Those of the same circle were resolved while this one meant nothing yet. Nobody else has seen them.
    std::unordered_set<const Type*> seen;
    std::vector<AliasType*> circle;
    walk(*resolved_, seen, [&](const Type& part) {
        if (part.kind() == TypeKind::Alias && &part != this && !as<AliasType>(part).recursive())
            circle.push_back(const_cast<AliasType*>(&as<AliasType>(part)));
    });
    for (AliasType* const other : circle) other->look_for_itself();
}

/// Finds out whether the alias is part of its own meaning. Choices that only lead back here mean nothing and
/// are dropped.
void AliasType::look_for_itself() {
    const bool found = contains(*resolved_, *this);
    if (found == recursive_ && !found) return;  // others may be reading it
    recursive_ = found;
    if (!recursive_ || resolved_->kind() != TypeKind::Variant) return;
    std::vector<TypePtr> real;
    for (const TypePtr& choice : as<VariantType>(*resolved_).types) {
        if (choice.get() != this && means_something(*choice)) real.push_back(choice);
    }
    if (real.size() == as<VariantType>(*resolved_).types.size()) return;
    resolved_ = VariantType::create(std::move(real));
    recursive_ = contains(*resolved_, *this);
}

bool AliasType::instance(const Value& value, TypeGuard& guard) const {
    return really_instance(value, guard) == 1;
}

int AliasType::really_instance(const Value& value, TypeGuard& guard) const {
    const NestingGuard nesting;
    if (!recursive_) return resolved().really_instance(value, guard);
    // The same question about the same value again means that nothing but the alias itself was looked at.
    const std::size_t key = value_identity(value);
    if (guard.enter_value(this, key)) return 0;
    const int result = resolved().really_instance(value, guard);
    guard.leave_value(this, key);
    return result;
}

bool AliasType::assignable(const Type& other, TypeGuard& guard) const {
    const NestingGuard nesting;
    if (!recursive_ || (guard.state & TypeGuard::InThis)) {
        if (recursive_ && guard.state == TypeGuard::InBoth) return true;
        return Type::assignable(other, guard);
    }
    const bool again = guard.enter_this(this);
    if (again) guard.state |= TypeGuard::InThis;
    if (again) return guard.state == TypeGuard::InBoth || Type::assignable(other, guard);
    const bool result = Type::assignable(other, guard);
    guard.state &= ~static_cast<unsigned>(TypeGuard::InThis);
    guard.leave_this(this);
    return result;
}

bool AliasType::accepts(const Type& other, TypeGuard& guard) const {
    return resolved().assignable(other, guard);
}

TypePtr AliasType::iterable_type() const {
    const NestingGuard nesting;
    return resolved().iterable_type();
}

void AliasType::print(std::string& out, const PrintOptions& options) const {
    out += name_;
    if (!options.expand_aliases || is_builtin(name_) || !resolved_) return;
    thread_local std::unordered_set<const Type*> printing;  // each alias is expanded once on the way down
    const struct Expansion {
        explicit Expansion(const Type* type) : alias(type), first(printing.insert(type).second) {}
        ~Expansion() {
            if (first) printing.erase(alias);
        }
        const Type* alias;
        bool first;
    } expansion(this);
    if (!expansion.first) return;
    out += " = ";
    resolved_->print_inside(out, options);
}

bool AliasType::is_callable(bool optional_too) const {
    const NestingGuard nesting;
    return resolved().is_callable(optional_too);
}

std::size_t AliasType::hash() const { return std::hash<std::string>{}(name_); }

bool AliasType::same(const Type& other) const { return name_ == as<AliasType>(other).name_; }

}  // namespace volley::types
