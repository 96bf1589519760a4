#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "apply/agent/values/text_list.hpp"
#include "apply/agent/values/value.hpp"
#include "apply/agent/values/word.hpp"

namespace volley::agent {

class Instance;

/// A type that a module defines by another one: what the controller has read of it.
struct ModuleType {
    std::string base;                                       ///< the type of the agent that does its work
    std::map<std::string, std::string, std::less<>> facts;  ///< what that has to know, such as the path

    /// Empty where there is none.
    std::string fact(std::string_view name) const {
        const auto found = facts.find(name);
        return found == facts.end() ? std::string() : found->second;
    }
};

/// One resource of a catalog, or a node that only the graph needs. Catalogs have ten thousands of them: what
/// most do not have costs a pointer here.
struct Resource {
    enum class Role : std::uint8_t {
        Native,     ///< something on the machine: it has an Instance
        Container,  ///< a class, a defined type or a stage
        Whit,       ///< the begin or end of a container, in the graph only
    };

    std::string type;   ///< "File", "Foo::Bar", "Class"
    std::string title;  ///< of a Whit: the reference that is shown
    Role role = Role::Native;
    bool ends_container = false;  ///< of a Whit
    bool generated = false;
    bool is_ensured = true;               ///< false: its ensure is an empty list, and left alone
    bool in_place = false;                ///< false until its parameters have been read
    mutable bool is_named_early = false;  ///< by a line of the log that came before
    Word file;
    std::int64_t line = 0;  ///< 0: none
    std::vector<Word> tags;
    std::vector<std::pair<Word, Value>> parameters;
    TextList sensitive;
    Resource* container = nullptr;
    std::unique_ptr<Instance> instance;
    std::shared_ptr<const ModuleType> module_type;  ///< null for a type that the agent knows itself

    // Of the metaparameters:
    std::optional<bool> noop;
    Word loglevel = "notice";
    TextList require, subscribe, before, notify;  ///< references
    TextList audit;
    Word schedule;

    Resource();
    ~Resource();

    bool is_whit() const noexcept { return role == Role::Whit; }
    /// The name of the agent's type that does the work.
    const std::string& working_type() const { return module_type ? module_type->base : type; }
    /// "File[/etc/x]"; of a Whit the container's.
    std::string reference() const;
    /// "/Stage[main]/Main/File[/etc/x]".
    std::string path() const;
    std::vector<std::string> containment() const;

    const Value* find(std::string_view name) const;
    void set(std::string_view name, Value value);
    void erase(std::string_view name);
    /// As one text; `fallback` when it is not given.
    std::string text(std::string_view name, std::string_view fallback = "") const;
    /// A value or a list of values, as texts; undef is left out.
    std::vector<std::string> texts(std::string_view name) const;
    bool has_tag(std::string_view tag) const;
    void add_tag(std::string_view tag);
};

/// "a.b_c-1::d": what may be a tag.
bool is_tag(std::string_view word);

}  // namespace volley::agent
