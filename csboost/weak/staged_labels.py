"""Kernels that sum the channels of many rows which have one channel each, at their class: see
:mod:`csboost.weak.staged`, whose histograms they fill. Fits of other kinds need not wait until they are compiled.
"""

from __future__ import annotations

import numpy as np

from csboost._jit import kernel
from csboost.weak.histogram import sizes_of
from csboost.weak.layout import BINS, BLOCK, HEIGHT, NODE, START, STOP, Data, Settings, Work
from csboost.weak.staged import Run, end_of_run, n_slots_of, tile_area


@kernel
def sum_rows(data_, work_, settings_, thread, first, last, _):
    """As :func:`csboost.weak.staged.sum_rows`."""
    data, work, settings = Data(*data_), Work(*work_), Settings(*settings_)
    start, places = thread * (work.staged.shape[0] // settings.n_threads), work.places[thread]
    sizes = sizes_of(n_slots_of(data, settings), work, settings)
    block = first
    while block < last:
        end = end_of_run(data.spans, work.state[NODE], block, last)
        run = Run(data, work.state[NODE], block, end, sizes, work.staged, start, work.packed[thread])
        gather_labels(run, places, tile_area(sizes))
        add_one_hot(run, places)
        block = end


@kernel(inner=True)
def gather_labels(run, places, area):
    """Copy the one channel of the node's rows in a run of blocks, and its place among the lanes of a bin; tiles are
    ``area`` apart.
    """
    data, bits = run.data, run.sizes.bits
    done, within = np.uintp(0), (1 << bits) - 1
    for block in range(run.first, run.last):
        for place in range(data.spans[run.node, block, START], data.spans[run.node, block, STOP]):
            row = np.uintp(block * BLOCK) + np.uintp(data.rows[place])
            lane = np.intp(data.labels[row])
            run.packed[done], places[done] = data.channels[row], (lane >> bits) * area + (lane & within)
            done += np.uintp(1)


@kernel(inner=True)
def add_one_hot(run, places):
    """Add what :func:`gather_labels` found to the histograms of all columns."""
    codes, rows, spans, sizes = run.data.codes, run.data.rows, run.data.spans, run.sizes
    staged, packed, width, n_columns = run.staged, run.packed, 1 << sizes.bits, sizes.n_joint + sizes.n_slots
    for column in range(0, sizes.n_summed, 2):
        here, done = np.uintp(run.start + column * BINS * width), np.uintp(0)
        next_ = here + np.uintp(BINS * width)
        for block in range(run.first, run.last):
            height = run.data.blocks[block, HEIGHT]
            one = np.uintp(block * BLOCK * n_columns + column * height)
            other = one + np.uintp(height) if column + 1 < sizes.n_summed else one
            begin, stop = spans[run.node, block, START], spans[run.node, block, STOP]
            dense = stop - begin == height
            for i in range(stop - begin):
                row = np.uintp(i) if dense else np.uintp(rows[np.uintp(begin + i)])
                value, lane = packed[done], np.uintp(places[done])
                staged[here + np.uintp(codes[one + row]) * np.uintp(width) + lane] += value
                staged[next_ + np.uintp(codes[other + row]) * np.uintp(width) + lane] += value
                done += np.uintp(1)
