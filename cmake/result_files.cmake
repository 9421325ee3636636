# HDF5 and matio, for results in .h5 and .mat, where they are installed
find_path(HDF5_INCLUDE hdf5.h PATH_SUFFIXES hdf5/serial)
find_library(HDF5_LIBRARY NAMES hdf5_serial hdf5)
find_path(MATIO_INCLUDE matio.h)
find_library(MATIO_LIBRARY matio)
find_library(ZLIB_LIBRARY z)

# coenergy_uses_hdf5(TARGET SOURCE...), coenergy_uses_matio(TARGET SOURCE...): sources that need them, which stand apart
# in a joined build
function(coenergy_uses_hdf5 target)
  if(HDF5_INCLUDE AND HDF5_LIBRARY AND ZLIB_LIBRARY)
    set_source_files_properties(${ARGN} PROPERTIES COMPILE_DEFINITIONS COENERGY_HDF5 INCLUDE_DIRECTORIES ${HDF5_INCLUDE})
    target_link_libraries(${target} PUBLIC ${HDF5_LIBRARY} ${ZLIB_LIBRARY})
  endif()
endfunction()

function(coenergy_uses_matio target)
  if(MATIO_INCLUDE AND MATIO_LIBRARY)
    set_source_files_properties(${ARGN} PROPERTIES COMPILE_DEFINITIONS COENERGY_MATIO INCLUDE_DIRECTORIES ${MATIO_INCLUDE})
    target_link_libraries(${target} PUBLIC ${MATIO_LIBRARY})
  endif()
endfunction()
