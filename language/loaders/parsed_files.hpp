#pragma once

#include <memory>
#include <optional>
#include <string>

#include "language/compile.hpp"
#include "support/files/file_stamp.hpp"

namespace volley {

/// A file of code, parsed and checked. Each is read and parsed once per process as long as it stays as it is
/// on the disk (FileFreshness); all compilations share the tree. Any thread may call it; two that want
/// the same file at the same time parse it once. `file_namespace`: CheckOptions of compile.hpp. A file called
/// *.epp is a template. Throws ParseError for a syntax error, and Error bolt/file-error when the file cannot
/// be read.
std::shared_ptr<const CheckedProgram> parsed_file(const std::string& path, const LanguageSettings& settings,
                                                  const std::optional<std::string>& file_namespace = {});
/// The same for who has looked at the file already: `stamp` is what was seen.
std::shared_ptr<const CheckedProgram> parsed_file(const std::string& path, const FileStamp& stamp,
                                                  const LanguageSettings& settings,
                                                  const std::optional<std::string>& file_namespace);

}  // namespace volley
