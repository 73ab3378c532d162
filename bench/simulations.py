"""``python -m bench.simulations``: the paper's Table 1 and cost curves, under both protocols."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

from bench.command import cli
from bench.command.options import add_scenarios
from bench.exits import leave
from bench.studies.scenarios import SIMULATIONS

if TYPE_CHECKING:
    from bench.studies.study import Study


def parser() -> argparse.ArgumentParser:
    """Return the command's parser."""
    options = cli.base_parser(
        "simulations",
        "Compare boosters on the paper's two simulations with equal (1, 2) and unequal costs (1c, 2c):\n"
        "300 training rows, 4,700 test rows, 100 replications.",
        replications=100,
    )
    add_scenarios(options)
    return options


def make_study(options: argparse.Namespace) -> Study:
    """Return the study of the two simulations."""
    from bench.studies import draws
    from bench.studies.simulated import cost_matrix
    from bench.studies.study import Scenario, Study
    from csboost import data

    matrices = {key: cost_matrix(named) for key, named in SIMULATIONS.items()}
    return Study(
        name="simulations",
        title="The paper's two simulations",
        unit="row",
        scenarios=tuple(
            Scenario(*named, matrices[key], tuple(str(k + 1) for k in range(len(matrices[key]))))
            for key, named in SIMULATIONS.items()
        ),
        draw=draws.draw_simulation,
        replications=options.default_replications,
        settings={"train_rows": draws.TRAIN_ROWS, "test_rows": draws.TEST_ROWS},
        notes=(
            "Simulation 1 is the waveform problem (3 classes, 21 features), Simulation 2 four Gaussian classes in the "
            "plane and eight features of noise; c marks Wang's unequal costs.",
            "Equal and unequal costs of a simulation share their replications, and so do all algorithms. The faithful "
            "protocol splits the rows at random, the published one within groups of classes, which was chosen because "
            "it fits print, after the fact.",
        ),
        bayes_cost=data.bayes_cost,
    )


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code."""
    return cli.run(parser(), make_study, argv)


if __name__ == "__main__":
    leave(main())
