#include "apply/compiler/resources/resource_table.hpp"

#include <algorithm>
#include <cstdint>

#include "apply/compiler/resources/references.hpp"
#include "language/errors.hpp"
#include "language/text/ruby_text.hpp"
#include "language/text/text.hpp"

namespace volley {
namespace {

/// The values of the namevars, undef where there is none: what makes a resource unique besides its title.
std::vector<Value> namevar_values(const Resource& resource) {
    static const std::vector<std::string> by_name{"name"};
    const ResourceType* native = resource.bucket->native;
    const auto& namevars = native ? native->namevars() : by_name;
    const std::string& namevar = native ? native->namevar() : by_name.front();
    const bool split = native && !native->title_is_name(resource.title);
    const auto from_title =
        split ? native->split_title(resource.title)
              : std::vector<std::pair<std::string_view, std::string>>{{namevar, resource.title}};
    const auto find = [&](std::string_view name) -> Value {
        const ResourceParameter* given = resource.find(name);
        if (given && !given->value.is_undef()) return given->value;
        for (const auto& [known, text] : from_title) {
            if (known == name) return Value(text);
        }
        return {};
    };
    std::vector<Value> values;
    for (const std::string& attribute : namevars) {
        Value value = find(attribute);
        if (value.is_undef() && (attribute == namevar || attribute == "name")) value = find("name");
        if (value.is_undef() && attribute == "name") value = find(namevar);
        values.push_back(std::move(value));
    }
    return values;
}

/// The same as one text.
std::string uniqueness_key(const std::vector<Value>& values) {
    if (values.size() == 1 && values[0].is_string()) return values[0].as_string();
    // Compatibility: a name that is a list of one text is that text; references in names are equal to
    // themselves alone.
    const std::vector<Value> flat = flat_items(Value(values));
    std::string key;
    for (const Value& one : flat) {
        if (flat.size() > 1) key += std::string("\1") + (one.is_undef() ? "\2" : "");
        if (!one.is_undef() && !one.is_string()) key += "\3";
        if (!one.is_undef()) key += to_text(one);
        if (one.is(Kind::Type)) key += std::to_string(reinterpret_cast<std::uintptr_t>(one.shared()));
    }
    return key;
}

/// Most resources are unique by their titles: no namevar is given, and the title is the name.
bool is_unique_by_title(const Resource& resource) {
    const ResourceType* native = resource.bucket->native;
    if (native && !native->title_is_name(resource.title)) return false;
    return !resource.find("name") && !(native && resource.find(native->namevar()));
}

std::string duplicate_text(const Resource& resource, const Resource& known) {
    const std::string where = known.at.text();
    return "Duplicate declaration: " + resource.reference() + " is already declared" +
           (where.empty() ? "" : " at " + where) + "; cannot redeclare";
}

[[noreturn]] void fail_alias(const Resource& resource, const Resource& known, const std::string& alias,
                             const std::string& reference) {
    const std::string where = resource.at.text();
    throw EvalError("", "Cannot alias " + resource.reference() + " to " + alias +
                            (where.empty() ? "" : " at " + where) + "; resource " + reference +
                            " already declared" + known.at.suffix());
}

/// The type under which an alias is known. Compatibility: it is the reference up to the last bracket of its
/// first line, and so another name when the title has a bracket.
std::string alias_type(const Resource& resource) {
    if (resource.title.find('[') == std::string::npos) return resource.bucket->type;
    const std::string reference = resource.reference();
    const std::string line = reference.substr(0, reference.find('\n'));
    return line.substr(0, line.rfind('['));
}

/// What finds the alias in the table of its type; one of another type is never looked for.
std::string alias_key(const Resource& resource, std::string key) {
    const std::string type = alias_type(resource);
    return type == resource.bucket->type ? key : "\4" + type + "\4" + key;
}

std::string alias_reference(const Resource& resource, const Value& alias) {
    return "[" + ruby_inspect(Value(alias_type(resource))) + ", " + ruby_inspect(alias) + "]";
}

}  // namespace

void ResourceTable::add(Resource& resource) {
    const Resource* known = resource.bucket->names.add(resource.title, resource);
    if (known != &resource) throw EvalError("", duplicate_text(resource, *known) + resource.at.suffix());
    all_.push_back(&resource);
    add_aliases(resource);
}

const Resource* ResourceTable::claim(Resource& resource, std::string key) {
    return resource.bucket->names.add(aliases_.emplace_back(std::move(key)), resource);
}

void check_explicit_aliases(const std::vector<Resource*>& resources) {
    std::unordered_map<const ResourceBucket*, NameTable> tables;
    std::deque<std::string> texts;
    for (Resource* resource : resources) {
        NameTable& names = tables[resource->bucket];
        const Resource* known = names.add(resource->title, *resource);
        if (known != resource)
            throw EvalError("", duplicate_text(*resource, *known), resource->at.location());
        const ResourceParameter* aliases = resource->find("alias");
        for (const Value& one : aliases ? flat_values(aliases->value) : std::vector<Value>()) {
            known = names.add(texts.emplace_back(alias_key(*resource, to_text(one))), *resource);
            if (known != resource)
                fail_alias(*resource, *known, ruby_inspect(one), alias_reference(*resource, one));
        }
    }
}

void ResourceTable::add_aliases(Resource& resource) {
    if (const ResourceParameter* aliases = resource.find("alias")) {
        for (const Value& one : flat_values(aliases->value)) {
            const Resource* known = claim(resource, alias_key(resource, to_text(one)));
            if (known != &resource)
                fail_alias(resource, *known, ruby_inspect(one), alias_reference(resource, one));
        }
    }
    const ResourceType* native = resource.bucket->native;
    if (native && !native->isomorphic()) return;
    if (is_unique_by_title(resource)) return;
    const std::vector<Value> values = namevar_values(resource);
    const std::vector<Value> flat = flat_items(Value(values));
    if (std::ranges::all_of(flat, &Value::is_undef)) return;
    if (values.size() == 1 && values[0].is_string() && values[0].as_string() == resource.title) return;
    const Resource* known = claim(resource, alias_key(resource, uniqueness_key(values)));
    if (known == &resource) return;
    std::string reference = "[" + ruby_inspect(Value(alias_type(resource)));
    for (const Value& one : flat) reference += ", " + ruby_inspect(one);
    fail_alias(resource, *known, ruby_inspect(Value(values)), reference + "]");
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
    return type.names.find(uniqueness_key(namevar_values(wanted)));
}

}  // namespace volley
