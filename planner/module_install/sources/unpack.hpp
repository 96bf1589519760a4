#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

namespace volley::modules {

struct UnpackLimits {
    std::size_t bytes = 1UL << 30;  ///< of all files together
    std::size_t entries = 100'000;
};

/// Returns the next piece of an archive; an empty one at its end. May throw.
using ArchiveInput = std::function<std::string_view()>;

struct UnpackSettings {
    std::string what;            ///< "puppetlabs/apache 1.2.3", for messages
    bool one_top_folder = true;  ///< everything is in one folder, which is left out (archives of the Forge)
    UnpackLimits limits = {};
};

/// Unpacks a tar archive (plain or gzip) into the empty folder `goal`. Refused are paths and links that lead
/// out of it, devices and pipes, and what is beyond the limits: an archive is from outside. Files get the
/// modes 0644 or 0755. Throws Error bolt/module-archive-error, and as libarchive(); what has been unpacked by
/// then stays there.
void unpack_archive(const ArchiveInput& input, const std::filesystem::path& goal,
                    const UnpackSettings& settings);
/// The same of bytes in memory.
void unpack_archive(std::string_view bytes, const std::filesystem::path& goal,
                    const UnpackSettings& settings);

/// The text of one file directly below the archive's top folder; empty when there is none. Throws Error
/// bolt/module-archive-error.
std::string file_in_archive(std::string_view bytes, std::string_view name, const std::string& what);

}  // namespace volley::modules
