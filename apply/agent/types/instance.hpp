#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "apply/agent/catalog/resource.hpp"
#include "apply/agent/values/value.hpp"

namespace volley::agent {

class Run;

/// How things are: by the names of properties, "ensure" first where the type has it.
class Current {
public:
    void set(std::string_view name, Value value);
    const Value& operator[](std::string_view name) const;  ///< undef when it is not known
    const std::vector<std::pair<std::string, Value>>& all() const noexcept { return values_; }

private:
    std::vector<std::pair<std::string, Value>> values_;
};

/// A property that shall have a value.
struct Wanted {
    std::string name;
    Value value;        ///< as events hold it
    std::string event;  ///< "file_created"; empty: the usual name
    bool sensitive = false;
    bool idempotent = true;  ///< false: it is never as wanted, like a notify
    bool invalidates_refreshes = false;
};

struct Autorelation {
    enum class Kind : std::uint8_t { Require, Before, Subscribe, Notify };
    Kind kind = Kind::Require;
    std::string type;
    std::string title;
};

/// What a type does with one resource. The transaction reads, compares, decides about noop, calls sync() for
/// what differs, and says what happened. Law: after sync() the next retrieve() shows no difference.
class Instance {
public:
    Instance(Resource& resource, Run& run) : resource_(resource), run_(run) {}
    virtual ~Instance() = default;
    Instance(const Instance&) = delete;
    Instance& operator=(const Instance&) = delete;

    /// Checks the parameters and puts them into the form that the rest reads. Throws ApplyError, which ends
    /// the run before it changes anything.
    virtual void prepare() {}
    /// Checks what needs the other resources of the catalog, after all of them were prepared. Throws
    /// ApplyError.
    virtual void finish() {}
    /// When the catalog begins to be applied, with everything that was generated before that in it.
    virtual void begin() {}
    /// "posix"; empty when the type has no providers.
    virtual std::string_view provider() const { return {}; }
    /// False while the tool is missing that does the work: the resource then waits until nothing else is
    /// left.
    virtual bool suitable() { return true; }
    /// Reads what all resources of the type and the provider share, before the first of them has its turn.
    /// Throws ApplyError: all of them fail then and are skipped.
    virtual void prefetch() {}
    virtual Current retrieve() = 0;
    /// In the order of their definition; `ensure` is looked at first. Asked for after retrieve().
    virtual std::vector<Wanted> wanted() = 0;
    virtual bool in_sync(Wanted& wanted, const Value& current);
    /// Whether `current` is what the property was brought to in an earlier run; a change of it corrects
    /// something else.
    virtual bool is_unchanged(const Wanted& wanted, const Value& before, const Value& current) {
        static_cast<void>(wanted);
        return before == current;
    }
    /// Whether wanted() has values that come from the type and not from the catalog. Compatibility: a
    /// property that is only audited is left without one.
    virtual bool has_usual_values() const { return true; }
    virtual void sync(Wanted& wanted, const Value& current) = 0;
    /// "mode changed '0644' to '0600'".
    virtual std::string change_text(const Wanted& wanted, const Value& current);
    /// As messages show values of the property.
    virtual std::string shown_current(const Wanted& wanted, const Value& value);
    virtual std::string shown_wanted(const Wanted& wanted);
    /// Once after all changes of the resource.
    virtual void flush() {}
    /// Whether nothing asks for it after its turn, so that it can be destroyed then: for types of which
    /// catalogs have thousands. Its provider() must be a literal.
    virtual bool ends_with_its_turn() const { return false; }

    /// Those of `reference`s that are not in the catalog are left out by whoever asks.
    virtual std::vector<Autorelation> autorelations() { return {}; }
    virtual bool can_refresh() const { return false; }
    virtual void refresh() {}
    /// Whether a change of the resource refreshes the resource itself.
    virtual bool refreshes_itself() const { return false; }
    /// Further resources, before anything is done.
    virtual std::vector<std::unique_ptr<Resource>> generate() { return {}; }
    /// Whether what generate() made comes before this resource.
    virtual bool depth_first() const { return false; }
    /// Further resources, just before this one is looked at.
    virtual bool generates_late() const { return false; }
    virtual std::vector<std::unique_ptr<Resource>> generate_late() { return {}; }
    /// The path, where a resource stands for one: its generated children are ordered by it.
    virtual std::string place() const { return {}; }
    /// What is missing where suitable() is false, and where it comes from; empty when the provider's name
    /// says it all.
    virtual std::string needs() const { return {}; }

    Resource& resource() noexcept { return resource_; }

protected:
    bool is_sensitive(std::string_view name) const { return resource_.sensitive.contains(name); }
    /// Whether retrieve() has to find out a property: it is managed, or `audit` names it.
    bool reads(std::string_view name) const;

    Resource& resource_;
    Run& run_;
};

/// An attribute of a type. What is written here is what users read: `volley-agent types` prints it, and
/// docs/resource-types.md is made of it.
struct Attribute {
    enum class Kind : std::uint8_t { Property, Parameter, Namevar };
    std::string_view name;
    Kind kind = Kind::Parameter;
    std::string_view values;   ///< as a type of the Puppet language; prepare() checks them
    std::string_view doc;      ///< what it is, with the default in parentheses
    bool secret = false;       ///< its value is not shown to whoever only looks
    bool unsupported = false;  ///< taken, though no provider of the agent knows it
    bool takes_lists = false;  ///< though it has one value: what a list is for it the type itself says
};
constexpr Attribute unsupported(Attribute attribute) {
    attribute.unsupported = true;
    return attribute;
}
constexpr Attribute takes_lists(Attribute attribute) {
    attribute.takes_lists = true;
    return attribute;
}

struct TypeSpec {
    std::string_view name;  ///< "file"
    std::string_view doc;
    std::string_view providers;  ///< with blanks between; empty when the type has none
    std::span<const Attribute> attributes;
    std::unique_ptr<Instance> (*make)(Resource& resource, Run& run);
    /// All that the machine has of the type, each with what is needed to find it again; nullptr where that
    /// cannot be known. Titles may occur twice: the first counts.
    std::vector<std::unique_ptr<Resource>> (*instances)(Run& run) = nullptr;
    /// Whether `resources` may remove those that are not in the catalog.
    bool can_purge = true;

    const Attribute* attribute(std::string_view attribute_name) const;
};

/// nullptr when the agent does not have the type. Any spelling: "File", "file".
const TypeSpec* find_type(std::string_view name);
std::vector<const TypeSpec*> all_types();
inline bool is_native_type(std::string_view name) { return find_type(name) != nullptr; }

/// A resource for something that was found on the machine: with the tags of its type.
std::unique_ptr<Resource> found_resource(std::string_view type, std::string title);

/// Makes the Instance of a native resource and prepares it. Throws ApplyError for a type or an attribute that
/// the agent does not have, and for a value that does not fit.
void make_instance(Resource& resource, Run& run);

template <class T>
std::unique_ptr<Instance> make_instance_of(Resource& resource, Run& run) {
    return std::make_unique<T>(resource, run);
}

}  // namespace volley::agent
