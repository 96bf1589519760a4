#include "apply/compiler/resource_table.hpp"

#include "apply/compiler/references.hpp"
#include "language/errors.hpp"
#include "language/ruby_text.hpp"
#include "language/text.hpp"

namespace volley {
namespace {

/// What makes a resource unique besides its title: the values of its namevars.
struct UniquenessKey {
    std::string key;    // for the table
    std::string shown;  // as Ruby inspects the list
    bool any = false;   // one of the values is set
};

UniquenessKey uniqueness_key(const Resource& resource) {
    const auto hash = resource_hash(resource);
    const auto find = [&hash](std::string_view name) -> const Value* {
        for (const auto& [known, value] : hash) {
            if (known == name && !value.is_undef()) return &value;
        }
        return nullptr;
    };
    static const std::vector<std::string> by_name{"name"};
    const ResourceType* native = resource.bucket->native;
    const auto& namevars = native ? native->namevars() : by_name;
    const std::string& namevar = native ? native->namevar() : by_name.front();
    UniquenessKey result;
    for (const std::string& attribute : namevars) {
        const Value* value = find(attribute);
        if (!value && (attribute == namevar || attribute == "name")) value = find("name");
        if (!value && attribute == "name") value = find(namevar);
        const std::string part = value ? to_text(*value) : "";
        if (namevars.size() > 1) result.key += std::string("\1") + (value ? "" : "\2");
        if (value && !value->is_string()) result.key += "\3";
        result.key += part;
        result.shown += (result.shown.empty() ? "" : ", ") + (value ? ruby_inspect(*value) : "nil");
        result.any = result.any || value;
    }
    return result;
}

/// Most resources are unique by their titles: no namevar is given, and the title is the name.
bool is_unique_by_title(const Resource& resource) {
    const ResourceType* native = resource.bucket->native;
    if (native && !native->title_is_name(resource.title)) return false;
    return !resource.find("name") && !(native && resource.find(native->namevar()));
}

}  // namespace

void ResourceTable::add(Resource& resource) {
    const Resource* known = resource.bucket->names.add(resource.title, resource);
    if (known != &resource) {
        const std::string where = known->at.text();
        throw EvalError("", "Duplicate declaration: " + resource.reference() + " is already declared" +
                                (where.empty() ? "" : " at " + where) + "; cannot redeclare" +
                                resource.at.suffix());
    }
    all_.push_back(&resource);
    add_aliases(resource);
}

void ResourceTable::alias(Resource& resource, std::string key, const std::string& shown,
                          const std::string& shown_ref) {
    const Resource* known = resource.bucket->names.add(aliases_.emplace_back(std::move(key)), resource);
    if (known == &resource) return;
    const std::string where = resource.at.text();
    throw EvalError("", "Cannot alias " + resource.reference() + " to " + shown +
                            (where.empty() ? "" : " at " + where) + "; resource " + shown_ref +
                            " already declared" + known->at.suffix());
}

void ResourceTable::add_aliases(Resource& resource) {
    const auto shown_type = [&resource] { return ruby_inspect(Value(resource.bucket->type)); };
    if (const ResourceParameter* aliases = resource.find("alias")) {
        for (const Value& one : flat_values(aliases->value)) {
            const std::string shown = ruby_inspect(one);
            alias(resource, to_text(one), shown, "[" + shown_type() + ", " + shown + "]");
        }
    }
    const ResourceType* native = resource.bucket->native;
    if (native && !native->isomorphic()) return;
    if (is_unique_by_title(resource)) return;
    UniquenessKey unique = uniqueness_key(resource);
    if (!unique.any || unique.key == resource.title) return;
    alias(resource, std::move(unique.key), "[" + unique.shown + "]", "[" + shown_type() + ", " + unique.shown + "]");
}

Resource* ResourceTable::find(const ResourceBucket& type, std::string_view title) const {
    if (Resource* found = type.names.find(title)) return found;
    if (!type.native || type.native->title_is_name(title)) return nullptr;
    ResourceBucket alike;  // one resource with nothing but that title
    alike.type = type.type;
    alike.native = type.native;
    Resource wanted;
    wanted.bucket = &alike;
    wanted.title = title;
    return type.names.find(uniqueness_key(wanted).key);
}

}  // namespace volley
