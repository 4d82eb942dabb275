// Says what options_from_environment gives: the folder, or why there is none.
#include <sys/auxv.h>

#include <cstdio>

#include "cache/store.h"

int main() {
    const pyk::cache::StoreOptions options = pyk::cache::options_from_environment();
    std::printf("secure=%d off=%d %s\n", getauxval(AT_SECURE) != 0, options.off,
                options.off ? options.why_off.c_str() : options.folder.c_str());
}
