// A hash for the names of programs, which are short.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace pyk {

struct NameHash {
    size_t operator()(std::string_view name) const {
        uint64_t hash = name.size();
        for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x9E3779B97F4A7C15;
        return hash ^ hash >> 32;
    }
};

}  // namespace pyk
