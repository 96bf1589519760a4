#pragma once

// VOLLEY_ASAN is defined when AddressSanitizer watches; g++ and clang say so in different ways.
#if defined(__SANITIZE_ADDRESS__)
#define VOLLEY_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define VOLLEY_ASAN 1
#endif
#endif
