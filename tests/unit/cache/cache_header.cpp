// Compiles as C++17.
#include "cache/store.h"

bool is_in_use(const pyk::cache::Store& store) { return store.why_off().empty(); }
