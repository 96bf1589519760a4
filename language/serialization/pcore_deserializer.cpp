#include <limits>

#include "language/binary.hpp"
#include "language/errors.hpp"
#include "language/serialization/pcore_packers.hpp"
#include "language/serialization/pcore_types.hpp"
#include "language/types/object_type.hpp"
#include "support/text.hpp"

namespace volley {
namespace {

/// The names of the attributes of Pcore:: types, in the order in which streams have them.
std::vector<std::string> stream_attributes(const std::string& type, const PcoreWorld& world) {
    static const std::vector<std::pair<std::string_view, std::vector<std::string>>> table{
        {"IntegerType", {"from", "to"}},
        {"FloatType", {"from", "to"}},
        {"TimespanType", {"from", "to"}},
        {"TimestampType", {"from", "to"}},
        {"StringType", {"size_type_or_value"}},
        {"EnumType", {"values", "case_insensitive"}},
        {"PatternType", {"patterns"}},
        {"RegexpType", {"pattern"}},
        {"CollectionType", {"size_type"}},
        {"ArrayType", {"element_type", "size_type"}},
        {"HashType", {"key_type", "value_type", "size_type"}},
        {"TupleType", {"types", "size_type"}},
        {"StructType", {"elements"}},
        {"StructElement", {"key_type", "value_type"}},
        {"VariantType", {"types"}},
        {"CallableType", {"param_types", "block_type", "return_type"}},
        {"ClassType", {"class_name"}},
        {"ResourceType", {"type_name", "title"}},
        {"TypeAliasType", {"name", "type_expr", "resolved_type"}},
        {"InitType", {"type", "init_args"}},
        {"URIType", {"parameters"}},
        {"SemVerType", {"ranges"}},
        {"TypeReferenceType", {"type_string"}},
    };
    if (type.starts_with("Pcore::")) {
        for (const auto& [name, attributes] : table) {
            if (type.substr(7) == name) return attributes;
        }
        return {"type"};
    }
    const TypePtr found = parse_type(type, world.types);
    const types::ObjectType* object = types::object_type_of(*found);
    if (!object) throw EvalError("", "No implementation mapping found for Puppet Type " + type);
    std::vector<std::string> names;
    for (const auto* parameter : object->init_parameters()) names.push_back(parameter->name);
    return names;
}

class StreamReader {
public:
    StreamReader(PcoreUnpacker& unpacker, const PcoreWorld& world) : unpacker_(unpacker), world_(world) {}

    Value read() {
        const NestingGuard guard;
        Start start = next();
        switch (start.extension) {
            case PcoreExtension::InnerTabulation:  // stands for a value without an extension
                if (start.value.is(Kind::Opaque)) fail("a reference leads to nothing");
                return start.remember ? remember(std::move(start.value)) : std::move(start.value);
            case PcoreExtension::Tabulation: {
                const std::size_t index = start.count;
                if (index >= values_.size() || !values_[index]) fail("a reference leads to nothing");
                return *values_[index];
            }
            case PcoreExtension::ArrayStart:
                return read_list(start.count);
            case PcoreExtension::MapStart:
                return read_hash(start.count);
            case PcoreExtension::SensitiveStart:
                return Value::sensitive(read());
            case PcoreExtension::PcoreObjectStart:
                return read_object(start.type, start.count);
            default:
                fail("an extension is not known");
        }
    }

private:
    /// What comes next, with tabulated texts and starts put back in place.
    struct Start {
        PcoreExtension extension = PcoreExtension::InnerTabulation;
        Value value = {};
        std::size_t count = 0;
        std::string type = {};
        bool remember = false;  // as a value that later ones may refer to
    };
    [[noreturn]] static void fail(const std::string& why) {
        throw EvalError("", "A Pcore stream cannot be read: " + why);
    }

    Start next() {
        const PcoreUnpacker::Item item = unpacker_.read();
        if (!item.is_extension) {
            Start start{.value = item.value};
            if (item.value.is_string()) inner_.push_back(start);
            return start;
        }
        if (item.extension == PcoreExtension::InnerTabulation) {
            const std::size_t index = count();
            if (index >= inner_.size()) fail("a reference leads to nothing");
            return inner_[index];
        }
        Start start = extension(item.extension);
        const bool whole = start.remember || start.extension == PcoreExtension::PcoreObjectStart;
        if (whole) inner_.push_back(start);
        return start;
    }
    Start extension(PcoreExtension number) {
        switch (number) {
            case PcoreExtension::Default:
                return {.value = Value::make_default()};
            case PcoreExtension::SensitiveStart:
                return {.extension = number};
            case PcoreExtension::Tabulation:
            case PcoreExtension::ArrayStart:
            case PcoreExtension::MapStart:
                return {.extension = number, .count = count()};
            case PcoreExtension::PcoreObjectStart: {
                Start start{.extension = number, .type = qualified_name()};
                start.count = count();
                return start;
            }
            case PcoreExtension::Time:
            case PcoreExtension::Timespan:
                return {.value = time(number), .remember = true};
            case PcoreExtension::Binary:
                return {.value = Binary::make(text()), .remember = true};
            case PcoreExtension::Symbol:
                return {.value = Value(text())};
            case PcoreExtension::TypeReference:
                return {.value = Value(parse_type(text(), world_.types)), .remember = true};
            default:
                return {.value = make_from_text(text_type(number), text(), world_), .remember = true};
        }
    }
    static std::string text_type(PcoreExtension number) {
        switch (number) {
            case PcoreExtension::Regexp:
                return "Regexp";
            case PcoreExtension::Version:
                return "SemVer";
            case PcoreExtension::VersionRange:
                return "SemVerRange";
            case PcoreExtension::Base64:
                return "Binary";
            case PcoreExtension::Uri:
                return "URI";
            default:
                fail("an extension is not known");
        }
    }
    Value time(PcoreExtension number) {
        const Value seconds = unpacker_.read_payload();
        const Value rest = unpacker_.read_payload();
        constexpr std::int64_t second = 1'000'000'000;
        constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max() / second - 1;
        if (!seconds.is(Kind::Integer) || !rest.is(Kind::Integer)) fail("a time is not two integers");
        const bool fits = seconds.as_integer() <= most && seconds.as_integer() >= -most &&
                          rest.as_integer() >= 0 && rest.as_integer() < second;
        if (!fits) fail("a time is out of bounds");
        const std::int64_t nanoseconds = seconds.as_integer() * second + rest.as_integer();
        return number == PcoreExtension::Timespan ? Value::timespan(nanoseconds)
                                                  : Value::timestamp(nanoseconds);
    }
    std::size_t count() {
        const Value value = unpacker_.read_payload();
        if (!value.is(Kind::Integer) || value.as_integer() < 0) fail("a count is not a number");
        return static_cast<std::size_t>(value.as_integer());
    }
    std::string text() {
        const Value value = unpacker_.read_payload();
        if (!value.is_string()) fail("a text is missing");
        return value.as_string();
    }
    std::string qualified_name() {
        const std::size_t parts = count();
        if (parts == 0 || parts > 100) fail("a type has no name");
        std::string name;
        for (std::size_t i = 0; i < parts; ++i) {
            const Value part = unpacker_.read_payload();
            if (part.is_string()) inner_.push_back({.value = part});
            name += (i > 0 ? "::" : "") + (part.is_string() ? part.as_string() : known_text(part));
        }
        return name;
    }
    std::string known_text(const Value& index) const {
        const bool known = index.is(Kind::Integer) && index.as_integer() >= 0 &&
                           static_cast<std::size_t>(index.as_integer()) < inner_.size();
        if (!known) fail("a reference leads to nothing");
        const Value& value = inner_[static_cast<std::size_t>(index.as_integer())].value;
        if (!value.is_string()) fail("the name of a type is not a text");
        return value.as_string();
    }

    Value remember(Value value) {
        values_.emplace_back(value);
        return value;
    }
    /// The place of a value whose content is still to be read; a reference into it would be a circle.
    std::size_t reserve() {
        values_.emplace_back();
        return values_.size() - 1;
    }
    Value read_list(std::size_t size) {
        const std::size_t place = reserve();
        std::vector<Value> items;
        for (std::size_t i = 0; i < size; ++i) items.push_back(read());
        values_[place] = Value(std::move(items));
        return *values_[place];
    }
    Value read_hash(std::size_t size) {
        const std::size_t place = reserve();
        HashBuilder hash;
        for (std::size_t i = 0; i < size; ++i) {
            Value key = read();
            hash.set(std::move(key), read());
        }
        values_[place] = hash.build();
        return *values_[place];
    }
    Value read_object(const std::string& type, std::size_t size) {
        const std::size_t place = reserve();
        const std::vector<std::string> names = stream_attributes(type, world_);
        if (size > names.size()) fail("a " + type + " has more attributes than its type");
        HashBuilder attributes;
        for (std::size_t i = 0; i < size; ++i) {
            Value value = read();
            // The meaning of an alias may refer to the alias itself; one that is known here is there already.
            if (i == 0 && type == "Pcore::TypeAliasType" && value.is_string()) {
                if (const TypePtr known = world_.types.load(value.as_string())) values_[place] = Value(known);
            }
            attributes.set(Value(names[i]), std::move(value));
        }
        const Value given = attributes.build();
        values_[place] = make_object(type, given.as_hash(), world_);
        return *values_[place];
    }

    PcoreUnpacker& unpacker_;
    const PcoreWorld& world_;
    std::vector<Start> inner_;
    std::vector<std::optional<Value>> values_;
};

}  // namespace

Value deserialize(std::string_view bytes, PcoreFormat format, const PcoreWorld& world) {
    const auto unpacker = make_unpacker(format, bytes);
    return StreamReader(*unpacker, world).read();
}

}  // namespace volley
