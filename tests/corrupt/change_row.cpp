// The wrong row: $PYK_CHANGED_ROW is `name<tab>column<tab>text`, the column `rule`, `cuda` or `cpu`.
#include <algorithm>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

#include "builtins/builtins.h"

namespace pyk {

void change_rows(std::vector<Builtin>& rows) {
    const char* change = std::getenv("PYK_CHANGED_ROW");
    if (!change) return;
    static std::string text = change;
    const size_t first = text.find('\t'), second = text.find('\t', first + 1);
    const std::string_view all = text, name = all.substr(0, first), column = all.substr(first + 1, second - first - 1);
    const auto row = std::ranges::find(rows, name, &Builtin::name);
    if (row == rows.end()) throw std::runtime_error("no such row: " + std::string(name));
    const std::string_view value = all.substr(second + 1);
    if (column == "rule") row->rule = value;
    if (column == "cuda") row->spelling[static_cast<size_t>(TargetId::cuda)] = value;
    if (column == "cpu") row->spelling[static_cast<size_t>(TargetId::cpu)] = value;
}

}  // namespace pyk
