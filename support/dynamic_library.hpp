#pragma once

#include <string>

namespace volley {

/// A shared library that is loaded when something needs it: the program starts without it, and runs where it
/// is not installed. It is never unloaded. Loading may take milliseconds; safe from any thread.
class DynamicLibrary {
public:
    /// `file`: its name as the system's loader finds it, "libssl.so.3".
    explicit DynamicLibrary(const char* file);

    /// Sets `function` to the function of that name, or to nullptr.
    template <class Function>
    void find(Function*& function, const char* name) {
        function = reinterpret_cast<Function*>(address_of(name));
    }
    /// Why it cannot be used: the loader's reason, or the first function that it lacks. Empty: it can.
    const std::string& fault() const noexcept { return fault_; }

private:
    void* address_of(const char* name);

    void* handle_;
    std::string fault_;
};

}  // namespace volley
