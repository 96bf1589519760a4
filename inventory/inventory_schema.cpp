#include "inventory/inventory_schema.hpp"

#include "inventory/config_schema.hpp"

namespace volley::inventory {
namespace {

using yaml::Kind;

SchemaPtr unique_texts(std::vector<Kind> types) {
    auto schema = std::make_shared<Schema>(*list_of(or_plugin(text())));
    schema->types = std::move(types);
    schema->unique = true;
    return or_plugin(schema);
}

std::vector<Schema::Property> data_properties() {
    return {{"config", or_plugin(map_of(transport_properties()))},
            {"facts", or_plugin(map_of({}))},
            {"features", unique_texts({Kind::Sequence})},
            {"plugin_hooks", or_plugin(map_of({{"puppet_library", or_plugin(map_of({}))}}))},
            {"vars", or_plugin(map_of({}))}};
}

SchemaPtr target_schema(std::vector<Schema::Property> properties) {
    properties.push_back({"alias", unique_texts({Kind::String, Kind::Sequence})});
    properties.push_back({"name", or_plugin(text())});
    properties.push_back({"uri", or_plugin(text())});
    auto schema = std::make_shared<Schema>(*map_of(std::move(properties)));
    schema->types = {Kind::String, Kind::Map};
    return or_plugin(schema);
}

}  // namespace

const Schema& inventory_schema() {
    // Groups hold groups: the property of the inner ones points back at their own schema, which lives as long as
    // the program, so it is not owned.
    static const std::shared_ptr<Schema> group = std::make_shared<Schema>();
    static const Schema document = [] {
        std::vector<Schema::Property> properties = data_properties();
        const SchemaPtr unowned(std::shared_ptr<void>(), group.get());
        properties.push_back({"groups", or_plugin(list_of(unowned))});
        properties.push_back({"targets", or_plugin(list_of(target_schema(data_properties())))});
        *group = *or_plugin(map_of(properties));
        group->properties.push_back({"name", or_plugin(text())});
        group->required = {"name"};
        properties.push_back({"version", integer(1)});
        return *or_plugin(map_of(std::move(properties)));
    }();
    return document;
}

}  // namespace volley::inventory
