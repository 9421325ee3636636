# coenergy_folder(NAME [COLD] [DEPENDS folder...] [LIBRARIES lib...] [APART source...])
# One folder is one static library `coenergy_NAME` and, where the folder holds *_test.cpp files, one test
# program `NAME_test`. Sources are found by name, so that a new component is one new file.
# COLD: nothing in it is called in every step of a run, so that a quick compilation is worth more than quick code.
# APART: sources that are compiled alone in a build of many at once (COENERGY_UNITY), since names of theirs that no other
# file sees are those of others.
function(coenergy_folder name)
  cmake_parse_arguments(ARG "COLD" "" "DEPENDS;LIBRARIES;APART" ${ARGN})
  string(REPLACE "/" "_" target ${name})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  set(tests ${sources})
  list(FILTER sources EXCLUDE REGEX "_test\\.cpp$")
  list(FILTER tests INCLUDE REGEX "_test\\.cpp$")
  if(sources)
    add_library(coenergy_${target} STATIC ${sources})
    target_precompile_headers(coenergy_${target} REUSE_FROM library_headers)
    set_target_properties(coenergy_${target} PROPERTIES UNITY_BUILD ${COENERGY_UNITY} UNITY_BUILD_BATCH_SIZE ${COENERGY_BATCH})
    set_source_files_properties(${ARG_APART} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
    if(ARG_COLD)
      coenergy_compile_cold(coenergy_${target})
    endif()
    set(scope PUBLIC)
  else()
    add_library(coenergy_${target} INTERFACE)
    set(scope INTERFACE)
  endif()
  target_include_directories(coenergy_${target} ${scope} ${CMAKE_SOURCE_DIR})
  foreach(dependency ${ARG_DEPENDS})
    string(REPLACE "/" "_" dependency ${dependency})
    target_link_libraries(coenergy_${target} ${scope} coenergy_${dependency})
  endforeach()
  target_link_libraries(coenergy_${target} ${scope} ${ARG_LIBRARIES})
  if(COENERGY_TESTS AND tests)
    coenergy_test(${target}_test SOURCES ${tests} LIBRARIES coenergy_${target})
  endif()
endfunction()

# less optimisation in a whole build: the last flag counts
function(coenergy_compile_cold target)
  if(COENERGY_UNITY)
    target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
  endif()
endfunction()

# the headers that most sources of the libraries read, compiled once
function(coenergy_library_headers)
  file(WRITE ${CMAKE_BINARY_DIR}/library_headers.cpp "")
  add_library(library_headers OBJECT ${CMAKE_BINARY_DIR}/library_headers.cpp)
  target_link_libraries(library_headers PRIVATE fmt::fmt)
  target_precompile_headers(library_headers PRIVATE <algorithm> <array> <cmath> <cstdint> <fmt/format.h> <fmt/ranges.h>
                            <functional> <map> <memory> <optional> <random> <set> <span> <string> <string_view>
                            <unordered_map> <utility> <vector>)
endfunction()

set(test_definitions COENERGY_SOURCE_DIR="${CMAKE_SOURCE_DIR}" COENERGY_PROGRAM="${CMAKE_BINARY_DIR}/coenergy")

# the headers that all test programs read, compiled once
function(coenergy_test_headers)
  file(WRITE ${CMAKE_BINARY_DIR}/test_headers.cpp "int main() {}\n")
  add_executable(test_headers ${CMAKE_BINARY_DIR}/test_headers.cpp)
  target_link_libraries(test_headers PRIVATE GTest::gtest Threads::Threads)
  target_compile_definitions(test_headers PRIVATE ${test_definitions})
  target_precompile_headers(test_headers PRIVATE <gtest/gtest.h> <string> <vector>)
endfunction()

# coenergy_test(NAME SOURCES ... LIBRARIES ... [LABELS ...]): a GoogleTest program; each of its tests is one ctest entry
function(coenergy_test name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LIBRARIES;LABELS" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE ${ARG_LIBRARIES} GTest::gtest GTest::gtest_main Threads::Threads)
  target_compile_definitions(${name} PRIVATE ${test_definitions})
  target_precompile_headers(${name} REUSE_FROM test_headers)
  add_test(NAME ${name} COMMAND ${name} --gtest_brief=1)
  set_tests_properties(${name} PROPERTIES TIMEOUT 900)
  if(ARG_LABELS)
    set_tests_properties(${name} PROPERTIES LABELS "${ARG_LABELS}")
  endif()
endfunction()
