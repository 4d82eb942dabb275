# One library per folder of src/, with the folders that it may include named and checked.
#
#   pyk_layer(NAME [PRECOMPILED header…] [MAY_INCLUDE layer…] [LINK target…])
#
# makes the static library pyk_NAME from the folder's *.cpp and *.h. An #include "folder/…" of a layer that is neither the
# layer itself nor named in MAY_INCLUDE (or reached through it) stops the configure step.

find_program(PYK_CCACHE ccache)
if(PYK_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
    # What ccache asks for when headers are precompiled. In those g++ compares the headers themselves, comments too: what
    # ccache kept of another text of them would define everything twice.
    set(CMAKE_CXX_COMPILER_LAUNCHER "${CMAKE_COMMAND};-E;env;CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime;CCACHE_COMMENTS=1;${PYK_CCACHE}")
    add_compile_options($<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>)
endif()

# The headers of libraries that nearly every file reads, precompiled once. Not for what other projects build too
# (pyk_runtime, pyk_jit): ccache knows files from one build folder to the next only without.
#   pyk_precompiled(NAME LIBRARY|EXECUTABLE [CXX_17] HEADERS header… [LINK target…])   for targets of that kind
#   pyk_precompile(target NAME)                                               uses them, where they were made
#   pyk_precompile_with(target header…)                                       the library's and these, for a target of many files that read them
function(pyk_precompiled name kind)
    cmake_parse_arguments(PARSE_ARGV 2 arg "CXX_17" "" "HEADERS;LINK")
    file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/${name}.cpp" CONTENT "int main() {}\n")
    if(kind STREQUAL LIBRARY)
        add_library(${name} STATIC "${PROJECT_BINARY_DIR}/${name}.cpp")
    else()
        add_executable(${name} "${PROJECT_BINARY_DIR}/${name}.cpp")
    endif()
    target_link_libraries(${name} PRIVATE ${arg_LINK})
    target_precompile_headers(${name} PRIVATE ${arg_HEADERS})
    if(arg_CXX_17)
        set_target_properties(${name} PROPERTIES CXX_STANDARD 17)
    endif()
    pyk_own_code(${name})
    if(kind STREQUAL EXECUTABLE)
        pyk_unoptimized(${name})
    endif()
endfunction()
function(pyk_precompile target name)
    if(TARGET ${name})
        target_precompile_headers(${target} REUSE_FROM ${name})
    endif()
endfunction()
function(pyk_precompile_with target)
    target_precompile_headers(${target} PRIVATE ${PYK_LIBRARY_HEADERS} ${ARGN})
endfunction()

# A test is compiled oftener than it is run: what takes time are the libraries that it calls.
function(pyk_unoptimized target)
    target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O0>)
endfunction()

# Warnings and sanitizers for a target of our own.
function(pyk_own_code target)
    target_compile_options(${target} PRIVATE -Wall -Wextra)
    if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
        # Nobody replaces a function of ours when it is loaded: it may be inlined, as other compilers do unasked.
        target_compile_options(${target} PRIVATE -fno-semantic-interposition)
    endif()
    if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
        # g++ 12 sees these in the standard library's own std::string and std::variant (GCC bugs 105329, 105562).
        target_compile_options(${target} PRIVATE -Wno-restrict -Wno-maybe-uninitialized -Wno-stringop-overflow -Wno-stringop-overread -Wno-array-bounds)
    endif()
    if(PYK_WERROR)
        target_compile_options(${target} PRIVATE -Werror)
    endif()
    if(PYK_SANITIZE)
        target_compile_options(${target} PRIVATE -fsanitize=${PYK_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=undefined)
        target_compile_definitions(${target} PRIVATE PYK_SANITIZED)
        target_link_options(${target} PUBLIC -fsanitize=${PYK_SANITIZE})
    endif()
endfunction()

# pyk_check_includes(NAME SOURCES … [MAY_INCLUDE layer…]): stops at an #include of another folder of src/.
function(pyk_check_includes name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;MAY_INCLUDE")
    foreach(source IN LISTS arg_SOURCES)
        file(STRINGS "${source}" includes REGEX "^#include \"[a-z]+/")
        foreach(line IN LISTS includes)
            string(REGEX REPLACE "^#include \"([a-z]+)/.*" "\\1" folder "${line}")
            if(IS_DIRECTORY "${PROJECT_SOURCE_DIR}/src/${folder}" AND NOT folder IN_LIST arg_MAY_INCLUDE)
                message(FATAL_ERROR "layering: ${source} includes ${folder}/, but ${name} may include: ${arg_MAY_INCLUDE}")
            endif()
        endforeach()
    endforeach()
endfunction()

function(pyk_layer name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "PRECOMPILED;MAY_INCLUDE;LINK")
    file(GLOB sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/*.cpp" "${CMAKE_CURRENT_SOURCE_DIR}/*.h" "${CMAKE_CURRENT_SOURCE_DIR}/*.def")

    set(allowed ${name} ${arg_MAY_INCLUDE})
    foreach(layer IN LISTS arg_MAY_INCLUDE)
        get_property(reached GLOBAL PROPERTY PYK_LAYER_REACHES_${layer})
        list(APPEND allowed ${reached})
    endforeach()
    list(REMOVE_DUPLICATES allowed)
    set_property(GLOBAL PROPERTY PYK_LAYER_REACHES_${name} "${allowed}")

    pyk_check_includes(${name} SOURCES ${sources} MAY_INCLUDE ${allowed})

    add_library(pyk_${name} STATIC ${sources})
    target_include_directories(pyk_${name} PUBLIC "${PROJECT_SOURCE_DIR}/src")
    list(TRANSFORM arg_MAY_INCLUDE PREPEND pyk_)
    target_link_libraries(pyk_${name} PUBLIC ${arg_MAY_INCLUDE} ${arg_LINK})
    pyk_own_code(pyk_${name})
    if(arg_PRECOMPILED)
        pyk_precompile_with(pyk_${name} ${arg_PRECOMPILED})
    else()
        pyk_precompile(pyk_${name} pyk_precompiled_library)
    endif()
endfunction()

# pyk_test(NAME [CXX_17] SOURCES … LINK …): a GoogleTest program, one ctest entry per test.
function(pyk_test name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "CXX_17" "" "SOURCES;LINK;LABELS")
    add_executable(${name} ${arg_SOURCES})
    target_link_libraries(${name} PRIVATE ${arg_LINK} GTest::gtest GTest::gmock GTest::gtest_main)
    target_compile_definitions(${name} PRIVATE PYK_SOURCE_DIR="${PROJECT_SOURCE_DIR}" PYK_BINARY_DIR="${PROJECT_BINARY_DIR}")
    pyk_own_code(${name})
    pyk_unoptimized(${name})
    if(arg_CXX_17)
        set_target_properties(${name} PROPERTIES CXX_STANDARD 17)
        pyk_precompile(${name} pyk_precompiled_tests_17)
    else()
        pyk_precompile(${name} pyk_precompiled_tests)
    endif()
    gtest_discover_tests(${name} DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 60 PROPERTIES TIMEOUT 600 LABELS "${arg_LABELS}")
endfunction()
