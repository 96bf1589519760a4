# volley_write_changed(FILE TEXT): writes FILE unless it holds TEXT already, so that nothing is built anew. Not file(CONFIGURE),
# which would replace what stands between two @ in a script.
function(volley_write_changed file text)
    set(before "")
    if(EXISTS "${file}")
        file(SHA256 "${file}" before)
    endif()
    string(SHA256 digest "${text}")
    if(NOT before STREQUAL digest)
        file(WRITE "${file}" "${text}")
    endif()
endfunction()

# volley_embed(OUTPUT file...): the texts of files, one after the other, as C++ string literals in a file that is
# included under the name OUTPUT. Written again when one of them changes.
function(volley_embed output)
    set(text "")
    foreach(file IN LISTS ARGN)
        set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/${file}")
        file(READ "${CMAKE_SOURCE_DIR}/${file}" part)
        string(APPEND text "R\"VOLLEY(${part})VOLLEY\"\n")
    endforeach()
    file(CONFIGURE OUTPUT "${CMAKE_BINARY_DIR}/generated/${output}" CONTENT "${text}" @ONLY)
endfunction()

# volley_embed_parts(OUTPUT file...): the same as rows {"name", text} of a table, by the files' names without ending.
function(volley_embed_parts output)
    set(text "")
    foreach(file IN LISTS ARGN)
        set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/${file}")
        file(READ "${CMAKE_SOURCE_DIR}/${file}" part)
        get_filename_component(name "${file}" NAME_WE)
        string(APPEND text "{\"${name}\", R\"VOLLEY(${part})VOLLEY\"},\n")
    endforeach()
    file(CONFIGURE OUTPUT "${CMAKE_BINARY_DIR}/generated/${output}" CONTENT "${text}" @ONLY)
endfunction()
