# `cmake --install` puts down one program and its data files; `cpack` makes the Debian package.
install(TARGETS volley RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
