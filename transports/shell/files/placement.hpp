#pragma once

#include <memory>
#include <string>
#include <vector>

#include "transports/shell/files/payload.hpp"
#include "transports/shell/program.hpp"

namespace volley::transports {

/// How files follow the program on standard input.
enum class Packing {
    Concatenated,  ///< one after the other, cut apart on the target with tail and head
    Tar            ///< a tar stream
};

/// Adds to `program` the commands that take `entries` from standard input and put them below the directory in
/// the variable `_vd`, with the modes that they have here; returns what is to be sent.
/// The commands fail with WRITE_ERROR, MKDIR_ERROR, CHMOD_ERROR, or NO_TAR when the target has no tar.
/// `counted`: standard input does not end (a terminal), so that the exact size is read; not with Tar.
std::unique_ptr<Input> place_files(Program& program, std::vector<PayloadEntry> entries, Packing packing,
                                   bool counted);

/// Adds the commands that take one file of `size` bytes from standard input into the file `word` (a shell
/// word).
void take_file(Program& program, const std::string& word, std::uintmax_t size, bool counted);

}  // namespace volley::transports
