"""The file of answers: CSV, TSV or parquet, written block by block, whole or not at all."""

from __future__ import annotations

import contextlib
import io
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import pandas as pd

from csboost._files import whole_file
from csboost.command.deciding import Answered, Decider
from csboost.command.mishaps import UsageError
from csboost.data.errors import DataError

STDOUT = "-"
_DELIMITERS = {".csv": ",", ".txt": ",", ".tsv": "\t", ".tab": "\t"}
_PARQUET = (".parquet", ".pq")


class Writer(Protocol):
    """Takes blocks of answers."""

    def write(self, block: pd.DataFrame) -> None:
        """Add a block."""


def answer_names(labels: np.ndarray) -> list[str]:
    """The columns of answers."""
    return ["answer", "expected_cost", *(f"cost[{label}]" for label in labels)]


def answer_frame(decider: Decider, answered: Answered, kept: pd.DataFrame | None) -> pd.DataFrame:
    """What is written of a block: copied columns, then answers and what they are expected to cost."""
    places, expected = answered
    columns: list[Any] = [] if kept is None else [kept[name].to_numpy() for name in kept]
    columns.append(pd.Categorical.from_codes(places, pd.Index([str(label) for label in decider.labels])))
    if expected is not None:
        rounded = np.round(expected, decider.decimals) + 0.0  # no -0.0
        columns += [rounded[np.arange(len(places)), places], *rounded.T]
    names = [*([] if kept is None else kept), *answer_names(decider.labels)]
    return pd.DataFrame(dict(zip(names, columns, strict=False)))  # without expected costs the answer is the last


def check_kind(out: str) -> None:
    """Refuse names of which nothing tells how the file is to be written (UsageError)."""
    kind, is_packed = _kind(out)
    if kind in _PARQUET and is_packed:
        raise UsageError(f"--out {out}: parquet is packed as it is; leave out .gz.")
    if out != STDOUT and kind not in _DELIMITERS and kind not in _PARQUET:
        raise UsageError(
            f"--out {out}: the name must end in {' or '.join(_DELIMITERS)}, any of these with .gz after it, or in "
            f"{' or '.join(_PARQUET)}."
        )
    if kind in _PARQUET:
        _arrow()


def _kind(out: str) -> tuple[str, bool]:
    """The ending that tells how a file is written, and whether gzip packs it."""
    name = out.lower()
    return Path(name.removesuffix(".gz")).suffix, name.endswith(".gz")


@contextlib.contextmanager
def opened_writer(out: str, source: Path, copied: Sequence[str]) -> Iterator[Writer]:
    """What writes to the file ``out``, or to stdout for ``-``, with columns ``copied`` from ``source``."""
    if out == STDOUT:
        yield _Text(sys.stdout, ",")
        return
    kind, is_packed = _kind(out)
    with whole_file(Path(out), gzip_level=6 if is_packed else None) as new:
        if kind in _PARQUET:
            with contextlib.closing(_Parquet(new, source, copied)) as writer:
                yield writer
        else:
            with io.TextIOWrapper(new, "utf-8", newline="") as text:
                yield _Text(text, _DELIMITERS[kind])


class _Text:
    def __init__(self, file: Any, delimiter: str) -> None:
        self._file, self._delimiter, self._begun = file, delimiter, False

    def write(self, block: pd.DataFrame) -> None:
        block.to_csv(self._file, sep=self._delimiter, header=not self._begun, index=False, lineterminator="\n")
        self._begun = True


class _Parquet:
    def __init__(self, new: Any, source: Path, copied: Sequence[str]) -> None:
        self._new, self._arrow = new, _arrow()
        self._types = self._types_in(source, copied)
        self._writer: Any = None  # until there is a block

    def write(self, block: pd.DataFrame) -> None:
        from pyarrow import parquet

        block = block.astype({"answer": str})
        for name in block:
            # texts; in a sheet there may be numbers between them
            if name not in self._types and pd.api.types.is_object_dtype(block[name]):
                block[name] = block[name].astype("string")
        if self._writer is None:
            self._writer = parquet.ParquetWriter(self._new, self._schema(block))
        table = self._arrow.Table.from_pandas(block, schema=self._writer.schema, preserve_index=False)
        self._writer.write_table(table)

    def _types_in(self, source: Path, copied: Sequence[str]) -> dict[str, Any]:
        """The types of copied columns that a parquet file states; a block need not tell them."""
        from pyarrow import parquet

        try:
            schema = parquet.read_schema(source)
        except self._arrow.ArrowInvalid:  # text or a sheet
            return {}
        return {field.name.strip(): field.type for field in schema if field.name.strip() in copied}

    def _schema(self, block: pd.DataFrame) -> Any:
        """The types of all blocks: of a column that is empty in the first one, text."""
        schema = self._arrow.Schema.from_pandas(block, preserve_index=False)
        for place, field in enumerate(schema):
            found = self._types.get(field.name, field.type)
            if self._arrow.types.is_null(found):
                found = self._arrow.string()
            schema = schema.set(place, field.with_type(found))
        return schema

    def close(self) -> None:
        if self._writer is not None:
            self._writer.close()


def _arrow() -> Any:
    try:
        import pyarrow
    except ImportError:
        raise DataError(
            "writing parquet needs the package pyarrow (pip install pyarrow); or give --out a name that ends in .csv."
        ) from None
    return pyarrow
