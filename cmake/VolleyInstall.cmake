# `cmake --install` puts down one program and its data files; `cpack` makes the Debian package.
install(TARGETS volley RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
# What is sent to targets: the program looks for it in ../lib/volley, by the machine that it is for.
install(PROGRAMS "$<TARGET_FILE:volley-agent>" DESTINATION lib/volley RENAME "volley-agent-${CMAKE_SYSTEM_PROCESSOR}")
if(NOT CMAKE_SYSTEM_PROCESSOR STREQUAL "aarch64")
    install(PROGRAMS "${CMAKE_BINARY_DIR}/bin/volley-agent-aarch64" DESTINATION lib/volley OPTIONAL)
    install(CODE "
        if(NOT EXISTS \"${CMAKE_BINARY_DIR}/bin/volley-agent-aarch64\")
            message(WARNING \"Installed without the agent for aarch64 targets: install g++-aarch64-linux-gnu, run cmake again \"
                \"and build the target volley-agent-aarch64, as ./dev package does.\")
        endif()")
endif()
install(DIRECTORY docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR} FILES_MATCHING PATTERN "*.md")
install(FILES README.md LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})

# The program knows its verbs and options best, so it writes its own manual page and completions.
set(generated_dir "${CMAKE_BINARY_DIR}/generated/share")
file(MAKE_DIRECTORY "${generated_dir}")
function(volley_generates file)
    add_custom_command(OUTPUT "${generated_dir}/${file}"
        COMMAND volley ${ARGN} > "${generated_dir}/${file}" DEPENDS volley VERBATIM)
    set_property(GLOBAL APPEND PROPERTY volley_generated "${generated_dir}/${file}")
endfunction()
volley_generates(volley.1 help --man)
volley_generates(volley.bash --completions bash)
volley_generates(_volley --completions zsh)
volley_generates(volley.fish --completions fish)
# For editors, under the names that Bolt's have.
volley_generates(bolt-defaults.schema.json help --schema defaults)
volley_generates(bolt-inventory.schema.json help --schema inventory)
volley_generates(bolt-project.schema.json help --schema project)
volley_generates(bolt-yaml-plan.schema.json help --schema plan)
get_property(generated_files GLOBAL PROPERTY volley_generated)
add_custom_target(volley_generated ALL DEPENDS ${generated_files})
# What is installed. The presets that users build make no more; the tests are built by `all`.
add_custom_target(programs DEPENDS volley volley-agent volley_generated)
# Else packaging would build `all` first.
set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY TRUE)

foreach(schema defaults inventory project yaml-plan)
    install(FILES "${generated_dir}/bolt-${schema}.schema.json" DESTINATION ${CMAKE_INSTALL_DATADIR}/volley/schemas)
endforeach()
install(FILES "${generated_dir}/volley.1" DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES "${generated_dir}/volley.bash" DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME volley)
# Debian's packages and programs below /usr/local are looked for in different folders.
install(FILES "${generated_dir}/_volley" DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions)
install(FILES "${generated_dir}/_volley" DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
install(FILES "${generated_dir}/volley.fish" DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME volley)
set(CPACK_PACKAGE_VENDOR "The Volley authors")
set(CPACK_PACKAGE_CONTACT "The Volley authors <volley@example.invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGE_DESCRIPTION "Volley reaches machines over SSH, runs commands, scripts and tasks on all of them at
once and shows what each answered. It reads the projects, inventories and modules of Puppet Bolt.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION admin)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "libarchive13, libcurl4")  # loaded when needed, so not seen among the linked ones
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "openssh-client, libgssapi-krb5-2")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS libnats3.4)
include(CPack)
