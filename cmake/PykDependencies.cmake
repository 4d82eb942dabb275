# Every third party, found once. docs/dependencies.md says what each is for and what was weighed.

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
