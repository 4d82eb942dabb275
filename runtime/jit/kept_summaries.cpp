#include "jit/kept_summaries.h"

#include <algorithm>

namespace pyk::jit {

void write_texts(cache::Writer& to, const std::vector<std::string>& texts) {
    to.number(texts.size());
    for (const std::string& text : texts) to.text(text);
}
std::vector<std::string> read_texts(cache::Reader& from) {
    std::vector<std::string> texts;
    const std::uint64_t count = from.count();
    for (std::uint64_t i = 0; i < count && from.ok(); ++i) texts.push_back(from.text());
    return texts;
}

void write_type(cache::Writer& to, ElementType type) {
    to.number(static_cast<std::uint64_t>(type.element));
    if (!type.named) return;
    to.text(type.named->text);
    to.number(type.named->size);
    to.number(type.named->alignment);
}
ElementType read_element_type(cache::Reader& from) {
    const std::uint64_t element = std::min<std::uint64_t>(from.number(), static_cast<std::uint64_t>(Element::tuple));
    ElementType type(static_cast<Element>(element));
    if (type.element != Element::named && type.element != Element::tuple) return type;
    NamedType named{from.text(), 0, 1};
    named.size = from.number();
    named.alignment = from.number();
    type.named = interned(std::move(named));
    return type;
}

namespace {

template <class T>
void write_numbers(cache::Writer& to, const std::vector<T>& numbers) {
    to.number(numbers.size());
    for (const T number : numbers) to.number(static_cast<std::uint64_t>(number));
}
template <class T>
std::vector<T> read_numbers(cache::Reader& from) {
    std::vector<T> numbers;
    const std::uint64_t count = from.count();
    for (std::uint64_t i = 0; i < count && from.ok(); ++i) numbers.push_back(static_cast<T>(from.number()));
    return numbers;
}

void write(cache::Writer& to, const CoreSummary& core) {
    to.text(core.text);
    to.number(core.inputs);
    write_texts(to, core.extents);
    write_numbers(to, core.fixed);
    to.number(core.operands.size());
    for (const auto& axes : core.operands) write_numbers(to, axes);
    write_numbers(to, core.writable);
    to.number(core.numbers.size());
    for (const auto& loop : core.numbers) write_numbers(to, loop);
}
CoreSummary read_core(cache::Reader& from) {
    CoreSummary core;
    core.text = from.text();
    core.inputs = from.number();
    core.extents = read_texts(from);
    core.fixed = read_numbers<long long>(from);
    const std::uint64_t operands = from.count();
    for (std::uint64_t i = 0; i < operands && from.ok(); ++i) core.operands.push_back(read_numbers<std::size_t>(from));
    core.writable = read_numbers<bool>(from);
    const std::uint64_t loops = from.count();
    for (std::uint64_t i = 0; i < loops && from.ok(); ++i) core.numbers.push_back(read_numbers<bool>(from));
    return core;
}

}  // namespace

void write_summary(cache::Writer& to, const ArraySummary& function) {
    to.text(function.name);
    write_texts(to, function.params);
    to.number(static_cast<std::uint64_t>(function.choice));
    to.number(static_cast<std::uint64_t>(function.identity));
    to.number(function.loops.size());
    for (const std::vector<ElementType>& loop : function.loops) {
        to.number(loop.size());
        for (const ElementType& type : loop) write_type(to, type);
    }
    to.number(function.is_stencil);
    write_numbers(to, function.standard);
    to.number(function.core ? 1 : 0);
    if (function.core) write(to, *function.core);
}
ArraySummary read_summary(cache::Reader& from) {
    ArraySummary function;
    function.name = from.text();
    function.params = read_texts(from);
    function.choice = static_cast<LoopChoice>(from.number());
    function.identity = static_cast<Identity>(from.number());
    const std::uint64_t loops = from.count();
    for (std::uint64_t i = 0; i < loops && from.ok(); ++i) {
        std::vector<ElementType>& loop = function.loops.emplace_back();
        const std::uint64_t count = from.count();
        for (std::uint64_t k = 0; k < count && from.ok(); ++k) loop.push_back(read_element_type(from));
    }
    function.is_stencil = from.number() != 0;
    function.standard = read_numbers<bool>(from);
    if (from.number()) function.core = read_core(from);
    return function;
}

}  // namespace pyk::jit
