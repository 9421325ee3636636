# Sourced by ./run and ./test: what a fresh Debian 12 needs, and how the program is built.
build_packages=(g++ cmake ninja-build pkg-config libeigen3-dev libspectra-dev libsuitesparse-dev liblapack-dev libyaml-dev libpugixml-dev
  nlohmann-json3-dev libfmt-dev libcli11-dev libasmjit-dev libhdf5-dev libmatio-dev libzip-dev)
web_packages=()
command -v npm >/dev/null || web_packages=(nodejs npm)
test_packages=(ccache libgtest-dev chromium octave ngspice python3 python3-dev pybind11-dev python3-numpy python3-h5py mypy)
test_packages+=(coinor-libipopt-dev libnlopt-dev)  # of optimize

# installs the packages that are not there yet; needs root only then
install_packages() {
  local missing=() package
  for package in "$@"; do
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' || missing+=("$package")
  done
  [ ${#missing[@]} -eq 0 ] && return
  local sudo=""
  [ "$(id -u)" -eq 0 ] || sudo=sudo
  echo "installing: ${missing[*]}" >&2
  $sudo apt-get update -qq
  DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
}

# configure PRESET [cmake options]: sources are compiled many at once, which halves the time of a whole build; who
# changes them configures by `cmake --preset PRESET` instead
configure() {
  local folder=$top/build/$1 preset=$1
  shift
  if [ ! -f "$folder/build.ninja" ]; then
    cmake --preset "$preset" -S "$top" -DCOENERGY_UNITY=ON -DCOENERGY_TESTS=OFF "$@"
  elif [ $# -gt 0 ]; then
    cmake "$@" "$folder"
  fi
}

# reads what ninja says into a file and shows how far it is
show_progress() {
  local line done total bar
  while IFS= read -r line; do
    echo "$line" >>"$1"
    [[ $line =~ ^\[([0-9]+)/([1-9][0-9]*)\] ]] || continue
    done=${BASH_REMATCH[1]} total=${BASH_REMATCH[2]}
    printf -v bar '%*s' $((40 * done / total)) ''
    printf '\rbuilding [%-40s] %d of %d ' "${bar// /#}" "$done" "$total" >&2
  done
  printf '\r%79s\r' '' >&2
}

# build PRESET TARGET... [-Dcmake=options]: configures when needed and builds; a bar on a terminal, else quiet unless it
# fails
build() {
  local log word preset=$1 targets=() options=()
  shift
  for word in "$@"; do
    case $word in -D*) options+=("$word") ;; *) targets+=("$word") ;; esac
  done
  log=$(mktemp)
  if ! { configure "$preset" "${options[@]}" >"$log" 2>&1 && if [ -t 2 ]; then
    cmake --build "$top/build/$preset" --target "${targets[@]}" 2>&1 | show_progress "$log"
  else
    cmake --build "$top/build/$preset" --target "${targets[@]}" >>"$log" 2>&1
  fi; }; then
    cat "$log" >&2
    rm -f "$log"
    return 1
  fi
  rm -f "$log"
}
