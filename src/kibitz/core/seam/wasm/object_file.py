"""A WebAssembly object of LLVM's as a module: a single object needs no linker.

Its functions, data and calls are in their places. It asks for memory, a stack pointer and perhaps a table of functions
from outside; the module has its own. Its exports stand in LLVM's `linking` section, from which they are read.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from kibitz.core.seam.wasm.kernels import CannotExport

MAGIC = b"\0asm\1\0\0\0"
PAGE = 1 << 16
STACK = 1 << 20  # bytes for the stack: a search is up to 128 calls deep
CUSTOM, IMPORT, TABLE, MEMORY, GLOBAL, EXPORT, DATA = 0, 2, 4, 5, 6, 7, 11
ORDER = (1, IMPORT, 3, TABLE, MEMORY, GLOBAL, EXPORT, 8, 9, 12, 10, DATA)
SYMBOLS = 8  # the part of the linking section that names them
UNDEFINED, EXPLICIT_NAME = 0x10, 0x40  # flags of a symbol
I32, MUTABLE, I32_CONST, END = 0x7F, 1, 0x41, 0x0B


class Reader:
    """Reads numbers and names one after the other."""

    def __init__(self, data: bytes) -> None:
        self.data, self.at = data, 0

    @property
    def more(self) -> bool:
        return self.at < len(self.data)

    def byte(self) -> int:
        self.at += 1
        return self.data[self.at - 1]

    def number(self) -> int:
        """An unsigned number in LEB128."""
        value = shift = 0
        while True:
            byte = self.byte()
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    def take(self, count: int) -> bytes:
        self.at += count
        return self.data[self.at - count : self.at]

    def name(self) -> str:
        return self.take(self.number()).decode()


def leb(value: int) -> bytes:
    """An unsigned number in LEB128."""
    out = bytearray()
    while True:
        value, byte = value >> 7, value & 127
        out.append(byte | (128 if value else 0))
        if not value:
            return bytes(out)


def signed_leb(value: int) -> bytes:
    """A positive number where a signed one is read."""
    out = bytearray()
    while value >= 64:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes([*out, value])


def named(text: str) -> bytes:
    return leb(len(text.encode())) + text.encode()


class Object:
    """The sections of an object."""

    def __init__(self, data: bytes) -> None:
        assert data[:8] == MAGIC
        self.sections: dict[int, bytes] = {}
        self.linking = b""
        reader = Reader(data[8:])
        while reader.more:
            kind, body = reader.byte(), reader.take(reader.number())
            if kind != CUSTOM:
                self.sections[kind] = body
            elif (custom := Reader(body)).name() == "linking":
                self.linking = body[custom.at :]

    def functions(self) -> dict[str, int]:
        """The functions that are defined, by name."""
        reader = Reader(self.linking)
        reader.number()  # the version
        while reader.more:
            kind, body = reader.byte(), reader.take(reader.number())
            if kind == SYMBOLS:
                return dict(_functions_of(Reader(body)))
        return {}

    def imports(self) -> Iterator["Import"]:
        """What it asks for."""
        reader = Reader(self.sections.get(IMPORT, leb(0)))
        for _ in range(reader.number()):
            reader.name()  # the module
            name, kind = reader.name(), reader.byte()
            least = 0
            if kind == 0:
                reader.number()
            elif kind in (1, 2):
                if kind == 1:
                    reader.byte()
                flags, least = reader.byte(), reader.number()
                if flags & 1:
                    reader.number()
            else:
                reader.take(2)
            yield Import(name, kind, least)

    def data_end(self) -> int:
        """The address behind the last byte of data."""
        reader = Reader(self.sections.get(DATA, leb(0)))
        end = 0
        for _ in range(reader.number()):
            assert reader.number() == 0
            assert reader.byte() == I32_CONST
            start = reader.number()
            assert reader.byte() == END
            size = reader.number()
            reader.take(size)
            end = max(end, start + size)
        return end


class Import(NamedTuple):
    """Something from outside: kind 0 is a function, 1 a table, 2 memory, 3 a global variable."""

    name: str
    kind: int
    least: int  # entries of a table, pages of memory


def _functions_of(reader: Reader) -> Iterator[tuple[str, int]]:
    """The names and numbers of the defined functions in a table of symbols."""
    for _ in range(reader.number()):
        kind, flags = reader.byte(), reader.number()
        defined = not flags & UNDEFINED
        if kind == 1:  # data
            reader.name()
            for _ in range(3 if defined else 0):
                reader.number()
        elif kind == 3:  # a section
            reader.number()
        else:  # a function, a global variable, a tag, a table
            index = reader.number()
            name = reader.name() if defined or flags & EXPLICIT_NAME else ""
            if kind == 0 and defined:
                yield name, index


def link_module(found: Object, exports: Iterable[str]) -> bytes:
    """The module that exports these functions and its memory, and imports nothing."""
    sections = dict(found.sections)
    sections.pop(IMPORT, None)
    tables = [asked.least for asked in found.imports() if asked.kind == 1]
    others = [asked.name for asked in found.imports() if asked.kind == 0 or asked.name not in KNOWN]
    if others:
        raise CannotExport(f"the module would need {', '.join(others)} from outside")
    top = (found.data_end() + STACK + 63) & ~63
    if tables:
        sections[TABLE] = leb(1) + b"\x70\x00" + leb(tables[0])
    sections[MEMORY] = leb(1) + b"\x00" + leb(-(-top // PAGE))
    sections[GLOBAL] = leb(1) + bytes([I32, MUTABLE, I32_CONST]) + signed_leb(top) + bytes([END])
    known = found.functions()
    rows = [named(name) + b"\x00" + leb(known[name]) for name in exports] + [named("memory") + b"\x02\x00"]
    sections[EXPORT] = leb(len(rows)) + b"".join(rows)
    kept = [(kind, sections[kind]) for kind in ORDER if kind in sections]
    return MAGIC + b"".join(bytes([kind]) + leb(len(body)) + body for kind, body in kept)


KNOWN = ("__linear_memory", "__stack_pointer", "__indirect_function_table")
