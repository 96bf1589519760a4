# How every target is compiled.
include(CMakeDependentOption)
option(VOLLEY_BUILD_TESTS "Build the unit tests" ON)
option(VOLLEY_BUILD_FUZZERS "Build the fuzzers: with clang on libFuzzer, else on a driver that looks at no coverage" OFF)
option(VOLLEY_NATIVE_RUBY "Run the usual part of Ruby without a ruby (language/ruby/native); OFF: a ruby runs all of it" ON)
option(VOLLEY_ONLY_AGENT "Build nothing but apply/agent, for a machine of another kind" OFF)
option(VOLLEY_WERROR "Treat warnings as errors" ON)
option(VOLLEY_PCH "Precompile the heavy headers; without it missing includes show" OFF)
set(VOLLEY_UNITY 0 CACHE STRING "How many neighbouring files are compiled together, at most; with 0 missing includes show")
option(VOLLEY_STATIC_RUNTIME "Link libstdc++ and libgcc into the program" OFF)
set(VOLLEY_SANITIZE "" CACHE STRING "Sanitizers for everything, e.g. address,undefined")

# Sanitizers have an allocator of their own.
cmake_dependent_option(VOLLEY_MIMALLOC "Allocate with mimalloc: catalogs take 6 to 9 % less processor time than with the C library's allocator"
    ON "NOT VOLLEY_SANITIZE" OFF)

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(NOT CMAKE_BUILD_TYPE)
    set(CMAKE_BUILD_TYPE Release)
endif()

add_library(volley_flags INTERFACE)
target_include_directories(volley_flags INTERFACE "${CMAKE_SOURCE_DIR}" "${CMAKE_BINARY_DIR}/generated")
target_compile_options(volley_flags INTERFACE
    -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wnon-virtual-dtor
    $<$<BOOL:${VOLLEY_WERROR}>:-Werror>)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # g++ 12 reports std::string and coroutine frames that it inlined itself (GCC bugs 105329, 105651, 107852).
    target_compile_options(volley_flags INTERFACE -Wno-restrict -Wno-maybe-uninitialized -Wno-dangling-pointer
        -Wno-stringop-overflow -Wno-stringop-overread -Wno-array-bounds -Wno-mismatched-new-delete)
    # Collecting the compiler's own garbage later takes a tenth of the time away, for a fourth more memory.
    target_compile_options(volley_flags INTERFACE "SHELL:--param ggc-min-heapsize=2000000" "SHELL:--param ggc-min-expand=300")
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND VOLLEY_UNITY)
    # It means headers; in a unity build every .cpp is included and looks like one.
    target_compile_options(volley_flags INTERFACE -Wno-subobject-linkage)
    # Nor is a name of one file hidden by a variable in another; the debug preset looks at each file alone.
    target_compile_options(volley_flags INTERFACE -Wno-shadow -Wshadow=local)
endif()
target_compile_definitions(volley_flags INTERFACE
    BOOST_ASIO_NO_DEPRECATED BOOST_ASIO_SEPARATE_COMPILATION BOOST_ASIO_DISABLE_BOOST_DATE_TIME JSON_HAS_RANGES=0 JSON_USE_IMPLICIT_CONVERSIONS=0)

include(VolleyJson)
volley_json_headers(volley_flags)

if(VOLLEY_SANITIZE)
    add_compile_options(-fsanitize=${VOLLEY_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
    # Without -no-pie each start relocates a million and a half pointers, most of them of the sanitizers' own tables.
    add_link_options(-fsanitize=${VOLLEY_SANITIZE} -no-pie)
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND VOLLEY_SANITIZE MATCHES "undefined")
        # The first two take a quarter of the time that compiling takes, the third another one and, with six of seven checks in
        # the program, most of the time that it takes to start: each has an entry that AddressSanitizer prepares and LeakSanitizer
        # searches. AddressSanitizer reports a wrong pointer that is followed just as well, and the fuzz preset, of clang, checks
        # all three.
        add_compile_options(-fno-sanitize=null,alignment,pointer-overflow)
    endif()
    if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
        # clang 14 cannot assemble coroutines with it ("Cannot represent a difference across sections").
        add_compile_options(-fno-sanitize=function)
    endif()
endif()
if(VOLLEY_STATIC_RUNTIME)
    add_link_options(-static-libstdc++ -static-libgcc)
endif()

# A change of one file links up to ten programs again, and the sanitized ones have 200 MB each: a quarter of a second with mold,
# one and a half with GNU ld, and ten for a sanitized one.
find_program(VOLLEY_MOLD mold)
if(VOLLEY_MOLD)
    add_link_options(-fuse-ld=mold)
endif()

find_program(VOLLEY_CCACHE ccache)
if(VOLLEY_CCACHE)
    # Without a base folder two work trees share nothing.
    set(CMAKE_CXX_COMPILER_LAUNCHER
        ${CMAKE_COMMAND} -E env "CCACHE_BASEDIR=${CMAKE_SOURCE_DIR}" CCACHE_NOHASHDIR=1
        CCACHE_SLOPPINESS=pch_defines,time_macros ${VOLLEY_CCACHE})
endif()

set(VOLLEY_ASIO_HEADERS <boost/asio/awaitable.hpp> <boost/asio/co_spawn.hpp> <boost/asio/io_context.hpp>
    <boost/asio/steady_timer.hpp> <boost/asio/use_awaitable.hpp>)

# volley_precompile(TARGET [LEVEL [level]] [OF component]): precompiled headers, which most of a component's files read anyway; they
# are made once for all components that are compiled alike. Components above language read Asio too. LEVEL: see volley_optimise;
# OF: with the headers of that component (volley_component).
function(volley_precompile target)
    if(NOT VOLLEY_PCH)
        return()
    endif()
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "LEVEL;OF" "")
    set(headers <algorithm> <array> <chrono> <filesystem> <functional> <map> <memory> <optional> <set> <span> <string>
        <string_view> <system_error> <unordered_map> <utility> <vector> <nlohmann/json.hpp>)
    if(TARGET fmt::fmt)
        list(APPEND headers <fmt/format.h>)
    endif()
    set(carrier volley_plain_headers)
    if(NOT target MATCHES "^volley_(basics|support|language)$")
        set(carrier volley_asio_headers)
        list(APPEND headers ${VOLLEY_ASIO_HEADERS})
    endif()
    set(links volley_flags nlohmann_json::nlohmann_json $<TARGET_NAME_IF_EXISTS:fmt::fmt>)
    if(arg_OF)
        get_property(own GLOBAL PROPERTY "volley_headers_of_${arg_OF}")
        list(TRANSFORM own REPLACE "(.+)" "<\\1>")  # as "..." they would have this work tree's path
        list(APPEND headers ${own})
        set(carrier volley_${arg_OF}_headers)
        get_property(further GLOBAL PROPERTY "volley_links_of_${arg_OF}")
        list(APPEND links ${further})
    endif()
    if(arg_LEVEL)
        string(APPEND carrier "_${arg_LEVEL}")
    endif()
    if(NOT TARGET ${carrier})
        file(CONFIGURE OUTPUT "${CMAKE_BINARY_DIR}/generated/${carrier}.cpp" CONTENT "// carries precompiled headers\n")
        add_library(${carrier} OBJECT "${CMAKE_BINARY_DIR}/generated/${carrier}.cpp")
        target_link_libraries(${carrier} PRIVATE ${links})
        volley_optimise(${carrier} ${arg_LEVEL})
        target_precompile_headers(${carrier} PRIVATE ${headers})
        volley_cacheable_headers(${carrier})
    endif()
    target_precompile_headers(${target} REUSE_FROM ${carrier})
    volley_cacheable_headers(${target})
endfunction()

# What ccache asks for to keep what was compiled with precompiled headers.
function(volley_cacheable_headers target)
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
        target_compile_options(${target} PRIVATE -fpch-preprocess)
    else()
        target_compile_options(${target} PRIVATE "SHELL:-Xclang -fno-pch-timestamp")
    endif()
endfunction()

# volley_optimise(TARGET [LEVEL]): what does not compute much costs a third of a clean build with -O2, which makes nothing
# quicker. LEVEL LIGHTLY: -O1, for code that counts where there are thousands of targets or resources; LEAST: -Og, which takes as
# little time as no optimisation, for the rest. With sanitizers, where compiling takes four times as long, neither is optimised.
function(volley_optimise target)
    if("LIGHTLY" IN_LIST ARGN)
        target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1> $<$<CONFIG:RelWithDebInfo>:-O0>)
    elseif("LEAST" IN_LIST ARGN)
        target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-Og> $<$<CONFIG:RelWithDebInfo>:-O0>)
        if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
            # What it takes for null follows from code that this level does not remove.
            target_compile_options(${target} PRIVATE -Wno-nonnull)
        endif()
    endif()
endfunction()
