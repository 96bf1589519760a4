#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "language/ruby/native/program.hpp"
#include "support/json.hpp"

namespace volley::ruby {

/// A function of a module as its file declares it, in the newer or the older API. Immutable.
struct FunctionFile {
    std::shared_ptr<const Program> program;  // its methods; the obstacle says why it cannot run here
    /// Of the newer API: the dispatches, in the shape in which RubySignature takes them; null when they are
    /// not known.
    std::shared_ptr<const Json> signature;
    std::vector<std::string> methods;  // of the dispatches
    /// Of the older API.
    int arity = -1;
    bool returns_value = false;
    static constexpr std::string_view legacy_method = "newfunction";
};

/// Reads the file of one function without running it. Never throws: what is not understood is the program's
/// obstacle.
FunctionFile read_function_file(std::string_view text, bool legacy);

/// The same of a file on the disk, read once per process and again when it has changed. May be used by all
/// threads. The obstacle of a file that cannot be read says so.
std::shared_ptr<const FunctionFile> function_file(const std::string& path, bool legacy);

}  // namespace volley::ruby
