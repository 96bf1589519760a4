#include "language/types/builtin_objects.hpp"

#include "language/callable.hpp"
#include "language/types/native_type.hpp"
#include "language/types/object_instance.hpp"
#include "language/types/parse.hpp"

namespace volley {
namespace {

Value error_message(CallContext&, const Value& self, std::span<const Value>) {
    return self.as<ObjectBase>().attribute("msg").value_or(Value());
}

}  // namespace

const NativeType& error_type() {
    static const NativeType type{
        .name = "Error",
        .interface = R"(
            type_parameters => {
                kind => Optional[Variant[String, Regexp, Type[Enum], Type[Pattern], Type[NotUndef], Type[Undef]]],
                issue_code => Optional[Variant[String, Regexp, Type[Enum], Type[Pattern], Type[NotUndef],
                                               Type[Undef]]]
            },
            attributes => {
                msg => String[1],
                kind => { type => Optional[String[1]], value => undef },
                details => { type => Optional[Hash[String[1], Data]], value => undef },
                issue_code => { type => Optional[String[1]], value => undef }
            },
            functions => { message => Callable[[0, 0], String[1]] })",
        .methods = {{"message", error_message}},
    };
    return type;
}

const NativeType& deferred_type() {
    static const NativeType type{
        .name = "Deferred",
        .interface = R"(
            attributes => {
                name => { type => Pattern[/\A[$]?[a-z][a-z0-9_]*(?:::[a-z][a-z0-9_]*)*\z/] },
                arguments => { type => Optional[Array[Any]], value => undef }
            })",
    };
    return type;
}

Value make_error(std::string_view message, std::string_view kind, Value details,
                 std::string_view issue_code) {
    const TypePtr type = types::builtin_type("error");
    const types::ObjectType* error = types::object_type_of(*type);
    std::vector<Value> values;
    for (const auto* parameter : error->init_parameters()) {
        if (parameter->name == "msg") values.emplace_back(message);
        if (parameter->name == "kind") values.emplace_back(kind);
        if (parameter->name == "details") values.push_back(details);
        if (parameter->name == "issue_code") values.emplace_back(issue_code);
    }
    return Value(Kind::Object,
                 make_shared_object<ObjectInstance>(Ref<const types::ObjectType>(error), std::move(values)));
}

}  // namespace volley
