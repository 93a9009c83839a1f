"""Read animation files and streams, evaluate them as their engines do, and write streams: libanim of anim-tools.

    import anim

    with anim.open("walk.tscn") as file:
        for clip in file:
            print(clip.name, clip.duration)
            frames = clip["Hips", "rotation"].sample(30)   # frames x 4
            where = clip.world([0, 0.5, 1])                # times x nodes x 3 x 4

    anim.convert("walk.tscn", "walk.glb", rate=30)     # as anim convert -r 30 walk.tscn walk.glb
    with anim.open("take.bvh", unit="cm") as take, take.retarget("hero.tscn") as moved:
        moved.write("take.tres", reduce="1mm@10cm")

    with anim.pipe("parse walk.tscn | axes unity | resample 30") as file:
        ...

Arrays are numpy arrays if numpy is installed, otherwise flat array.array objects with the same numbers one after another. The
library, libanim.so.1, is the file in the environment variable ANIM_LIBRARY. If it is not set, it is the file beside this module,
or the one that the system finds. `make lib` builds it, `make install_lib` installs it.
Warnings of a reader are issued with the module warnings (anim.Warning) and kept in File.messages with its notes. See anim(3).

Threads may share a File or a Writer: each has a lock. After a fork, a child may go on reading the Files of its parent, but a Writer
belongs to the process that opened it: in a child its methods raise Error, and the file of the parent stays as it is.
"""

import array
import collections.abc
import contextlib
import ctypes
import ctypes.util
import fractions
import io
import operator
import os
import re
import shlex
import subprocess
import tempfile
import threading
import warnings
import weakref

try:
    import numpy
except ImportError:
    numpy = None

__all__ = ["open", "convert", "create", "pipe", "File", "Clip", "Track", "Tree", "Node", "Writer", "Error", "Warning", "version"]


class Error(Exception):
    """An error with the message of the programs. code: a number of anim(3); line, column: in the file, 0 if unknown."""

    def __init__(self, text, code=0, line=0, column=0):
        super().__init__(text)
        self.code, self.line, self.column = code, line, column


class Warning(UserWarning):
    """A warning of a reader."""


# ---- The library ----

_size, _double, _text, _int = ctypes.c_size_t, ctypes.c_double, ctypes.c_char_p, ctypes.c_int
_long, _pointer, _u32, _float = ctypes.c_ssize_t, ctypes.c_void_p, ctypes.c_uint32, ctypes.c_float


class _Fault(ctypes.Structure):
    _fields_ = [("code", _int), ("line", ctypes.c_uint), ("column", ctypes.c_uint), ("text", ctypes.c_char * 1012)]


class _Attribute(ctypes.Structure):
    _fields_ = [("key", _text), ("value", _text)]


class _Sized(ctypes.Structure):
    """A struct that begins with its own size."""

    def __init__(self, **values):
        super().__init__(size=ctypes.sizeof(self), **values)


_attributes = [("attributes", ctypes.POINTER(_Attribute)), ("attribute_count", _size)]


class _Options(_Sized):
    _fields_ = [("size", _size), ("memory", _size), ("format", _text), ("name", _text), ("no_external", _int), ("keep_going", _int),
                ("unit", _text), ("z_up", _int)]


class _ClipInfo(_Sized):
    _fields_ = [("size", _size), ("name", _text), ("start_s", _double), ("end_s", _double), ("loop", _text), ("axes", _text),
                ("axes2d", _text), ("source", _text), ("root", _text), ("rate_num", _u32), ("rate_den", _u32), ("tracks", _size),
                ("tree", _long)] + _attributes


class _TrackInfo(_Sized):
    _fields_ = [("size", _size), ("node", _text), ("property", _text), ("kind", _text), ("type", _text), ("mode", _text),
                ("rules", _text), ("pre", _text), ("post", _text), ("component", _int), ("components", ctypes.c_uint),
                ("flags", ctypes.c_uint), ("is_rotation", _int), ("keys", _size), ("start_s", _double), ("step_s", _double),
                ("rate_num", _u32), ("rate_den", _u32)]


class _TreeInfo(_Sized):
    _fields_ = [("size", _size), ("root_name", _text), ("file", _text), ("axes", _text), ("axes2d", _text),
                ("nodes", _size)] + _attributes


class _NodeInfo(_Sized):
    _fields_ = [("size", _size), ("path", _text), ("name", _text), ("kind", _text), ("type", _text), ("parent", _long),
                ("has", ctypes.c_uint), ("position", _float * 3), ("rotation", _float * 4), ("scale", _float * 3)] + _attributes


class _KeyData(_Sized):
    _fields_ = [("size", _size), ("times", _pointer), ("doubles", _pointer), ("floats", _pointer), ("left", _pointer),
                ("right", _pointer), ("texts", _pointer)]


class _WriterOptions(_Sized):
    _fields_ = [("size", _size), ("program", _text), ("version", _text)]


class _MessageInfo(_Sized):
    _fields_ = [("size", _size), ("level", _int), ("text", _text), ("file", _text), ("clip", _text), ("subject", _text),
                ("line", ctypes.c_uint), ("column", ctypes.c_uint), ("count", _size), ("worst", _double), ("unit", _text)]


class _Source(_Sized):
    _fields_ = [("size", _size), ("path", _text), ("bytes", _text), ("byte_count", _size), ("name", _text), ("handle", _pointer),
                ("is_aside", _int), ("has_fd", _int), ("fd", _int)]


_ON_MESSAGE = ctypes.CFUNCTYPE(None, _pointer, ctypes.POINTER(_MessageInfo))
_ON_PROGRESS = ctypes.CFUNCTYPE(_int, _pointer, ctypes.c_uint64, ctypes.c_uint64)
_ON_PART = ctypes.CFUNCTYPE(None, _pointer, _text, _pointer, _size)


class _Conversion(_Sized):
    _fields_ = [("size", _size), ("sources", ctypes.POINTER(_Source)), ("source_count", _size), ("output", _text),
                ("bytes", ctypes.POINTER(_pointer)), ("byte_count", ctypes.POINTER(_size)), ("name", _text),
                ("options", ctypes.POINTER(_Attribute)), ("option_count", _size), ("message", _ON_MESSAGE),
                ("progress", _ON_PROGRESS), ("context", _pointer), ("part", _ON_PART), ("has_fd", _int), ("fd", _int)]


# The result and the parameters of each function. The fault, which is always last, is omitted: _call adds it.
_handle = _pointer
_functions = {
    "open": (_handle, _text, _pointer), "open_fd": (_handle, _int, _pointer),
    "open_memory": (_handle, _text, _size, _pointer),
    "get_clip": (_int, _handle, _size, _pointer), "get_track": (_int, _handle, _size, _size, _pointer),
    "get_tree": (_int, _handle, _size, _pointer), "get_node": (_int, _handle, _size, _size, _pointer),
    "get_track_attributes": (_long, _handle, _size, _size, _pointer),
    "clip_times": (_long, _handle, _size, _u32, _u32, _int, _pointer, _size),
    "parse_rate": (_int, _text, _pointer, _pointer),
    "sample_doubles": (_int, _handle, _size, _size, _pointer, _size, _pointer, _size, _pointer),
    "sample_floats": (_int, _handle, _size, _size, _pointer, _size, _pointer, _size, _pointer),
    "sample_texts": (_int, _handle, _size, _size, _pointer, _size, _pointer),
    "key_doubles": (_int, _handle, _size, _size, _int, _pointer, _size),
    "key_texts": (_int, _handle, _size, _size, _pointer, _size), "key_modes": (_int, _handle, _size, _size, _pointer, _size),
    "world": (_int, _handle, _size, _long, _pointer, _size, _pointer, _size),
    "write_open": (_handle, _text, _pointer), "write_open_fd": (_handle, _int, _pointer),
    "write_tree": (_int, _handle, _pointer), "write_node": (_int, _handle, _pointer), "write_clip": (_int, _handle, _pointer),
    "write_track": (_int, _handle, _pointer, _pointer, _pointer, _size),
    "copy_tree": (_int, _handle, _handle, _size), "copy_clip": (_int, _handle, _handle, _size),
    "copy_track": (_int, _handle, _handle, _size, _size), "write_commit": (_int, _handle),
    "convert": (_int, _pointer), "apply": (_handle, _handle, _text, _pointer, _size),
}
# Functions that cannot fail.
_plain = {
    "version": (_text,), "close": (None, _handle), "write_close": (None, _handle), "clip_count": (_size, _handle),
    "tree_count": (_size, _handle), "message_count": (_size, _handle), "message": (_text, _handle, _size),
    "message_is_warning": (_int, _handle, _size), "find_clip": (_long, _handle, _text),
    "find_track": (_long, _handle, _size, _size, _text, _text), "find_node": (_long, _handle, _size, _text),
    "find_named": (_long, _handle, _size, _size, _text, _text), "find_driven": (_long, _handle, _size, _text), "free": (None, _pointer),
}


def _load():
    named = os.environ.get("ANIM_LIBRARY")
    beside = os.path.join(os.path.dirname(os.path.abspath(__file__)), "libanim.so.1")
    for name in [named] if named else [beside, ctypes.util.find_library("anim"), "libanim.so.1"]:
        try:
            library = ctypes.CDLL(name) if name else None
        except OSError as error:
            library, why = None, error
        if library is not None:
            break
    else:
        raise ImportError(f"{why}; make install_lib installs the library, or ANIM_LIBRARY names it")
    for name, (result, *arguments) in list(_functions.items()) + list(_plain.items()):
        function = getattr(library, "anim_" + name)
        function.restype, function.argtypes = result, arguments + ([_pointer] if name in _functions else [])
    return library


_library = _load()


def _call(name, *arguments):
    """Call a function that can fail. Return its result or raise Error."""
    fault = _Fault()
    result = getattr(_library, "anim_" + name)(*arguments, ctypes.byref(fault))
    if result is None or (not isinstance(result, int)) or (_functions[name][0] is not _handle and result < 0):
        raise Error(fault.text.decode("utf-8", "replace"), fault.code, fault.line, fault.column)
    return result


class _Handle:
    """A handle of the library, used by one thread at a time: `with handle as address:`. A closed one raises ValueError.

    Texts that the library returns are valid until its next call, so they are copied before the end of the block. A thread may enter
    a handle again, because a signal handler may run anywhere. The close of a handle waits for the calls of other threads.
    """

    def __init__(self, owner, what, address, close, at_exit):
        self.what, self.address, self.lock = what, address, threading.RLock()
        self.close = weakref.finalize(owner, _close, self.lock, close, address)
        self.close.atexit = at_exit
        with _handles_lock:
            _handles.add(self)

    def __enter__(self):
        self.lock.acquire()
        if self.close.alive:
            return self.address
        self.lock.release()
        raise ValueError(f"the {self.what} is closed")

    def __exit__(self, *_):
        self.lock.release()


def _close(lock, close, address):
    with lock:
        close(address)


# A fork copies a lock that another thread holds, together with the handle in the middle of a call. So it waits for all calls. A thread
# that needs two handles takes the Writer first.
_handles, _handles_lock, _held = weakref.WeakSet(), threading.RLock(), []


def _before_fork():
    _handles_lock.acquire()
    _held.extend(sorted(_handles, key=lambda handle: handle.what, reverse=True))
    for handle in _held:
        handle.lock.acquire()


def _after_fork():
    while _held:
        _held.pop().lock.release()
    _handles_lock.release()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_before_fork, after_in_parent=_after_fork, after_in_child=_after_fork)


def _word(text):
    return None if text is None else text.decode("utf-8", "surrogateescape")


def _bytes(text):
    return None if text is None else os.fsencode(text)


def _attributes_of(items, count):
    return {_word(items[i].key): _word(items[i].value) for i in range(count)}


def version():
    """Return the version of the library, for example "1.0.0"."""
    return _word(_library.anim_version())


# ---- Arrays ----

_BYTES = {"d": 8, "f": 4, "B": 1}


class _Room:
    """An array that the library fills: numpy's or an array.array. `kind` is "d", "f" or "B"; `count` is its number of elements."""

    def __init__(self, shape, kind="d"):
        self.count = 1
        for size in shape:
            self.count *= size
        if numpy is not None:
            self.array = numpy.empty(shape, numpy.dtype(kind))
            self.at = self.array.ctypes.data
        else:
            self.array = array.array(kind, bytes(self.count * _BYTES[kind]))
            self.at = self.array.buffer_info()[0]


def _kind(dtype):
    """Return "d" or "f" for any numpy name of these two types. Raise TypeError for other types."""
    if dtype in ("d", "f"):
        return dtype
    if numpy is not None:
        kind = numpy.dtype(dtype)
        for known in "df":
            if kind == numpy.dtype(known):
                return known
    elif dtype in ("float64", "float32"):
        return "d" if dtype == "float64" else "f"
    raise TypeError(f"dtype is float64 or float32, not {dtype!r}")


def _numbers(values, kind="d"):
    """Convert any iterable of numbers, nested or not, to an array. Return (address, count, array)."""
    try:
        if numpy is not None:
            sized = hasattr(values, "__len__") or hasattr(values, "__array__") or not _is_iterable(values)
            kept = numpy.ascontiguousarray(values if sized else list(values), numpy.dtype(kind))
            return kept.ctypes.data, kept.size, kept
        if not isinstance(values, array.array) or values.typecode != kind:
            values = array.array(kind, _flat(values))
        return values.buffer_info()[0], len(values), values
    except (TypeError, ValueError) as error:
        raise TypeError(f"numbers are needed, not {values!r:.60}") from error


def _is_iterable(value):
    return isinstance(value, collections.abc.Iterable) and not isinstance(value, (str, bytes))


def _flat(values):
    for value in values if _is_iterable(values) else [values]:
        if _is_iterable(value):
            yield from _flat(value)
        else:
            yield float(value)


def _rate(rate):
    """Return a rate as a fraction: 30, 29.97, 30000/1001, "30000/1001", a Fraction, a numpy scalar. None: 0, 0, the clip's own."""
    if rate is None:
        return 0, 0
    num, den = _u32(), _u32()
    try:
        _call("parse_rate", _bytes(str(rate)), ctypes.byref(num), ctypes.byref(den))
    except Error as error:
        raise ValueError(str(error)) from None
    return num.value, den.value


def _index(number, count, what):
    """Return an index from 0 to count - 1. Negative numbers count from the end. Raise IndexError if it is out of range."""
    number = operator.index(number)
    if not -count <= number < count:
        raise IndexError(f"{what} {number}: there are {count}")
    return number % count


_ENDS = ("cover", "grid", "fit", "loop")


# ---- Reading ----

def open(source, *, format=None, name=None, external=True, keep_going=False, unit=None, up="y", memory=0,
         warn=True):
    """Open a path ("-": standard input), bytes, or a binary file object from its position on. Return a File.

    format: as for anim-parse -f. external=False: do not open other files that it refers to. keep_going: leave out faulty clips
    with a warning. unit, up: for BVH files, as for anim-parse --unit and --up. memory: bytes of tracks that stay in memory.
    warn=False: keep warnings in File.messages without issuing them.
    """
    return File(source, format=format, name=name, external=external, keep_going=keep_going, unit=unit, up=up,
                memory=memory, warn=warn)


class File(collections.abc.Sequence):
    """A file or a stream: a sequence of its Clips, which can also be indexed by name. `with` or close() closes it.

    Several threads may use a File and its parts: a lock lets one call in at a time, so that close() waits for the calls of others.
    Calls of different Files run at the same time.
    """

    def __init__(self, source, *, format=None, name=None, external=True, keep_going=False, unit=None, up="y", memory=0,
                 warn=True):
        if up not in ("y", "z"):
            raise ValueError("up is y or z")
        options = _Options(memory=memory, format=_bytes(format), name=_bytes(name), no_external=not external,
                           keep_going=keep_going, unit=_bytes(None if unit is None else str(unit)), z_up=up == "z")
        if isinstance(source, (bytes, bytearray, memoryview)):
            source = bytes(source)
            handle = _call("open_memory", source, len(source), ctypes.byref(options))
        elif hasattr(source, "read"):
            handle = self._open_object(source, options)
        else:
            handle = _call("open", os.fsencode(source), ctypes.byref(options))
        self._own(handle)
        if warn:
            self._warn(4)

    def _warn(self, level):
        """Issue the warnings among the messages."""
        with self._handle as handle:
            told = [text for i, text in enumerate(self.messages) if _library.anim_message_is_warning(handle, i)]
        for text in told:
            warnings.warn(text, Warning, stacklevel=level)

    def _own(self, handle):
        """Own a handle of the library, and copy its messages."""
        self._handle = _Handle(self, "file", handle, _library.anim_close, False)
        #: lines of the messages of reading
        self.messages = [_word(_library.anim_message(handle, i)) for i in range(_library.anim_message_count(handle))]

    @staticmethod
    def _open_object(source, options):
        """Open a file object: by its descriptor, moved to the object's position, or if it has none by reading it."""
        source = getattr(source, "buffer", source)  # a text file's bytes
        try:
            descriptor = source.fileno()
            if source.seekable():
                os.lseek(descriptor, source.tell(), os.SEEK_SET)
        except (AttributeError, io.UnsupportedOperation):
            content = source.read()
            if not isinstance(content, (bytes, bytearray, memoryview)):
                raise TypeError("the file object gives no bytes; open it in binary mode") from None
            return _call("open_memory", bytes(content), len(content), ctypes.byref(options))
        return _call("open_fd", descriptor, ctypes.byref(options))

    def apply(self, filter, *operands, **options):
        """Apply a filter and return a new File; this one stays as it is.

            file.apply("axes", "unity"); file.apply("resample", rate=30); file.apply("reduce", tol="1mm@10cm")

        filter: axes, bake, delta, filter, mirror, pin, reduce, rename, resample, retarget, retime or root. Options are those of
        the program by their long names, as for convert. Its messages are those of the new File.
        """
        items, file = _options_of(options, operands), File.__new__(File)
        with self._handle as handle:
            file._own(_call("apply", handle, _bytes(filter), items, len(items)))
        file._warn(3)
        return file

    def retarget(self, model, **options):
        """Put the clips on the skeleton of a model, a path, as anim-retarget --to. Return a new File."""
        return self.apply("retarget", to=os.fspath(model), **options)

    def write(self, output=None, **options):
        """Write the clips to a file of any format, or return bytes, as convert does."""
        return convert(self, output, **options)

    def close(self):
        """Free the memory of the file. Arrays made from it stay valid."""
        self._handle.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def __len__(self):
        with self._handle as handle:
            return _library.anim_clip_count(handle)

    def __getitem__(self, key):
        if isinstance(key, slice):
            return [Clip(self, i) for i in range(*key.indices(len(self)))]
        if isinstance(key, str):
            number = self._find(key)
            if number < 0:
                raise KeyError(f"no clip {key!r}; clips: {', '.join(clip.name for clip in self)}")
            return Clip(self, number)
        return Clip(self, _index(key, len(self), "clip"))

    def _find(self, name):
        with self._handle as handle:
            return _library.anim_find_clip(handle, _bytes(name))

    def __contains__(self, key):
        if isinstance(key, str):
            return self._find(key) >= 0
        return isinstance(key, Clip) and key.file is self

    def index(self, key, *bounds):
        """Return the number of a Clip, or of the first clip with this name."""
        return super().index(self[key] if isinstance(key, str) and key in self else key, *bounds)

    @property
    def clips(self):
        """All Clips."""
        return list(self)

    @property
    def trees(self):
        """All Trees."""
        with self._handle as handle:
            return [Tree(self, i) for i in range(_library.anim_tree_count(handle))]


class _Part:
    """A part of a file. Two objects for the same part are equal."""

    def __eq__(self, other):
        return type(other) is type(self) and other._identity == self._identity

    def __hash__(self):
        return hash(self._identity)


class Clip(_Part, collections.abc.Sequence):
    """One animation: a sequence of its Tracks. clip["Hips", "rotation"] is a Track, clip["Hips", "position", 0] that for .x."""

    def __init__(self, file, number):
        self.file, self.number = file, number
        info = _ClipInfo()
        with file._handle as handle:
            _call("get_clip", handle, number, ctypes.byref(info))
            self.name, self.start, self.end = _word(info.name), info.start_s, info.end_s
            self.loop, self.axes, self.axes2d = _word(info.loop), _word(info.axes), _word(info.axes2d)
            self.source, self.root = _word(info.source), _word(info.root)
            self.attributes = _attributes_of(info.attributes, info.attribute_count)
        self.rate = fractions.Fraction(info.rate_num, info.rate_den) if info.rate_den else None
        self._count, self._tree = info.tracks, info.tree

    def __repr__(self):
        return f"<anim.Clip {self.name!r}: {self._count} tracks, {self.duration:g} s>"

    @property
    def _identity(self):
        return id(self.file), self.number

    @property
    def duration(self):
        """The length in seconds."""
        return self.end - self.start

    @property
    def tracks(self):
        """All Tracks, in the order of the file."""
        return [Track(self, i) for i in range(self._count)]

    def __len__(self):
        return self._count

    def __iter__(self):
        return (Track(self, i) for i in range(self._count))

    def find(self, node, property, component=None):
        """Return the Track or None. Without a component: the track of all components, or the first of a single component.

        node: the node of the track, or its last part if no track has this node: "Hips" for "Armature/Skeleton3D:Hips".
        """
        for search in (_library.anim_find_track, _library.anim_find_named):
            number, first = -1, None
            while True:
                with self.file._handle as handle:
                    number = search(handle, self.number, number + 1, _bytes(node), _bytes(property))
                if number < 0:
                    break
                track = Track(self, number)
                if track.component == component:
                    return track
                first = first or track
            if first is not None:
                return first if component is None else None
        return None

    def __getitem__(self, key):
        if isinstance(key, slice):
            return [Track(self, i) for i in range(*key.indices(self._count))]
        if not isinstance(key, tuple):
            return Track(self, _index(key, self._count, "track"))
        track = self.find(*key)
        if track is None:
            raise KeyError(key)
        return track

    def __contains__(self, key):
        if isinstance(key, tuple):
            return self.find(*key) is not None
        return isinstance(key, Track) and key.clip == self

    @property
    def tree(self):
        """The Tree of the clip, or None."""
        return Tree(self.file, self._tree) if self._tree >= 0 else None

    @property
    def nodes(self):
        """The Nodes of the clip's tree."""
        return self.tree.nodes if self._tree >= 0 else []

    def find_driven(self, node):
        """Return the Node of the clip's tree that a Track, or a track with this node, animates. None: there is none."""
        with self.file._handle as handle:
            number = _library.anim_find_driven(handle, self.number, _bytes(getattr(node, "node", node)))
        return Node(self.tree, number) if number >= 0 else None

    def times(self, rate=None, end="cover"):
        """Return the times at which anim-resample samples it at `rate` per second (None: its own). end: cover, grid, fit, loop."""
        if end not in _ENDS:
            raise ValueError(f"end is one of {', '.join(_ENDS)}, not {end!r}")
        num, den = _rate(rate)
        arguments = self.number, num, den, _ENDS.index(end)
        with self.file._handle as handle:
            count = _call("clip_times", handle, *arguments, None, 0)
            room = _Room((count,))
            _call("clip_times", handle, *arguments, room.at, count)
        return room.array

    def _times(self, at, rate, times, end):
        """Return times, or the times of a rate, as _numbers does. `at` is a rate, times, or None."""
        if (at is not None) + (rate is not None) + (times is not None) > 1:
            raise TypeError("give one of: a rate, times")
        if at is not None and _is_iterable(at) and getattr(at, "ndim", 1) > 0:
            times = at
        elif at is not None:
            rate = at
        return _numbers(self.times(rate, end) if times is None else times)

    def sample(self, tracks, at=None, end="cover", *, rate=None, times=None):
        """Sample tracks of equally many numbers into one float32 array: frames x tracks x numbers.

        tracks: Tracks of this clip, or the name of a property for its tracks of all components ("rotation"). at: a rate or
        times, as for Track.sample.
        """
        if isinstance(tracks, str):
            tracks = [track for track in self if track.property == tracks and track.component is None]
        tracks = list(tracks)
        for track in tracks:
            if not isinstance(track, Track):
                raise TypeError(f"a Track is needed, not {track!r:.60}")
            if track not in self:
                raise ValueError(f"{track!r} is of another clip")
            if track.is_text:
                raise TypeError(f"{track!r} has texts, not numbers")
        address, count, kept = self._times(at, rate, times, end)
        widths = {track.components for track in tracks}
        if len(widths) > 1:
            raise ValueError("tracks of different sizes do not go into one array")
        width = widths.pop() if widths else 0
        # The numbers are stored track by track, as in a stream. numpy shows them frame by frame without a copy.
        room = _Room((len(tracks), count, width), "f")
        size = count * width
        for i, track in enumerate(tracks):
            with self.file._handle as handle:
                _call("sample_floats", handle, self.number, track.number, address, count, room.at + 4 * i * size, size, None)
        del kept
        return room.array.transpose(1, 0, 2) if numpy is not None else _frames(room.array, len(tracks), count, width)

    def world(self, at=None, node=None, end="cover", *, rate=None, times=None):
        """Return the transforms of the nodes in the space of the tree: times x nodes x 3 x 4, rows of basis and origin.

        at: a rate or times, as for Track.sample. node: only this Node, path or number: times x 3 x 4.
        """
        address, count, kept = self._times(at, rate, times, end)
        tree, number, nodes = self.tree, -1, ()
        if node is None:
            nodes = (0 if tree is None else len(tree),)
        elif tree is not None:
            if isinstance(node, Node) and node not in tree:
                raise ValueError(f"{node!r} is of another tree")
            number = node.number if isinstance(node, Node) else tree[node].number
        room = _Room((count,) + nodes + (3, 4))
        with self.file._handle as handle:
            _call("world", handle, self.number, number, address, count, room.at, room.count)
        del kept
        return room.array


def _frames(numbers, tracks, count, width):
    """Reorder the numbers frame by frame."""
    out = array.array("f")
    for k in range(count):
        for i in range(tracks):
            at = (i * count + k) * width
            out.extend(numbers[at:at + width])
    return out


class Track(_Part):
    """The keys of one property of one node, or of one component of it (component: its number; None: all components)."""

    def __init__(self, clip, number):
        self.clip, self.number = clip, number
        info = _TrackInfo()
        with clip.file._handle as handle:
            _call("get_track", handle, clip.number, number, ctypes.byref(info))
            self.node, self.property, self.kind = _word(info.node), _word(info.property), _word(info.kind)
            self.type, self.mode, self.rules = _word(info.type), _word(info.mode) or None, _word(info.rules)
            self.pre, self.post = _word(info.pre), _word(info.post)
        self.component = info.component if info.component >= 0 else None
        self.components, self.flags, self.count = info.components, info.flags, info.keys
        self.is_rotation, self.is_text = bool(info.is_rotation), self.type == "string"
        self.rate = fractions.Fraction(info.rate_num, info.rate_den) if info.rate_den else None

    def __repr__(self):
        part = "" if self.component is None else f".{self.component}"
        return f"<anim.Track {self.node!r} {self.property}{part}: {self.type}, {self.kind}, {self.count} keys>"

    def _call(self, name, *arguments):
        with self.clip.file._handle as handle:
            return _call(name, handle, self.clip.number, self.number, *arguments)

    def _key_texts(self, name):
        texts = (_text * self.count)()
        with self.clip.file._handle:
            self._call(name, texts, self.count)
            return [_word(text) for text in texts]

    @property
    def _identity(self):
        return self.clip._identity, self.number

    @property
    def is_degrees(self):
        """Whether its angles are in degrees."""
        return bool(self.flags & 4)

    @property
    def is_disabled(self):
        """Whether its player ignores it."""
        return bool(self.flags & 32)

    @property
    def attributes(self):
        """Further data of the source about the track."""
        items = ctypes.POINTER(_Attribute)()
        with self.clip.file._handle:
            return _attributes_of(items, self._call("get_track_attributes", ctypes.byref(items)))

    def sample(self, at=None, end="cover", dtype="d", present=False, *, rate=None, times=None):
        """Return the values that its player shows: an array of frames x components, or for texts a list of str or None.

        at: a number or text is a rate (30, 29.97, "30000/1001") for the times of anim-resample; a sequence is times in seconds.
        rate= and times= are explicit. With none of them the clip's own rate is used. dtype: float64 ("d") or float32 ("f").
        present=True: return (array, present): whether the player sets a value at each time. If not, the value is the rest pose,
        otherwise the first value.
        """
        kind = _kind(dtype)
        address, count, kept = self.clip._times(at, rate, times, end)
        if self.is_text:
            texts = (_text * count)()
            with self.clip.file._handle:
                self._call("sample_texts", address, count, texts)
                return [_word(text) for text in texts]
        room, which = _Room((count, self.components), kind), _Room((count,), "B")
        self._call("sample_doubles" if kind == "d" else "sample_floats", address, count, room.at, room.count, which.at)
        del kept
        if not present:
            return room.array
        return room.array, which.array.astype(bool) if numpy is not None else which.array

    def _keys(self, part, width):
        room = _Room((self.count, width) if width else (self.count,))
        return room.array if self._call("key_doubles", part, room.at, room.count) else None

    @property
    def times(self):
        """The times of the keys or samples."""
        return self._keys(0, 0)

    @property
    def values(self):
        """The values of the keys: keys x components, or a list of str or None for texts."""
        if not self.is_text:
            return self._keys(1, self.components)
        return self._key_texts("key_texts")

    @property
    def left(self):
        """The slopes, handles or control points before each key, by its mode: keys x components, or None."""
        return self._keys(2, self.components)

    @property
    def right(self):
        """The same after each key."""
        return self._keys(3, self.components)

    @property
    def left_x(self):
        """The times of the handles before each key: keys x components, or None. Weighted: parts of the segment; Bezier2D: seconds."""
        return self._keys(4, self.components)

    @property
    def right_x(self):
        """The same after each key."""
        return self._keys(5, self.components)

    @property
    def ease(self):
        """The transition of each key in Godot, or None if all are 1."""
        return self._keys(6, 0)

    @property
    def modes(self):
        """The mode from each key to the next, as a list."""
        return self._key_texts("key_modes")


class Tree(_Part, collections.abc.Sequence):
    """The nodes of a scene, a sequence: tree["Skeleton3D:Hips"], tree[3], len(tree), all of them in tree.nodes."""

    def __init__(self, file, number):
        self.file, self.number = file, number
        info = _TreeInfo()
        with file._handle as handle:
            _call("get_tree", handle, number, ctypes.byref(info))
            self.root_name, self.source = _word(info.root_name), _word(info.file)
            self.axes, self.axes2d = _word(info.axes), _word(info.axes2d)
            self.attributes = _attributes_of(info.attributes, info.attribute_count)
        self._count = info.nodes

    def __len__(self):
        return self._count

    def __getitem__(self, key):
        if isinstance(key, slice):
            return [Node(self, i) for i in range(*key.indices(self._count))]
        if not isinstance(key, str):
            return Node(self, _index(key, self._count, "node"))
        number = self._find(key)
        if number < 0:
            raise KeyError(key)
        return Node(self, number)

    def _find(self, path):
        with self.file._handle as handle:
            return _library.anim_find_node(handle, self.number, _bytes(path))

    def __contains__(self, key):
        if isinstance(key, str):
            return self._find(key) >= 0
        return isinstance(key, Node) and key.tree == self

    @property
    def _identity(self):
        return id(self.file), self.number

    @property
    def nodes(self):
        """All Nodes, parents before their children."""
        return [Node(self, i) for i in range(self._count)]


class Node(_Part):
    """One node: path, name, kind ("bone", ...), type, parent (a number; None for the root), and its rest pose."""

    def __init__(self, tree, number):
        self.tree, self.number = tree, number
        info = _NodeInfo()
        with tree.file._handle as handle:
            _call("get_node", handle, tree.number, number, ctypes.byref(info))
            self.path, self.name, self.kind, self.type = (_word(text) for text in (info.path, info.name, info.kind, info.type))
            self.attributes = _attributes_of(info.attributes, info.attribute_count)
        self.parent = info.parent if info.parent >= 0 else None
        self.has = info.has
        self.position, self.rotation, self.scale = tuple(info.position), tuple(info.rotation), tuple(info.scale)

    def __repr__(self):
        return f"<anim.Node {self.path!r}>"

    @property
    def _identity(self):
        return self.tree._identity, self.number


# ---- Writing ----

def create(target, *, program=None, version=None):
    """Begin a stream in a file (a path; "-": standard output) or a file object. Return a Writer for a `with` statement.

    An existing stream is replaced at the end. It is an error if the file has other content, such as a scene.
    """
    return Writer(target, program=program, version=version)


def _attribute_array(attributes):
    items = (_Attribute * len(attributes or {}))()
    for item, (key, value) in zip(items, (attributes or {}).items()):
        item.key, item.value = _bytes(key), _bytes(value)
    return items


def _width(type):
    """Return the numbers of a value: 3 for float3, 4 for floatQ and color, 1 for float."""
    if not isinstance(type, str):
        raise TypeError("the third argument is the type of the values, such as 'float3' or 'floatQ'")
    if not re.fullmatch("(bool|byte|sbyte|u?short|u?int|u?long|float|double)([234]|Q|2x2|3x3|4x4)?|color(32)?|string", type):
        raise ValueError(f"{type!r} is no type of values; use 'float3', 'floatQ' for rotations, 'color', 'string' or another")
    tail = type.lstrip("abcdefghijklmnopqrstuvwxyz")
    return 4 if type.startswith("color") else {"Q": 4, "2": 2, "3": 3, "4": 4, "2x2": 4, "3x3": 9, "4x4": 16}.get(tail, 1)


def _given(like, **value):
    """Return the value of the only argument, or if it is None, the attribute of that name."""
    (name, given), = value.items()
    return getattr(like, name) if given is None and like is not None else given


class Writer:
    """Writes a stream: trees with their nodes, clips with their tracks. `with` commits, or removes the file after an exception.

        with anim.create("swing.axs") as out:
            out.clip("swing", end=1)
            out.track("Door", "position", "float3", [[0, 0, 0], [1, 0, 0]], times=[0, 1])
    """

    def __init__(self, target, *, program=None, version=None):
        name = os.fspath(target) if isinstance(target, (str, bytes, os.PathLike)) else ""
        suffix = os.path.splitext(os.fsdecode(name))[1].lower()
        if suffix not in ("", ".axs") and not os.path.exists(name):
            raise Error(f"{name}: a Writer writes streams (.axs); for {suffix}, convert the stream")
        options = _WriterOptions(program=_bytes(program), version=_bytes(version))
        if hasattr(target, "fileno"):
            target.flush()
            handle = _call("write_open_fd", target.fileno(), ctypes.byref(options))
        else:
            handle = _call("write_open", os.fsencode(target), ctypes.byref(options))
        self._handle = _Handle(self, "writer", handle, _library.anim_write_close, True)

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        try:
            if kind is None and self._handle.close.alive:
                self.commit()
        finally:
            self.close()

    def commit(self):
        """End the stream and give the file its name."""
        with self._handle as handle:
            _call("write_commit", handle)
            self.close()

    def close(self):
        """Close the writer. A file that was not committed is removed."""
        self._handle.close()

    def tree(self, root_name="", *, axes=None, axes2d=None, file="", attributes=None):
        """Begin a tree. Its nodes follow."""
        items = _attribute_array(attributes)
        info = _TreeInfo(root_name=_bytes(root_name), file=_bytes(file), axes=_bytes(axes), axes2d=_bytes(axes2d), attributes=items,
                         attribute_count=len(items))
        with self._handle as handle:
            _call("write_tree", handle, ctypes.byref(info))

    def node(self, path, parent=None, *, kind=None, type="", position=None, rotation=None, scale=None, attributes=None):
        """Add a node, first the root with parent=None. parent: the number of an earlier node. None: the part is not written."""
        items = _attribute_array(attributes)
        info = _NodeInfo(path=_bytes(path), kind=_bytes(kind), type=_bytes(type), parent=-1 if parent is None else parent,
                         attributes=items, attribute_count=len(items))
        for bit, name, value in ((1, "position", position), (2, "rotation", rotation), (4, "scale", scale)):
            if value is not None:
                info.has |= bit
                getattr(info, name)[:] = [float(number) for number in value]
        with self._handle as handle:
            _call("write_node", handle, ctypes.byref(info))

    def clip(self, name=None, *, end=None, start=None, loop=None, axes=None, axes2d=None, source=None, root=None, rate=None,
             in_tree=True, attributes=None, like=None):
        """Begin a clip. Its tracks follow. in_tree=False: it does not belong to the last tree. like: a Clip, of which it has
        everything that is not given here: name, times, loop, axes, source, root, rate and attributes."""
        name, end = _given(like, name=name), _given(like, end=end)
        if name is None or end is None:
            raise TypeError("a clip needs a name and an end, or another Clip: like=")
        start, root, source = _given(like, start=start) or 0, _given(like, root=root), _given(like, source=source)
        loop, axes, axes2d = _given(like, loop=loop), _given(like, axes=axes), _given(like, axes2d=axes2d)
        rate, attributes = _given(like, rate=rate), _given(like, attributes=attributes)
        items = _attribute_array(attributes)
        num, den = _rate(rate)
        info = _ClipInfo(name=_bytes(name), start_s=start, end_s=end, loop=_bytes(loop), axes=_bytes(axes), axes2d=_bytes(axes2d),
                         source=_bytes(source or ""), root=_bytes("." if root is None else root), rate_num=num, rate_den=den,
                         tree=0 if in_tree else -1,
                         attributes=items, attribute_count=len(items))
        with self._handle as handle:
            _call("write_clip", handle, ctypes.byref(info))

    def track(self, node=None, property=None, type=None, values=None, *, times=None, rate=None, start=0, mode="Linear", left=None,
              right=None, component=None, rules=None, pre=None, post=None, flags=None, attributes=None, like=None):
        """Add a track to the clip. With times: keys of a curve (mode "Hold", "Linear", or "Hermite" with slopes left and right, per
        second; "Step": a Discrete track). Without: samples at `rate` per second. values: keys x numbers, or texts. like: a Track,
        of which it has everything but its keys that is not given here: node, property, type, component, rules, ends, flags and
        attributes."""
        node, property, type = _given(like, node=node), _given(like, property=property), _given(like, type=type)
        if node is None or property is None or type is None or values is None:
            raise TypeError("a track needs a node, a property, a type and values; like= gives all but the values")
        component, rules, attributes = (_given(like, component=component), _given(like, rules=rules),
                                        _given(like, attributes=attributes))
        pre, post, flags = _given(like, pre=pre), _given(like, post=post), _given(like, flags=flags) or 0
        flags &= ~16  # the new keys are in order
        kind = "Raw" if times is None else "Discrete" if mode == "Step" or type == "string" else "Curve"
        items, data, kept = _attribute_array(attributes), _KeyData(), []

        def give(name, numbers, number_kind="d"):
            address, count, keep = _numbers(numbers, number_kind)
            setattr(data, name, address)
            kept.append(keep)
            return count

        width = _width(type)
        if type == "string":
            keys = len(values)
            texts = (_text * keys)(*[_bytes(value) for value in values])
            data.texts = ctypes.cast(texts, _pointer)
        else:
            single = numpy is not None and getattr(values, "dtype", None) == numpy.float32
            keys, rest = divmod(give("floats" if single else "doubles", values, "f" if single else "d"), width)
            if rest:
                raise ValueError(f"values of type {type} have {width} numbers each")
        for name, numbers, wanted in (("times", times, keys), ("left", left, keys * width), ("right", right, keys * width)):
            if numbers is not None and give(name, numbers) != wanted:
                raise ValueError(f"{keys} keys of type {type} need {wanted} numbers in {name}")
        num, den = _rate(rate) if times is None else (0, 0)
        info = _TrackInfo(node=_bytes(node), property=_bytes(property), kind=_bytes(kind), type=_bytes(type),
                          mode=_bytes("" if kind == "Discrete" else mode), rules=_bytes(rules), pre=_bytes(pre), post=_bytes(post),
                          component=-1 if component is None else component, flags=flags, keys=keys, start_s=start, rate_num=num,
                          rate_den=den)
        with self._handle as handle:
            _call("write_track", handle, ctypes.byref(info), ctypes.byref(data), items, len(items))

    def copy(self, what):
        """Copy a Tree with its nodes, a Clip with its tracks, or a single Track, with all its data."""
        if isinstance(what, Tree):
            name, file, numbers = "copy_tree", what.file, (what.number,)
        elif isinstance(what, Clip):
            name, file, numbers = "copy_clip", what.file, (what.number,)
        elif isinstance(what, Track):
            name, file, numbers = "copy_track", what.clip.file, (what.clip.number, what.number)
        else:
            raise TypeError("copy takes a Tree, a Clip or a Track: a File has them in its trees and clips")
        with self._handle as handle, file._handle as source:
            _call(name, handle, source, *numbers)


# ---- Converting ----

def _options_of(options, operands=()):
    """Return the array of the options {"rate": 30, "in_place": True, "node": ["A*", "B*"]}, then the operands."""
    pairs = []
    for name, values in options.items():
        for value in values if isinstance(values, (list, tuple)) else [values]:
            if value is not None and value is not False:
                pairs.append((name.replace("_", "-"), None if value is True else os.fspath(value) if hasattr(value, "__fspath__") else str(value)))
    pairs += [(None, str(value)) for value in operands]
    items = (_Attribute * len(pairs))()
    for item, (name, value) in zip(items, pairs):
        item.key, item.value = _bytes(name), _bytes(value)
    return items


def convert(sources, output=None, *, name=None, parts=False, aside=None, message=None, progress=None, warn=True, **options):
    """Convert files to a file, with the options of anim convert by their long names. Return None, or bytes if output is None.

        anim.convert("walk.tscn", "walk.glb", rate=30, in_place=True)
        glb = anim.convert(["a.tres", "b.tres"], name="both.glb", node=["!*Finger*"])

    sources: a path, bytes, a File, a file object or a descriptor, or a list of them. output: a path or a descriptor, which is
    written at the end. name: of the bytes that are returned or written to a descriptor, for the suffix; format= is an option,
    too. parts=True: return a dict of names and bytes, for outputs of several files: name="%c.animj" writes one for each clip, and
    name="walk.gltf" with bin=True also walk.bin. aside: a dict of names and bytes of files that sources in memory refer to, such as
    the .bin of a glTF file, or that options name: retarget="hero.glb". message: a function that gets a dict for each warning and note (level: "note" or "warning", text, file, clip, subject, line,
    column, count, worst, unit). progress: a function of the bytes read and all bytes; if it returns a true value, the conversion
    stops with Error. warn=False: issue no warnings. An output is replaced only if everything succeeds.
    """
    given = sources if isinstance(sources, (list, tuple)) else [sources]
    if not given:
        raise ValueError("there is nothing to convert")
    aside = list((aside or {}).items())
    array, size, raised, told, memory = (_Source * (len(given) + len(aside)))(), _size(), [], [], _pointer()
    made = {}

    def on_message(_, info):
        info = info.contents
        told.append({"level": ("note", "warning", "fault")[info.level], "count": info.count, "worst": info.worst, "line": info.line,
                     "column": info.column, **{key: _word(getattr(info, key)) for key in ("text", "file", "clip", "subject", "unit")}})

    def on_progress(_, done, whole):
        try:
            return 1 if progress(done, whole) else 0
        except BaseException as error:  # it cannot pass through the library
            raised.append(error)
            return 1

    def on_part(_, part, at, count):
        made[_word(part)] = ctypes.string_at(at, count)

    if parts and output is not None:
        raise ValueError("parts are for an output in memory")
    if (output is None or isinstance(output, int)) and name is None and "format" not in options:
        raise ValueError("bytes need a format: format=, or the suffix of name=")
    items = _options_of(options)
    path = None if output is None or isinstance(output, int) else os.fsencode(output)
    conversion = _Conversion(sources=array, source_count=len(array), output=path,
                             name=_bytes(name), options=items, option_count=len(items), message=_ON_MESSAGE(on_message),
                             progress=_ON_PROGRESS(on_progress) if progress else _ON_PROGRESS(),
                             part=_ON_PART(on_part) if parts else _ON_PART())
    if isinstance(output, int):
        conversion.has_fd, conversion.fd = 1, output
    elif output is None and not parts:
        conversion.bytes, conversion.byte_count = ctypes.pointer(memory), ctypes.pointer(size)
    with contextlib.ExitStack() as entered:  # in one order, so that two threads never wait for each other
        for file in sorted({source for source in given if isinstance(source, File)}, key=id):
            entered.enter_context(file._handle)
        for item, source in zip(array, given):
            item.size = ctypes.sizeof(item)
            if isinstance(source, File):
                item.handle = source._handle.address
            elif isinstance(source, (bytes, bytearray, memoryview)):
                item.bytes, item.byte_count = bytes(source), len(source)
            elif isinstance(source, int):
                item.has_fd, item.fd = 1, source
            elif hasattr(source, "read"):
                item.bytes = data = source.read()
                item.byte_count = len(data)
            else:
                item.path = os.fsencode(source)
        for item, (part, data) in zip(array[len(given):], aside):
            item.size, item.is_aside, item.name = ctypes.sizeof(item), 1, _bytes(part)
            item.bytes, item.byte_count = bytes(data), len(data)
        try:
            _call("convert", ctypes.byref(conversion))
            return made if parts else None if output is not None else ctypes.string_at(memory, size.value)
        except Error as error:
            raise raised[0] if raised else error from None
        finally:
            _library.anim_free(memory)
            for item in told:
                if message is not None:
                    message(item)
                if warn and item["level"] == "warning":
                    warnings.warn(item["text"], Warning, stacklevel=2)


# ---- The programs ----

def pipe(command, *, input=None, cwd=None, warn=True, programs=None):
    """Run programs of anim-tools in a pipe, without a shell. Return the stream that the last one writes, as a File.

        anim.pipe("parse walk.tscn | axes unity | resample 30")

    Words are split and unquoted as by a shell, without its other features. "parse" and "anim-parse" are the same. input: bytes for
    the first program. programs: the folder of the programs; None: PATH. If a program fails or is missing, Error has its messages.
    Otherwise each warning is a Warning; notes are only in File.messages.
    """
    lexer = shlex.shlex(command, posix=True, punctuation_chars="|")
    lexer.whitespace_split, lexer.commenters = True, ""
    words, commands = list(lexer), [[]]
    for word in words:
        if word == "|":
            commands.append([])
        else:
            commands[-1].append(word)
    if not all(commands):
        raise ValueError(f"an empty command in {command!r}")
    if any(word[0] in "<>" for word in words):
        raise ValueError("no shell runs the pipe, so '<' and '>' open no files; give input, and write() the result")
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as source:
        if input is not None:
            source.write(input)
            source.seek(0)
        messages = _run(commands, source if input is not None else subprocess.DEVNULL, out, cwd, programs)
        out.seek(0)
        for text in messages:
            if warn and ": warning: " in text:
                warnings.warn(text, Warning, stacklevel=2)
        if out.tell() == 0 and out.seek(0, os.SEEK_END) == 0:
            raise Error(f"{commands[-1][0]} wrote no stream to read here; open() the file that it wrote, or use convert()")
        out.seek(0)
        file = File(out, warn=False)
        file.messages[:0] = messages
        return file


def _run(commands, source, out, cwd, programs):
    """Run the programs. Return the lines of their messages or raise Error."""
    running, told = [], []
    try:
        for i, words in enumerate(commands):
            words = words if words[0].startswith("anim-") or words[0] == "anim" else ["anim", *words]
            if programs is not None:
                words = [os.path.abspath(os.path.join(programs, words[0])), *words[1:]]
            told.append(tempfile.TemporaryFile())
            last = i + 1 == len(commands)
            try:
                running.append(subprocess.Popen(words, stdin=source, stdout=out if last else subprocess.PIPE, stderr=told[-1], cwd=cwd))
            except (FileNotFoundError, PermissionError) as error:
                if cwd is not None and not os.path.isdir(cwd):
                    raise
                raise Error(f"{words[0]}: {error.strerror}; install the programs, or name their folder: programs=") from None
            if i > 0:
                source.close()
            source = running[-1].stdout
        for process in running:
            process.wait()
        lines = []
        for file in told:
            file.seek(0)
            lines.append(file.read().decode("utf-8", "replace").splitlines())
        # The first program that failed is the cause. The programs after it failed because their input was cut.
        for process, words, said in zip(running, commands, lines):
            if process.returncode > 0:
                raise Error("\n".join(said) if said else f"{words[0]}: exit status {process.returncode}", process.returncode)
        for process, words in zip(running, commands):
            if process.returncode != 0:
                raise Error(f"{words[0]}: ended by signal {-process.returncode}", process.returncode)
        return [line for said in lines for line in said]
    finally:
        for process in running:
            if process.poll() is None:
                process.kill()
                process.wait()
            if process.stdout is not None:
                process.stdout.close()
        for file in told:
            file.close()
