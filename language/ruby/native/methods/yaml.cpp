#include <algorithm>

#include "language/execution_state.hpp"
#include "language/functions/stdlib/yaml_text.hpp"
#include "language/ruby/native/methods/tables.hpp"
#include "language/ruby/native/text/characters.hpp"
#include "language/ruby/native/text/conversion.hpp"
#include "language/ruby/native/walk.hpp"

/// to_yaml of what Puppet's data consists of. Symbols and lists that come twice (Psych writes anchors) are
/// not native.
namespace volley::ruby::methods {
namespace {

using Kind = Object::Kind;

class YamlValues {
public:
    explicit YamlValues(const Call& call) : call_(call) {}

    Value value_of(const Object& object) {
        call_.machine.step();
        if (stack_is_low()) not_native("objects that are nested too deeply");
        if (const auto scalar = scalar_value(object)) return *scalar;
        switch (object.kind()) {
            case Kind::String:
                return Value(text_of_yaml(object.string().text));
            case Kind::Array: {
                once(object, object.array().change);
                std::vector<Value> items;
                for (const Object& item : object.array().items) items.push_back(value_of(item));
                return Value(std::move(items));
            }
            case Kind::Hash: {
                once(object, object.hash().change);
                HashBuilder entries;
                for (const Hash::Entry& entry : object.hash().entries) {
                    if (entry.key.is(Kind::Array) || entry.key.is(Kind::Hash) || entry.key.is_nil())
                        not_native("YAML with such a key");
                    entries.set(value_of(entry.key), value_of(entry.value));
                }
                return entries.build();
            }
            default:
                not_native("YAML of such an object");
        }
    }

private:
    static const std::string& text_of_yaml(const std::string& text) {
        check_characters(text);
        for (const char c : text) {
            const auto byte = static_cast<unsigned char>(c);
            if ((byte < 0x20 && c != '\n' && c != '\t') || byte == 0x7f)
                not_native("YAML of control characters");
        }
        return text;
    }
    /// What a manifest's variables share is not known here, so two equal ones may be one.
    void once(const Object& object, Change change) {
        for (const Object& known : seen_) {
            call_.machine.step();
            if (known.identical(object)) not_native("YAML of a list that comes twice");
            const bool shared = change == Change::Borrowed || change == Change::Watched;
            if (shared && known.kind() == object.kind() && equal(known, object))
                not_native("YAML of equal lists of the manifest");
        }
        seen_.push_back(object);
    }

    const Call& call_;
    std::vector<Object> seen_;
};

std::string yaml_of(const Call& call, const Object& object) {
    return stdlib::yaml_text(YamlValues(call).value_of(object), {});
}

Object object_to_yaml(const Call& call) {
    if (!call.arguments.empty()) not_native("to_yaml with options");
    return text(call, yaml_of(call, call.self));
}

Object yaml_dump(const Call& call) {
    if (call.arguments.size() > 1) not_native("YAML.dump with options");
    return text(call, yaml_of(call, call.arguments[0]));
}

constexpr Method yaml_module[] = {{"dump", 1, 3, yaml_dump}};
constexpr ModuleTable yaml_tables[] = {{"YAML", yaml_module}, {"Psych", yaml_module}};
constexpr Method to_yaml_table[] = {{"to_yaml", 0, 1, object_to_yaml}};

}  // namespace

std::span<const ModuleTable> yaml_modules() { return yaml_tables; }
Table yaml_methods() { return to_yaml_table; }

}  // namespace volley::ruby::methods
