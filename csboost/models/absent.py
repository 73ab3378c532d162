"""What stands in a loaded model for a user's own loss, which is code and so not in the file."""

from __future__ import annotations

from typing import Any, NoReturn

__all__ = ["AbsentLoss"]


class AbsentLoss:
    """A margin loss that is not there. Scores and answers do not need it, probabilities and fits do."""

    def __init__(self, name: str) -> None:
        self.name = name

    def value(self, z: Any) -> NoReturn:
        """Say what is missing."""
        self._refuse()

    def derivative(self, z: Any) -> NoReturn:
        """Say what is missing."""
        self._refuse()

    def second_derivative(self, z: Any) -> NoReturn:
        """Say what is missing."""
        self._refuse()

    def _refuse(self) -> NoReturn:
        raise ValueError(
            f"The loss of this model, an object of the class {self.name}, is code and so not in its file. Scores and "
            "answers do not need it; probabilities, expected costs and fits do: give it to "
            f"csboost.load_model(path, loss={self.name}(...))."
        )
