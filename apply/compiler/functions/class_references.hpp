#pragma once

#include <string>
#include <vector>

#include "apply/compiler/compiler.hpp"
#include "language/value.hpp"

namespace volley {

/// What include() and similar functions return: Class['a'] for "::a".
Value class_references(const std::vector<std::string>& names);

/// Declares the classes that the arguments of include(), contain() or require() name, then calls
/// `connect(compiler, scope, names, declared)` for what the function does besides, `declared` being their
/// resources.
template <class Connect>
Value declare_classes(CallContext& context, std::span<const Value> args, const Connect& connect) {
    Compiler& compiler = Compiler::of(context);
    const std::vector<std::string> names = Compiler::class_names(args);
    Scope& scope = compiler.scope_of(context.frame);
    const Scope::Declaring declaring(scope, context.frame);
    connect(compiler, scope, names, compiler.include(names, scope));
    return class_references(names);
}

}  // namespace volley
