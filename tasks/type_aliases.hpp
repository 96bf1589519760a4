#pragma once

#include "language/types/parse.hpp"
#include "tasks/library.hpp"

namespace volley::tasks {

/// The type aliases of a library's modules ("stdlib::absolutepath" is stdlib/types/absolutepath.pp, MOD-008)
/// and those that plans and tasks have everywhere (TargetSpec). `library` must outlive what it returns.
AliasResolver type_aliases(const Library& library);

}  // namespace volley::tasks
