#pragma once

#include <string>
#include <vector>

namespace volley::agent {

/// A piece of a file that is put together.
struct Fragment {
    std::string order;  ///< "10"
    std::string name;
    std::string content;
};

/// By order and then by name: as texts, or with `numeric` those that are numbers by their value. Throws
/// ApplyError where a number would be compared with a text.
void sort_fragments(std::vector<Fragment>& fragments, bool numeric);

}  // namespace volley::agent
