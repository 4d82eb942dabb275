"""A .pyk file as Python reads it: what Numba makes of its functions."""
import importlib.machinery
import importlib.util
import os
import sys


def names_of(path):
    loader = importlib.machinery.SourceFileLoader(os.path.basename(path).replace(".", "_"), path)
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    sys.dont_write_bytecode = True
    loader.exec_module(module)
    return vars(module)
