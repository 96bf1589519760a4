#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "apply/catalog/catalog.hpp"
#include "language/evaluator/environment.hpp"
#include "support/files/file_cache.hpp"

namespace volley {

/// A file that a target needs beside its catalog.
struct DeliveredFile {
    std::string path;                  ///< below the folder of modules there: "ntp/lib/facter/x.rb"
    std::filesystem::path local = {};  ///< here
    std::string sum = {};              ///< SHA-256 of its content, in hexadecimal
    std::uintmax_t size = 0;
    unsigned mode = 0644;
    bool code = false;    ///< a target may keep it for later runs
    bool folder = false;  ///< a folder without files: it has no content and no checksum
    bool later = false;   ///< its content is fetched when a target asks for it; `sum` is its path
    std::vector<std::string> here = {};  ///< files of the target that may have this very content already
};

/// What of the modules goes to targets: their code for agents, and of their other files those that a catalog
/// names. Content is only read to know its checksum, once for each file and version. Any thread may call it.
class ModuleFiles {
public:
    /// Only the modules in `only` take part, when there are any (APL-014).
    ModuleFiles(const std::vector<LanguageHost::Module>& modules, const std::vector<std::string>& only);

    /// lib and facts.d of all modules; with `for_catalogs` types and functions too (APL-014, APL-015). Looked
    /// for once.
    const std::vector<DeliveredFile>& code(bool for_catalogs) const;
    /// The files that resources name with puppet:///modules/... or puppet:///scripts/...: a folder stands for
    /// all files in it, and for the folders that have none; of a `source` with several entries the first that
    /// exists is taken. A catalog with a Deferred value, which may want any file, gets all files.
    std::vector<DeliveredFile> named_by(const Catalog& catalog) const;

private:
    struct Known {
        std::uintmax_t size = 0;
        std::string sum;
    };
    using Files = std::map<std::string, DeliveredFile>;  // by path
    std::optional<std::filesystem::path> local_of(std::string_view path) const;
    void add_file(Files& files, const std::string& path, const std::filesystem::path& local, bool code) const;
    void add_folder(Files& files, const std::string& path, const std::filesystem::path& local,
                    bool code) const;
    void add_bare_folders(Files& files, const std::string& path, const std::filesystem::path& local) const;
    bool add_url(Files& files, std::string_view url, const std::string& destination) const;
    void add_value(Files& files, const Value& value, const std::string& destination, bool first_only) const;
    std::vector<DeliveredFile> find_code(bool for_catalogs) const;
    std::shared_ptr<const Known> known(const std::filesystem::path& local) const;

    std::map<std::string, std::filesystem::path, std::less<>> modules_;
    mutable std::once_flag code_once_[2];
    mutable std::vector<DeliveredFile> code_[2];  // for facts, for catalogs
    mutable FileCache<Known> sums_;
};

}  // namespace volley
