"""What goes wrong: Error is a mistake in a model or a call, Failure a computation that did not succeed."""
from __future__ import annotations

import re
from typing import Optional, Sequence, Tuple

Item = Tuple[Optional[str], Optional[int], Optional[int], str]


class Error(ValueError):
    """A model or a call is wrong. The first mistake is in `file`, `line`, `column`, `text`; all are in `items`."""

    def __init__(self, message: str, items: Sequence[Item] = ()) -> None:
        super().__init__(message)
        self.items: list[Item] = list(items) or [(None, None, None, message)]

    @property
    def file(self) -> Optional[str]:
        return self.items[0][0]

    @property
    def line(self) -> Optional[int]:
        return self.items[0][1]

    @property
    def column(self) -> Optional[int]:
        return self.items[0][2]

    @property
    def text(self) -> str:
        return self.items[0][3]

    @property
    def suggestion(self) -> Optional[str]:
        """The name that was probably meant."""
        found = re.search(r"did you mean (\S+)\?", self.text)
        return found.group(1) if found else None


class Failure(RuntimeError):
    """A computation did not succeed although model and call are in order."""
