#include "compile/cubin.h"

#include <elf.h>

#include <algorithm>
#include <cstring>
#include <regex>
#include <sstream>
#include <vector>

namespace pyk {
namespace {

constexpr uint64_t kInstructionBytes = 16;  // since sm_70

// Reads values in order; past the end it gives zeros, and `bad` is set.
class Bytes {
  public:
    explicit Bytes(std::string_view bytes, size_t at = 0) : bytes_(bytes), at_(at) {}

    template <typename T>
    T take() {
        T value{};
        if (at_ > bytes_.size() || sizeof value > bytes_.size() - at_)
            bad_ = true, at_ = bytes_.size();
        else
            std::memcpy(&value, bytes_.data() + at_, sizeof value), at_ += sizeof value;
        return value;
    }
    uint64_t unsigned_leb() {
        uint64_t value = 0;
        for (unsigned shift = 0; shift < 64; shift += 7) {
            const auto byte = take<uint8_t>();
            value |= uint64_t{byte & 0x7fu} << shift;
            if (!(byte & 0x80)) break;
        }
        return value;
    }
    int64_t signed_leb() {
        uint64_t value = 0;
        unsigned shift = 0;
        uint8_t byte = 0x80;
        for (; (byte & 0x80) && shift < 64; shift += 7) {
            byte = take<uint8_t>();
            value |= uint64_t{byte & 0x7fu} << shift;
        }
        if (shift < 64 && (byte & 0x40)) value |= ~uint64_t{0} << shift;
        return static_cast<int64_t>(value);
    }
    void skip_to(size_t at) { at_ = std::min(at, bytes_.size()); }
    size_t at() const { return at_; }
    bool good() const { return !bad_ && at_ < bytes_.size(); }

  private:
    std::string_view bytes_;
    size_t at_;
    bool bad_ = false;
};

struct Section {
    std::string_view name, bytes;
    uint64_t size = 0;  ///< of what has no bytes in the file as well
};

std::string_view part(std::string_view file, uint64_t offset, uint64_t size) {
    return offset > file.size() || size > file.size() - offset ? std::string_view() : file.substr(offset, size);
}

std::string_view string_at(std::string_view table, size_t offset) {
    if (offset >= table.size()) return {};
    const std::string_view rest = table.substr(offset);
    return rest.substr(0, std::min(rest.find('\0'), rest.size()));
}

std::vector<Section> sections_of(std::string_view file) {
    if (file.size() < sizeof(Elf64_Ehdr) || file.substr(0, 4) != ELFMAG) return {};
    const auto header = Bytes(file).take<Elf64_Ehdr>();
    std::vector<Elf64_Shdr> rows;
    for (size_t i = 0; i < header.e_shnum; ++i)
        rows.push_back(Bytes(file, header.e_shoff + i * sizeof(Elf64_Shdr)).take<Elf64_Shdr>());
    if (header.e_shstrndx >= rows.size()) return {};
    const std::string_view names = part(file, rows[header.e_shstrndx].sh_offset, rows[header.e_shstrndx].sh_size);
    std::vector<Section> sections;
    for (const Elf64_Shdr& row : rows)
        sections.push_back({string_at(names, row.sh_name),
                            row.sh_type == SHT_NOBITS ? std::string_view() : part(file, row.sh_offset, row.sh_size),
                            row.sh_size});
    return sections;
}

std::string_view bytes_of(const std::vector<Section>& sections, std::string_view name) {
    const auto at = std::ranges::find(sections, name, &Section::name);
    return at == sections.end() ? std::string_view() : at->bytes;
}

// A row of the line table: from this address on, this line of the main file, 0 of another.
struct Row {
    uint64_t address = 0;
    uint32_t line = 0;
};

// The functions whose addresses the line table sets, by the place in the table.
std::map<uint64_t, std::string> functions_of(const std::vector<Section>& sections) {
    std::map<uint64_t, std::string> functions;
    const std::string_view symbols = bytes_of(sections, ".symtab"), names = bytes_of(sections, ".strtab");
    for (const char* name : {".rela.debug_line", ".rel.debug_line"}) {
        const std::string_view rows = bytes_of(sections, name);
        const size_t size = std::string_view(name) == ".rel.debug_line" ? sizeof(Elf64_Rel) : sizeof(Elf64_Rela);
        for (size_t at = 0; at + size <= rows.size(); at += size) {
            const auto row = Bytes(rows, at).take<Elf64_Rel>();  // the beginning of both
            const auto symbol = Bytes(symbols, ELF64_R_SYM(row.r_info) * sizeof(Elf64_Sym)).take<Elf64_Sym>();
            functions[row.r_offset] = string_at(names, symbol.st_name);
        }
    }
    return functions;
}

// Without the NOPs that fill the last lines of the instruction cache, and the jump to itself before them.
uint64_t code_end(std::string_view text) {
    constexpr uint16_t kNop = 0x7918, kJump = 0x7947;
    const auto opcode = [&](uint64_t end) { return Bytes(text, end - kInstructionBytes).take<uint16_t>(); };
    uint64_t end = text.size() / kInstructionBytes * kInstructionBytes;
    while (end >= kInstructionBytes && opcode(end) == kNop) end -= kInstructionBytes;
    if (end >= kInstructionBytes && opcode(end) == kJump) end -= kInstructionBytes;
    return end;
}

// DWARF 2's line program as ptxas writes it: one table, a sequence for each function.
class LineProgram {
  public:
    LineProgram(std::string_view table, const std::map<uint64_t, std::string>& functions)
        : bytes_(table), functions_(functions) {}

    std::map<std::string, std::vector<Row>> run() {
        const auto length = bytes_.take<uint32_t>();
        const auto version = bytes_.take<uint16_t>();
        const auto prologue = bytes_.take<uint32_t>();
        const size_t program = bytes_.at() + prologue;
        minimum_ = bytes_.take<uint8_t>();
        bytes_.take<uint8_t>();  // whether rows are statements
        base_ = bytes_.take<int8_t>();
        range_ = bytes_.take<uint8_t>();
        opcode_base_ = bytes_.take<uint8_t>();
        if (length == 0 || version != 2 || range_ == 0) return {};
        for (unsigned i = 1; i < opcode_base_; ++i) operands_.push_back(bytes_.take<uint8_t>());
        bytes_.skip_to(program);
        while (bytes_.good()) step();
        return std::move(rows_);
    }

  private:
    void step() {
        const auto opcode = bytes_.take<uint8_t>();
        if (opcode >= opcode_base_) {
            const unsigned adjusted = opcode - opcode_base_;
            address_ += adjusted / range_ * minimum_;
            line_ += base_ + static_cast<int>(adjusted % range_);
            return emit();
        }
        switch (opcode) {
            case 0:
                return extended();
            case 1:
                return emit();
            case 2:
                address_ += bytes_.unsigned_leb() * minimum_;
                return;
            case 3:
                line_ += bytes_.signed_leb();
                return;
            case 4:
                file_ = bytes_.unsigned_leb();
                return;
            case 8:
                address_ += (255u - opcode_base_) / range_ * minimum_;
                return;
            case 9:
                address_ += bytes_.take<uint16_t>();
                return;
            default:
                for (uint8_t i = 0; i < operands_.at(opcode - 1u); ++i) bytes_.unsigned_leb();
        }
    }

    void extended() {
        const uint64_t length = bytes_.unsigned_leb();
        const size_t begin = bytes_.at();
        if (length == 0) return;
        const auto opcode = bytes_.take<uint8_t>();
        if (opcode == 1) {
            line_ = 1, file_ = 1, address_ = 0;
            function_.clear();
        } else if (opcode == 2) {
            const auto function = functions_.find(bytes_.at());
            address_ = bytes_.take<uint64_t>();
            function_ = function == functions_.end() ? "" : function->second;
        }
        bytes_.skip_to(begin + length);
    }

    void emit() {
        if (!function_.empty()) rows_[function_].push_back({address_, file_ == 1 ? static_cast<uint32_t>(line_) : 0});
    }

    Bytes bytes_;
    const std::map<uint64_t, std::string>& functions_;
    std::map<std::string, std::vector<Row>> rows_;
    std::vector<uint8_t> operands_;
    unsigned minimum_ = 1, range_ = 1, opcode_base_ = 1;
    int base_ = 0;
    uint64_t address_ = 0, file_ = 1;
    int64_t line_ = 1;
    std::string function_;
};

}  // namespace

std::optional<std::map<std::string, InstructionCounts>> instructions_by_line(std::string_view cubin, const Unit& unit) {
    const std::vector<Section> sections = sections_of(cubin);
    const std::string_view table = bytes_of(sections, ".debug_line");
    if (table.empty()) return std::nullopt;
    const std::map<uint64_t, std::string> functions = functions_of(sections);
    auto rows = LineProgram(table, functions).run();
    std::map<std::string, InstructionCounts> counts;
    for (auto& [function, lines] : rows) {
        const uint64_t end = code_end(bytes_of(sections, ".text." + function));
        std::ranges::stable_sort(lines, {}, &Row::address);
        SourceLine line;
        for (size_t i = 0; i < lines.size(); ++i) {
            const uint32_t emitted = lines[i].line;
            if (emitted >= 1 && emitted <= unit.source_lines.size() && unit.source_lines[emitted - 1])
                line = {unit.source_files[emitted - 1], unit.source_lines[emitted - 1]};
            const uint64_t next = std::min(i + 1 < lines.size() ? lines[i + 1].address : end, end);
            if (next > lines[i].address) counts[function][line] += (next - lines[i].address) / kInstructionBytes;
        }
    }
    return counts;
}

std::map<std::string, PtxasResources> resources_in(const std::string& log) {
    static const std::regex entry("(?:Compiling entry function|Function properties for) '?([A-Za-z0-9_$]+)'?");
    static const std::regex stack(
        "([0-9]+) bytes stack frame, ([0-9]+) bytes spill stores, ([0-9]+) bytes spill loads");
    static const std::regex registers("Used ([0-9]+) registers"), shared("([0-9]+) bytes smem"),
        barriers("used ([0-9]+) barriers");
    std::map<std::string, PtxasResources> found;
    PtxasResources* kernel = nullptr;
    std::istringstream lines(log);
    for (std::string line; std::getline(lines, line);) {
        std::smatch match;
        if (std::regex_search(line, match, entry)) kernel = &found[match[1]];
        if (!kernel) continue;
        if (std::regex_search(line, match, stack)) {
            kernel->stack = std::stoul(match[1]);
            kernel->spill_stores = std::stoul(match[2]);
            kernel->spill_loads = std::stoul(match[3]);
        }
        if (std::regex_search(line, match, registers)) kernel->registers = std::stoul(match[1]);
        if (std::regex_search(line, match, shared)) kernel->shared = std::stoul(match[1]);
        if (std::regex_search(line, match, barriers)) kernel->barriers = std::stoul(match[1]);
    }
    return found;
}

// Entries of `.nv.info`: a format, an attribute, and of this format a size and its bytes: a symbol and a number.
std::map<std::string, PtxasResources> resources_of(std::string_view cubin) {
    constexpr uint8_t kSized = 4, kRegisters = 0x2f, kStack = 0x11;
    const std::vector<Section> sections = sections_of(cubin);
    const std::string_view symbols = bytes_of(sections, ".symtab"), names = bytes_of(sections, ".strtab");
    std::map<std::string, PtxasResources> found;
    Bytes info(bytes_of(sections, ".nv.info"));
    while (info.good()) {
        const auto format = info.take<uint8_t>(), attribute = info.take<uint8_t>();
        const auto size = info.take<uint16_t>();
        if (format != kSized) continue;
        const size_t next = info.at() + size;
        const auto index = info.take<uint32_t>(), number = info.take<uint32_t>();
        info.skip_to(next);
        if (attribute != kRegisters && attribute != kStack) continue;
        const auto symbol = Bytes(symbols, index * sizeof(Elf64_Sym)).take<Elf64_Sym>();
        PtxasResources& kernel = found[std::string(string_at(names, symbol.st_name))];
        (attribute == kRegisters ? kernel.registers : kernel.stack) = number;
    }
    // Since sm_90 what the system keeps of a block's shared memory comes first in each kernel's.
    constexpr uint64_t kOfSystem = 1024;
    const bool has_systems = std::ranges::find(sections, ".nv.shared.reserved.0", &Section::name) != sections.end();
    for (auto& [name, kernel] : found) {
        const auto at = std::ranges::find(sections, ".nv.shared." + name, &Section::name);
        if (at != sections.end()) kernel.shared = at->size - (has_systems ? std::min(kOfSystem, at->size) : 0);
    }
    return found;
}

}  // namespace pyk
