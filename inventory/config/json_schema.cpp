#include "inventory/config/json_schema.hpp"

#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "support/json/json_reader.hpp"

namespace volley::inventory {
namespace {

using yaml::Kind;

const char* json_type(Kind kind) {
    switch (kind) {
        case Kind::Absent:
        case Kind::Null:
            return "null";
        case Kind::Boolean:
            return "boolean";
        case Kind::Integer:
            return "integer";
        case Kind::Float:
            return "number";
        case Kind::String:
            return "string";
        case Kind::Sequence:
            return "array";
        case Kind::Map:
            return "object";
    }
    return "null";
}

class SchemaWriter {
public:
    /// `name`: what the value is called, for the definition that a schema gets when it holds itself.
    Json write(const Schema& schema, bool plugin, const std::string& name) {
        if (const auto outer = open_.find(&schema); outer != open_.end()) {
            recursive_.insert(&schema);
            return reference(outer->second);
        }
        open_.emplace(&schema, name);
        Json written = write_open(schema, plugin || schema.plugin, name);
        open_.erase(&schema);
        if (recursive_.erase(&schema) == 0) return written;
        definitions_[name] = std::move(written);
        return reference(name);
    }

    Json take_definitions() {
        definitions_["_plugin"] =
            Json{{"type", "object"},
                 {"description", "A reference: the plugin of that name returns the value."},
                 {"properties", {{"_plugin", {{"type", "string"}}}}},
                 {"required", {"_plugin"}}};
        return std::move(definitions_);
    }

private:
    static Json reference(const std::string& name) { return Json{{"$ref", "#/definitions/" + name}}; }

    Json write_open(const Schema& schema, bool plugin, const std::string& name) {
        Json alternatives = Json::array();
        for (const Kind kind : schema.types) alternatives.push_back(of_kind(kind, schema, plugin, name));
        if (plugin && !schema.types.empty()) alternatives.push_back(reference("_plugin"));
        Json out = Json::object();
        if (alternatives.size() == 1) {
            out = alternatives[0];
        } else if (!alternatives.empty()) {
            out["anyOf"] = std::move(alternatives);
        }
        std::string text(schema.description);
        if (!schema.deprecation.empty())
            text += (text.empty() ? "Deprecated. " : " Deprecated. ") + std::string(schema.deprecation);
        if (!text.empty()) out["description"] = std::move(text);
        if (!schema.default_json.empty()) out["default"] = parse_json(schema.default_json);
        return out;
    }

    Json of_kind(Kind kind, const Schema& schema, bool plugin, const std::string& name) {
        Json out{{"type", json_type(kind)}};
        if (kind == Kind::String && !schema.allowed.empty()) out["enum"] = schema.allowed;
        if (kind == Kind::Integer && schema.minimum) out["minimum"] = *schema.minimum;
        if (kind == Kind::Integer && schema.maximum) out["maximum"] = *schema.maximum;
        if (kind == Kind::Sequence && schema.unique) out["uniqueItems"] = true;
        if (kind == Kind::Sequence && schema.elements)
            out["items"] = write(*schema.elements, plugin, name + "_item");
        if (kind == Kind::Map) add_keys(out, schema, plugin);
        return out;
    }

    void add_keys(Json& out, const Schema& schema, bool plugin) {
        for (const Schema::Property& property : schema.properties) {
            const std::string key(property.name);
            out["properties"][key] = write(*property.schema, plugin, key);
        }
        if (!schema.required.empty()) out["required"] = schema.required;
        if (schema.additional) {
            out["additionalProperties"] = write(*schema.additional, plugin, "value");
        } else if (!schema.properties.empty() && !schema.open) {
            out["additionalProperties"] = false;
        }
    }

    std::map<const Schema*, std::string> open_;  // being written, and what they are called
    std::set<const Schema*> recursive_;          // those of them that hold themselves
    Json definitions_ = Json::object();
};

}  // namespace

Json to_json_schema(const Schema& schema, std::string_view title) {
    SchemaWriter writer;
    Json out = writer.write(schema, false, "document");
    out["$schema"] = "http://json-schema.org/draft-07/schema#";
    out["title"] = title;
    out["definitions"] = writer.take_definitions();
    return out;
}

}  // namespace volley::inventory
