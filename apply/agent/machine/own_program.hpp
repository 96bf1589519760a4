#pragma once

#include <string>

#include "support/files/file_stamp.hpp"

namespace volley::agent {

/// The file that this program was started from; empty when that cannot be known.
std::string own_program();

/// What is different for a changed program or folder: a line for each, as `stat -c %d:%i:%Z:%s` prints them;
/// a change of mode or owner is one of the time, too. Empty when one of both is not there, or changed so
/// shortly ago that a second change would look the same (FileStamp::settled).
std::string program_stamp(const FileStamp& folder, const FileStamp& program);

}  // namespace volley::agent
