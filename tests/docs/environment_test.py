"""Every variable of the environment that the sources read stands in docs/command-line.md and in the manual.

environment_test.py PYKC SOURCES
"""
import pathlib
import re
import subprocess
import sys

pykc, sources = sys.argv[1], pathlib.Path(sys.argv[2])
READS = re.compile(r"getenv|environment\(|library_candidates\(")
NAME = re.compile(r'"([A-Z][A-Z0-9_]{2,})"')

# What stands in capitals where the environment is read is a variable's name.
read = set()
for path in [*(sources / "src").rglob("*.cpp"), *(sources / "runtime").rglob("*.cpp")]:
    text = path.read_text()
    if READS.search(text):
        read |= set(NAME.findall(text))

page = (sources / "docs/command-line.md").read_text()
table = page[page.index("| variable of the environment |"):].split("\n\n")[0]
documented = set(re.findall(r"`([A-Z][A-Z0-9_]+)`", "\n".join(row.split("|")[1] for row in table.splitlines())))
manual = subprocess.run([pykc, "--manual"], capture_output=True, text=True, check=True).stdout
manual = manual[manual.index(".SH ENVIRONMENT"):]
in_manual = set(re.findall(r"\\fB([A-Z][A-Z0-9_]+)\\fR", manual))

failed = False
for where, found in (("docs/command-line.md", documented), ("pykc --manual", in_manual)):
    for name in sorted(read ^ found):
        failed = True
        print(f"{where}: {name} is {'missing' if name in read else 'read nowhere'}")
sys.exit(failed or not read)
