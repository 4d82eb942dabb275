"""NumPy's file format for flat lists, without NumPy: the test of stored values needs no package."""
import array
import ast
import struct

FORMATS = {"boolean": ("|b1", "B"), "int8": ("|i1", "b"), "int16": ("<i2", "h"), "int32": ("<i4", "i"), "int64": ("<i8", "q"), "uint8": ("|u1", "B"),
           "uint16": ("<u2", "H"), "uint32": ("<u4", "I"), "uint64": ("<u8", "Q"), "float32": ("<f4", "f"), "float64": ("<f8", "d"),
           "complex64": ("<c8", "f"), "complex128": ("<c16", "d")}


def flat(values, type):
    return [part for z in values for part in (z.real, z.imag)] if type.startswith("complex") else values


def save(path, type, shape, values):
    descr, code = FORMATS[type]
    head = repr({"descr": descr, "fortran_order": False, "shape": tuple(shape)})
    head += " " * (-(len(head) + 11) % 64) + "\n"
    with open(path, "wb") as out:
        out.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode() + array.array(code, flat(values, type)).tobytes())


def load(path, type):
    """The numbers in C order; of complex ones both parts."""
    with open(path, "rb") as file:
        content = file.read()
    length = struct.unpack("<H", content[8:10])[0]
    head = ast.literal_eval(content[10:10 + length].decode())
    assert head["descr"] == FORMATS[type][0] and not head["fortran_order"], head
    values = array.array(FORMATS[type][1])
    values.frombytes(content[10 + length:])
    return values.tolist()


def read(path):
    """What is in a file of any of these types: (type, shape, numbers as `load` gives them)."""
    with open(path, "rb") as file:
        content = file.read(256)
    length = struct.unpack("<H", content[8:10])[0]
    head = ast.literal_eval(content[10:10 + length].decode())
    type = next(name for name, (descr, _) in FORMATS.items() if descr == head["descr"])
    return type, tuple(head["shape"]), load(path, type)
