// Many processes and threads at once, and processes that are killed.
#include <gmock/gmock.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <thread>

#include "cache_test.h"

namespace pyk::cache {
namespace {

using ::testing::ElementsAre;

using ConcurrencyTest = CacheTest;

constexpr std::size_t kBytes = 200000;

/// One letter throughout, as one writer wrote it: no mixture of two.
bool is_whole(const Entry& entry) {
    return entry.payload.size() == kBytes && entry.payload.find_first_not_of(entry.payload[0]) == std::string::npos;
}

Entry entry_by(int writer) { return entry_of("one", std::string(kBytes, static_cast<char>('a' + writer))); }

TEST_F(ConcurrencyTest, SixteenProcessesOnOneKey) {
    const Digest key = key_of("one");
    std::vector<pid_t> children;
    for (int writer = 0; writer < 16; ++writer) {
        const pid_t child = fork();
        if (child == 0) {
            const Store store = this->store();
            bool fine = store.why_off().empty();
            for (int round = 0; round < 30 && fine; ++round) {
                fine = store.put(key, entry_by(writer));
                const auto found = store.find(key);
                fine = fine && found && is_whole(*found);
            }
            _exit(fine ? 0 : 1);
        }
        children.push_back(child);
    }
    for (const pid_t child : children) {
        int status = 0;
        ASSERT_EQ(waitpid(child, &status, 0), child);
        EXPECT_TRUE(WIFEXITED(status));
        EXPECT_EQ(WEXITSTATUS(status), 0);
    }
    EXPECT_TRUE(is_whole(*store().find(key)));
    EXPECT_THAT(files(), ElementsAre(path_of(key)));
}

TEST_F(ConcurrencyTest, ThreadsThatDoEverything) {
    StoreOptions options = this->options();
    options.max_bytes = 20 * kBytes;
    const Store store(options);
    std::atomic<int> torn = 0, found = 0;
    std::vector<std::thread> threads;
    for (int writer = 0; writer < 8; ++writer)
        threads.emplace_back([&, writer] {
            for (int round = 0; round < 60; ++round) {
                const Digest key = key_of(std::to_string((writer + round) % 4));
                if (round % 3 == 0) store.put(key, entry_by(writer));
                if (const auto entry = store.find(key)) {
                    ++found;
                    if (!is_whole(*entry)) ++torn;
                }
                if (round % 20 == 7) store.erase(key);
                if (round % 20 == 13) store.prune();
                if (round % 30 == 29) store.clear();
                if (round % 10 == 9) torn += static_cast<int>(store.verify().bad.size());
            }
        });
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(torn, 0);
    EXPECT_GT(found, 0);
}

// The child writes two entries in turn until it is killed somewhere in the middle.
TEST_F(ConcurrencyTest, AProcessThatIsKilledLeavesAWholeEntryOrNone) {
    const Digest key = key_of("one");
    for (int round = 0; round < 40; ++round) {
        int ready[2];
        ASSERT_EQ(pipe(ready), 0);
        const pid_t child = fork();
        if (child == 0) {
            const Store store = this->store();
            const Entry entries[] = {entry_by(0), entry_by(1)};
            for (int turn = 0;; turn ^= 1) {
                if (write(ready[1], "", 1) != 1) _exit(1);
                store.put(key, entries[turn]);
            }
        }
        char byte;
        ASSERT_EQ(read(ready[0], &byte, 1), 1);
        usleep(static_cast<useconds_t>(round * 97 % 2000));
        kill(child, SIGKILL);
        waitpid(child, nullptr, 0);
        close(ready[0]);
        close(ready[1]);

        const Store store = this->store();
        const auto found = store.find(key);
        EXPECT_TRUE(!found || is_whole(*found));
        EXPECT_EQ(store.verify().bad.size(), 0u);
        EXPECT_TRUE(store.put(key, entry_by(2)));
        EXPECT_EQ(store.find(key)->payload, entry_by(2).payload);
    }
    store().clear();
    EXPECT_THAT(files(), ElementsAre());
}

}  // namespace
}  // namespace pyk::cache
