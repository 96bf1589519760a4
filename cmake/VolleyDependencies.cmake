# Libraries from Debian; docs/dependencies.md says what each is for.
find_package(Threads REQUIRED)
find_package(PkgConfig REQUIRED)
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(yaml-cpp REQUIRED)
find_package(Boost 1.81 REQUIRED COMPONENTS context)
find_package(OpenSSL 3.0 REQUIRED)
find_package(CLI11 REQUIRED)
find_package(CURL 7.85 REQUIRED)
find_package(pugixml REQUIRED)
if(VOLLEY_MIMALLOC)
    find_package(mimalloc REQUIRED)
endif()
pkg_check_modules(libssh2 REQUIRED IMPORTED_TARGET libssh2)
pkg_check_modules(oniguruma REQUIRED IMPORTED_TARGET oniguruma)
pkg_check_modules(libarchive REQUIRED IMPORTED_TARGET libarchive)

# Loaded when they are needed, so that only their headers are here: libcurl for the first request (support/http/client.cpp),
# libarchive for the first archive (support/archive/libarchive.cpp).
add_library(volley_curl_headers INTERFACE)
target_include_directories(volley_curl_headers SYSTEM INTERFACE ${CURL_INCLUDE_DIRS})
add_library(volley_archive_headers INTERFACE)
target_include_directories(volley_archive_headers SYSTEM INTERFACE ${libarchive_INCLUDE_DIRS})
