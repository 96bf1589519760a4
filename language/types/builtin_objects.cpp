#include "language/types/builtin_objects.hpp"

#include "language/callable.hpp"
#include "language/types/native_type.hpp"

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

}  // namespace volley
