# volley_leave_out(LIST): takes the sources that VOLLEY_LEFT_OUT means out of a list.
function(volley_leave_out list)
    foreach(left_out IN LISTS VOLLEY_LEFT_OUT)
        list(FILTER ${list} EXCLUDE REGEX "${left_out}")
    endforeach()
    set(${list} "${${list}}" PARENT_SCOPE)
endfunction()

# volley_component(NAME [LEVEL level] [SIZE size] [LIGHTLY_IN folder...] [LEAST_IN folder...] [SIZE_THERE size] [OBJECTS target...]
# [HEADERS header...] [HEADERS_OF component] [PROGRAM program] LINKS target...): the library of the folder NAME, made of every .cpp
# below it but those of libraries of their own and those that VOLLEY_LEFT_OUT, a list of regular expressions, means. LEVEL: see
# volley_optimise; SIZE: see volley_unity; LIGHTLY_IN, LEAST_IN: these folders of it have that level instead, and are compiled in
# groups of SIZE_THERE. OBJECTS: object libraries that compile a part of it. HEADERS: those of its own that most of its files read,
# precompiled too; HEADERS_OF: it reads what that component has precompiled. PROGRAM: the folder's main.cpp makes that program; the
# rest stays a library, so that tests can link it.
function(volley_component name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "LEVEL;SIZE;PROGRAM;SIZE_THERE;HEADERS_OF" "LINKS;LIGHTLY_IN;LEAST_IN;OBJECTS;HEADERS")
    set(component volley_${name})
    if(arg_HEADERS)
        set(arg_HEADERS_OF ${name})
        set_property(GLOBAL PROPERTY "volley_headers_of_${name}" ${arg_HEADERS})
        set_property(GLOBAL PROPERTY "volley_links_of_${name}" ${arg_LINKS})
    endif()
    file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/${name}/*.cpp")
    list(REMOVE_ITEM sources "${CMAKE_SOURCE_DIR}/${name}/main.cpp")
    list(FILTER sources EXCLUDE REGEX "/apply/agent/")
    volley_leave_out(sources)
    add_library(${component} STATIC)
    foreach(objects IN LISTS arg_OBJECTS)
        get_target_property(others ${objects} SOURCES)
        list(REMOVE_ITEM sources ${others})
        target_sources(${component} PRIVATE $<TARGET_OBJECTS:${objects}>)
    endforeach()
    foreach(level LIGHTLY LEAST)
        if(arg_${level}_IN)
            list(JOIN arg_${level}_IN "|" folders)
            set(others ${sources})
            list(FILTER others INCLUDE REGEX "/${name}/(${folders})/")
            list(REMOVE_ITEM sources ${others})
            string(TOLOWER ${component}_${level} objects)
            add_library(${objects} OBJECT)
            volley_compile(${objects} LEVEL ${level} SIZE ${arg_SIZE_THERE} HEADERS_OF ${arg_HEADERS_OF} SOURCES ${others} LINKS ${arg_LINKS})
            target_sources(${component} PRIVATE $<TARGET_OBJECTS:${objects}>)
        endif()
    endforeach()
    volley_compile(${component} LEVEL ${arg_LEVEL} SIZE ${arg_SIZE} HEADERS_OF ${arg_HEADERS_OF} SOURCES ${sources} LINKS ${arg_LINKS})
    if(arg_PROGRAM)
        add_executable(${arg_PROGRAM} "${CMAKE_SOURCE_DIR}/${name}/main.cpp")
        target_link_libraries(${arg_PROGRAM} PRIVATE ${component})
        set_target_properties(${arg_PROGRAM} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin")
    endif()
endfunction()

# volley_compile(TARGET [LEVEL [level]] [SIZE [size]] [HEADERS_OF [component]] SOURCES source... LINKS target...): how a component's
# sources are compiled. LEVEL: see volley_optimise; SIZE: see volley_unity; HEADERS_OF: see volley_component.
function(volley_compile target)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "LEVEL;SIZE;HEADERS_OF" "LINKS;SOURCES")
    target_sources(${target} PRIVATE ${arg_SOURCES})
    target_link_libraries(${target} PUBLIC volley_flags ${arg_LINKS})
    volley_optimise(${target} ${arg_LEVEL})
    volley_precompile(${target} LEVEL ${arg_LEVEL} OF ${arg_HEADERS_OF})
    volley_unity(${target} ${arg_SOURCES} SIZE ${arg_SIZE})
endfunction()

# volley_test_headers(TARGET [ASIO]): what every unit test reads, precompiled with VOLLEY_PCH, once for all tests
# that are compiled alike; with ASIO what those read that wait for something, too.
function(volley_test_headers target)
    if(NOT VOLLEY_PCH)
        return()
    endif()
    set(headers <catch2/catch.hpp> <nlohmann/json.hpp>)
    set(carrier volley_test_headers)
    if("ASIO" IN_LIST ARGN)
        list(APPEND headers ${VOLLEY_ASIO_HEADERS})
        set(carrier volley_asio_test_headers)
    endif()
    if(NOT TARGET ${carrier})
        file(CONFIGURE OUTPUT "${CMAKE_BINARY_DIR}/generated/${carrier}.cpp" CONTENT "// carries precompiled headers\n")
        add_library(${carrier} OBJECT "${CMAKE_BINARY_DIR}/generated/${carrier}.cpp")
        target_link_libraries(${carrier} PRIVATE volley_flags Catch2::Catch2)
        volley_test_options(${carrier})
        target_precompile_headers(${carrier} PRIVATE ${headers})
        volley_cacheable_headers(${carrier})
    endif()
    target_precompile_headers(${target} REUSE_FROM ${carrier})
    volley_cacheable_headers(${target})
endfunction()

# What is tested is optimised; optimising the tests themselves costs a quarter of a clean build. The checks that cost most to
# compile are left to what is tested, too: a null pointer that a test itself follows ends it without them.
function(volley_test_options target)
    target_compile_options(${target} PRIVATE $<$<CONFIG:Release,RelWithDebInfo>:-O0>)
    if(VOLLEY_SANITIZE MATCHES "undefined")
        target_compile_options(${target} PRIVATE -fno-sanitize=null,alignment,vptr,object-size)
    endif()
    # Assertions hold the path of their file: the same one in all work trees, which then share what ccache knows.
    target_compile_options(${target} PRIVATE "-fmacro-prefix-map=${CMAKE_SOURCE_DIR}/=")
    # Without it each assertion is a try block of its own, a tenth of the time that tests take to compile.
    target_compile_definitions(${target} PRIVATE CATCH_CONFIG_FAST_COMPILE)
    target_link_libraries(${target} PRIVATE volley_source_folder)
endfunction()

# volley_tests(COMPONENT [ASIO]): the unit tests in tests/COMPONENT, linked with that component only, so that a test
# cannot reach over the layers either.
function(volley_tests component)
    file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/tests/${component}/*_test.cpp"
         "${CMAKE_SOURCE_DIR}/tests/${component}/*_fixture.cpp")
    volley_leave_out(sources)
    list(FILTER sources EXCLUDE REGEX "/apply/agent/")
    if(NOT sources)
        return()
    endif()
    add_executable(${component}_tests ${sources})
    volley_unity(${component}_tests ${sources})
    target_link_libraries(${component}_tests PRIVATE volley_${component} Catch2::Catch2WithMain)
    volley_test_options(${component}_tests)
    volley_test_headers(${component}_tests ${ARGN})
    add_test(NAME ${component} COMMAND ${component}_tests)
endfunction()
