"""The course of every listing: open the results folder, run the missing jobs, write table and report."""

from __future__ import annotations

import argparse
from pathlib import Path

from bench.exits import DONE, SOME_FAILED
from bench.machine import describe
from bench.printing import say
from bench.rows.store import Store
from bench.run.listing import run_listing
from bench.show.failing import say_failures
from bench.show.listing import write_outputs
from bench.studies.listing import Make


def conduct(make: Make, options: argparse.Namespace, command: str) -> int:
    """Run a listing from the parsed options to its printed table; return the exit code."""
    with Store(options.out or Path("results") / options.study, options.study) as store:
        if options.render_only:
            store.check_rendered(("command",), ("selection",), ("fingerprint", "seed"))
            stored = store.settings()
            options.seed = stored["fingerprint"]["seed"]
            listing = make(options, stored["selection"])
        else:
            listing = make(options, {})
            store.open({"seed": options.seed}, fresh=options.fresh)
            store.save_settings(
                command=command,
                environment=describe(),
                selection=listing.selection,
                title=listing.title,
                notes=list(listing.notes),
            )
            run_listing(listing, store, options.seed)
        wanted = set(listing.jobs)
        rows = [row for row in store.rows() if row.job in wanted]
        for problem in store.problems:
            say(problem)
        failed = [row for row in rows if not row.is_done]
        write_outputs(listing, listing.in_order(rows), failed, store)
        if failed:
            say_failures(failed, len(wanted))
        return SOME_FAILED if failed else DONE
