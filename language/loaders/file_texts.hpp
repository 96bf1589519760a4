#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace volley {

/// The text of a file of a module that many compilations want: a template, the source of a type. Read once
/// per process as long as the file stays as it is on the disk. Any thread may call it. `what` names the file
/// in the message of Error bolt/file-error, which is thrown when it cannot be read.
std::shared_ptr<const std::string> file_text(const std::string& path, std::string_view what);

}  // namespace volley
