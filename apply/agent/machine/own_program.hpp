#pragma once

#include <ctime>
#include <string>

namespace volley::agent {

/// The file that this program was started from; empty when that cannot be known.
std::string own_program();

/// What is different for a changed program or folder: a line each for the folder of `file` and for `file` itself, as
/// `stat -c %d:%i:%f:%u:%Z:%s` prints them. Empty when one of both changed in the last seconds before `now`:
/// a second change in the same second would look the same.
std::string program_stamp(const std::string& file, std::time_t now);

}  // namespace volley::agent
