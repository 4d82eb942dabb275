"""Builds the project beside this file as somebody outside of pyk would, and checks what is built again after what change.

package.py FROM GENERATOR: FROM is how the project gets pyk: `build` (find_package in the build tree), `subdirectory`, `fetch`
(FetchContent), `install` (a moved install tree), `deb` (the unpacked package), `tgz` (the archive), `cross` (a build for another machine), `many`
(200 files), `folders` (the project in folders/, with its mistakes), `readme` (README's project from the unpacked package), `through` (FetchContent that builds the compiler as well).
"""
import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
DONE = re.compile(r"Compiling (\S+)|(Building|Linking) ")


def run(command, **more):
    result = subprocess.run([str(word) for word in command], capture_output=True, text=True, **more)
    result.text = result.stdout + result.stderr
    return result


def must(command, **more):
    result = run(command, **more)
    if result.returncode:
        sys.exit(f"{' '.join(map(str, command))}\n{result.text[-4000:]}")
    return result.text


class Check:
    def __init__(self):
        self.failed = 0

    def same(self, what, found, expected):
        if found != expected:
            self.failed += 1
            print(f"{what}: found {found!r}, expected {expected!r}")

    def holds(self, what, text, *parts):
        for part in parts:
            if part not in text:
                self.failed += 1
                print(f"{what}: {part!r} is not in\n{text[-3000:]}")


class Package:
    """pyk as the project finds it: options for CMake."""

    def __init__(self, options, folder):
        self.options, self.folder = options, folder
        self.pykc = folder / "pykc"
        shutil.copy2(options.build / "bin/pykc", self.pykc)

    def arguments(self, source):
        if source in ("subdirectory", "fetch"):
            # The compiler is there already; only the library is built.
            return [f"-DPYK_FROM={source}", f"-DPYK_SOURCE={self.options.source}", f"-Dpyk_PYKC_EXECUTABLE={self.pykc}",
                    *(["-DCMAKE_PREFIX_PATH=" + os.environ["CMAKE_PREFIX_PATH"]] if "CMAKE_PREFIX_PATH" in os.environ else [])]
        if source == "install":
            return [f"-DCMAKE_PREFIX_PATH={self.installed()}"]
        if source == "deb":
            return [f"-DCMAKE_PREFIX_PATH={self.unpacked()}"]
        if source == "tgz":
            return [f"-DCMAKE_PREFIX_PATH={self.extracted()}"]
        return [f"-Dpyk_DIR={self.options.build}", f"-Dpyk_PYKC_EXECUTABLE={self.pykc}"]

    def installed(self):
        """The tree, moved away from where it was installed."""
        must([self.options.cmake, "--install", self.options.build, "--prefix", self.folder / "first"])
        (self.folder / "first").rename(self.folder / "moved")
        return self.folder / "moved"

    def unpacked(self):
        must([self.options.cpack, "-G", "DEB", "--config", self.options.build / "CPackConfig.cmake", "-B", self.folder / "deb"])
        package, = (self.folder / "deb").glob("*.deb")
        must(["dpkg-deb", "-x", package, self.folder / "unpacked"])
        return self.folder / "unpacked/usr"


    def extracted(self):
        """What the archive has, without a root's folders around it."""
        must([self.options.cpack, "-G", "TGZ", "--config", self.options.build / "CPackConfig.cmake", "-B", self.folder / "tgz"])
        archive, = (self.folder / "tgz").glob("*.tar.gz")
        must(["tar", "-xzf", archive, "-C", self.folder])
        return self.folder / archive.name.removesuffix(".tar.gz")


class Project:
    def __init__(self, options, folder, check):
        self.options, self.check = options, check
        self.source, self.build_folder = folder / "pro ject", folder / "b uild"
        shutil.copytree(HERE / "project", self.source)

    def configure(self, *arguments):
        return run([self.options.cmake, "-G", self.options.generator, "-S", self.source, "-B", self.build_folder,
                    "-DCMAKE_CUDA_ARCHITECTURES=80;90", *arguments,
                    *([] if "Multi" in self.options.generator else ["-DCMAKE_BUILD_TYPE=Release"])])

    def build(self, *arguments, config="Release"):
        config = ["--config", config] if "Multi" in self.options.generator else []
        if self.options.source_of_pyk == "fetch" and not arguments:
            arguments = ["--target", "app"]  # all of it would be all of pyk
        return run([self.options.cmake, "--build", self.build_folder, "--parallel", "2", *config, *arguments])

    def must_build(self, *arguments, config="Release"):
        """Which kernels were compiled, and whether anything was done at all."""
        result = self.build(*arguments, config=config)
        if result.returncode:
            sys.exit(result.text[-4000:])
        return sorted(set(re.findall(r"Compiling (\S+)", result.text))), bool(DONE.search(result.text))

    def edit(self, name, old, new):
        path = self.source / name
        text = path.read_text()
        if old not in text:
            sys.exit(f"{name} has no {old}")
        path.write_text(text.replace(old, new))

    def program(self, name="app", *arguments):
        config = "Release" if "Multi" in self.options.generator else "."
        return must([self.build_folder / config / name, *arguments]).strip()


def check_program(project, options, check):
    expected = "3.25 3.5 2 7 3 1 35 4 1 3.5 5"
    check.same("what the program computes", project.program(), expected)
    if options.on_gpu:
        check.same("the same on a GPU", project.program("app", "--cuda"), expected)


def check_rebuilds(project, check):
    everything = sorted(["kernels/arrays", "kernels/other/scale", "kernels/particles", "kernels/saxpy", "kernels/scale", "made/half", "own", "points/count", "points/move"])
    check.same("first build", project.must_build()[0], everything)
    check.same("second build", project.must_build(), ([], False))
    project.edit("kernels/saxpy.pyk", "No imports.", "Still none.")
    check.same("after an edit", project.must_build()[0], ["kernels/saxpy"])
    project.edit("shared/factor.pyk", "FACTOR = 3", "FACTOR = 5")
    check.same("after an edit of an imported file", project.must_build()[0], ["kernels/scale"])
    check.same("after all", project.must_build(), ([], False))

    if "Multi" in project.options.generator:
        # What says more in one configuration is compiled for each; the others are not made anew.
        check.same("another configuration", project.must_build("--target", "half", config="Debug")[0], ["made/half"])
        check.same("the first one after it", project.must_build("--target", "half"), ([], False))

    project.edit("kernels/saxpy.pyk", "a * x[i]", "a * z[i]")
    broken = project.build()
    check.same("a kernel with an error fails", broken.returncode == 0, False)
    check.holds("its message", broken.text, "saxpy.pyk:12:20: error: `z` is not defined")
    project.edit("kernels/saxpy.pyk", "a * z[i]", "a * x[i]")
    check.same("after the fix", project.must_build()[0], ["kernels/saxpy"])


def ask_file_api(project):
    query = project.build_folder / ".cmake/api/v1/query/codemodel-v2"
    query.parent.mkdir(parents=True)
    query.touch()


def check_file_api(project, check):
    """What editors and IDEs are told: kernel files are sources of their targets, what pykc makes of them is generated."""
    replies = project.build_folder / ".cmake/api/v1/reply"
    [model] = replies.glob("codemodel-v2-*.json")
    for configuration in json.loads(model.read_text())["configurations"]:
        targets = {target["name"]: json.loads((replies / target["jsonFile"]).read_text()) for target in configuration["targets"]}
        sources = {(name, source["path"].split("pyk/")[-1]): source for name, target in targets.items() for source in target.get("sources", [])}
        for name, path in (("kernels", "kernels/saxpy"), ("kernels", "kernels/other/scale"), ("app", "own"), ("app", "points/count")):
            check.same(f"{path}.pyk is a source that the project has", sources.get((name, f"{path}.pyk"), {}).get("isGenerated", False), False)
            check.same(f"{path}.pyk is among {name}'s", (name, f"{path}.pyk") in sources, True)
            check.same(f"{path}.cpu.cpp is generated", sources.get((name, f"{name}/{path}.cpu.cpp"), {}).get("isGenerated"), True)


def check_cpu(options, package, folder, check):
    project = Project(options, folder, check)
    arguments = package.arguments(options.source_of_pyk)
    ask_file_api(project)
    configured = project.configure(*arguments)
    if configured.returncode:
        sys.exit(configured.text[-4000:])
    check_file_api(project, check)
    check_rebuilds(project, check)
    check_program(project, options, check)
    if f"-Dpyk_PYKC_EXECUTABLE={package.pykc}" in arguments:
        os.utime(package.pykc)
        check.same("after a change of pykc", len(project.must_build()[0]), 9)
    if options.source_of_pyk == "fetch":
        return
    must([options.cmake, "--install", project.build_folder, "--prefix", folder / "app", "--config", "Release"])
    headers = sorted(str(path.relative_to(folder / "app/include")) for path in (folder / "app/include").rglob("*.h"))
    check.same("headers of the project's own installation", headers,
               ["kernels/arrays.h", "kernels/other/scale.h", "kernels/particles.h", "kernels/saxpy.h", "kernels/scale.h", "made/half.h"])


def check_through(options, package, folder, check):
    """pyk is built with the project, its compiler too. The folder stays: only the first time takes minutes."""
    if not os.environ.get("PYK_TEST_THROUGH"):
        sys.exit(print("SKIPPED: it builds all of pyk once more; PYK_TEST_THROUGH=1 has it run"))
    kept = options.build / "package_through"
    shutil.rmtree(kept / "pro ject", ignore_errors=True)
    project = Project(options, kept, check)
    project.edit("shared/factor.pyk", "FACTOR = 3", "FACTOR = 5")  # what check_program expects
    configured = project.configure("-DPYK_FROM=fetch", f"-DPYK_SOURCE={options.source}")
    if configured.returncode:
        sys.exit(configured.text[-4000:])
    project.must_build("--target", "app")
    check_program(project, options, check)
    check.same("second build", project.must_build("--target", "app"), ([], False))
    programs = [path.name for path in (project.build_folder / "_deps/pyk-build/bin").iterdir()]
    check.same("programs of pyk that are built", programs, ["pykc"])


def check_cuda(options, package, folder, check):
    project = Project(options, folder, check)
    configured = project.configure("-DWITH_CUDA=ON", *package.arguments(options.source_of_pyk))
    if configured.returncode:
        if "CUDA" in configured.text and "compiler" in configured.text:
            sys.exit(print("SKIPPED: no CUDA compiler"))
        sys.exit(configured.text[-4000:])
    check_rebuilds(project, check)
    check_program(project, options, check)
    emitted = (project.build_folder / "pyk/kernels/kernels/scale.cu").read_text()
    check.holds("the places that nvcc is told", emitted, f'#line 7 "{project.source}/kernels/scale.pyk"', f'#line 7 "{project.source}/shared/factor.pyk"')
    said = project.program("app_cuda")
    check.same("what the CUDA program says", said, "175" if options.on_gpu or said != "no GPU" else "no GPU")


def check_messages(options, package, folder, check):
    """No architectures; forms that do not go together."""
    project = Project(options, folder / "messages", check)
    arguments = [*package.arguments("build"), "-DCMAKE_CUDA_ARCHITECTURES="]
    check.holds("no architectures", project.configure(*arguments).text, "nothing says for which GPUs", "CMAKE_CUDA_ARCHITECTURES")
    project.edit("CMakeLists.txt", "set(forms images cpu)", "set(forms cuda)")
    check.holds("no CUDA language", project.configure(*package.arguments("build")).text, "EMIT cuda needs the CUDA language")
    project.edit("CMakeLists.txt", "SOURCES kernels", "SOURCE kernels")
    check.holds("a misspelt keyword", project.configure(*package.arguments("build")).text, "`SOURCE;kernels/saxpy.pyk")
    project.edit("CMakeLists.txt", "SOURCE kernels", "SOURCES kernels")
    absent = [*package.arguments("build"), "-Dpyk_PYKC_EXECUTABLE=/nowhere/pykc"]
    check.holds("a pykc that is not there", project.configure(*absent).text, "pyk_PYKC_EXECUTABLE is /nowhere/pykc: there is no such file")
    project.edit("CMakeLists.txt", "set(forms cuda)", "set(forms images cpu)")
    project.edit("CMakeLists.txt", "pyk_target_sources(app PRIVATE own.pyk", "pyk_target_sources(ap PRIVATE own.pyk")
    check.holds("a target that is not there", project.configure(*package.arguments("build")).text, "pyk_target_sources(ap): there is no such target")
    project.edit("CMakeLists.txt", "pyk_target_sources(ap PRIVATE own.pyk", "add_library(none INTERFACE)\npyk_target_sources(none PRIVATE own.pyk")
    check.holds("a target without code", project.configure(*package.arguments("build")).text, "an INTERFACE library compiles nothing")
    project.edit("CMakeLists.txt", "LANGUAGES CXX", "LANGUAGES C")
    check.holds("a project without C++", project.configure(*package.arguments("build")).text, "what it makes is C++: say project")


def check_jit(options, package, folder, check):
    """A program with the compiler in it, from what is installed alone: no folder of ours is named, and none is needed."""
    source, build = folder / "jit", folder / "jit build"
    shutil.copytree(HERE / "jit_project", source)
    shutil.copy2(options.source / "samples/c_api/main.c", source)
    root = package.folder / ("moved" if options.source_of_pyk == "install" else "unpacked/usr")
    must([options.cmake, "-G", options.generator, "-S", source, "-B", build, f"-DCMAKE_PREFIX_PATH={root}", "-DCMAKE_BUILD_TYPE=Release"])
    must([options.cmake, "--build", build, "--parallel", "2", "--config", "Release"])
    programs = build / "Release" if "Multi" in options.generator else build
    environment = {**os.environ, "PYK_CACHE_DIR": str(folder / "cache"), "CUDA_VISIBLE_DEVICES": ""}
    check.same("a program with the compiler", must([programs / "in_cpp"], env=environment).strip(), "3.25")
    check.holds("the same in C", must([programs / "in_c", source / "saxpy.pyk"], env=environment), "1000000 elements are right")
    linked = must(["ldd", programs / "in_cpp"])
    check.same("what it links", re.findall("crypto|fmt|antlr|boost|utf8proc", linked), [])
    (folder / "away").mkdir()
    for library in root.rglob("libpyk_compiler.so"):
        library.rename(folder / "away" / library.name)
    gone = run([programs / "in_cpp"], env={**environment, "PYK_CACHE_DIR": str(folder / "other")})
    check.holds("without the compiler", gone.text, "pyk's compiler cannot be opened")
    if shutil.which("pkg-config"):
        pkgconfig, = root.rglob("pkgconfig")
        flags = must(["pkg-config", "--cflags", "--libs", "pyk-jit"], env={**os.environ, "PKG_CONFIG_PATH": str(pkgconfig)}).split()
        must([options.cxx, "-std=c++17", source / "main.cpp", "-o", folder / "by_hand", *flags])
        (folder / "away/libpyk_compiler.so").rename(next(root.rglob("libpyk_jit.a")).parent / "pyk/libpyk_compiler.so")
        check.same("by pkg-config", must([folder / "by_hand"], env=environment).strip(), "3.25")


def write_files(page, folder, *names):
    """Code blocks of a page that begin with a comment of their file's name."""
    text = page.read_text()
    for name in names:
        block, = re.findall(r"^```\w+\n((?://|#) " + re.escape(name) + r"\b.*?)^```", text, re.M | re.S)
        (folder / name).write_text(block)


def check_readme(options, package, folder, check):
    """The projects of README's and docs/'s text, word for word, with nothing but the unpacked package."""
    root = package.unpacked()
    project, build = folder / "project", folder / "build"
    project.mkdir()
    write_files(options.source / "README.md", project, "CMakeLists.txt", "saxpy.pyk", "main.cpp", "jit.cpp")
    must([options.cmake, "-G", options.generator, "-S", project, "-B", build, f"-DCMAKE_PREFIX_PATH={root}", "-DCMAKE_BUILD_TYPE=Release",
          "-DCMAKE_EXE_LINKER_FLAGS=-static-libstdc++ -static-libgcc"])
    must([options.cmake, "--build", build])
    check.same("a path into the repository", str(options.source) in (build / "CMakeCache.txt").read_text(), False)
    output = must([build / "app"], env={**os.environ, "CUDA_VISIBLE_DEVICES": ""})
    check.same("what it computes on the CPU", bool(re.fullmatch(r"the CPU \(\d+ threads\): 3 \n", output)), True)
    linked = re.findall(r"^\s*(\S+)", must(["ldd", build / "app"]), re.M)
    check.same("what it links", [name for name in linked if not re.match(r"linux-vdso|/lib64/ld-linux|lib(c|m|dl|pthread)\.so", name)], [])
    if options.keep:
        shutil.copy2(build / "app", options.keep)
    environment = {**os.environ, "PYK_CACHE_DIR": str(folder / "cache"), "CUDA_VISIBLE_DEVICES": "", "CXX": str(options.cxx),
                   "PATH": f"{root / 'bin'}:{os.environ['PATH']}", "PKG_CONFIG_PATH": str(next(root.rglob("pkgconfig")))}
    embed = folder / "embed"
    embed.mkdir()
    write_files(options.source / "docs/embedding.md", embed, "CMakeLists.txt", "saxpy.pyk", "embed.cpp")
    must([options.cmake, "-G", options.generator, "-S", embed, "-B", embed / "build", f"-DCMAKE_PREFIX_PATH={root}"])
    must([options.cmake, "--build", embed / "build"])
    check.same("what embedding.md's program says", must([embed / "build/embed"], cwd=embed, env=environment), "y[0] = 4\n")
    if not (shutil.which("pkg-config") and shutil.which("make")):
        return
    by_hand = '"$CXX" jit.cpp $(pkg-config --cflags --libs pyk-jit) -o jit && ./jit'
    check.same("README's program with the compiler", must(["sh", "-c", by_hand], cwd=project, env=environment), "3\n")
    made = folder / "make"
    made.mkdir()
    write_files(options.source / "docs/cmake.md", made, "saxpy.pyk", "main.cpp", "Makefile")
    must(["make", "-j2"], cwd=made, env=environment)
    check.same("what make's program says", must([made / "app"], env=environment), "3\n")
    check.holds("make a second time", must(["make"], cwd=made, env=environment), "up to date")
    os.utime(made / "saxpy.pyk")
    check.holds("make after a change", must(["make"], cwd=made, env=environment), "pykc saxpy.pyk")
    if options.on_gpu:
        check.same("on a GPU", must([build / "app"]).endswith(": 3 \n"), True)


def check_tree(root, options, check):
    """What is installed names neither this machine's folders nor our own dependencies; pkg-config's line suffices."""
    for path in [*root.rglob("*.cmake"), *root.rglob("*.pc"), *root.rglob("*.h")]:
        text = path.read_text()
        for word in (str(options.build), str(options.source), "fmt::", "antlr", "Boost::", "boost/"):
            check.same(f"{word} in {path.relative_to(root)}", word in text, False)
    for path in [root / "bin/pykc", *root.rglob("*.so")]:
        for folder in (options.build, options.source):
            check.same(f"{folder} in {path.relative_to(root)}", str(folder).encode() in path.read_bytes(), False)
    if not shutil.which("pkg-config"):
        return
    pkgconfig, = root.rglob("pkgconfig")
    flags = must(["pkg-config", "--cflags", "--libs", "pyk"], env={**os.environ, "PKG_CONFIG_PATH": str(pkgconfig)}).split()
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder, "main.cpp")
        source.write_text("#include <pyk/runtime.h>\nint main() { return pyk::cpu::worker_count() ? 0 : 1; }\n")
        must([options.cxx, "-std=c++17", source, "-o", source.with_suffix(""), *flags])
        must([source.with_suffix("")])


def check_cross(options, package, folder, check):
    """A build for another machine takes the pykc that it is given, and says so when it gets none."""
    root = package.installed()
    toolchain = folder / "toolchain.cmake"
    toolchain.write_text("set(CMAKE_SYSTEM_NAME Linux)\nset(CMAKE_SYSTEM_PROCESSOR other)\n")
    project = Project(options, folder, check)
    arguments = [f"-DCMAKE_TOOLCHAIN_FILE={toolchain}", f"-DCMAKE_PREFIX_PATH={root}"]
    environment = os.environ["PATH"]
    os.environ["PATH"] = ":".join(part for part in environment.split(":") if not (pathlib.Path(part) / "pykc").exists())
    (root / "bin/pykc").rename(folder / "hidden")
    check.holds("without a pykc", project.configure(*arguments).text, "set pyk_PYKC_EXECUTABLE")
    shutil.rmtree(project.build_folder)
    (root / "bin/pykc").write_bytes(b"\x7fELF of another machine")
    (root / "bin/pykc").chmod(0o755)
    check.holds("with another machine's", project.configure(*arguments).text, "set pyk_PYKC_EXECUTABLE")
    shutil.rmtree(project.build_folder)
    configured = project.configure(*arguments, f"-Dpyk_PYKC_EXECUTABLE={package.pykc}")
    check.same("with one", configured.returncode, 0)
    check.same("its kernels", len(project.must_build()[0]), 9)


def check_folders(options, package, folder, check):
    """Integers wrap in files that other folders add; equal names have their folders' namespaces; what no file has is told."""
    source, build = folder / "source", folder / "build"
    shutil.copytree(HERE / "folders", source)

    def configure():
        return run([options.cmake, "-G", options.generator, "-S", source, "-B", build, *package.arguments("build")])

    must([options.cmake, "-G", options.generator, "-S", source, "-B", build, *package.arguments("build")])
    must([options.cmake, "--build", build])
    check.same("what it says", must([build / "app"]), "1 0, 2 3, 35\n")
    text = (source / "CMakeLists.txt").read_text()
    for right, wrong, message in [
            ("LIMIT=7", "LIMT=7", 'no source has the name of DEFINES "LIMT=7"'),
            ("scaled(float64[::1])", "void(float64[::1])", 'no source has the kernel of SIGNATURES "void(float64[::1])"'),
            ("scaled(float64[::1])", "(float64[::1])", 'no source has the kernel of SIGNATURES "(float64[::1])"')]:
        (source / "CMakeLists.txt").write_text(text.replace(right, wrong))
        check.holds(wrong, " ".join(configure().text.split()), message)


def check_many(options, package, folder, check):
    """200 files: what is made again, by name."""
    sys.path.insert(0, str(options.source / "bench"))
    import package_time
    project = Project(options, folder, check)
    shutil.rmtree(project.source)
    package_time.write_project(project.source, 200)
    configured = project.configure(*package.arguments("build"))
    if configured.returncode:
        sys.exit(configured.text[-4000:])
    check.same("full", len(project.must_build("--target", "kernels_pyk")[0]), 200)
    check.same("empty", project.must_build("--target", "kernels_pyk"), ([], False))
    project.edit("kernels/k_117.pyk", "2.0", "3.0")
    check.same("one file", project.must_build("--target", "kernels_pyk")[0], ["kernels/k_117"])
    project.edit("kernels/common.pyk", "SHIFT = 1", "SHIFT = 2")
    check.same("imported by every tenth", len(project.must_build("--target", "kernels_pyk")[0]), 20)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("source_of_pyk", choices=["build", "subdirectory", "fetch", "install", "deb", "tgz", "cross", "many", "folders", "readme", "through"])
    parser.add_argument("generator")
    parser.add_argument("--cuda", action="store_true", help="the project has the CUDA language")
    parser.add_argument("--on-gpu", action="store_true", help="programs run on a GPU as well")
    parser.add_argument("--keep", help="where to leave the program of README's text, to run it elsewhere")
    parser.add_argument("--cmake", default="cmake")
    parser.add_argument("--cpack", default="cpack")
    parser.add_argument("--cxx", default="c++")
    parser.add_argument("--source", type=pathlib.Path, required=True)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    options = parser.parse_args()
    for needed in [{"Unix Makefiles": "make"}.get(options.generator, "ninja"), *(["dpkg-deb"] if options.source_of_pyk in ("deb", "readme") else [])]:
        if not shutil.which(needed):
            sys.exit(print(f"SKIPPED: there is no {needed}"))
    check = Check()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        package = Package(options, folder)
        special = {"cross": check_cross, "through": check_through, "many": check_many, "folders": check_folders, "readme": check_readme}.get(options.source_of_pyk)
        (special or (check_cuda if options.cuda else check_cpu))(options, package, folder, check)
        if options.source_of_pyk == "build" and not options.cuda:
            check_messages(options, package, folder, check)
        if options.source_of_pyk == "install" and not options.cuda:
            check_tree(folder / "moved", options, check)
        if options.source_of_pyk in ("install", "deb") and not options.cuda:
            check_jit(options, package, folder, check)
    sys.exit(1 if check.failed else 0)


if __name__ == "__main__":
    main()
