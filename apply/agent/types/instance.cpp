#include "apply/agent/types/instance.hpp"

#include <algorithm>
#include <array>

#include "apply/agent/transaction/run.hpp"
#include "apply/agent/types/parameters.hpp"
#include "apply/agent/values/errors.hpp"
#include "support/text.hpp"

namespace volley::agent {

#define VOLLEY_AGENT_TYPE(name) const TypeSpec& name##_type();
#include "apply/agent/types/registry.def"
#undef VOLLEY_AGENT_TYPE

namespace {

constexpr std::array<std::string_view, 12> metaparameters = {"alias", "audit",     "before",  "loglevel",
                                                             "noop",  "notify",    "require", "schedule",
                                                             "stage", "subscribe", "tag",     "provider"};

std::string place_in(const Resource& resource) {
    if (resource.file.empty() && resource.line == 0) return {};
    if (resource.file.empty()) return " (line: " + std::to_string(resource.line) + ")";
    const std::string line = resource.line > 0 ? ", line: " + std::to_string(resource.line) : "";
    return " (file: " + resource.file + line + ")";
}

void check_attributes(const Resource& resource, const TypeSpec& spec) {
    for (const auto& [name, value] : resource.parameters) {
        const bool meta =
            std::find(metaparameters.begin(), metaparameters.end(), name) != metaparameters.end();
        if (!meta && spec.attribute(name) == nullptr)
            throw ApplyError("no parameter named '" + name + "'" + place_in(resource) + " on " +
                             resource.reference());
    }
}

void check_metaparameters(const Resource& resource, const TypeSpec& spec) {
    word_parameter(resource, "loglevel", "debug, info, notice, warning, err, alert, emerg, crit, verbose");
    true_or_false(resource, "noop", false);
    // Compatibility: here the place stands twice.
    if (const Value* tag = resource.find("tag"); tag != nullptr && tag->is(Value::Kind::Hash))
        throw parameter_error(resource, "tag", "Invalid tag '" + tag->inspected() + "'" + place_in(resource));
    if (resource.find("audit") == nullptr) return;
    const auto audited = resource.texts("audit");
    if (audited.size() == 1 && audited[0] == "all") return;
    for (const std::string& name : audited) {
        const bool meta =
            std::find(metaparameters.begin(), metaparameters.end(), name) != metaparameters.end();
        if (!meta && spec.attribute(name) == nullptr)
            throw parameter_error(
                resource, "audit",
                "Cannot audit " + name + ": not a valid attribute for " + resource.reference());
    }
}

/// Of a list for a property that has one value the first counts, and an empty one leaves it alone. The
/// attribute that is one of some words and has a list with undef, which is none of them; nullptr.
const Attribute* take_first_of_lists(Resource& resource, const TypeSpec& spec) {
    const auto has_one_value = [](const Attribute& one) {
        return one.kind == Attribute::Kind::Property && !one.takes_lists &&
               one.values.find("Array") == std::string_view::npos && one.values != "Any";
    };
    const Attribute* refused = nullptr;
    for (const Attribute& one : spec.attributes) {
        const Value* value = has_one_value(one) ? resource.find(one.name) : nullptr;
        if (value == nullptr || !value->is(Value::Kind::Array)) continue;
        const Value::Items& items = value->items();
        if (items.empty()) {
            resource.is_ensured = resource.is_ensured && one.name != "ensure";
            resource.erase(one.name);
            continue;
        }
        const bool has_undef =
            std::any_of(items.begin(), items.end(), [](const Value& item) { return item.is_undef(); });
        if (has_undef && one.values.starts_with("Enum[")) refused = &one;
        resource.set(one.name, Value(items.front()));
    }
    return refused;
}

const Value* object_in(const Value& value) {
    if (value.is(Value::Kind::Object)) return &value;
    if (!value.is(Value::Kind::Array)) return nullptr;
    for (const Value& item : value.items()) {
        if (const Value* found = object_in(item)) return found;
    }
    return nullptr;
}

/// What a type has not refused in its own words: hardly anything is made for regular expressions and the
/// like.
void refuse_objects(const Resource& resource, const TypeSpec& spec) {
    for (const auto& [name, value] : resource.parameters) {
        const Value* found = object_in(value);
        const Attribute* attribute = found != nullptr ? spec.attribute(name) : nullptr;
        if (attribute == nullptr || attribute->values == "Any") continue;
        if (!found->is_regexp() || attribute->values.find("Regexp") == std::string_view::npos)
            throw parameter_error(resource, name, invalid_value(*found));
    }
}

/// What `audit => all` stands for.
void name_all_audited(Resource& resource, const TypeSpec& spec) {
    if (resource.audit.size() != 1 || resource.audit[0] != "all") return;
    TextList::Texts names;
    for (const Attribute& one : spec.attributes) {
        if (one.kind == Attribute::Kind::Property && !one.unsupported) names.emplace_back(one.name);
    }
    resource.audit = std::move(names);
}

/// Relations find a resource by what it is called on the machine, too, and what that names is not purged.
/// Compatibility: not where commands and folders may be named twice, nor where the provider is a part of the
/// name.
void add_name(Resource& resource, const TypeSpec& spec, Catalog& catalog) {
    if (spec.name == "exec" || spec.name == "tidy" || spec.name == "package") return;
    const Value* name = nullptr;
    for (const Attribute& one : spec.attributes) {
        if (one.kind != Attribute::Kind::Namevar) continue;
        if (name != nullptr) return;
        name = resource.find(one.name);
    }
    if (name == nullptr || !name->is_text() || name->text() == resource.title) return;
    catalog.add_alias(resource.type + "[" + name->text() + "]", resource);
}

}  // namespace

void Current::set(std::string_view name, Value value) {
    for (auto& [own, old] : values_) {
        if (own == name) {
            old = std::move(value);
            return;
        }
    }
    values_.emplace_back(name, std::move(value));
}

const Value& Current::operator[](std::string_view name) const {
    static const Value none;
    for (const auto& [own, value] : values_) {
        if (own == name) return value;
    }
    return none;
}

bool Instance::reads(std::string_view name) const {
    const auto& audited = resource_.audit;
    return resource_.find(name) != nullptr ||
           std::find(audited.begin(), audited.end(), name) != audited.end();
}

bool Instance::in_sync(Wanted& wanted, const Value& current) {
    return current == wanted.value ||
           (!current.is(Value::Kind::Array) && !wanted.value.is(Value::Kind::Array) && !current.is_undef() &&
            current.to_text() == wanted.value.to_text());
}

std::string Instance::shown_current(const Wanted&, const Value& value) {
    return value.is_undef() ? std::string() : value.shown();
}
std::string Instance::shown_wanted(const Wanted& wanted) { return wanted.value.shown(); }

std::string Instance::change_text(const Wanted& wanted, const Value& current) {
    // The text "absent" is a value as any other, where a type does not know the word.
    const bool wants_absent = wanted.value.is(Value::Kind::Symbol) && wanted.value == absent();
    if (wanted.name == "ensure") {
        if (current == absent() || current.is_undef()) return "created";
        if (wants_absent) return "removed";
    } else if (current == absent()) {
        return "defined '" + wanted.name + "' as " + shown_wanted(wanted);
    } else if (wants_absent) {
        return "undefined '" + wanted.name + "' from " + shown_current(wanted, current);
    }
    return wanted.name + " changed " + shown_current(wanted, current) + " to " + shown_wanted(wanted);
}

const Attribute* TypeSpec::attribute(std::string_view attribute_name) const {
    const auto found = std::find_if(attributes.begin(), attributes.end(),
                                    [&](const Attribute& one) { return one.name == attribute_name; });
    return found == attributes.end() ? nullptr : &*found;
}

std::vector<const TypeSpec*> all_types() {
    return {
#define VOLLEY_AGENT_TYPE(name) &name##_type(),
#include "apply/agent/types/registry.def"
#undef VOLLEY_AGENT_TYPE
    };
}

const TypeSpec* find_type(std::string_view name) {
    const std::string wanted = lower(name);
    for (const TypeSpec* type : all_types()) {
        if (type->name == wanted) return type;
    }
    return nullptr;
}

std::unique_ptr<Resource> found_resource(std::string_view type, std::string title) {
    auto resource = std::make_unique<Resource>();
    resource->type = plain_reference(std::string(type) + "[]");
    resource->type.resize(resource->type.size() - 2);
    resource->title = std::move(title);
    resource->add_tag(type);
    return resource;
}

void make_instance(Resource& resource, Run& run) {
    const TypeSpec* type = find_type(resource.working_type());
    if (type == nullptr)
        throw ApplyError("The type of " + resource.reference() + " is not one that the agent has");
    check_attributes(resource, *type);
    try {
        check_metaparameters(resource, *type);
        const Attribute* refused = take_first_of_lists(resource, *type);
        name_all_audited(resource, *type);
        resource.instance = type->make(resource, run);
        resource.instance->prepare();
        if (refused != nullptr)
            throw parameter_error(
                resource, refused->name,
                invalid_value(Value(), refused->values.substr(5, refused->values.size() - 6)));
        refuse_objects(resource, *type);
        add_name(resource, *type, run.catalog);
    } catch (const ApplyError& error) {
        throw ApplyError(error.what() + place_in(resource));
    }
    for (const std::string& name : resource.sensitive) {
        const Attribute* attribute = type->attribute(name);
        // Compatibility: only properties are redacted by themselves. An exec hides its commands.
        const bool known =
            resource.type == "Exec" && (name == "command" || name == "unless" || name == "onlyif");
        if ((attribute == nullptr || attribute->kind != Attribute::Kind::Property) && !known &&
            name != "source")
            run.log(Level::Warning, resource,
                    "Unable to mark '" + name + "' as sensitive: " + name +
                        " is a parameter and not a property, and cannot be automatically redacted.");
    }
    resource.in_place = true;
}

}  // namespace volley::agent
