#pragma once

#include <filesystem>

namespace volley::tests {

/// The source tree that the tests were built from. A function, not a macro: what is compiled with the path
/// in it is compiled anew for each clone (tests/CMakeLists.txt defines it).
std::filesystem::path source_folder();

}  // namespace volley::tests
