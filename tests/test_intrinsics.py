"""Each intrinsic does what its Python twin does, for both types of number and all shapes that fits meet."""

from __future__ import annotations

import numpy as np
import pytest
from cases import compiled
from numba import njit

from csboost.weak import lanes, rules, turning
from csboost.weak.histogram import BROAD, NARROW, SINGLE, WIDE
from csboost.weak.layout import BINS

pytestmark = compiled("it compares machine code with its twin")
TYPES = [np.float64, np.int32]
HEIGHT = 40  # rows


def called(intrinsic):
    """The intrinsic as a function for Python."""
    return njit(lambda *arguments: intrinsic(*arguments))


add_one, add_eight, add_four = called(lanes.add_one), called(lanes.add_eight), called(lanes.add_four)
copy_tile, scatter_rows = called(lanes.copy_tile), called(lanes.scatter_rows)
turn_tiles = called(turning.turn_tiles)


def whole(rng, size, dtype):
    """Whole numbers of both signs, as channels are."""
    return rng.integers(-(2**20), 2**20, size).astype(dtype)


class Rows:
    """Random codes of two columns, row numbers, channels and a histogram of two features."""

    def __init__(self, dtype, tile):
        rng = np.random.default_rng(len(tile))
        self.codes = rng.integers(0, BINS, 2 * HEIGHT).astype(np.uint8)
        self.codes[::3] = 255
        self.numbers = rng.permutation(HEIGHT).astype(np.uint16)
        self.channels = whole(rng, HEIGHT * len(tile) + 5, dtype)
        self.histogram = whole(rng, 3 + 2 * BINS * len(tile), dtype)
        self.tile = tile

    def after(self, function, *arguments):
        """The histogram after a call on a copy of it."""
        histogram = self.histogram.copy()
        function((histogram, 3, 3 + BINS * len(self.tile)), *arguments, self.tile)
        return histogram

    def assert_same(self, function, intrinsic, *arguments):
        found, wanted = self.after(function, *arguments), self.after(intrinsic.twin, *arguments)
        np.testing.assert_array_equal(found, wanted)
        assert (found != self.histogram).any()


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("tile", [NARROW, WIDE, BROAD])
def test_adds_of_rows_to_two_features(dtype, tile):
    rows = Rows(dtype, tile)
    source, columns = (rows.channels, 5), (rows.codes, 0, HEIGHT, 16)
    rows.assert_same(add_one, lanes.add_one, 7, 255, source)
    rows.assert_same(add_eight, lanes.add_eight, columns, source)
    rows.assert_same(add_four, lanes.add_four, columns, (rows.numbers, 9), source)


@pytest.mark.parametrize("dtype", TYPES)
def test_an_add_means_what_it_says(dtype):
    histogram, channels = np.zeros(2 * BINS * 4, dtype), np.arange(8).astype(dtype)
    add_one((histogram, 0, BINS * 4), 2, 3, (channels, 1), NARROW)
    wanted = np.zeros_like(histogram)
    wanted[8:12] = wanted[BINS * 4 + 12 : BINS * 4 + 16] = [1, 2, 3, 4]
    np.testing.assert_array_equal(histogram, wanted)


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("tile", [NARROW, WIDE, BROAD])
def test_a_tile_is_copied(dtype, tile):
    source, copies = np.arange(30).astype(dtype), np.zeros((2, 30), dtype)
    copy_tile(copies[0], 3, source, 7, tile)
    lanes.copy_tile.twin(copies[1], 3, source, 7, tile)
    np.testing.assert_array_equal(copies[0, 3 : 3 + len(tile)], source[7 : 7 + len(tile)])
    np.testing.assert_array_equal(copies[0], copies[1])


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("count", range(1, lanes.SCATTERED + 1))
@pytest.mark.parametrize("members", [SINGLE, NARROW, WIDE])
def test_rows_are_scattered_to_a_group(dtype, count, members):
    rng, n_lanes, width = np.random.default_rng(count), 5, len(members)
    codes = rng.integers(0, BINS, width * HEIGHT).astype(np.uint8)
    channels = whole(rng, HEIGHT * 8 + 1, dtype)
    before = whole(rng, BINS * n_lanes * width + 2, dtype)
    span = rng.permutation(HEIGHT).astype(np.uint16), 3, 30
    after = []
    for function in (scatter_rows, lanes.scatter_rows.twin):
        histogram = before.copy()
        cells = histogram, 2, n_lanes * width, width
        function(cells, (codes, 0, HEIGHT), span, (channels, 1, 8, count), members)
        after.append(histogram)
    np.testing.assert_array_equal(after[0], after[1])
    assert (after[0] != before).any()


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("tile", [NARROW, WIDE, BROAD])
@pytest.mark.parametrize("members", [NARROW, WIDE])
def test_tiles_of_slots_become_vectors_of_slots(dtype, tile, members):
    rng, width, apart = np.random.default_rng(len(tile)), len(tile), 30
    staged = whole(rng, 4 + len(members) * apart, dtype)
    grouped = whole(rng, 5 + width * len(members), dtype)
    for count in range(1, len(members) + 1):
        for lanes_ in range(1, width + 1):
            after = []
            for function in (turn_tiles, turning.turn_tiles.twin):
                source, target = staged.copy(), grouped.copy()
                function((source, 4, apart, count), (target, 2, lanes_), tile, members)
                after.append((source, target))
            (source, target), wanted = after
            np.testing.assert_array_equal(source, wanted[0])
            np.testing.assert_array_equal(target, wanted[1])
            cells = target[2 : 2 + lanes_ * len(members)].reshape(lanes_, len(members))
            for member in range(count):
                np.testing.assert_array_equal(cells[:, member], staged[4 + member * apart :][:lanes_])
                assert not source[4 + member * apart :][:width].any()
            assert not cells[:, count:].any()
            np.testing.assert_array_equal(target[2 + cells.size :], grouped[2 + cells.size :])


SCANS = {name: called(found) for name, found in vars(rules).items() if name.startswith("scan_")}


def test_every_rule_has_a_scan():
    assert len(SCANS) == len(rules.LANES_PER_CLASS) == 4


@pytest.mark.parametrize("name", SCANS)
@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("n_lanes", [2, 4, 8, 10, 16, 18, 22, 38, 52])
def test_the_best_boundary_of_each_feature(name, dtype, n_lanes):
    rng, bins = np.random.default_rng(n_lanes), 30
    group = NARROW if dtype is np.float64 else WIDE
    width = len(group)
    cells = rng.integers(0 if name == "scan_confidence" else -20, 20, (BINS, n_lanes, width))
    if name == "scan_vector":
        cells[:, n_lanes // 2 :] = abs(cells[:, n_lanes // 2 :])  # counts and curvatures
    cells[bins:-1] = 0
    cells[:, :, 1] = cells[:, :, 1] // 10  # ties
    cells[:, :, 2] = 0  # a feature without any gain
    sums = np.stack([np.zeros(n_lanes), cells.sum(axis=0).max(axis=1)]).astype(dtype)
    histogram = np.concatenate([np.full(6, 77), cells.ravel()]).astype(dtype)
    for missing_left in (0, 1):
        for floor, tolerance in ((-1e6, 2.0), (0.0, 0.0), (300.0, 40.0)):
            found = []
            for function in (SCANS[name], getattr(rules, name).twin):
                scores, cuts = np.full(width + 3, 5.5), np.full(width + 3, 9)
                place, totals, bar = (histogram, 6, bins), (sums, 1), (floor, tolerance)
                bar += (3.0, 0.5) if name == "scan_vector" else ()
                function(place, totals, n_lanes, missing_left, bar, (scores, cuts, 1), group)
                found.append((scores, cuts))
            np.testing.assert_array_equal(found[0][1], found[1][1])
            np.testing.assert_array_equal(found[0][0], found[1][0])
            cuts = np.delete(cuts[1 : 1 + width], 2 if name == "scan_vector" else [])  # one without rows has none
            assert (cuts >= (0 if floor < 0.0 else -1)).all()
