#pragma once

#include <string>
#include <vector>

#include "tasks/library.hpp"

namespace volley::tasks {

/// The files that one entry of a task's `files` stands for (TSK-007): "module/mount/path", or all plain files
/// below "module/mount/dir/", sorted. Compatibility: hidden files and folders and linked folders are left
/// out. `metadata_file` is for messages. Throws Error bolt/pal-error.
std::vector<transports::PlacedFile> find_extra_files(const std::string& entry, const Library& library,
                                                     const std::filesystem::path& metadata_file);

}  // namespace volley::tasks
