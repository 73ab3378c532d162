"""Finding a column by its name; what is nearly the name of one is suggested, never taken."""

from __future__ import annotations

import difflib
from collections.abc import Sequence

from csboost.data.errors import DataError

_SHOWN = 12


def check_name(wanted: str, names: Sequence[str], where: str, what: str = "column") -> None:
    """Refuse a name that no column has; the message lists columns of nearly that name."""
    if wanted in names:
        return
    bare = {name: _bare(name) for name in names}
    alike = [name for name in names if bare[name] == _bare(wanted)]
    if len(alike) > 1:
        each = " or ".join(map(repr, alike))
        raise DataError(f"{where}: the {what} {wanted!r} is ambiguous: {each}? Write it as in the header.")
    near = alike or _near(wanted, bare)
    hint = f" Did you mean {near[0]!r}?" if near else ""
    listed = ", ".join(names[:_SHOWN]) + (f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else "")
    looks = " The first line looks like data: it must hold the names of the columns." if _are_data(names) else ""
    role = "" if what == "column" else f" (for the {what})"
    raise DataError(f"{where} has no column {wanted!r}{role}.{hint} It has: {listed}.{looks}")


def _near(wanted: str, bare: dict[str, str]) -> list[str]:
    close = difflib.get_close_matches(_bare(wanted), bare.values(), n=1, cutoff=0.6)
    return [name for name, text in bare.items() if close and text == close[0]]


def _bare(name: str) -> str:
    return "".join(sign for sign in name.casefold() if sign.isalnum())


def _are_data(names: Sequence[str]) -> bool:
    """Whether many of the names are numbers or dates, as in a file without a header."""
    return sum(name.replace(".", "").replace("-", "").isdigit() for name in names) >= len(names) / 3
