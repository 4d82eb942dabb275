"""Launches recorded cases with numba-cuda on a GPU: `launch_numba.py DIR NAME…` writes what comes out as DIR/NAME.numba.json."""
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "run"))
import check_numba
import numpy as np
import oracle

check_numba.prepare()


def main():
    folder = pathlib.Path(sys.argv[1])
    for name in sys.argv[2:]:
        try:
            case = oracle.load_case(folder / f"{name}.json")
            after = oracle.launch_numba(str(folder / f"{name}.pyk"), case)
            result = {"expected": {str(i): oracle.array_to_json(a) for i, a in enumerate(after) if isinstance(a, np.ndarray)}}
        except Exception as error:
            lines = [line for line in str(error).splitlines() if line.strip()]
            result = {"error": f"{type(error).__name__}: {' | '.join(lines)}"[:300]}
        (folder / f"{name}.numba.json").write_text(json.dumps(result))
        if "CUDA_ERROR" in result.get("error", ""):
            sys.exit(1)  # the context may be lost: the rest goes to a new process


main()
