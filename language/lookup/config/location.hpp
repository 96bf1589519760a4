#pragma once

#include <optional>
#include <string>
#include <vector>

#include "language/value.hpp"

namespace volley::lookup {

class Invocation;

/// A file or address that a hierarchy entry names, after interpolation.
struct ResolvedLocation {
    std::string original;
    std::string location;
    bool exists = true;
    bool uri = false;
};

/// What resolving locations needs to know of the configuration.
struct LocationRules {
    std::string folder;          // absolute, already interpolated
    bool only_existing = false;  // of the configuration that stands in for a missing hiera.yaml
    std::string extension;       // is added to paths that do not end in it; versions 3 and 4
};

std::vector<ResolvedLocation> resolve_paths(const std::vector<std::string>& paths, const LocationRules& rules,
                                            Invocation& invocation);
std::vector<ResolvedLocation> resolve_globs(const std::vector<std::string>& globs, const LocationRules& rules,
                                            Invocation& invocation);
/// Throws EvalError for what is not a URI.
std::vector<ResolvedLocation> resolve_uris(const std::vector<std::string>& uris, Invocation& invocation);
/// `mapped` is [variable that holds a list, name, path template that uses the name].
std::vector<ResolvedLocation> resolve_mapped_paths(const std::vector<std::string>& mapped,
                                                   const LocationRules& rules, Invocation& invocation);

/// base/path without "." and "..", as Ruby's Pathname#+ returns it; an absolute path stands alone.
std::string joined_path(const std::string& base, const std::string& path);

}  // namespace volley::lookup
