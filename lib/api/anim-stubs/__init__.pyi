"""Types of the module anim, for editors and type checkers. tests/python.bats compares the two files."""

import builtins
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from types import TracebackType
from typing import Any, BinaryIO

__all__ = ["open", "convert", "create", "pipe", "File", "Clip", "Track", "Tree", "Node", "Writer", "Error", "Warning", "version"]

_Path = str | bytes | os.PathLike[str]
_Array = Any  # a numpy array, or without numpy an array.array
_Rate = int | float | str | Fraction
_Times = Iterable[float]
_Values = Iterable[Any]
_Source = _Path | bytes | bytearray | memoryview | BinaryIO | "File"
_Option = Any  # a text, a number, True for a flag, or a list of them


class Error(Exception):
    code: int
    line: int
    column: int
    def __init__(self, text: str, code: int = ..., line: int = ..., column: int = ...) -> None: ...


class Warning(UserWarning): ...


def version() -> str: ...


def open(source: _Source, *, format: str | None = ..., name: str | None = ..., external: bool = ..., keep_going: bool = ...,
         unit: str | None = ..., up: str = ..., memory: int = ..., warn: bool = ...) -> File: ...


class File(Sequence[Clip]):
    messages: list[str]
    def apply(self, filter: str, *operands: str, **options: _Option) -> File: ...
    def retarget(self, model: _Path, **options: _Option) -> File: ...
    def write(self, output: _Path | None = ..., **options: _Option) -> bytes | None: ...
    def close(self) -> None: ...
    def index(self, key: str | Clip, *bounds: int) -> int: ...
    @property
    def clips(self) -> list[Clip]: ...
    @property
    def trees(self) -> list[Tree]: ...
    def __len__(self) -> int: ...
    def __getitem__(self, key: int | str | slice) -> Any: ...
    def __enter__(self) -> File: ...
    def __exit__(self, kind: type[BaseException] | None, *_: BaseException | TracebackType | None) -> None: ...


class Clip(Sequence[Track]):
    file: File
    number: int
    name: str
    start: float
    end: float
    loop: str
    axes: str
    axes2d: str
    source: str
    root: str
    rate: Fraction | None
    attributes: dict[str, str]
    @property
    def duration(self) -> float: ...
    @property
    def tracks(self) -> list[Track]: ...
    def find(self, node: str, property: str, component: int | None = ...) -> Track | None: ...
    @property
    def tree(self) -> Tree | None: ...
    @property
    def nodes(self) -> list[Node]: ...
    def find_driven(self, node: str | Track) -> Node | None: ...
    def times(self, rate: _Rate | None = ..., end: str = ...) -> _Array: ...
    def sample(self, tracks: Iterable[Track] | str, at: _Times | _Rate | None = ..., end: str = ..., *, rate: _Rate | None = ...,
               times: _Times | None = ...) -> _Array: ...
    def world(self, at: _Times | _Rate | None = ..., node: Node | int | None = ..., end: str = ..., *, rate: _Rate | None = ...,
              times: _Times | None = ...) -> _Array: ...
    def __len__(self) -> int: ...
    def __getitem__(self, key: int | tuple[Any, ...] | slice) -> Any: ...


class Track:
    clip: Clip
    number: int
    node: str
    property: str
    kind: str
    type: str
    mode: str | None
    rules: str
    pre: str
    post: str
    component: int | None
    components: int
    flags: int
    count: int
    is_rotation: bool
    is_text: bool
    rate: Fraction | None
    @builtins.property
    def is_degrees(self) -> bool: ...
    @builtins.property
    def is_disabled(self) -> bool: ...
    @builtins.property
    def attributes(self) -> dict[str, str]: ...
    def sample(self, at: _Times | _Rate | None = ..., end: str = ..., dtype: Any = ..., present: bool = ..., *,
               rate: _Rate | None = ..., times: _Times | None = ...) -> Any: ...
    @builtins.property
    def times(self) -> _Array: ...
    @builtins.property
    def values(self) -> Any: ...
    @builtins.property
    def left(self) -> _Array | None: ...
    @builtins.property
    def right(self) -> _Array | None: ...
    @builtins.property
    def left_x(self) -> _Array | None: ...
    @builtins.property
    def right_x(self) -> _Array | None: ...
    @builtins.property
    def ease(self) -> _Array | None: ...
    @builtins.property
    def modes(self) -> list[str]: ...


class Tree(Sequence[Node]):
    file: File
    number: int
    root_name: str
    source: str
    axes: str
    axes2d: str
    attributes: dict[str, str]
    @property
    def nodes(self) -> list[Node]: ...
    def __len__(self) -> int: ...
    def __getitem__(self, key: int | str | slice) -> Any: ...


class Node:
    tree: Tree
    number: int
    path: str
    name: str
    kind: str
    type: str
    parent: int | None
    has: int
    position: tuple[float, ...]
    rotation: tuple[float, ...]
    scale: tuple[float, ...]
    attributes: dict[str, str]


def create(target: _Path | BinaryIO, *, program: str | None = ..., version: str | None = ...) -> Writer: ...


class Writer:
    def __init__(self, target: _Path | BinaryIO, *, program: str | None = ..., version: str | None = ...) -> None: ...
    def commit(self) -> None: ...
    def close(self) -> None: ...
    def tree(self, root_name: str = ..., *, axes: str | None = ..., axes2d: str | None = ..., file: str = ...,
             attributes: Mapping[str, str] | None = ...) -> None: ...
    def node(self, path: str, parent: int | None = ..., *, kind: str | None = ..., type: str = ...,
             position: _Times | None = ..., rotation: _Times | None = ..., scale: _Times | None = ...,
             attributes: Mapping[str, str] | None = ...) -> None: ...
    def clip(self, name: str | None = ..., *, end: float | None = ..., start: float | None = ..., loop: str | None = ...,
             axes: str | None = ..., axes2d: str | None = ..., source: str | None = ..., root: str | None = ...,
             rate: _Rate | None = ..., in_tree: bool = ..., attributes: Mapping[str, str] | None = ...,
             like: Clip | None = ...) -> None: ...
    def track(self, node: str | None = ..., property: str | None = ..., type: str | None = ..., values: _Values | None = ..., *,
              times: _Times | None = ..., rate: _Rate | None = ..., start: float = ..., mode: str = ...,
              left: _Values | None = ..., right: _Values | None = ..., component: int | None = ..., rules: str | None = ...,
              pre: str | None = ..., post: str | None = ..., flags: int | None = ..., attributes: Mapping[str, str] | None = ...,
              like: Track | None = ...) -> None: ...
    def copy(self, what: Tree | Clip | Track) -> None: ...
    def __enter__(self) -> Writer: ...
    def __exit__(self, kind: type[BaseException] | None, *_: BaseException | TracebackType | None) -> None: ...


def convert(sources: _Source | int | Sequence[_Source | int], output: _Path | int | None = ..., *, name: str | None = ..., parts: bool = ...,
            aside: Mapping[str, bytes] | None = ..., message: Callable[[dict[str, Any]], object] | None = ...,
            progress: Callable[[int, int], object] | None = ..., warn: bool = ..., **options: _Option) -> Any: ...


def pipe(command: str | Sequence[str], *, input: bytes | None = ..., cwd: _Path | None = ..., warn: bool = ...,
         programs: _Path | None = ...) -> File: ...
