"""What a fit will need on each worker, told before it begins."""

from __future__ import annotations

import sys
import warnings

from distributed import Client

__all__ = ["bytes_per_row", "tell"]


def tell(client: Client, name: str, n_rows: int, per_row: int, verbose: int) -> None:
    """Say what each machine will need for its share of the rows; warn where one has less.

    Parameters
    ----------
    client : Client
    name : str
        Of the booster.
    n_rows : int
    per_row : int
        See :func:`bytes_per_row`.
    verbose : int
    """
    known = client.scheduler_info(n_workers=-1)["workers"]
    threads = sum(each["nthreads"] for each in known.values())
    needs = {address: n_rows * per_row * each["nthreads"] / threads for address, each in known.items()}
    if verbose:
        most = max(needs.values())
        print(f"[{name}] {n_rows:,} rows, about {_said(most)} on a worker", file=sys.stderr)
    for address, need in needs.items():
        limit = known[address]["memory_limit"]
        if limit and need > limit:
            warnings.warn(
                f"{name} needs about {_said(need)} on {address}, which may take {_said(limit)}: take more workers, or "
                "float32.",
                stacklevel=5,
            )
            return


def bytes_per_row(n_features: int, itemsize: int, n_classes: int, n_answers: int, holds_out: bool) -> int:
    """What a machine keeps for a row: the features as read and as dealt, and their codes; the costs as coded, as dealt
    and as the booster's state takes them twice; channels and books. Early stopping has the dealt ones once more.
    """
    dealt = n_features * itemsize + 8 * n_answers
    return 2 * dealt + n_features + 3 * 8 * n_answers + 8 * n_classes + 48 + (dealt if holds_out else 0)


def _said(n_bytes: float) -> str:
    return f"{n_bytes / 2**30:.2f} GiB" if n_bytes > 2**27 else f"{n_bytes / 2**20:.1f} MiB"
