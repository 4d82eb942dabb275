"""Every function of the C API is called by its test: capi_names_test.py PYK_H CAPI_TEST_C."""
import re
import sys

header, test = (open(path).read() for path in sys.argv[1:])
names = re.findall(r"^PYK_API\b[^(;]*?\b(pyk_\w+)\(", header, re.MULTILINE)
if len(names) != len(re.findall(r"^PYK_API\b", header, re.MULTILINE)):
    sys.exit("a declaration of pyk.h was not understood")
missing = [name for name in names if not re.search(rf"\b{name}\(", test)]
if missing or not names:
    sys.exit("never called: " + ", ".join(missing))
