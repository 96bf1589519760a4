#pragma once

#include <stdexcept>
#include <string>

namespace volley::agent {

/// What a type or the engine says is wrong: the message is shown as it is.
class ApplyError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
    ApplyError(const std::string& message, std::string cause)
        : std::runtime_error(message), cause_(std::move(cause)) {}
    /// What the system said, when this only puts it into context; else empty.
    const std::string& cause() const noexcept { return cause_; }

private:
    std::string cause_;
};

/// What the system refused. A property that was being set adds its own name and place to it.
class SystemError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
    /// "Permission denied - /etc/x".
    SystemError(int error, const std::string& subject);
    int error() const noexcept { return error_; }

private:
    int error_ = 0;
};

/// The words of errno, always in English: "No such file or directory".
std::string error_words(int error);

}  // namespace volley::agent
