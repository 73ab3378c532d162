"""Workers that are lost, added or shared in the middle of a fit cost time alone; all else ends in words."""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest
from cases import compiled, examples

pytest.importorskip("distributed")

from dask_cases import assert_same_bits, cluster, in_parts, local, spread, table, uneven
from distributed import Client, get_worker

from csboost.angle.losses import LogisticLoss
from csboost.boosting import Interrupted
from csboost.dask import waiting
from csboost.dask.meeting import Meeting
from csboost.dask.watching import Lost, Watch

pytestmark = [compiled("clusters of several processes"), pytest.mark.timeout(240)]
LONG = {
    "angle-ada": {"n_estimators": 60},
    "gradient": {"n_estimators": 20, "n_iter_no_change": 8, "subsample": 0.7},
    "mh-apart": {"n_estimators": 20},
    "m2": {"n_estimators": 40, "n_iter_no_change": 30},
}
FEW = ("angle-ada", "gradient")  # of them, by default
X, Y = table(n=20_000, seed=5)
SIZES = uneven(len(Y), 11, seed=6)


def in_partitions():
    return in_parts(X, SIZES), in_parts(Y, SIZES)


@pytest.fixture(scope="module")
def shared():
    """Workers that are not touched, as threads of this process."""
    found, client = cluster(2)
    yield found, client
    client.close()
    found.close()


@pytest.mark.parametrize("seed", range(examples(1)))
@pytest.mark.parametrize("name", FEW if examples(1) == 1 else LONG)
def test_a_killed_worker_changes_no_bit(name, seed):
    found, client = cluster(3, processes=True)  # a worker that is killed while it starts is not always started again
    rng = np.random.default_rng([seed, len(name)])
    expected = local(name, **LONG[name]).fit(X, Y)
    victim = rng.choice(sorted(client.run(os.getpid).values()))
    killer = threading.Timer(rng.uniform(0.1, 1.5), os.kill, (int(victim), signal.SIGKILL))
    with client, found:
        killer.start()
        fitted = spread(name, client=client, **LONG[name]).fit(*in_partitions())
        killer.join()
    assert_same_bits(expected, fitted.to_local(), X)


@pytest.mark.parametrize("name", ["angle-ada", "m2", "samme"])
def test_another_try_begins_with_the_rows_as_they_were(shared, monkeypatch, name):
    """Boosters write into costs and weights; with a partition for each worker these are all of a partition's."""
    _, client = shared
    weights, tried, end = np.random.default_rng(0).gamma(2.0, size=len(Y)), [], Watch.end

    def lost_at_first(self, tell):
        report = end(self, tell)
        tried.append(report)
        if len(tried) == 1:
            raise Lost(["tcp://10.0.0.7:40331"])
        return report

    monkeypatch.setattr(Watch, "end", lost_at_first)
    sizes = [8192, len(Y) - 8192]
    parts = in_parts(X, sizes), in_parts(Y, sizes)
    fitted = spread(name, client=client).fit(*parts, sample_weight=in_parts(weights, sizes))
    assert len(tried) == 2
    assert_same_bits(local(name).fit(X, Y, sample_weight=weights), fitted.to_local(), X)


def test_an_interrupted_machine_ends_a_try_whoever_it_is(shared, monkeypatch):
    _, client = shared
    hand_on, broken = Meeting._hand_on, []

    async def breaks_once(self, number, turn):
        if self.parent is None or number != 12 or broken:
            return await hand_on(self, number, turn)
        broken.append(number)
        return turn.fail(Interrupted())

    monkeypatch.setattr(Meeting, "_hand_on", breaks_once)
    fitted = spread("angle-ada", client=client).fit(*in_partitions())
    assert broken
    assert_same_bits(local("angle-ada").fit(X, Y), fitted.to_local(), X)


def test_a_worker_that_comes_late_changes_no_bit():
    expected = local("angle-ada", n_estimators=60).fit(X, Y)
    found, client = cluster(2, processes=True)
    with client, found:
        adder = threading.Timer(0.3, found.scale, (3,))
        adder.start()
        fitted = spread("angle-ada", client=client, n_estimators=60).fit(*in_partitions())
        adder.join()
    assert_same_bits(expected, fitted.to_local(), X)


def test_two_fits_share_a_cluster(shared):
    _, client = shared
    names, fitted = ("angle-logit", "mh"), {}

    def fit(name):
        fitted[name] = spread(name, client=client, n_estimators=15).fit(*in_partitions())

    threads = [threading.Thread(target=fit, args=(name,)) for name in names]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=200)
    for name in names:
        assert_same_bits(local(name, n_estimators=15).fit(X, Y), fitted[name].to_local(), X)


SCRIPT = """
import sys
sys.path.insert(0, sys.argv[1])
from dask_cases import cluster, in_parts, spread, table

if __name__ == "__main__":
    X, y = table(n=20_000)
    found, client = cluster(2)
    X, y = in_parts(X, [9_000, 11_000]), in_parts(y, [9_000, 11_000])
    spread("angle-ada").fit(X, y)
    print("begun", flush=True)
    try:
        spread("angle-ada", n_estimators=100_000).fit(X, y)
    except KeyboardInterrupt:
        print("interrupted", spread("angle-ada", n_estimators=5).fit(X, y).n_iter_, flush=True)
    client.close()
    found.close()
"""


def test_ctrl_c_ends_a_fit_and_leaves_the_cluster_usable(tmp_path):
    script = tmp_path / "fit.py"
    script.write_text(SCRIPT)
    here = os.path.dirname(__file__)
    run = subprocess.Popen([sys.executable, str(script), here], stdout=subprocess.PIPE, text=True)
    try:
        assert run.stdout.readline() == "begun\n"
        time.sleep(2.0)
        run.send_signal(signal.SIGINT)
        assert run.communicate(timeout=100)[0] == "interrupted 5\n"
    finally:
        run.kill()


class FailsOnOneWorker(LogisticLoss):
    """A user's loss with a fault that shows on one machine."""

    def second_derivative(self, z):
        try:
            here = get_worker().address
        except ValueError:
            return super().second_derivative(z)
        if z.shape[1] == 3 and here == min(get_worker().client.scheduler_info()["workers"], default=""):
            raise ZeroDivisionError("a fault in a loss")
        return super().second_derivative(z)


def test_an_error_on_one_machine_ends_the_fit(shared):
    _, client = shared
    with pytest.raises(ZeroDivisionError, match="a fault in a loss"):
        spread("gradient-logistic", client=client, loss=FailsOnOneWorker()).fit(*in_partitions())
    assert spread("samme", client=client).fit(*in_partitions()).n_iter_ == 4


def test_what_the_booster_itself_refuses_is_said_as_on_one_machine(shared):
    _, client = shared
    sizes = [9_000, 10_998]
    nothing, y = in_parts(np.zeros((19_998, 2)), sizes), in_parts(np.resize(["a", "b", "c"], 19_998), sizes)
    with pytest.raises(ValueError, match="AngleAdaBoostClassifier: the first weak rule is no better than guessing"):
        spread("angle-ada", client=client).fit(nothing, y)


def test_no_workers_are_not_waited_for_without_end(monkeypatch):
    monkeypatch.setattr(waiting, "WAIT", 1.0)
    found, client = cluster(0)
    with client, found, pytest.raises(RuntimeError, match="no workers for 1 s"):
        spread("angle-ada", client=client).fit(*in_partitions())


def test_workers_that_are_lost_again_and_again_end_the_fit(shared, monkeypatch):
    _, client = shared

    def lost(self, tell):
        raise Lost(["tcp://10.0.0.7:40331"])

    monkeypatch.setattr(Watch, "end", lost)
    with pytest.raises(RuntimeError, match=r"lost 5 times .*tcp://10\.0\.0\.7:40331.*memory"):
        spread("angle-ada", client=client).fit(*in_partitions())


def test_partitions_that_cannot_be_computed_again_are_named():
    import dask.array as da

    found, client = cluster(1, processes=True)
    with client, found:
        whole = client.scatter(X)
        wide = da.from_delayed(whole, X.shape, dtype=X.dtype)
        labels = da.from_array(Y, chunks=-1)
        pid = next(iter(client.run(os.getpid).values()))
        killer = threading.Timer(1.5, os.kill, (pid, signal.SIGKILL))
        killer.start()
        with pytest.raises(RuntimeError, match="lost and cannot be computed again"):
            spread("angle-ada", client=client, n_estimators=100_000).fit(wide, labels)
        killer.join()


def test_a_fit_inside_of_a_task_does_not_wait_for_its_own_place(shared):
    _, client = shared

    def fit():
        return spread("samme").fit(*in_partitions()).n_iter_

    assert client.submit(fit, pure=False).result(timeout=100) == 4


def test_nothing_stays_on_the_workers_after_a_fit(shared):
    found, client = shared
    gc.collect()
    gc.disable()  # errors that wait for it hold what they met
    try:
        spread("angle-ada", client=client, n_estimators=40, n_iter_no_change=39).fit(*in_partitions())
        for _ in range(50):
            if not found.scheduler.tasks:
                break
            time.sleep(0.1)
        assert not found.scheduler.tasks
    finally:
        gc.enable()


def test_the_client_of_a_thread_is_found():
    found, client = cluster(1)
    with client, found:
        assert isinstance(spread("samme").client_, Client)
        assert spread("samme").fit(*in_partitions()).client_ is client
