#pragma once

#include <string>

namespace volley::tests {

/// "a::b" for .../lib/puppet/functions/a/b.rb; empty for what is not a file of a function.
inline std::string function_name(const std::string& path) {
    for (const std::string folder : {"/lib/puppet/functions/", "/lib/puppet/parser/functions/"}) {
        const std::size_t at = path.find(folder);
        if (at == std::string::npos) continue;
        std::string name = path.substr(at + folder.size(), path.size() - at - folder.size() - 3);
        for (std::size_t slash = name.find('/'); slash != std::string::npos; slash = name.find('/'))
            name.replace(slash, 1, "::");
        return name;
    }
    return "";
}

}  // namespace volley::tests
