"""Runs one module of numba-cuda's own test suite in its simulator and records every kernel that it makes or launches.

    record.py MODULE OUT        MODULE: test_math, of numba.cuda.tests.cudapy; OUT: a folder for NAME.pyk and NAME.json

A launch becomes a case of tests/run_cases: the kernel's source with all that it captures, its arguments, and, where the test
passed in the simulator, the arrays after the launch as what is expected. Tests that the simulator skips are walked through with their
assertions switched off: their kernels are recorded with types but without expected values.
"""
import os

os.environ["NUMBA_ENABLE_CUDASIM"] = "1"

import builtins
import contextlib
import functools
import importlib
import json
import linecache
import pathlib
import signal
import sys
import threading
import unittest
import warnings

import numba
import numpy as np
import numba.cuda
import numba.cuda.testing
from numba.cuda.simulator import api, kernel as simulated

from source import Source, Unportable
from numba.core import sigutils
from spelling import argument, expected_array, signature_of, signature_text, type_text

warnings.simplefilter("ignore")
SECONDS_PER_TEST = 20
VARIANTS = 12  # of one function: by captured values and types


class Recorder:
    """The cases of one module, by what makes them different: function, captured values, argument types."""

    def __init__(self, module, out):
        self.module, self.out = module, out
        self.cases, self.variants = {}, {}
        self.test = ""
        self.blind = False  # the test is one that the simulator skips: nothing is run or asserted
        self.refused = None  # the error that the running `assertRaises` waits for

    def key(self, fn, what):
        cells = [repr(c.cell_contents)[:200] for c in fn.__closure__ or ()]
        return (fn.__code__.co_filename, fn.__code__.co_firstlineno, fn.__name__, tuple(cells), what)

    def add(self, fn, options, types, *, launch=None, args=None):
        key = self.key(fn, types)
        site = key[:3]
        self.variants[site] = self.variants.get(site, 0) + (key not in self.cases)
        if key in self.cases or self.variants[site] > VARIANTS:
            return None
        case = {"test": self.test, "fn": fn, "options": options, "signature": types, "launch": launch, "args": args,
                "expected": None, "refused": self.refused}
        self.cases[key] = case
        return case

    def write(self):
        names, notes, seen = {}, [], set()
        for case in self.cases.values():
            fn = case.pop("fn")
            try:
                source = Source(fn, case["options"], case["signature"])
                text, why = source.text(), None
                if case["args"] is None and not case["signature"]:
                    why = "its arguments cannot be spelled"
            except Unportable as error:
                text, why = None, str(error)
            what = (fn.__name__, text or case["test"], why, json.dumps(without_values({"tuple": case["args"] or []})))
            if what in seen:
                continue
            seen.add(what)
            stem = f"{self.module[5:]}__{fn.__name__}".replace("<lambda>", "lambda")
            names[stem] = names.get(stem, 0) + 1
            name = stem if names[stem] == 1 else f"{stem}_{names[stem]}"
            entry = {"name": name, "test": case["test"], "refused": case["refused"]}
            if why:
                notes.append(entry | {"unportable": why})
                continue
            (self.out / f"{name}.pyk").write_text(text)
            body = {"kernel": source.kernel(), "expected": case["expected"], "tolerance": {"rtol": 1e-5, "atol": 1e-6}}
            if case["launch"]:
                grid, block, shared = case["launch"]
                body |= {"grid": grid, "block": block, "shared": shared}
            (self.out / f"{name}.json").write_text(json.dumps(body | {"args": case["args"]}))
            notes.append(entry)
        (self.out / f"{self.module}.index").write_text(json.dumps(notes))


recorder = None


def py_function(fn):
    while hasattr(fn, "py_func") or hasattr(fn, "fn"):
        fn = getattr(fn, "py_func", None) or fn.fn
    return fn


# --- what the simulator does not have ----------------------------------------------------------------------------------------
def jit(func_or_sig=None, **options):
    def wrap(fn, signatures=()):
        fn = py_function(fn)
        made = simulated.FakeCUDAKernel(fn, device=bool(options.get("device")), fastmath=bool(options.get("fastmath")))
        made.options = {k: v for k, v in options.items() if isinstance(v, (bool, int)) or k in ("launch_bounds", "linked")}
        made.signatures = [signature_text(fn.__name__, s) for s in signatures]
        for text in made.signatures:
            if text and not options.get("device"):
                recorder.add(fn, made.options, text)
        return made

    if options.get("link"):
        options["linked"] = [code_text(code) for code in options["link"]]
    if func_or_sig is None:
        return wrap
    if isinstance(func_or_sig, list):
        return lambda fn: wrap(fn, func_or_sig)
    if callable(func_or_sig) and not hasattr(func_or_sig, "return_type") and not isinstance(func_or_sig, numba.core.types.Type):
        return wrap(func_or_sig)
    return lambda fn: wrap(fn, [func_or_sig])


def compile_recorded(fn, sig, *args, device=True, **options):
    text = signature_text(py_function(fn).__name__, sig)
    if text:
        recorder.add(py_function(fn), {"device": bool(device)}, text)
    return "", numba.core.types.none


def code_text(code):
    """A path, or `cuda.CUSource(…)` and its like."""
    if isinstance(code, (str, os.PathLike)):
        return repr(str(code))
    return f"cuda.{type(code).__name__}({code.data!r})"


class DeclaredDevice:
    def __init__(self, name, sig, link=(), use_cooperative=False, abi="numba"):
        args, result = sigutils.normalize_signature(sig)
        text = f"{type_text(result)}({', '.join(map(type_text, args))})"
        links = link if isinstance(link, (list, tuple, set)) else [link]
        self.spelled = f"cuda.declare_device({name!r}, {text!r}, link=[{', '.join(map(code_text, links))}], use_cooperative={use_cooperative}, abi={abi!r})"

    def __call__(self, *args):
        raise NotImplementedError


class Hint:
    """What the simulator lacks: `cuda.ldcg` and its like."""

    def __init__(self, name):
        self.spelled = f"cuda.{name}"

    def __call__(self, *args):
        raise NotImplementedError


real_launch = simulated.FakeCUDAKernel.__call__


def launch(self, *args):
    if self._device or simulated._kernel_context:
        return real_launch(self, *args)
    declared = getattr(self, "signatures", None)
    values = [a.value if isinstance(a, simulated.ArgHint) else a for a in args]
    spelled, complete = [], True
    for value in values:
        spec = argument(value)
        complete &= spec is not None
        spelled.append(spec)
    grid, block = simulated.normalize_kernel_dimensions(self.grid_dim, self.block_dim)
    dims = lambda d: (list(d) + [1, 1])[:3]
    types = declared[0] if declared else None
    what = types or json.dumps([without_values(s) for s in spelled])
    key_known = recorder.key(self.fn, what) in recorder.cases
    case = None
    if types and key_known:
        case = recorder.cases[recorder.key(self.fn, what)]
        if case["args"] is not None:
            case = None
    elif not key_known:
        case = recorder.add(self.fn, getattr(self, "options", {}), what)
        if case:
            case["signature"] = types
    if case is not None:
        case["launch"] = (dims(grid), dims(block), int(self.dynshared_size))
        case["args"] = spelled if complete else None
        if not complete and not types:
            case["signature"] = signature_of(self.fn.__name__, values)
        case["refused"] = recorder.refused
    if recorder.blind:
        return None
    result = real_launch(self, *args)
    if case is not None and complete:
        case["expected"] = {str(i): expected_array(v) for i, v in enumerate(values) if is_array(v)}
        touched.append(case)
    return result


def without_values(spec):
    if not isinstance(spec, dict):
        return spec
    return {k: without_values(v) if k != "tuple" else [without_values(x) for x in v]
            for k, v in spec.items() if k not in ("values", "scalar", "shape")} | {"ndim": len(spec.get("shape", ()))}


def is_array(value):
    return isinstance(argument(value), dict) and "values" in argument(value)


touched = []  # cases whose expected values the running test has given


@contextlib.contextmanager
def swallowed(expected, *_, **__):
    names = expected if isinstance(expected, tuple) else (expected,)
    recorder.refused, before = "/".join(e.__name__ for e in names), recorder.refused

    class Caught:
        exception = expected("") if not isinstance(expected, tuple) else expected[0]("")
        warnings = [type("W", (), {"message": ""})()]

    try:
        yield Caught()
    except Exception:
        pass
    finally:
        recorder.refused = before


def traced_exec(code, *scopes, real=exec):
    """`exec` of a text, which inspect then finds as the source of what it defines."""
    if isinstance(code, str):
        name = f"<exec {len(linecache.cache)}>"
        linecache.cache[name] = (len(code), None, code.splitlines(True), name)
        code = compile(code, name, "exec")
    if not scopes:
        frame = sys._getframe(1)
        scopes = (frame.f_globals, frame.f_locals)
    return real(code, *scopes)


def patch():
    builtins.exec = traced_exec
    simulated.FakeCUDAKernel.__call__ = launch
    simulated.ArgHint = api.In.__mro__[1]
    for module in (numba.cuda, api, sys.modules["numba.cuda.simulator"]):
        module.jit = jit
        for name in ("ldca", "ldcg", "ldcs", "ldlu", "ldcv", "stcg", "stcs", "stwb", "stwt"):
            setattr(module, name, Hint(name))
        module.declare_device = DeclaredDevice
        for name in ("compile", "compile_ptx", "compile_for_current_device", "compile_ptx_for_current_device", "compile_all"):
            setattr(module, name, compile_recorded)
    numba.cuda.testing.skip_on_cudasim = lambda reason: mark_blind
    skip_if = unittest.skipIf
    unittest.skipIf = lambda condition, reason: skip_if(condition and "imulator" not in reason and "cudasim" not in reason, reason)


def mark_blind(item):
    item.blind = True
    return item


def unless_blind(function):
    @functools.wraps(function)
    def wrapped(self, *args, **kwargs):
        if not recorder.blind:
            return function(self, *args, **kwargs)
        if "Raises" in function.__name__ or "Warns" in function.__name__:
            if len(args) > 1 and callable(args[-1]):
                with swallowed(args[0]):
                    args[-1]()
                return None
            return swallowed(args[0])
        return None

    return wrapped


def soften_assertions():
    for name in dir(unittest.TestCase):
        if name.startswith("assert"):
            setattr(unittest.TestCase, name, unless_blind(getattr(unittest.TestCase, name)))
    for name in dir(np.testing):
        if name.startswith("assert"):
            real = getattr(np.testing, name)
            setattr(np.testing, name, functools.wraps(real)(lambda *a, _real=real, **k: None if recorder.blind else _real(*a, **k)))


class TooSlow(Exception):
    pass


def run(test):
    recorder.test = test.id().split(".cudapy.")[-1]
    method = getattr(test, test._testMethodName)
    recorder.blind = bool(getattr(type(test), "blind", False) or getattr(method, "blind", False))
    recorder.refused = None
    touched.clear()

    def alarm(*_):
        raise TooSlow()

    signal.signal(signal.SIGALRM, alarm)
    signal.alarm(SECONDS_PER_TEST)
    result = unittest.TestResult()
    try:
        test.run(result)
    except BaseException:
        pass
    finally:
        signal.alarm(0)
        simulated._kernel_context = None
    if not result.wasSuccessful() or recorder.blind or result.skipped:
        for case in touched:
            case["expected"] = None
    if not result.wasSuccessful() and not recorder.blind and os.environ.get("VERBOSE"):
        for _, text in result.errors + result.failures:
            print(recorder.test, text.splitlines()[-1], file=sys.stderr)


def tests_of(suite):
    for item in suite:
        if isinstance(item, unittest.TestSuite):
            yield from tests_of(item)
        else:
            yield item


def main():
    global recorder
    name, out = sys.argv[1], pathlib.Path(sys.argv[2])
    out.mkdir(parents=True, exist_ok=True)
    recorder = Recorder(name, out)
    patch()
    soften_assertions()
    module = importlib.import_module(f"numba.cuda.tests.cudapy.{name}")
    for test in tests_of(unittest.defaultTestLoader.loadTestsFromModule(module)):
        run(test)
    recorder.write()
    sys.stdout.flush()
    os._exit(0)  # simulated threads that wait for each other never end


main()
