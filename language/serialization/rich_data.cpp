#include "language/serialization/rich_data.hpp"

#include <nlohmann/json.hpp>

#include "language/callable.hpp"
#include "language/errors.hpp"
#include "language/serialization/json_writer.hpp"
#include "language/serialization/pcore_data.hpp"
#include "language/text/regexp.hpp"
#include "language/text/text.hpp"
#include "language/types/types.hpp"

namespace volley {
namespace {

std::string parameter_reference(const Type& type) {
    if (type.kind() != TypeKind::Resource && type.kind() != TypeKind::Class) return {};
    const auto& reference = as<types::CatalogType>(type);
    return reference.from_parameter ? types::reference_text(reference) : "";
}

class RichData final : public RichJsonWriter {
    Json odd_float(double number) override { return tagged("Float", float_text(number)); }
    bool is_plain_key(const Value& key) const override { return key.is_string(); }

    Json object(const Value& value) override {
        switch (value.kind()) {
            case Kind::Regexp:
                return tagged("Regexp", value.as_regexp().source());
            case Kind::Type:
                if (const std::string reference = parameter_reference(*value.as_type()); !reference.empty())
                    return tagged("Resource", reference);
                return tagged("Type", to_display_string(*value.as_type()));
            case Kind::Object:
                return instance(value);
            case Kind::Iterator:
                return tagged("Iterator",
                              "Iterator[" + to_string(*value.as<IteratorObject>().element_type()) + "]");
            case Kind::Timespan:
            case Kind::Timestamp:
            case Kind::Binary:
            case Kind::SemVer:
            case Kind::SemVerRange:
            case Kind::Uri:
                return tagged(kind_name(value.kind()), to_text(value));
            default:
                return Json{{"__ptype", "Unknown"}};
        }
    }

    /// Attributes that have their default values are left out. Types among the attributes are objects too, as
    /// in Puppet, and not texts.
    Json instance(const Value& value) {
        try {
            return to_pcore_data(value, {.local_references = false});
        } catch (const EvalError&) {
            // Something in it has no such form: then at least the attributes that have one.
        }
        const auto& object = value.as<ObjectBase>();
        const Value attributes = object.init_hash();
        if (!attributes.is_hash()) return Json{{"__ptype", "Unknown"}};
        Json result{{"__ptype", object.type()->name()}};
        for (const auto& entry : attributes.as_hash()) result[entry.key.as_string()] = write(entry.value);
        return result;
    }
};

}  // namespace

Json to_rich_json(const Value& value) { return RichData().write(value); }

}  // namespace volley
