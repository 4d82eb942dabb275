#include "driver/cli/response_file.h"

#include <cctype>

#include "driver/cli/failure.h"
#include "support/files.h"

namespace pyk {
namespace {

constexpr int kDeepest = 32;

std::vector<std::string> words_of(const std::string& text) {
    std::vector<std::string> words;
    std::string word;
    bool in_word = false;
    char quote = 0;
    for (size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (c == '\\' && i + 1 < text.size()) {
            word += text[++i];
            in_word = true;
        } else if (quote) {
            if (c == quote)
                quote = 0;
            else
                word += c;
        } else if (c == '"' || c == '\'') {
            quote = c;
            in_word = true;
        } else if (!std::isspace(static_cast<unsigned char>(c))) {
            word += c;
            in_word = true;
        } else if (in_word) {
            words.push_back(std::move(word));
            word.clear();
            in_word = false;
        }
    }
    if (in_word) words.push_back(std::move(word));
    return words;
}

void add(std::vector<std::string>& result, const std::string& argument, int depth) {
    std::string text;
    if (!argument.starts_with('@') || !read_file(argument.substr(1), text)) {
        result.push_back(argument);
        return;
    }
    if (depth == kDeepest) throw UsageError(argument + " names itself");
    for (const std::string& word : words_of(text)) add(result, word, depth + 1);
}

}  // namespace

std::vector<std::string> with_response_files(std::vector<std::string> arguments) {
    std::vector<std::string> result;
    for (const std::string& argument : arguments) add(result, argument, 0);
    return result;
}

}  // namespace pyk
