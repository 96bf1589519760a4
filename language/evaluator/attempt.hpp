#pragma once

#include <functional>
#include <string_view>

namespace volley {

/// A run of code that may have to be dropped and done again by somebody else, from its beginning. Nothing
/// outside may change before it has ended well.
class Attempt {
public:
    virtual ~Attempt() = default;
    /// Keeps an effect, such as a line in the log, until the run has ended well; drops it when it has not.
    virtual void keep(std::function<void()> effect) = 0;
    /// The run calls a function that is not pure. Throws what ends the run.
    [[noreturn]] virtual void refuse(std::string_view function) = 0;
};

}  // namespace volley
