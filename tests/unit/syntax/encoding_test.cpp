#include "syntax/encoding.h"

#include <gmock/gmock.h>

#include "syntax_test.h"

namespace pyk::test {
namespace {

/// The text, or the diagnostic.
std::string decoded(std::string bytes) {
    Diagnostics diagnostics;
    const SourceFilePtr file = decode_source("test.pyk", std::move(bytes), diagnostics);
    return diagnostics.has_errors() ? render(diagnostics) : std::string(file->text());
}

TEST(Encoding, DeclaredInTheFirstTwoLines) {
    EXPECT_EQ(decoded("# -*- coding: latin-1 -*-\n'\xE9'"), "# -*- coding: latin-1 -*-\n'é'");
    EXPECT_EQ(decoded("#!/usr/bin/python\n# vim: set fileencoding=iso-8859-1 :\n\xE9"),
              "#!/usr/bin/python\n# vim: set fileencoding=iso-8859-1 :\né");
    EXPECT_EQ(decoded("\n\n# coding: latin-1\n\xE9"), "\n\n# coding: latin-1\n\xE9");
    EXPECT_EQ(decoded("x = 1\n# coding: latin-1\n\xE9"), "x = 1\n# coding: latin-1\n\xE9");
    EXPECT_EQ(decoded("# coding: utf-8\né"), "# coding: utf-8\né");
    EXPECT_EQ(decoded("# coding: koi8-r\n\xC1"), "# coding: koi8-r\nа");
}

TEST(Encoding, Unknown) {
    EXPECT_THAT(decoded("# coding: klingon\n"),
                testing::StartsWith("test.pyk:1:1: error: this file is not in the encoding `klingon`"));
    EXPECT_THAT(decoded("\xEF\xBB\xBF# coding: latin-1\n"), testing::HasSubstr("byte-order mark"));
    EXPECT_THAT(decoded("# coding: ascii\n\xE9"), testing::HasSubstr("not in the encoding `ascii`"));
}

}  // namespace
}  // namespace pyk::test
