# volley_json_headers(TARGET): lets what links TARGET read nlohmann/json.hpp without its two literal operators. They are
# functions, not templates, so each file that includes the header, precompiled or not, instantiates the whole parser for
# them: 0.65 s a file, a twelfth of a clean build. Where the header has other words than these, it is read as it is.
function(volley_json_headers target)
    find_path(VOLLEY_JSON_HEADERS nlohmann/json.hpp PATHS /usr/include REQUIRED NO_CMAKE_FIND_ROOT_PATH)
    mark_as_advanced(VOLLEY_JSON_HEADERS)
    set(header "${VOLLEY_JSON_HEADERS}/nlohmann/json.hpp")
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${header}")
    file(READ "${header}" text)
    string(FIND "${text}" "inline namespace json_literals" begin)
    string(FIND "${text}" "}  // namespace json_literals" end)
    if(begin EQUAL -1 OR end LESS begin)
        return()
    endif()
    string(SUBSTRING "${text}" 0 ${begin} head)
    string(SUBSTRING "${text}" ${end} -1 tail)
    set(folder "${CMAKE_BINARY_DIR}/generated/json")
    volley_write_changed("${folder}/nlohmann/json.hpp" "${head}inline namespace json_literals\n{\n${tail}")
    target_include_directories(${target} SYSTEM BEFORE INTERFACE "${folder}")
    # Else the header refers to them below.
    target_compile_definitions(${target} INTERFACE JSON_USE_GLOBAL_UDLS=0)
endfunction()
