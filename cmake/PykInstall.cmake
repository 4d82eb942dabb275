# What `cmake --install` and CPack take along, and the same package from the build tree (find_package with pyk_DIR).
include(CMakePackageConfigHelpers)

set(folder "${CMAKE_INSTALL_LIBDIR}/cmake/pyk")
add_executable(pyk::pykc ALIAS pykc)
set_target_properties(pyk_runtime PROPERTIES EXPORT_NAME runtime)
set_target_properties(pyk_headers PROPERTIES EXPORT_NAME headers)
set_target_properties(pyk_jit PROPERTIES EXPORT_NAME jit)
set_target_properties(pyk_array PROPERTIES EXPORT_NAME array)
set_target_properties(pyk_cache PROPERTIES EXPORT_NAME cache)
set_target_properties(pyk_c PROPERTIES EXPORT_NAME c)

# The tool is of the machine that builds, the library of the one that runs: two exports.
install(TARGETS pykc EXPORT pyk-tools RUNTIME COMPONENT tools)
install(TARGETS pyk_runtime pyk_headers EXPORT pyk-runtime ARCHIVE COMPONENT runtime)
install(DIRECTORY runtime/host/pyk runtime/aot/pyk runtime/device/pyk DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" COMPONENT runtime
        FILES_MATCHING PATTERN "*.h")
# libpyk: the compiler inside a program. Its shared object is opened, never linked: it has a folder of its own.
install(TARGETS pyk_jit pyk_array pyk_cache pyk_c EXPORT pyk-jit ARCHIVE COMPONENT jit LIBRARY COMPONENT jit)
install(TARGETS pyk_compiler LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}/pyk" COMPONENT jit)
install(DIRECTORY runtime/jit/pyk DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" COMPONENT jit)
install(EXPORT pyk-jit FILE pykJitTargets.cmake NAMESPACE pyk:: DESTINATION "${folder}" COMPONENT jit)
export(EXPORT pyk-jit FILE "${PROJECT_BINARY_DIR}/pykJitTargets.cmake" NAMESPACE pyk::)
install(EXPORT pyk-tools FILE pykToolTargets.cmake NAMESPACE pyk:: DESTINATION "${folder}" COMPONENT tools)
install(EXPORT pyk-runtime FILE pykRuntimeTargets.cmake NAMESPACE pyk:: DESTINATION "${folder}" COMPONENT runtime)
export(EXPORT pyk-tools FILE "${PROJECT_BINARY_DIR}/pykToolTargets.cmake" NAMESPACE pyk::)
export(EXPORT pyk-runtime FILE "${PROJECT_BINARY_DIR}/pykRuntimeTargets.cmake" NAMESPACE pyk::)

configure_package_config_file(cmake/pykConfig.cmake.in "${PROJECT_BINARY_DIR}/pykConfig.cmake" INSTALL_DESTINATION "${folder}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/pykConfigVersion.cmake" COMPATIBILITY SameMinorVersion ARCH_INDEPENDENT)
configure_file(cmake/PykFunctions.cmake "${PROJECT_BINARY_DIR}/PykFunctions.cmake" COPYONLY)
install(FILES "${PROJECT_BINARY_DIR}/pykConfig.cmake" "${PROJECT_BINARY_DIR}/pykConfigVersion.cmake" cmake/PykFunctions.cmake
        DESTINATION "${folder}" COMPONENT tools)
# What a house style of one's own begins with (pykc --templates).
install(DIRECTORY templates DESTINATION "${CMAKE_INSTALL_DATADIR}/pyk" COMPONENT tools)

file(RELATIVE_PATH PYK_PC_UP "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
string(REGEX REPLACE "/$" "" PYK_PC_UP "${PYK_PC_UP}")
foreach(name IN ITEMS pyk pyk-jit pyk-c)
    configure_file(cmake/${name}.pc.in "${PROJECT_BINARY_DIR}/${name}.pc" @ONLY)
endforeach()
install(FILES "${PROJECT_BINARY_DIR}/pyk.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig" COMPONENT runtime)
install(FILES "${PROJECT_BINARY_DIR}/pyk-jit.pc" "${PROJECT_BINARY_DIR}/pyk-c.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig" COMPONENT jit)

if(NOT PROJECT_IS_TOP_LEVEL)
    return()
endif()

find_program(PYK_GZIP gzip)
mark_as_advanced(PYK_GZIP)

# What pykc says of itself; a pykc for another machine cannot be asked.
if(NOT CMAKE_CROSSCOMPILING)
    set(folder "${PROJECT_BINARY_DIR}/manual")
    set(names pykc.1 pykc _pykc pykc.fish)
    set(options --manual "--completion bash" "--completion zsh" "--completion fish")
    set(places "${CMAKE_INSTALL_MANDIR}/man1" "${CMAKE_INSTALL_DATADIR}/bash-completion/completions"
               "${CMAKE_INSTALL_DATADIR}/zsh/site-functions" "${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d")
    set(made)
    foreach(file option destination IN ZIP_LISTS names options places)
        string(REPLACE " " ";" option "${option}")
        add_custom_command(OUTPUT "${folder}/${file}" COMMAND "${CMAKE_COMMAND}" -E make_directory "${folder}"
                           COMMAND pykc ${option} > "${folder}/${file}" DEPENDS pykc VERBATIM)
        if(file STREQUAL "pykc.1" AND PYK_GZIP)
            add_custom_command(OUTPUT "${folder}/${file}.gz" COMMAND "${PYK_GZIP}" -9knf "${folder}/${file}" DEPENDS "${folder}/${file}" VERBATIM)
            string(APPEND file .gz)
        endif()
        list(APPEND made "${folder}/${file}")
        install(FILES "${folder}/${file}" DESTINATION "${destination}" COMPONENT tools OPTIONAL)
    endforeach()
    add_custom_target(pyk_manual ALL DEPENDS ${made})
endif()

install(FILES README.md DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/pyk" COMPONENT tools)
install(DIRECTORY docs samples DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/pyk" COMPONENT tools PATTERN __pycache__ EXCLUDE)

# What Debian asks of a package's documents: the terms of all that is in it, and what changed, compressed.
install(FILES cmake/packaging/copyright DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/pyk" COMPONENT tools)
if(PYK_GZIP)
    set(changelog "${PROJECT_BINARY_DIR}/changelog.gz")
    execute_process(COMMAND "${PYK_GZIP}" -9nc "${PROJECT_SOURCE_DIR}/cmake/packaging/changelog" OUTPUT_FILE "${changelog}" COMMAND_ERROR_IS_FATAL ANY)
    install(FILES "${changelog}" DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/pyk" COMPONENT tools)
endif()

set(CPACK_GENERATOR DEB TGZ)
set(CPACK_PACKAGE_NAME pyk)
set(CPACK_PACKAGE_VENDOR pyk)
set(CPACK_PACKAGE_CONTACT "pyk <pyk@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION "pykc compiles kernels in Python syntax, the language of numba.cuda, to CUDA
C++, to machine code for GPUs and to C++ for the CPU, for programs that call
them through typed headers; libpyk does so while a program runs. Neither
Python nor CUDA's toolkit is needed to install it.")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "g++, cmake (>= 3.23)")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "nvidia-cuda-toolkit")
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
# The package has a library that other packages may link.
set(control "${PROJECT_BINARY_DIR}/debian")
file(CONFIGURE OUTPUT "${control}/shlibs" CONTENT "libpyk @PROJECT_VERSION_MAJOR@.@PROJECT_VERSION_MINOR@ pyk (>= @PROJECT_VERSION@)\n" @ONLY)
file(CONFIGURE OUTPUT "${control}/triggers" CONTENT "activate-noawait ldconfig\n" @ONLY)
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA "${control}/shlibs;${control}/triggers")
# What pykc links; CMake does not look it up where dpkg-shlibdeps is missing.
find_program(PYK_SHLIBDEPS dpkg-shlibdeps)
mark_as_advanced(PYK_SHLIBDEPS)
if(PYK_SHLIBDEPS)
    set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
endif()
include(CPack)
