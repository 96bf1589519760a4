#pragma once

#include <memory>
#include <string>

#include "language/lookup/data/data_files.hpp"
#include "language/value.hpp"
#include "support/files/file_cache.hpp"

namespace volley::lookup {

enum class DataFormat { Yaml, Json, Hocon, Text };

/// The content of data files, each read and parsed once for as long as it stays the same. Shared by
/// all compilations of a process; any thread may use it, and one that asks for a file that another is
/// reading waits for it.
class DataStore {
public:
    explicit DataStore(std::shared_ptr<DataFiles> files) : files_(std::move(files)) {}

    DataFiles& files() noexcept { return *files_; }
    /// The data of a file; its text for DataFormat::Text. Throws LookupError, naming the file, when it cannot
    /// be read or parsed.
    Value load(const std::string& path, DataFormat format);

private:
    static Value parse(const std::string& text, const std::string& path, DataFormat format);

    std::shared_ptr<DataFiles> files_;
    FileCache<Value> data_;
};

/// The data files of the machine, kept for the whole process.
std::shared_ptr<DataStore> disk_data_store();

}  // namespace volley::lookup
