#include "language/conversion/creators.hpp"
#include "language/errors.hpp"
#include "language/functions/builtin.hpp"
#include "language/types/object_type.hpp"
#include "language/types/types.hpp"

namespace volley::builtins {
namespace {

Value create(CallContext& context, std::span<const Value> args);

const Type& meaning_of(const TypePtr& type) {
    const Type* meaning = type.get();
    while (meaning->kind() == TypeKind::Alias) meaning = &as<types::AliasType>(*meaning).resolved();
    return *meaning;
}

/// Init[T, x].new(value) is T.new(value, x); a list is spread out when T.new does not take it as it is.
Value create_by_init(CallContext& context, const types::InitType& init, std::span<const Value> given) {
    if (given.size() != 1) {
        throw EvalError("", "'new_Init' expects 1 argument, got " +
                                (given.empty() ? std::string("none") : std::to_string(given.size())));
    }
    std::vector<Value> arguments{Value(init.type)};
    const bool whole = init.takes_whole(given[0]);
    if (!whole && init.arguments.empty() && given[0].is_array()) {
        arguments.insert(arguments.end(), given[0].as_array().begin(), given[0].as_array().end());
    } else {
        arguments.push_back(given[0]);
        arguments.insert(arguments.end(), init.arguments.begin(), init.arguments.end());
    }
    return create(context, arguments);
}

Value create(CallContext& context, std::span<const Value> args) {
    const TypePtr type = args[0].as_type();
    if (type->kind() == TypeKind::Init && as<types::InitType>(*type).type)
        return create_by_init(context, as<types::InitType>(*type), args.subspan(1));
    const bool is_already = args.size() == 2 && type->kind() != TypeKind::Init && is_instance(*type, args[1]);
    if (is_already) return args[1];
    if (const auto* object = types::object_type_of(*type)) {
        CallContext inner{context.evaluator, context.frame, nullptr, "new", context.at};
        const Value result = create_object(inner, *object, args.subspan(1));
        return context.block ? context.yield({result}) : result;
    }
    const Builtin* creator = creator_of(*type);
    if (!creator)
        throw EvalError("", "Creation of new instance of type '" + to_display_string(meaning_of(type)) +
                                "' is not supported");
    CallContext inner{context.evaluator, context.frame, nullptr, creator->name, context.at};
    const Value result = creator->invoke(inner, args.subspan(1));
    if (!is_instance(*type, result)) {
        const std::string subject =
            "Converted value from " + to_expanded_string(*type) + ".new() has wrong type,";
        throw EvalError("", describe_mismatch(subject, type, infer_set(result)));
    }
    return context.block ? context.yield({result}) : result;
}

}  // namespace

const Builtin& new_builtin() {
    static const Builtin def{
        .name = "new",
        .doc = "An instance of a type, converted from values.",
        .pure = true,
        .dispatches = {{.params = {{"Type", "type"}, {"Any", "args", Dispatch::Repeated}},
                        .block = "Optional[Callable]",
                        .call = create}},
    };
    return def;
}

}  // namespace volley::builtins
