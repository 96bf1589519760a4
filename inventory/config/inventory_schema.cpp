#include "inventory/config/inventory_schema.hpp"

#include "inventory/config/config_schema.hpp"

namespace volley::inventory {
namespace {

using yaml::Kind;

SchemaPtr unique_texts(std::vector<Kind> types) {
    auto schema = std::make_shared<Schema>(*list_of(or_plugin(text())));
    schema->types = std::move(types);
    schema->unique = true;
    return or_plugin(schema);
}

/// TreeLoader warns of unknown keys there, also in what plugins answer.
SchemaPtr checked_by_loader(const SchemaPtr& schema) {
    auto copy = std::make_shared<Schema>(*schema);
    copy->checked_elsewhere = true;
    return copy;
}

std::vector<Schema::Property> data_properties() {
    return {{"config", described(or_plugin(checked_by_loader(map_of(transport_properties()))),
                                 "Configuration of transports.")},
            {"facts", described(or_plugin(map_of({})), "Facts that are known of the targets.")},
            {"features", described(unique_texts({Kind::Sequence}),
                                   "What the targets can do: shell, powershell, puppet-agent.")},
            {"plugin_hooks", described(or_plugin(map_of({{"puppet_library", or_plugin(map_of({}))}})),
                                       "Which plugin each hook uses.")},
            {"vars", described(or_plugin(map_of({})), "Variables of the targets, for plans and Hiera.")}};
}

SchemaPtr target_schema(std::vector<Schema::Property> properties) {
    properties.push_back(
        {"alias", described(unique_texts({Kind::String, Kind::Sequence}), "Further names of the target.")});
    properties.push_back(
        {"name", described(or_plugin(text()), "The name of the target; its URI when absent.")});
    properties.push_back(
        {"uri", described(or_plugin(text()), "Where the target is: [transport://][user@]host[:port].")});
    auto schema = std::make_shared<Schema>(*checked_by_loader(map_of(std::move(properties))));
    schema->types = {Kind::String, Kind::Map};
    return or_plugin(schema);
}

}  // namespace

const Schema& inventory_schema() {
    // Groups hold groups: the property of the inner ones points back at their own schema, which lives as long
    // as the program, so it is not owned.
    static const std::shared_ptr<Schema> group = std::make_shared<Schema>();
    static const Schema document = [] {
        std::vector<Schema::Property> properties = data_properties();
        const SchemaPtr unowned(std::shared_ptr<void>(), group.get());
        properties.push_back({"groups", described(or_plugin(list_of(unowned)), "Groups of targets.")});
        properties.push_back({"targets", described(or_plugin(list_of(target_schema(data_properties()))),
                                                   "Targets: URIs, names, or maps with more about them.")});
        *group = *or_plugin(checked_by_loader(map_of(properties)));
        group->properties.push_back({"name", described(or_plugin(text()), "The name of the group.")});
        group->required = {"name"};
        properties.push_back({"version", described(integer(1), "The version of the format: 2.")});
        return *or_plugin(checked_by_loader(map_of(std::move(properties))));
    }();
    return document;
}

}  // namespace volley::inventory
