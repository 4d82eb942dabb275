# Every third party, found once. docs/dependencies.md says what each is for and what was weighed.

option(PYK_STATIC "Link third parties statically: programs that run on machines without them" OFF)
if(PYK_STATIC)
    set(CMAKE_FIND_LIBRARY_SUFFIXES .a)
    set(Boost_USE_STATIC_LIBS ON)
    add_compile_definitions(FMT_HEADER_ONLY)  # Debian has no libfmt.a: the shared one is dropped as not needed
    add_link_options(-static-libstdc++ -static-libgcc -Wl,--as-needed)
endif()

find_package(Threads REQUIRED)
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(CLI11 REQUIRED)
find_package(PNG REQUIRED)
find_package(Boost 1.74 REQUIRED COMPONENTS context)
find_library(PYK_UTF8PROC_LIBRARY utf8proc REQUIRED)
find_path(PYK_MUSTACHE_INCLUDE kainjow/mustache.hpp mustache.hpp PATH_SUFFIXES kainjow REQUIRED)
if(PYK_BUILD_TESTS)
    find_package(GTest REQUIRED)
    include(GoogleTest)
endif()
