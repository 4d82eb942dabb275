// What the disk keeps for libpyk: when it is used, when it is not, and what a process that uses it opens. Each launch
// is a process of its own (child.cpp).
#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "cache/store.h"
#include "on_backend.h"

namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

constexpr const char* kFile = R"py(from numba import cuda
from consts import FACTOR
OFFSET = 0


@cuda.jit
def k(x):
    i = cuda.grid(1)
    if i < x.size:
        x[i] = x[i] * FACTOR + OFFSET
)py";

constexpr const char* kLinked = R"py(from numba import cuda

more = cuda.declare_device("more", "float64(float64)", link="code.cpp")


@cuda.jit
def k(x):
    i = cuda.grid(1)
    if i < x.size:
        x[i] = more(x[i])
)py";

class JitCache : public ::testing::Test {
  protected:
    void SetUp() override {
        ASSERT_NO_FATAL_FAILURE(need_cpu());
        std::string name = fs::temp_directory_path() / "pyk-jit-cache-XXXXXX";
        ASSERT_NE(mkdtemp(name.data()), nullptr);
        folder = name;
        fs::create_directory(folder / "a");
        write("a/k.pyk", kFile);
        write("a/consts.pyk", "FACTOR = 2\n");
    }
    void TearDown() override {
        if (!folder.empty()) fs::remove_all(folder);
    }

    void write(const std::string& name, const std::string& text) const { std::ofstream(folder / name) << text; }

    std::string run(const std::string& file, const std::string& options = {}, const std::string& before = {}) const {
        const std::string command = "cd " + folder.string() + " && " + before + " PYK_CACHE_DIR=" + folder.string() +
                                    "/cache '" + child + "' " + file + " " + options + " 2>&1";
        std::FILE* pipe = popen(command.c_str(), "r");
        std::string output;
        std::array<char, 4096> buffer;
        while (const size_t got = std::fread(buffer.data(), 1, buffer.size(), pipe)) output.append(buffer.data(), got);
        pclose(pipe);
        return output;
    }

    pyk::cache::StoreOptions store_options() const {
        pyk::cache::StoreOptions options;
        options.folder = folder / "cache";
        return options;
    }
    // Puts something in place of the compiled kernels that is no binary; their checksums are right.
    void spoil_binaries() const {
        const pyk::cache::Store store(store_options());
        for (const pyk::cache::EntryInfo& info : store.list()) {
            if (info.kind == "manifest") continue;
            auto entry = store.find(info.key);
            // The emitted text with its length, then the binary with its own.
            std::uint64_t text = 0;
            std::memcpy(&text, entry->payload.data(), sizeof text);
            entry->payload.resize(sizeof text + text);
            const std::string broken = "no binary";
            const std::uint64_t size = broken.size();
            entry->payload.append(reinterpret_cast<const char*>(&size), sizeof size).append(broken);
            ASSERT_TRUE(store.put(info.key, *entry));
        }
    }

    std::vector<fs::path> entries() const {
        std::vector<fs::path> files;
        for (const auto& entry : fs::recursive_directory_iterator(folder / "cache"))
            if (entry.is_regular_file()) files.push_back(entry.path());
        return files;
    }

    fs::path folder;
    std::string child = PYK_BINARY_DIR "/bin/jit_child";
};

TEST_F(JitCache, AWarmStartOpensNeitherTheCompilerNorItsTools) {
    const std::string cold = run("a/k.pyk");
    EXPECT_THAT(cold, HasSubstr("x=2,4,6 from_cache=0"));
    EXPECT_THAT(cold, HasSubstr("mapped=compiler"));
    EXPECT_EQ(run("a/k.pyk"), "x=2,4,6 from_cache=1 mapped=\n");
    // Nor is a compiler for the CPU started.
    EXPECT_EQ(run("a/k.pyk", {}, "mkdir -p none && PATH=$PWD/none"), "x=2,4,6 from_cache=1 mapped=\n");
}

TEST_F(JitCache, WhatShapesTheBinaryIsInTheKey) {
    EXPECT_THAT(run("a/k.pyk"), HasSubstr("from_cache=0"));
    EXPECT_THAT(run("a/k.pyk", "--define OFFSET=1"), HasSubstr("x=3,5,7 from_cache=0"));
    EXPECT_THAT(run("a/k.pyk", "--define OFFSET=2"), HasSubstr("x=4,6,8 from_cache=0"));
    for (const char* option : {"--debug", "--narrow", "--fastmath", "--sink"}) {
        EXPECT_THAT(run("a/k.pyk", option), HasSubstr("x=2,4,6 from_cache=0")) << option;
        EXPECT_THAT(run("a/k.pyk", option), HasSubstr("x=2,4,6 from_cache=1")) << option;
    }
    write("a/consts.pyk", "FACTOR = 10\n");
    EXPECT_THAT(run("a/k.pyk"), HasSubstr("x=10,20,30 from_cache=0"));
    EXPECT_THAT(run("a/k.pyk"), HasSubstr("x=10,20,30 from_cache=1"));
    write("a/k.pyk", std::string(kFile) + "        x[i] += 1\n");
    EXPECT_THAT(run("a/k.pyk"), HasSubstr("x=11,21,31 from_cache=0"));
    write("a/k.pyk", kFile);
    write("a/consts.pyk", "FACTOR = 2\n");
    EXPECT_THAT(run("a/k.pyk", "--define OFFSET=1"), HasSubstr("x=3,5,7 from_cache=1")) << "both versions are kept";
}

// As when a branch is switched and switched back.
TEST_F(JitCache, AnImportThatIsWhatItWasIsFoundAgain) {
    for (const char* factor : {"2", "3", "4"}) {
        write("a/consts.pyk", "FACTOR = " + std::string(factor) + "\n");
        EXPECT_THAT(run("a/k.pyk"), HasSubstr("from_cache=0")) << factor;
    }
    for (const char* factor : {"2", "4", "3"}) {
        write("a/consts.pyk", "FACTOR = " + std::string(factor) + "\n");
        EXPECT_EQ(run("a/k.pyk"), "x=" + std::string(factor) + "," + std::to_string(2 * std::atoi(factor)) + "," +
                                      std::to_string(3 * std::atoi(factor)) + " from_cache=1 mapped=\n");
    }
}

// The program goes on with what it read.
TEST_F(JitCache, AnImportThatChangesWhileAProgramLivesIsNotTakenForWhatWasRead) {
    EXPECT_THAT(run("a/k.pyk", "--meanwhile 'echo FACTOR = 10 > a/consts.pyk'"), HasSubstr("x=2,4,6 from_cache=0"));
    EXPECT_THAT(run("a/k.pyk"), HasSubstr("x=10,20,30 from_cache=0"));
    write("a/consts.pyk", "FACTOR = 2\n");
    EXPECT_THAT(run("a/k.pyk"), HasSubstr("x=2,4,6 from_cache=1"));
}

// What the compiler is told to read: the file itself before, what that includes behind.
TEST_F(JitCache, LinkedCodeThatChangesWhileItIsCompiledIsNotTakenForWhatWasRead) {
    write("a/k.pyk", kLinked);
    write("a/code.cpp",
          "#include \"add.h\"\nextern \"C\" int more(double* r, double x) { *r = x * 2 + ADD; return 0; }\n");
    write("a/add.h", "#define ADD 1\n");
    const std::string changing = "chmod +x cxx && PYK_TEST_DEVICE=cpu CXX=$PWD/cxx";
    write("cxx",
          "#!/bin/sh\nbase=" + folder.string() +
              "/a\nsed -i 's/[*] 2/* 3/' $base/code.cpp\nc++ \"$@\" || exit 1\nsed -i 's/ADD 1/ADD 5/' $base/add.h\n");
    EXPECT_THAT(run("a/k.pyk", {}, changing), HasSubstr("x=3,5,7 from_cache=0"));
    EXPECT_THAT(run("a/k.pyk", {}, changing), HasSubstr("x=8,11,14 from_cache=0"));
    EXPECT_THAT(run("a/k.pyk", {}, changing), HasSubstr("x=8,11,14 from_cache=1"));
    fs::rename(folder / "a", folder / "b");
    EXPECT_THAT(run("b/k.pyk", {}, changing), HasSubstr("x=8,11,14 from_cache=1")) << "wherever it lies";
}

TEST_F(JitCache, OfManyStatesOfImportsTheOldestGoes) {
    for (int factor = 1; factor <= 9; ++factor) {
        write("a/consts.pyk", "FACTOR = " + std::to_string(factor) + "\n");
        EXPECT_THAT(run("a/k.pyk"), HasSubstr("from_cache=0"));
    }
    write("a/consts.pyk", "FACTOR = 2\n");
    EXPECT_THAT(run("a/k.pyk"), HasSubstr("from_cache=1"));
    write("a/consts.pyk", "FACTOR = 1\n");
    EXPECT_THAT(run("a/k.pyk"), HasSubstr("x=1,2,3 from_cache=0"));
}

TEST_F(JitCache, WhatDoesNotIsNot) {
    EXPECT_THAT(run("a/k.pyk"), HasSubstr("from_cache=0"));
    EXPECT_THAT(run("k.pyk", {}, "cd a &&"), HasSubstr("from_cache=1")) << "the working directory";
    fs::copy(folder / "a", folder / "b");
    EXPECT_THAT(run("b/k.pyk"), HasSubstr("from_cache=1")) << "the path";
    fs::create_directory(folder / "a/lib");
    EXPECT_THAT(run("a/k.pyk", "--import-folder a/lib"), HasSubstr("from_cache=0"));
    EXPECT_THAT(run("k.pyk", "--import-folder ../a/./lib/", "cd a &&"), HasSubstr("from_cache=1")) << "of a folder";
    EXPECT_THAT(run("a/k.pyk", {}, "LC_ALL=de_DE.UTF-8 TZ=Asia/Tokyo"), HasSubstr("from_cache=1")) << "the locale";
}

// `CXX="ccache g++"`: another g++ makes another binary.
TEST_F(JitCache, EveryProgramThatCxxNamesIsInTheKey) {
    const std::string options = "chmod +x launcher cxx && PYK_TEST_DEVICE=cpu CXX=\"$PWD/launcher $PWD/cxx -DX\"";
    write("launcher", "#!/bin/sh\nexec \"$@\"\n");
    write("cxx", "#!/bin/sh\nexec c++ \"$@\"\n");
    EXPECT_THAT(run("a/k.pyk", {}, options), HasSubstr("x=2,4,6 from_cache=0"));
    EXPECT_THAT(run("a/k.pyk", {}, options), HasSubstr("x=2,4,6 from_cache=1"));
    for (const char* program : {"cxx", "launcher"}) {
        std::ofstream(folder / program, std::ios::app) << "# another version\n";
        EXPECT_THAT(run("a/k.pyk", {}, options), HasSubstr("x=2,4,6 from_cache=0")) << program;
        EXPECT_THAT(run("a/k.pyk", {}, options), HasSubstr("x=2,4,6 from_cache=1")) << program;
    }
}

// Who runs it does not say what it opens.
TEST_F(JitCache, ASetuidProgramTrustsNoVariables) {
    if (geteuid() != 0) GTEST_SKIP() << "only root can give a program to another user";
    const std::string own = folder / "child";
    fs::copy_file(child, own);
    child = own;
    ASSERT_EQ(chmod(folder.c_str(), 0755), 0);
    ASSERT_EQ(chown(own.c_str(), 65534, 65534), 0);
    const char* const traps[] = {"PYK_TEST_DEVICE=cpu PYK_COMPILER=/trap/compiler.so",
                                 "PYK_TEST_DEVICE=cpu CXX=/trap/c++", "PYK_TEST_DEVICE=cpu TMPDIR=/trap"};
    ASSERT_EQ(chmod(own.c_str(), 0755), 0);
    for (const char* trap : traps) EXPECT_THAT(run("a/k.pyk", {}, trap), HasSubstr("/trap")) << trap;
    ASSERT_EQ(chmod(own.c_str(), 04755), 0);
    if (run("--rights") != "another user's\n") GTEST_SKIP() << "setuid programs have no effect here";
    for (const char* trap : traps) EXPECT_THAT(run("a/k.pyk", {}, trap), HasSubstr("x=2,4,6 from_cache=0")) << trap;
}

TEST_F(JitCache, WhereAProgramGoesIsNoMatter) {
    write("a/k.pyk", kLinked);
    write("a/code.cpp", "#include \"add.h\"\nextern \"C\" int more(double* r, double x) { *r = x + ADD; return 0; }\n");
    write("a/add.h", "#define ADD 1\n");
    EXPECT_THAT(run("a/k.pyk", "--cd /", "PYK_TEST_DEVICE=cpu"), HasSubstr("x=2,3,4 from_cache=0"));
    EXPECT_THAT(run("a/k.pyk", "--cd /", "PYK_TEST_DEVICE=cpu"), HasSubstr("x=2,3,4 from_cache=1"));
    write("a/add.h", "#define ADD 2\n");
    EXPECT_THAT(run("a/k.pyk", "--cd /", "PYK_TEST_DEVICE=cpu"), HasSubstr("x=3,4,5 from_cache=0"));
}

TEST_F(JitCache, WarningsNameTheFileThatIsRun) {
    const char* warns =
        "from numba import cuda\n\n\n@cuda.jit\ndef k(x):\n    if x[0] > 5:\n        y = 1\n    x[0] = y\n";
    fs::create_directory(folder / "b");
    for (const char* file : {"a/one.pyk", "b/two.pyk"}) write(file, warns);
    EXPECT_THAT(run("a/one.pyk", "--warnings"),
                AllOf(HasSubstr("from_cache=0"), HasSubstr("a/one.pyk:8:12: warning:")));
    EXPECT_THAT(run("b/two.pyk", "--warnings"),
                AllOf(HasSubstr("from_cache=1"), HasSubstr("b/two.pyk:8:12: warning:"), Not(HasSubstr("one.pyk"))));
}

TEST_F(JitCache, DamagedEntriesAreMisses) {
    EXPECT_THAT(run("a/k.pyk"), HasSubstr("from_cache=0"));
    for (const fs::path& file : entries()) {
        std::fstream bytes(file, std::ios::in | std::ios::out | std::ios::binary);
        bytes.seekp(static_cast<std::streamoff>(fs::file_size(file) / 2));
        bytes.put('\x5a').put('\x5a').put('\x5a').put('\x5a');
    }
    EXPECT_THAT(run("a/k.pyk"), HasSubstr("x=2,4,6 from_cache=0"));
    EXPECT_THAT(run("a/k.pyk"), HasSubstr("x=2,4,6 from_cache=1"));
    for (const fs::path& file : entries()) fs::resize_file(file, 0);
    EXPECT_THAT(run("a/k.pyk"), HasSubstr("x=2,4,6 from_cache=0"));
}

TEST_F(JitCache, AnImportThatComesFirstNowIsSeen) {
    fs::rename(folder / "a/consts.pyk", folder / "a/consts.py");
    EXPECT_THAT(run("a/k.pyk"), HasSubstr("x=2,4,6 from_cache=0"));
    EXPECT_THAT(run("a/k.pyk"), HasSubstr("x=2,4,6 from_cache=1"));
    write("a/consts.pyk", "FACTOR = 10\n");
    EXPECT_THAT(run("a/k.pyk"), HasSubstr("x=10,20,30 from_cache=0")) << "before consts.py";
    EXPECT_THAT(run("a/k.pyk"), HasSubstr("x=10,20,30 from_cache=1"));
    fs::remove(folder / "a/consts.pyk");
    EXPECT_THAT(run("a/k.pyk"), HasSubstr("x=2,4,6"));
}

TEST_F(JitCache, AnImportInAnEarlierFolderIsSeen) {
    fs::create_directories(folder / "lib1");
    fs::create_directories(folder / "lib2");
    fs::rename(folder / "a/consts.pyk", folder / "lib2/consts.pyk");
    const char* const folders = "--import-folder lib1 --import-folder lib2";
    EXPECT_THAT(run("a/k.pyk", folders), HasSubstr("x=2,4,6 from_cache=0"));
    EXPECT_THAT(run("a/k.pyk", folders), HasSubstr("x=2,4,6 from_cache=1"));
    write("lib1/consts.pyk", "FACTOR = 3\n");
    EXPECT_THAT(run("a/k.pyk", folders), HasSubstr("x=3,6,9 from_cache=0"));
    write("a/consts.pyk", "FACTOR = 5\n");
    EXPECT_THAT(run("a/k.pyk", folders), HasSubstr("x=5,10,15 from_cache=0"));
    EXPECT_THAT(run("a/k.pyk", folders), HasSubstr("x=5,10,15 from_cache=1"));
}

TEST_F(JitCache, ABinaryThatCannotBeLoadedIsCompiledOnceMore) {
    EXPECT_THAT(run("a/k.pyk"), HasSubstr("from_cache=0"));
    spoil_binaries();
    EXPECT_THAT(run("a/k.pyk"), HasSubstr("x=2,4,6 from_cache=0"));
    EXPECT_EQ(run("a/k.pyk"), "x=2,4,6 from_cache=1 mapped=\n");
}

TEST_F(JitCache, ABinaryThatCannotBeLoadedIsRemoved) {
    // On the CPU: there the tool can be taken away without another key.
    EXPECT_THAT(run("a/k.pyk", {}, "PYK_TEST_DEVICE=cpu"), HasSubstr("from_cache=0"));
    spoil_binaries();
    const auto kinds = [&] {
        std::vector<std::string> found;
        for (const auto& info : pyk::cache::Store(store_options()).list()) found.push_back(info.kind);
        return found;
    };
    EXPECT_EQ(kinds().size(), 3u) << "of the file, of the instance, the binary";
    EXPECT_THAT(run("a/k.pyk", {}, "mkdir none && PYK_TEST_DEVICE=cpu PATH=$PWD/none"), HasSubstr("failed"));
    EXPECT_THAT(kinds(), ::testing::ElementsAre("manifest")) << "the file's own";
}

TEST_F(JitCache, TheBinaryIsKeptWithItsWholeKey) {
    run("a/k.pyk");
    for (const auto& info : pyk::cache::Store(store_options()).list()) {
        std::vector<std::string> names;
        for (const auto& [name, value] : info.fields) names.push_back(name);
        if (info.kind != "manifest") {
            EXPECT_THAT(names, ::testing::IsSupersetOf({"source", "kernel", "argument", "imports", "tool"}));
        }
    }
}

TEST_F(JitCache, ACacheThatCannotBeUsedIsNoError) {
    EXPECT_THAT(run("a/k.pyk", "--cache-warnings", "touch cache &&"),
                AllOf(HasSubstr("x=2,4,6 from_cache=0"), StartsWith("compiled kernels are not kept on the disk: ")))
        << "a file in its place";
    fs::remove(folder / "cache");
    EXPECT_THAT(run("a/k.pyk", "--cache-warnings", "PYK_CACHE=0"),
                AllOf(HasSubstr("x=2,4,6 from_cache=0"), Not(HasSubstr("kept"))));
    EXPECT_FALSE(fs::exists(folder / "cache"));
}

TEST_F(JitCache, FailuresAreNotKept) {
    write("a/k.pyk", std::string(kFile) + "        x[i] += nothing\n");
    EXPECT_THAT(run("a/k.pyk"), HasSubstr("`nothing` is not defined"));
    write("a/consts.pyk", "FACTOR = 2\n");
    const std::string again = run("a/k.pyk");
    EXPECT_THAT(again, HasSubstr("`nothing` is not defined"));
    EXPECT_THAT(again, HasSubstr("k.pyk:11:17"));
}

TEST_F(JitCache, SixteenProcessesAtOnce) {
    const std::string output =
        run("a/k.pyk", "> out.0; for i in 1 2 3 4 5 6 7 8; do PYK_CACHE_DIR=$PWD/cold '" PYK_BINARY_DIR
                       "/bin/jit_child' a/k.pyk > out.$i & done; for i in 1 2 3 4 5 6 7 8; do PYK_CACHE_DIR=$PWD/cache "
                       "'" PYK_BINARY_DIR "/bin/jit_child' a/k.pyk > warm.$i & done; wait; cat out.* warm.*");
    size_t right = 0;
    for (size_t at = output.find("x=2,4,6"); at != std::string::npos; at = output.find("x=2,4,6", at + 1)) ++right;
    EXPECT_EQ(right, 17u) << output;
    EXPECT_THAT(output, Not(HasSubstr("failed")));
}

TEST_F(JitCache, AProgramMayEndWhileItLaunches) {
    run("a/k.pyk");
    for (const char* microseconds : {"1", "100", "1000", "3000", "10000"})
        for (int i = 0; i < 3; ++i)
            EXPECT_EQ(run("a/k.pyk", std::string("--end-while-launching ") + microseconds + "; echo code=$?"),
                      "code=0\n");
}

TEST_F(JitCache, AProgramMayEndWhileItCompiles) {
    for (int i = 0; i < 3; ++i) EXPECT_EQ(run("a/k.pyk", "--end-early; echo code=$?"), "code=0\n");
    // While the compiler is opened, while it parses for the first time, later.
    for (const char* microseconds : {"300", "1000", "1500", "2000", "3000", "5000", "9000"})
        EXPECT_EQ(run("a/k.pyk", std::string("--end-while-loading ") + microseconds + "; echo code=$?"), "code=0\n");
}

}  // namespace
