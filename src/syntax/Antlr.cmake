# The ANTLR tool, its C++ runtime, and the lexer and parser that they make of grammar/: target pyk_grammar.
#
# Any pair that fits is taken; Debian 12's (tool 4.7.2, runtime 4.9) is found by itself. To name another:
#   -DPYK_ANTLR_TOOL=/path/antlr4          a command that runs the tool, or
#   -DPYK_ANTLR_JAR=/path/antlr-4.x-complete.jar
#   -DPYK_ANTLR_INCLUDE=…/antlr4-runtime   the folder of antlr4-runtime.h
#   -DPYK_ANTLR_RUNTIME=…/libantlr4-runtime.a           for programs
#   -DPYK_ANTLR_RUNTIME_SHARED=…/libantlr4-runtime.so   for shared libraries (Debian's .a is not position-independent)

set(PYK_ANTLR_JAR "" CACHE FILEPATH "ANTLR tool as a complete .jar (run with java); empty: PYK_ANTLR_TOOL")
find_program(PYK_ANTLR_TOOL NAMES antlr4 antlr DOC "Command that runs the ANTLR 4 tool")
find_path(PYK_ANTLR_INCLUDE antlr4-runtime.h PATH_SUFFIXES antlr4-runtime DOC "Folder of antlr4-runtime.h")
find_library(PYK_ANTLR_RUNTIME NAMES libantlr4-runtime.a antlr4-runtime DOC "ANTLR C++ runtime library, for programs")
find_library(PYK_ANTLR_RUNTIME_SHARED NAMES antlr4-runtime DOC "ANTLR C++ runtime library, for shared libraries")

if(PYK_ANTLR_JAR)
    find_program(PYK_JAVA java REQUIRED)
    set(antlr_command "${PYK_JAVA}" -jar "${PYK_ANTLR_JAR}")
elseif(PYK_ANTLR_TOOL)
    set(antlr_command "${PYK_ANTLR_TOOL}")
else()
    message(FATAL_ERROR "The ANTLR 4 tool was not found. On Debian 12: apt-get install antlr4. Elsewhere: set PYK_ANTLR_TOOL or PYK_ANTLR_JAR.")
endif()
if(NOT PYK_ANTLR_INCLUDE OR NOT PYK_ANTLR_RUNTIME)
    message(FATAL_ERROR "The ANTLR C++ runtime was not found. On Debian 12: apt-get install libantlr4-runtime-dev. Elsewhere: set "
                        "PYK_ANTLR_INCLUDE (the folder of antlr4-runtime.h) and PYK_ANTLR_RUNTIME (the library), matching the tool.")
endif()

# What every file that includes the runtime's headers needs: 4.9 passes u8 literals as char.
set(antlr_options -fno-char8_t)

# --- do tool and runtime fit? A grammar of one line is generated, compiled, linked and run, once per pair. -------------
set(antlr_pair "${antlr_command}|${PYK_ANTLR_INCLUDE}|${PYK_ANTLR_RUNTIME}|${CMAKE_CXX_COMPILER}")
if(NOT PYK_ANTLR_CHECKED STREQUAL antlr_pair)
    set(probe "${CMAKE_CURRENT_BINARY_DIR}/antlr-probe")
    file(MAKE_DIRECTORY "${probe}")
    file(WRITE "${probe}/Probe.g4" "grammar Probe; start : 'a'+ EOF ;\n")
    file(WRITE "${probe}/main.cpp" "#include \"ProbeLexer.h\"\n#include \"ProbeParser.h\"\nint main() {\n    antlr4::ANTLRInputStream in(\"aaa\");\n"
         "    ProbeLexer lexer(&in);\n    antlr4::CommonTokenStream tokens(&lexer);\n    ProbeParser parser(&tokens);\n"
         "    return parser.start()->children.size() == 4 && parser.getNumberOfSyntaxErrors() == 0 ? 0 : 1;\n}\n")
    execute_process(COMMAND ${antlr_command} -Dlanguage=Cpp -no-listener -no-visitor Probe.g4 WORKING_DIRECTORY "${probe}"
                    RESULT_VARIABLE tool_failed OUTPUT_VARIABLE tool_output ERROR_VARIABLE tool_output)
    if(tool_failed)
        message(FATAL_ERROR "The ANTLR tool (${antlr_command}) does not run:\n${tool_output}")
    endif()
    try_run(probe_failed probe_compiled "${probe}/build" SOURCES "${probe}/main.cpp" "${probe}/ProbeLexer.cpp" "${probe}/ProbeParser.cpp"
            COMPILE_DEFINITIONS ${antlr_options} LINK_LIBRARIES "${PYK_ANTLR_RUNTIME}" Threads::Threads
            CMAKE_FLAGS "-DINCLUDE_DIRECTORIES=${probe};${PYK_ANTLR_INCLUDE}"
            CXX_STANDARD 20 CXX_STANDARD_REQUIRED ON COMPILE_OUTPUT_VARIABLE probe_output)
    if(NOT probe_compiled OR NOT probe_failed EQUAL 0)
        message(FATAL_ERROR "The ANTLR tool (${antlr_command}) and the C++ runtime (${PYK_ANTLR_RUNTIME}, headers in ${PYK_ANTLR_INCLUDE}) do not fit, or "
                            "${CMAKE_CXX_COMPILER} does not take the runtime's headers (g++ does). Debian 12's packages antlr4 and "
                            "libantlr4-runtime-dev fit; elsewhere download the tool's .jar of the runtime's version and set PYK_ANTLR_JAR. "
                            "What went wrong:\n${probe_output}")
    endif()
    set(PYK_ANTLR_CHECKED "${antlr_pair}" CACHE INTERNAL "The pair of ANTLR tool and runtime that was found to fit")
    message(STATUS "ANTLR: ${antlr_command} with ${PYK_ANTLR_RUNTIME}")
endif()

# --- the generated lexer and parser --------------------------------------------------------------------------------
set(grammar "${PROJECT_SOURCE_DIR}/grammar")
set(generated "${CMAKE_CURRENT_BINARY_DIR}/generated")
file(MAKE_DIRECTORY "${generated}")
set(antlr_arguments -Dlanguage=Cpp -no-listener -no-visitor -package pyk::syntax -o "${generated}")
add_custom_command(
    OUTPUT "${generated}/PykLexer.cpp" "${generated}/PykLexer.h" "${generated}/PykLexer.tokens"
    COMMAND ${antlr_command} ${antlr_arguments} PykLexer.g4
    WORKING_DIRECTORY "${grammar}" DEPENDS "${grammar}/PykLexer.g4" COMMENT "ANTLR: PykLexer.g4" VERBATIM)
add_custom_command(
    OUTPUT "${generated}/PykParser.cpp" "${generated}/PykParser.h"
    COMMAND ${antlr_command} ${antlr_arguments} -lib "${generated}" PykParser.g4
    WORKING_DIRECTORY "${grammar}" DEPENDS "${grammar}/PykParser.g4" "${generated}/PykLexer.tokens" COMMENT "ANTLR: PykParser.g4" VERBATIM)

# The lexer's automaton as a table, for lexer.cpp.
add_executable(pyk_lexer_table "${CMAKE_CURRENT_SOURCE_DIR}/lexer_table/main.cpp" "${generated}/PykLexer.cpp" "${generated}/PykLexer.h")
target_include_directories(pyk_lexer_table SYSTEM PRIVATE "${generated}" "${PYK_ANTLR_INCLUDE}")
target_compile_options(pyk_lexer_table PRIVATE ${antlr_options} -w)
target_link_libraries(pyk_lexer_table PRIVATE "${PYK_ANTLR_RUNTIME}" Threads::Threads)
add_custom_command(
    OUTPUT "${generated}/lexer_table.inc" COMMAND pyk_lexer_table "${generated}/lexer_table.inc"
    DEPENDS pyk_lexer_table COMMENT "The table of PykLexer.g4" VERBATIM)

# Not our code: its own flags, no warnings. Optimised in every configuration, or tests on large files take minutes.
add_library(pyk_grammar STATIC "${generated}/PykLexer.h" "${generated}/PykParser.cpp" "${generated}/PykParser.h")
target_include_directories(pyk_grammar SYSTEM PUBLIC "${generated}" "${PYK_ANTLR_INCLUDE}" PRIVATE "${PROJECT_SOURCE_DIR}/src")
target_compile_options(pyk_grammar PUBLIC ${antlr_options} PRIVATE -O2 -w)
set(into_shared $<IN_LIST:$<TARGET_PROPERTY:TYPE>,SHARED_LIBRARY$<SEMICOLON>MODULE_LIBRARY>)
target_link_libraries(pyk_grammar PUBLIC "$<IF:${into_shared},${PYK_ANTLR_RUNTIME_SHARED},${PYK_ANTLR_RUNTIME}>" Threads::Threads)
