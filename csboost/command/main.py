"""The command ``csboost``: parse, do it, and end every foreseeable mishap in words and an exit code."""

from __future__ import annotations

import argparse
import errno
import sys
import warnings
from collections.abc import Callable, Sequence

from csboost.command.mishaps import DONE, INTERRUPTED, UNUSABLE, USAGE, UsageError, ended_like_ctrl_c
from csboost.command.parser import make_parser
from csboost.command.printing import say, to_nowhere

__all__ = ["main"]


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code.

    Parameters
    ----------
    argv : sequence of str, optional
        The arguments; those of the process by default.
    """
    try:
        options = make_parser().parse_args(argv)
    except SystemExit as stop:  # argparse has printed its message
        return int(stop.code or 0)
    name = f"csboost {options.command}"
    try:
        with ended_like_ctrl_c(), warnings.catch_warnings():
            warnings.showwarning = _teller()
            _conductor(options.command)(options)
        sys.stdout.flush()
    except UsageError as error:
        return _complain(name, str(error), USAGE)
    except KeyboardInterrupt:
        is_printed = options.command == "decide" and options.out == "-"  # block by block
        say("\nInterrupted." if is_printed else "\nInterrupted: nothing was written.")
        return INTERRUPTED
    except BrokenPipeError:
        to_nowhere()  # the reader of stdout has what it wanted
    except MemoryError:
        return _complain(name, "not enough memory. Close other programs, or give fewer rows or columns.", UNUSABLE)
    except OSError as error:
        where = (
            "stdout" if error.filename is None and error.errno == errno.ENOSPC else error.filename
        )  # files are named
        return _complain(name, str(error) if where is None else f"{where}: {error.strerror}", UNUSABLE)
    except (ValueError, ImportError) as error:
        return _complain(name, str(error), UNUSABLE)
    return DONE


def _conductor(command: str) -> Callable[[argparse.Namespace], None]:
    """What does a command; imported once the command line is known to be right."""
    if command == "fit":
        from csboost.command.fit import conduct_fit

        return conduct_fit
    if command == "decide":
        from csboost.command.decide import conduct_decide

        return conduct_decide
    from csboost.command.show import conduct_show

    return conduct_show


def _teller() -> Callable[..., None]:
    """What tells warnings, each text once, however many blocks it is true of.

    Warnings are for users; what libraries say to those who write programs is not.
    """
    told: set[str] = set()

    def tell(message: Warning | str, category: type[Warning], *where: object) -> None:
        if issubclass(category, UserWarning) and str(message) not in told:
            told.add(str(message))
            say(f"Warning: {message}")

    return tell


def _complain(name: str, text: str, code: int) -> int:
    say(f"{name}: error: {text}")
    return code
