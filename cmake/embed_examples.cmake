# cmake -DROOT=<top> -DOUTPUT=<file.cpp> -P embed_examples.cmake: the files under examples/ as a source, so that the
# program has them wherever it is installed. Pictures stay outside.
file(GLOB_RECURSE files RELATIVE ${ROOT}/examples ${ROOT}/examples/*)
list(FILTER files EXCLUDE REGEX "\\.(png|svg|jpg)$")
list(SORT files)
set(text "#include \"apps/coenergy/example_files.hpp\"\n\nnamespace coenergy::app {\nnamespace {\n\nconst ExampleFile files[] = {\n")
foreach(file ${files})
  file(READ ${ROOT}/examples/${file} hex HEX)
  file(SIZE ${ROOT}/examples/${file} size)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "\\\\x\\1" escaped "${hex}")
  string(APPEND text "    {\"${file}\", std::string_view(\"${escaped}\", ${size})},\n")
endforeach()
string(APPEND text "};\n\n}  // namespace\n\nstd::span<const ExampleFile> example_files() { return files; }\n\n}  // namespace coenergy::app\n")
file(WRITE ${OUTPUT} "${text}")
