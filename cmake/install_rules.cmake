# cmake --install: the program, the library for C++ and C with what finds it (CMake, pkg-config), the Python package, a man
# page and completion; cpack makes a .deb of them.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# Debian's asmjit is a static library that refers to the stream `stderr` in a way that only programs can: in a shared
# library that name is one of ours
file(WRITE ${CMAKE_BINARY_DIR}/shared.cpp "#include <cstdio>\nextern \"C\" {\n__attribute__((visibility(\"hidden\"))) FILE* coenergy_stderr = stderr;\n}\n")
add_library(coenergy_shareable INTERFACE)
if(ASMJIT_LIBRARY MATCHES "\\.a$")
  add_custom_command(OUTPUT ${CMAKE_BINARY_DIR}/libasmjit_shareable.a
                     COMMAND ${CMAKE_OBJCOPY} --redefine-sym stderr=coenergy_stderr ${ASMJIT_LIBRARY} ${CMAKE_BINARY_DIR}/libasmjit_shareable.a
                     DEPENDS ${ASMJIT_LIBRARY} VERBATIM)
  add_custom_target(asmjit_shareable DEPENDS ${CMAKE_BINARY_DIR}/libasmjit_shareable.a)
  add_dependencies(coenergy_shareable asmjit_shareable)
  target_link_libraries(coenergy_shareable INTERFACE -Wl,--whole-archive,${CMAKE_BINARY_DIR}/libasmjit_shareable.a,--no-whole-archive)
endif()

# one library of all folders; what others see of it is in coenergy.hpp, coenergy.h and base/error.hpp
add_library(coenergy_shared SHARED ${CMAKE_BINARY_DIR}/shared.cpp)
target_link_libraries(coenergy_shared PRIVATE coenergy_shareable -Wl,--whole-archive,$<TARGET_FILE:coenergy_library>,$<TARGET_FILE:coenergy_base>,--no-whole-archive coenergy_library)
target_link_options(coenergy_shared PRIVATE -Wl,--version-script=${CMAKE_SOURCE_DIR}/cmake/exported_symbols.map)
set_target_properties(coenergy_shared PROPERTIES OUTPUT_NAME coenergy EXPORT_NAME coenergy VERSION ${PROJECT_VERSION}
                      SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR} LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}
                      LINK_DEPENDS ${CMAKE_SOURCE_DIR}/cmake/exported_symbols.map)
target_include_directories(coenergy_shared INTERFACE $<INSTALL_INTERFACE:include>)
target_compile_features(coenergy_shared INTERFACE cxx_std_20)

install(TARGETS coenergy RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT program)
install(TARGETS coenergy_shared EXPORT coenergy LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library)
install(FILES coenergy/library/include/coenergy/coenergy.hpp coenergy/library/include/coenergy/coenergy.h
        DESTINATION include/coenergy COMPONENT library)
install(FILES coenergy/base/error.hpp coenergy/base/way.hpp DESTINATION include/coenergy/base COMPONENT library)
set(config_folder ${CMAKE_INSTALL_LIBDIR}/cmake/coenergy)
install(EXPORT coenergy NAMESPACE coenergy:: FILE coenergy-config.cmake DESTINATION ${config_folder} COMPONENT library)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/coenergy-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/coenergy-config-version.cmake DESTINATION ${config_folder} COMPONENT library)
configure_file(cmake/coenergy.pc.in ${CMAKE_BINARY_DIR}/coenergy.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/coenergy.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT library)

# the manual page is made of what the program says of itself
add_custom_command(OUTPUT coenergy.1 COMMAND ${CMAKE_SOURCE_DIR}/cmake/make_man_page $<TARGET_FILE:coenergy> > coenergy.1
                   DEPENDS coenergy ${CMAKE_SOURCE_DIR}/cmake/make_man_page VERBATIM)
add_custom_target(coenergy_man_page ALL DEPENDS coenergy.1)
install(FILES ${CMAKE_BINARY_DIR}/coenergy.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT program)
install(FILES cmake/completion.bash DESTINATION share/bash-completion/completions RENAME coenergy COMPONENT program)
install(FILES LICENSE README.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT program)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME coenergy)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_CONTACT "the coenergy authors")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "simulation of mechatronic systems")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "python3-numpy, python3-pandas, python3-matplotlib")
include(CPack)
