#include "support/dynamic_library.hpp"

#include <dlfcn.h>

namespace volley {

DynamicLibrary::DynamicLibrary(const char* file) : handle_(::dlopen(file, RTLD_NOW | RTLD_LOCAL)) {
    if (handle_ == nullptr) fault_ = ::dlerror();
}

void* DynamicLibrary::address_of(const char* name) {
    void* const found = handle_ == nullptr ? nullptr : ::dlsym(handle_, name);
    if (found == nullptr && fault_.empty()) fault_ = std::string("it has no ") + name;
    return found;
}

}  // namespace volley
