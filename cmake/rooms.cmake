# candor_room(NAME SOURCES a.cc ... TESTS a_test.cc ... LIBS third-party): one room as a static library and at
# most one test program, linked exactly as tools/layers.txt allows.
file(STRINGS ${CMAKE_SOURCE_DIR}/tools/layers.txt _candor_rows REGEX "^[a-z]+:")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tools/layers.txt)
# The rooms that are built, in the order of the list; it also names rooms that are planned.
set(CANDOR_ROOMS)
foreach(_row IN LISTS _candor_rows)
  string(REGEX MATCH "^([a-z]+):(.*)$" _ "${_row}")
  set(_room ${CMAKE_MATCH_1})
  string(REPLACE "|" " " _deps "${CMAKE_MATCH_2}")
  separate_arguments(_deps UNIX_COMMAND "${_deps}")
  set(CANDOR_LINKS_${_room} "${_deps}")
  if(EXISTS ${CMAKE_SOURCE_DIR}/src/${_room}/CMakeLists.txt)
    list(APPEND CANDOR_ROOMS ${_room})
  endif()
endforeach()

function(candor_room name)
  cmake_parse_arguments(ROOM "" "" "SOURCES;TESTS;LIBS;TEST_LIBS" ${ARGN})
  if(NOT DEFINED CANDOR_LINKS_${name})
    message(FATAL_ERROR "room '${name}' is not in tools/layers.txt")
  endif()
  # A forbidden include or link fails the build: a room's borders are looked at before it is compiled, whenever one of
  # its files changed. (The glob finds what to look at, not what to compile.)
  file(GLOB_RECURSE files CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*)
  set(stamp ${CMAKE_CURRENT_BINARY_DIR}/borders.stamp)
  add_custom_command(
    OUTPUT ${stamp} VERBATIM COMMENT "Borders of room ${name}"
    COMMAND ${Python3_EXECUTABLE} ${CMAKE_SOURCE_DIR}/tools/check_layers.py --borders --room ${name}
    COMMAND ${CMAKE_COMMAND} -E touch ${stamp}
    DEPENDS ${files} ${CMAKE_SOURCE_DIR}/tools/check_layers.py ${CMAKE_SOURCE_DIR}/tools/layers.txt
            ${CMAKE_SOURCE_DIR}/tools/homes.txt)
  add_custom_target(borders_${name} DEPENDS ${stamp})
  add_library(candor_${name} STATIC ${ROOM_SOURCES})
  add_dependencies(candor_${name} borders_${name})
  target_link_libraries(candor_${name} PUBLIC candor_flags PRIVATE ${ROOM_LIBS})
  if(name STREQUAL ops AND CMAKE_BUILD_TYPE STREQUAL Debug)
    target_compile_options(candor_${name} PRIVATE -O2)  # debug builds still run models
  endif()
  if(NOT name STREQUAL base)
    target_link_libraries(candor_${name} PUBLIC candor_base)
  endif()
  foreach(dep IN LISTS CANDOR_LINKS_${name})
    if(dep IN_LIST CANDOR_ROOMS)
      target_link_libraries(candor_${name} PUBLIC candor_${dep})
    endif()
  endforeach()
  if(ROOM_TESTS AND CANDOR_TESTS)
    add_executable(${name}_test ${ROOM_TESTS})
    add_dependencies(${name}_test borders_${name})
    target_link_libraries(${name}_test PRIVATE candor_${name} ${ROOM_TEST_LIBS} GTest::gtest_main)
    # Tests call optimised code; optimised themselves they took a fifth longer to compile.
    target_compile_options(${name}_test PRIVATE $<$<CONFIG:Release>:-O1>)
    target_compile_definitions(${name}_test PRIVATE CANDOR_SOURCE_DIR="${CMAKE_SOURCE_DIR}"
                                                    CANDOR_BINARY_DIR="${CMAKE_BINARY_DIR}")
    gtest_discover_tests(${name}_test TEST_PREFIX ${name}. PROPERTIES LABELS ${name} TIMEOUT 300 DISCOVERY_TIMEOUT 60)
  endif()
endfunction()
