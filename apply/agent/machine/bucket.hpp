#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace volley::agent {

/// A folder that keeps the content of files by checksum, as Puppet lays it out: a/b/c/d/e/f/0/1/SUM/contents,
/// with the paths that had it in `paths`.
class Bucket {
public:
    explicit Bucket(std::string folder) : folder_(std::move(folder)) {}

    /// The checksum under which the content is kept now. Throws SystemError.
    std::string keep(const std::string& file) const;
    /// False when there is no such content.
    bool read(const std::string& checksum, const std::function<void(std::string_view)>& take) const;

private:
    std::string place_of(const std::string& checksum) const;
    std::string folder_;
};

}  // namespace volley::agent
