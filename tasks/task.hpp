#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "support/json/json.hpp"
#include "transports/shell/shell.hpp"

namespace volley::tasks {

/// A parameter of a task's metadata (TSK-003).
struct Parameter {
    std::string name;
    std::optional<std::string> type;  ///< Puppet type text; absent: Data
    std::optional<std::string> description;
    std::shared_ptr<const Json> default_value;  ///< nullptr: none
    bool sensitive = false;
};

/// One way of running a task (TSK-006). Without `implementations` a task has one.
struct Implementation {
    std::string name;  ///< file name in the tasks folder
    std::filesystem::path path;
    std::vector<std::string> requirements;
    std::optional<std::string> input_method;
    std::vector<std::string> files;  ///< "module/mount/path"
    std::optional<bool> remote;
};

/// A task with its metadata, read and checked once (spec/tasks). Immutable. (transports::Task is a
/// coroutine.)
struct TaskDefinition {
    std::string name;  ///< "facts", "facts::bash"
    std::string module_name;
    std::filesystem::path module_directory;
    bool built_in = false;  ///< of a bundled module
    std::optional<std::string> description;
    std::optional<std::vector<Parameter>> parameters;  ///< nullopt: any parameter is accepted
    std::vector<Implementation> implementations;
    std::vector<std::string> files;
    std::optional<std::string> input_method;
    bool supports_noop = false;
    bool is_private = false;
    bool remote = false;
    std::shared_ptr<const Json> metadata;  ///< the file as it is, for `task show`
    /// What each entry of `files` (the task's and its implementations') stands for: one file, or all below a
    /// directory. Looked up once, so that a thousand targets do not list folders a thousand times.
    std::map<std::string, std::vector<transports::PlacedFile>> extra_files;
};

/// A value given to a parameter; `sensitive` ones are never printed or logged.
struct Argument {
    std::string name;
    std::shared_ptr<const Json> value;
    bool sensitive = false;
};
using Arguments = std::vector<Argument>;

}  // namespace volley::tasks
