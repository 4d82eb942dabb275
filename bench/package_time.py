"""How long a CMake project with many .pyk files takes to build: all of it, nothing, one file.

    python3 bench/package_time.py --package build/release --pykc build/release/bin/pykc [--files 200]
"""
import argparse
import pathlib
import subprocess
import tempfile
import time

KERNEL = '''from numba import cuda
{imports}

@cuda.jit("void(float32, float32[::1], float32[::1])")
def k_{index}(a, x, y):
    i = cuda.grid(1)
    if i < y.size:
        y[i] = a * x[i] + 2.0 * y[i] + {value}
'''

COMMON = '''from numba import cuda

SHIFT = 1


@cuda.jit(device=True)
def shifted(v):
    return v + SHIFT
'''

PROJECT = '''cmake_minimum_required(VERSION 3.23)
project(many LANGUAGES CXX)
find_package(pyk CONFIG REQUIRED)
file(GLOB kernels CONFIGURE_DEPENDS kernels/k_*.pyk)
pyk_add_library(kernels SOURCES ${kernels} EMIT cpu)
'''


def write_project(folder, count):
    """Every tenth file imports kernels/common.pyk."""
    (folder / "kernels").mkdir(parents=True)
    (folder / "CMakeLists.txt").write_text(PROJECT)
    (folder / "kernels/common.pyk").write_text(COMMON)
    for index in range(count):
        imports = "from common import shifted\n" if index % 10 == 0 else ""
        value = f"shifted({index})" if imports else index
        (folder / f"kernels/k_{index}.pyk").write_text(KERNEL.format(imports=imports, index=index, value=value))


def timed(what, command):
    begin = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    print(f"{what:<28} {time.perf_counter() - begin:8.2f} s")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--package", type=pathlib.Path, required=True, help="where pykConfig.cmake is")
    parser.add_argument("--pykc", type=pathlib.Path, required=True)
    parser.add_argument("--files", type=int, default=200)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        source, build = pathlib.Path(name, "source"), pathlib.Path(name, "build")
        write_project(source, options.files)
        timed("configure", ["cmake", "-G", "Ninja", "-S", source, "-B", build, f"-Dpyk_DIR={options.package.resolve()}",
                            f"-Dpyk_PYKC_EXECUTABLE={options.pykc.resolve()}", "-DCMAKE_BUILD_TYPE=Release"])
        for target, what in [("kernels_pyk", "kernels"), ("kernels", "kernels and C++")]:
            timed(f"{what}, all", ["cmake", "--build", build, "--target", target])
            timed(f"{what}, nothing changed", ["cmake", "--build", build, "--target", target])
            one = source / "kernels/k_1.pyk"
            one.write_text(one.read_text() + "\n")
            timed(f"{what}, one file changed", ["cmake", "--build", build, "--target", target])


if __name__ == "__main__":
    main()
