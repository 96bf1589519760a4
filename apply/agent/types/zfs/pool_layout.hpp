#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace volley::agent {

/// What a pool consists of: the devices of each kind (disk, mirror, raidz, spare, log, cache), those of a
/// group as one text with blanks between them.
using PoolLayout = std::map<std::string, std::vector<std::string>, std::less<>>;

/// Of what "zpool status -P" prints; nothing of a pool that is not there. `whole_disk`: the disk that a
/// partition is of.
PoolLayout parse_pool_status(std::string_view status,
                             const std::function<std::string(const std::string&)>& whole_disk);

}  // namespace volley::agent
