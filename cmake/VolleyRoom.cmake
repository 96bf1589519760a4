# volley_room(NAME LINKS target...): the library of the folder NAME, made of every .cpp below it.
# A room without sources yet is an interface library, so that the rooms above it can already name it.
function(volley_room name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "LINKS")
    file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/${name}/*.cpp")
    list(FILTER sources EXCLUDE REGEX "/apply/agent/")
    if(sources)
        add_library(volley_${name} STATIC ${sources})
        target_link_libraries(volley_${name} PUBLIC volley_flags ${arg_LINKS})
        volley_precompile(volley_${name} ${name})
    else()
        add_library(volley_${name} INTERFACE)
        target_link_libraries(volley_${name} INTERFACE volley_flags ${arg_LINKS})
    endif()
endfunction()

# volley_program(FOLDER NAME LINKS target...): FOLDER is a room too; its main.cpp makes the program NAME.
# The rest is a library of its own, so that tests can link it.
function(volley_program folder name)
    cmake_parse_arguments(PARSE_ARGV 2 arg "" "" "LINKS")
    file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/${folder}/*.cpp")
    list(FILTER sources EXCLUDE REGEX "/${folder}/main\\.cpp$")
    if(sources)
        add_library(volley_${folder} STATIC ${sources})
        target_link_libraries(volley_${folder} PUBLIC volley_flags ${arg_LINKS})
        volley_precompile(volley_${folder} ${folder})
    else()
        add_library(volley_${folder} INTERFACE)
        target_link_libraries(volley_${folder} INTERFACE volley_flags ${arg_LINKS})
    endif()
    add_executable(${name} "${CMAKE_SOURCE_DIR}/${folder}/main.cpp")
    target_link_libraries(${name} PRIVATE volley_${folder})
    set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin")
endfunction()

# volley_tests(ROOM): the unit tests in tests/ROOM, linked with that room only, so that a test
# cannot reach over the house's layers either.
function(volley_tests room)
    file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/tests/${room}/*_test.cpp"
         "${CMAKE_SOURCE_DIR}/tests/${room}/*_fixture.cpp")
    if(NOT sources)
        return()
    endif()
    add_executable(${room}_tests ${sources})
    target_link_libraries(${room}_tests PRIVATE volley_${room} volley_catch_main Catch2::Catch2)
    target_compile_definitions(${room}_tests PRIVATE VOLLEY_SOURCE_DIR="${CMAKE_SOURCE_DIR}")
    add_test(NAME ${room} COMMAND ${room}_tests)
endfunction()
