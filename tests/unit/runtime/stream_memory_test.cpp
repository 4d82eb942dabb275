// Which memory a stream gets again, and how long a stream is there for it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "stream_holds.h"
#include "stream_memory.h"

namespace {

using pyk::driver::StreamMemory;
using testing::UnorderedElementsAre;

char places[100];
void* at(int i) { return places + i; }

TEST(StreamMemory, GivesAStreamWhatItFreed) {
    StreamMemory memory;
    const std::size_t size = StreamMemory::size_of(3000);
    EXPECT_GE(size, 3000u);
    EXPECT_EQ(memory.take(1, size), nullptr);
    memory.add(at(0), size);
    ASSERT_TRUE(memory.keep(1, at(0)));
    EXPECT_EQ(memory.take(2, size), nullptr);      // another stream's work may run before the first's
    EXPECT_EQ(memory.take(1, 2 * size), nullptr);  // too small
    EXPECT_EQ(memory.take(1, size), at(0));
    EXPECT_EQ(memory.take(1, size), nullptr);  // in use
    EXPECT_TRUE(memory.keep(1, at(0)));
}

TEST(StreamMemory, KeepsOnlyWhatItKnows) {
    StreamMemory memory;
    EXPECT_FALSE(memory.keep(1, at(0)));
    memory.add(at(0), 512);
    EXPECT_FALSE(memory.keep(std::nullopt, at(0)));  // freed in a capture
    EXPECT_FALSE(memory.keep(1, at(0)));             // and then another's
    EXPECT_EQ(memory.take(1, 512), nullptr);
}

TEST(StreamMemory, IsBounded) {
    EXPECT_EQ(StreamMemory::size_of(1 << 30), 0u);
    StreamMemory memory;
    int kept = 0;
    for (int i = 0; i < 100; ++i) {
        memory.add(at(i), 1 << 20);
        kept += memory.keep(1, at(i));
    }
    EXPECT_EQ(kept, 16);
    EXPECT_EQ(memory.leave(1).size(), 16u);
    kept = 0;
    for (int i = 0; i < 100; ++i) {
        memory.add(at(i), 512);
        kept += memory.keep(1, at(i));
    }
    EXPECT_EQ(kept, 64);
}

TEST(StreamMemory, LeavesAStreamsWithIt) {
    StreamMemory memory;
    for (int i = 0; i < 3; ++i) {
        memory.add(at(i), 512);
        ASSERT_TRUE(memory.keep(i == 1 ? 2 : 1, at(i)));
    }
    EXPECT_THAT(memory.leave(1), UnorderedElementsAre(at(0), at(2)));
    EXPECT_EQ(memory.take(1, 512), nullptr);
    EXPECT_EQ(memory.take(2, 512), at(1));
}

TEST(StreamHolds, AStreamIsDestroyedWithTheLastOfItsMemory) {
    pyk::driver::StreamHolds holds;
    void *const stream = at(1), *const other = at(2);
    EXPECT_TRUE(holds.give_up(stream));
    holds.add(stream);
    holds.add(stream);
    holds.add(other);
    EXPECT_FALSE(holds.drop(stream));
    EXPECT_FALSE(holds.give_up(stream));
    EXPECT_FALSE(holds.drop(other));
    EXPECT_TRUE(holds.give_up(other));
    EXPECT_TRUE(holds.drop(stream));
    // The driver may give its handle to the next one.
    holds.add(stream);
    EXPECT_FALSE(holds.drop(stream));
    EXPECT_TRUE(holds.give_up(stream));
}

}  // namespace
