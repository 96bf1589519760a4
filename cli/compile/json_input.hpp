#pragma once

#include <filesystem>
#include <string>

#include "language/value.hpp"
#include "support/json/json_reader.hpp"

namespace volley::cli {

/// The data of a JSON text, which messages call `name`. Throws Error that says in which line and column the
/// text is wrong, or that it is nested too deeply for what works on it.
Json json_of_text(const std::string& text, const std::string& name);

/// The data of a file; "-" is standard input. Throws Error, also when the file cannot be read; `what` it is
/// ("facts") is then part of the message.
Json json_of_file(const std::string& path, const std::filesystem::path& folder, const char* what);

/// The same as a value of the language, without the data in between. Throws EvalError too, for an integer
/// beyond 64 bits.
Value value_of_json_file(const std::string& path, const std::filesystem::path& folder, const char* what);

}  // namespace volley::cli
