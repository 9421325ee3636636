# Sourced by ./run and ./test: what a fresh Debian 12 needs, and how the program is built.
build_packages=(g++ cmake ninja-build pkg-config ccache libeigen3-dev libsuitesparse-dev liblapack-dev libyaml-dev libpugixml-dev
  nlohmann-json3-dev libfmt-dev libcli11-dev libasmjit-dev libgtest-dev)
web_packages=()
command -v npm >/dev/null || web_packages=(nodejs npm)
test_packages=(chromium octave ngspice python3)

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

# build PRESET TARGET: configures when needed and builds; quiet unless it fails
build() {
  local log
  log=$(mktemp)
  if ! { { [ -f "$top/build/$1/build.ninja" ] || cmake --preset "$1" -S "$top"; } && cmake --build "$top/build/$1" --target "$2"; } >"$log" 2>&1; then
    cat "$log" >&2
    rm -f "$log"
    return 1
  fi
  rm -f "$log"
}
