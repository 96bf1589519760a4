#include "planner/modules/scratch_folder.hpp"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <string>
#include <system_error>

#include "support/error.hpp"

namespace volley::modules {

ScratchFolder::ScratchFolder(const std::filesystem::path& parent, std::string_view prefix) {
    std::string pattern = (parent / (std::string(prefix) + "XXXXXX")).string();
    if (!::mkdtemp(pattern.data()))
        throw Error("bolt/file-error",
                    "Cannot make a folder in " + parent.string() + ": " + ::strerror(errno));
    path_ = pattern;
}

ScratchFolder::~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
}

}  // namespace volley::modules
