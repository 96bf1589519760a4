#pragma once

#include <filesystem>
#include <string>

#include "transports/shell/program.hpp"

namespace volley::transports {

/// The last part of a path, "/etc/" being "etc". Throws TransportError COPY_ERROR when it has none ("/",
/// "..").
std::string own_name(const std::filesystem::path& path);

/// Adds commands that set _vt2 to where `remote` means (SH-022: an existing directory receives the item
/// `name` inside) and _vd to a temporary name beside it, which is removed when the program ends: only beside
/// it is a rename at once. Fails with MV_ERROR when a directory is there already.
void choose_destination(Program& program, const std::string& remote, const std::string& name);

/// Adds the rename of _vd to _vt2, and the end of the program.
void rename_to_destination(Program& program);

/// Adds the function _va, which writes an archive of the current directory to descriptor 4 with cat, wc and
/// ls alone, links followed; `_vm` is what ls shows of the directory's own mode. Fails with DOWNLOAD_ERROR.
void add_archiver(Program& program);

}  // namespace volley::transports
