// Answers for judge.py what the front end makes of texts. Standard input: for each text a line `LENGTH MODE`, then
// LENGTH bytes. Standard output: for each a line `LENGTH ANSWER`, then LENGTH bytes. MODE `check`: ANSWER is `ok` or
// `error`, with the rendered diagnostics; `dump`: the same, with the tree as text.
#include <cstdio>
#include <iostream>
#include <string>

#include "syntax/dump.h"
#include "syntax/encoding.h"
#include "syntax/parse.h"

namespace {

std::string answer(std::string text, const std::string& mode, bool& ok) {
    pyk::Diagnostics diagnostics;
    const pyk::SourceFilePtr source = pyk::decode_source("<text>", std::move(text), diagnostics);
    const auto module = diagnostics.has_errors() ? std::nullopt : pyk::parse(source, diagnostics);
    ok = module.has_value();
    if (!ok) return pyk::render(diagnostics);
    return mode == "dump" ? pyk::dump(*module) : std::string();
}

}  // namespace

int main() {
    std::ios::sync_with_stdio(false);
    size_t length = 0;
    std::string mode;
    while (std::cin >> length >> mode) {
        std::cin.get();
        std::string text(length, '\0');
        std::cin.read(text.data(), static_cast<std::streamsize>(length));
        bool ok = false;
        const std::string out = answer(std::move(text), mode, ok);
        std::cout << out.size() << (ok ? " ok\n" : " error\n") << out << std::flush;
    }
}
