"""Single values that JSON does not know, such as dates among the labels: a tag and what it takes to make them again."""

from __future__ import annotations

import datetime
import decimal
import fractions
from collections.abc import Callable
from typing import Any

import numpy as np

__all__ = ["READERS", "tagged"]

#: Types that scikit-learn's transformers keep as parameters.
_TYPES: dict[str, type[Any]] = {"object": object, "int": int, "float": float, "bool": bool, "str": str}
_NUMPY_TYPES = ("number", "integer", "floating", "float64", "float32", "int64", "int32", "int8", "uint8", "bool_")
_TYPES |= {f"numpy.{name}": getattr(np, name) for name in _NUMPY_TYPES}
_KINDS = "biufmMUS"  # of NumPy's types, those whose values are no objects


def tagged(value: Any) -> tuple[str, Any] | None:
    """Tag and contents of a value, the contents to be encoded in turn; None for values of other types."""
    if isinstance(value, np.generic):
        return ("scalar", _of_scalar(value)) if value.dtype.kind in _KINDS and value.dtype.char != "g" else None
    if isinstance(value, np.dtype):
        return "dtype", value.str
    if isinstance(value, type):
        return next((("type", name) for name, kind in _TYPES.items() if kind is value), None)
    place = type(value).__module__.partition(".")[0], type(value).__name__
    if place not in _WRITERS:
        return None
    tag, write = _WRITERS[place]
    return tag, write(value)


def checked_dtype(text: str) -> np.dtype[Any]:
    """The type of an array's entries; one of objects is refused."""
    dtype = np.dtype(text)
    if dtype.kind not in _KINDS or dtype.hasobject:
        raise ValueError(f"arrays of the type {text!r} are not read")
    return dtype


def _of_scalar(value: np.generic) -> list[Any]:
    plain = value.view(np.int64) if value.dtype.kind in "mM" else value
    return [value.dtype.str, plain.item()]


def _scalar(parts: list[Any]) -> Any:
    dtype = checked_dtype(parts[0])
    if dtype.kind in "mM":
        return np.array(parts[1], np.int64).view(dtype)[()]
    return np.array(parts[1], dtype)[()]


def _of_datetime(value: datetime.datetime) -> list[Any]:
    return [value.replace(tzinfo=None).isoformat(), None if value.tzinfo is None else _offset(value)]


def _offset(value: datetime.datetime) -> float:
    if type(value.tzinfo) is not datetime.timezone:
        raise ValueError(f"the date {value!r} has a time zone of its own, which cannot be written; give it in UTC")
    found = value.utcoffset()
    assert found is not None
    return found.total_seconds()


def _datetime(parts: list[Any]) -> datetime.datetime:
    time, offset = parts
    zone = None if offset is None else datetime.timezone(datetime.timedelta(seconds=offset))
    return datetime.datetime.fromisoformat(time).replace(tzinfo=zone)


def _timestamp(parts: list[Any]) -> Any:
    import pandas as pd

    time, zone = parts
    if zone is None:
        return pd.Timestamp(time)
    if zone.startswith("dateutil"):  # the only zones that pandas would read from any file
        raise ValueError(f"the time zone {zone!r} is not read")
    return pd.Timestamp(time, tz="UTC").tz_convert(zone)


def _random_state(parts: list[Any]) -> np.random.RandomState:
    key, pos, has_gauss, gauss = parts
    key = np.asarray(key)
    if key.shape != (624,) or not (type(pos) is int and 0 <= pos <= 624):
        raise ValueError("the state of a random generator is none")
    state = np.random.RandomState(0)
    state.set_state(("MT19937", key, pos, int(has_gauss), float(gauss)))
    return state


def _of_random_state(value: np.random.RandomState) -> list[Any]:
    name, *parts = value.get_state(legacy=True)
    if name != "MT19937":
        raise ValueError(f"a RandomState on {name} cannot be written; give a whole number as random_state")
    return parts


def _pandas(name: str) -> Callable[..., Any]:
    """A class of pandas, which most models do without."""

    def make(parts: list[Any]) -> Any:
        import pandas as pd

        return getattr(pd, name)(*parts)

    return make


def _period(parts: list[Any]) -> Any:
    import pandas as pd

    return pd.Period(ordinal=parts[0], freq=parts[1])


def _missing(name: str) -> Any:
    import pandas as pd

    return {"NaT": pd.NaT, "NA": pd.NA}[name]


Writer = Callable[[Any], Any]
_WRITERS: dict[tuple[str, str], tuple[str, Writer]] = {
    ("datetime", "date"): ("date", lambda value: value.isoformat()),
    ("datetime", "time"): ("time", lambda value: value.isoformat()),
    ("datetime", "datetime"): ("datetime", _of_datetime),
    ("datetime", "timedelta"): ("timedelta", lambda value: [value.days, value.seconds, value.microseconds]),
    ("decimal", "Decimal"): ("decimal", str),
    ("fractions", "Fraction"): ("fraction", lambda value: [value.numerator, value.denominator]),
    ("builtins", "bytes"): ("bytes", lambda value: value.hex()),
    ("builtins", "slice"): ("slice", lambda value: [value.start, value.stop, value.step]),
    ("builtins", "float"): ("float", repr),  # those that are no numbers of JSON
    ("numpy", "RandomState"): ("random state", _of_random_state),
    ("pandas", "Timestamp"): (
        "timestamp",
        lambda value: [value.to_numpy(), None if value.tz is None else str(value.tz)],  # in UTC where there is a zone
    ),
    ("pandas", "Timedelta"): ("pandas timedelta", lambda value: [value.to_numpy()]),
    ("pandas", "Interval"): ("interval", lambda value: [value.left, value.right, value.closed]),
    ("pandas", "Period"): ("period", lambda value: [value.ordinal, value.freqstr]),
    ("pandas", "Index"): ("index", lambda value: value.tolist()),
    ("pandas", "NaTType"): ("missing", str),
    ("pandas", "NAType"): ("missing", lambda value: "NA"),
}
#: What makes the values again from their decoded contents, by tag.
READERS: dict[str, Callable[[Any], Any]] = {
    "scalar": _scalar,
    "dtype": lambda text: np.dtype(object) if text == "|O" else checked_dtype(text),
    "type": lambda name: _TYPES[name],
    "date": datetime.date.fromisoformat,
    "time": datetime.time.fromisoformat,
    "datetime": _datetime,
    "timedelta": lambda parts: datetime.timedelta(*parts),
    "decimal": decimal.Decimal,
    "fraction": lambda parts: fractions.Fraction(*parts),
    "bytes": bytes.fromhex,
    "slice": lambda parts: slice(*parts),
    "float": float,
    "random state": _random_state,
    "timestamp": _timestamp,
    "pandas timedelta": _pandas("Timedelta"),
    "interval": _pandas("Interval"),
    "period": _period,
    "index": lambda values: _pandas("Index")([values]),
    "missing": _missing,
}
