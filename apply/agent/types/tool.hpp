#pragma once

#include <string>
#include <string_view>

#include "apply/agent/machine/process.hpp"
#include "apply/agent/transaction/run.hpp"
#include "apply/agent/types/instance.hpp"
#include "apply/agent/values/errors.hpp"

namespace volley::agent {

/// The full path of a program of the machine; the name itself when it is not there.
std::string tool_path(const std::string& name);
bool has_tool(const std::string& name);

/// Runs a program for a resource and returns what it printed, without blanks at the end. Throws ApplyError in
/// Puppet's words when it fails; with `secret` these do not show the command.
std::string run_tool(Run& run, Command command, bool secret = false);
/// The same for a program that may fail.
Finished try_tool(Run& run, Command command, bool secret = false);
/// The same with the blanks at the end of what it printed.
Finished whole_tool(Run& run, Command command, bool secret = false);

/// Logs, as Puppet does, that the provider cannot manage an attribute which the resource has.
void leave_unmanaged(Run& run, Resource& resource, std::string_view provider, std::string_view feature,
                     std::string_view attribute);

/// Whether it is the path of a place from the root on. Warns, as Puppet does, of a value that is not a text.
bool is_absolute_path(Run& run, const Value& value);

/// A property as a type wants it.
Wanted want(std::string_view name, Value value, bool sensitive = false, std::string event = {});
inline Value text_value(std::string_view text) { return Value(std::string(text)); }
inline Value number_value(std::int64_t number) { return Value(number); }
inline const Value& present() {
    static const Value value = Value::symbol("present");
    return value;
}
/// The ensure of a resource: present or absent; throws ApplyError for anything else. Where it is not given it
/// is present, but undef for a resource without any property unless `always`.
Value present_or_absent(const Resource& resource, bool always = false);
/// The items of a list, or the parts of a text; nothing for absent and undef.
std::vector<std::string> words_of(const Value& value, char separator);

}  // namespace volley::agent
