#pragma once

#include <string>
#include <string_view>

namespace volley::transports {

/// What a helper program writes to standard error, for a message: on one line, and no more than can be read.
class ErrorLine {
public:
    void add(std::string_view bytes);
    /// Its lines that are not empty with "; " between them; one that is cut short ends with "...".
    std::string text() const;

private:
    std::string kept_;
    bool cut_ = false;
};

}  // namespace volley::transports
