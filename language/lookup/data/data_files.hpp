#pragma once

#include <optional>
#include <string>
#include <vector>

#include "support/files/file_stamp.hpp"

namespace volley::lookup {

/// The interface to the files that hold Hiera's configuration and data. Any thread may use it.
class DataFiles {
public:
    virtual ~DataFiles() = default;
    /// nullopt when there is no such file or folder.
    virtual std::optional<FileStamp> stamp(const std::string& path) = 0;
    /// The whole file as bytes. Throws Error kind bolt/file-error when it cannot be read.
    virtual std::string read(const std::string& path) = 0;
    /// The files and folders that match, by Ruby's rules for Dir.glob ("**", "{a,b}", "[a-z]"), sorted.
    virtual std::vector<std::string> glob(const std::string& pattern) = 0;
    /// A variable of the process's environment; keys of eyaml may be given in one.
    virtual std::optional<std::string> environment_variable(const std::string& name) = 0;
};

/// The files of the machine.
class DiskFiles final : public DataFiles {
public:
    std::optional<FileStamp> stamp(const std::string& path) override;
    std::string read(const std::string& path) override;
    std::vector<std::string> glob(const std::string& pattern) override;
    std::optional<std::string> environment_variable(const std::string& name) override;
};

}  // namespace volley::lookup
