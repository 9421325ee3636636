"""What runs and analyses give."""
from __future__ import annotations

import html
import importlib
import os
import tempfile
from typing import TYPE_CHECKING, Any, Dict, Iterator, List, Optional, Sequence

import numpy as np
from numpy.typing import NDArray

from . import _coenergy as native
from .errors import Error
from .figure import Figure

Floats = NDArray[np.float64]


class Result:
    """Signals over time. `r["motor.i"]` is a view of the numbers of the run, not a copy."""

    def __init__(self, data: native.Result, plots: Sequence[Sequence[str]] = ()) -> None:
        self._data = data
        self._plots = [list(p) for p in plots]

    @property
    def t(self) -> Floats:
        return self._data.t

    @property
    def values(self) -> Floats:
        """All rows: rows × signals."""
        return self._data.values

    @property
    def names(self) -> List[str]:
        return self._data.names

    @property
    def units(self) -> Dict[str, str]:
        return dict(zip(self._data.names, self._data.unit_list))

    @property
    def status(self) -> str:
        """done, failed or stopped."""
        return self._data.status

    @property
    def text(self) -> str:
        """How it ended."""
        return self._data.text

    @property
    def notes(self) -> List[str]:
        return self._data.notes

    @property
    def steps(self) -> int:
        return self._data.steps

    @property
    def wall_time(self) -> float:
        return self._data.wall_time

    def __getitem__(self, name: str) -> Floats:
        return self._data.column(name)

    def __contains__(self, name: object) -> bool:
        return name == "time" or name in self._data.names

    def __iter__(self) -> Iterator[str]:
        return iter(self._data.names)

    def __len__(self) -> int:
        return self._data.rows

    def __repr__(self) -> str:
        return f"<coenergy.Result: {len(self)} rows of {len(self.names)} signals, {self.text}>"

    def _repr_html_(self) -> str:
        page = html.escape(self._data.html(), quote=True)
        return f'<iframe srcdoc="{page}" style="width:100%;height:640px;border:0"></iframe>'

    def to_pandas(self) -> Any:
        """A DataFrame over time, the units in its attrs."""
        pandas: Any = importlib.import_module("pandas")

        frame = pandas.DataFrame(self.values, index=pandas.Index(self.t, name="time"), columns=self.names, copy=False)
        frame.attrs["units"] = self.units
        return frame

    def to_xarray(self) -> Any:
        """A Dataset over time, each variable with its unit in attrs."""
        xarray: Any = importlib.import_module("xarray")

        variables = {name: ("time", self[name], {"units": unit}) for name, unit in self.units.items()}
        return xarray.Dataset(variables, coords={"time": ("time", self.t, {"units": "s"})})

    def plot(self, *names: str, ax: Optional[Any] = None) -> Any:
        """Signals over time, those of one unit in one panel; into the axes of matplotlib where they are given. Without
        names what the model plots, else the first signals."""
        chosen = list(names) or list(dict.fromkeys(n for p in self._plots for n in p if n in self)) or self.names[:4]
        if ax is not None:
            for name in chosen:
                ax.plot(self.t, self[name], label=f"{name} ({self.units.get(name, 's') or '1'})")
            ax.set_xlabel("time (s)")
            ax.legend()
            return ax
        figure, units, t = Figure("", "time (s)"), self.units, self.t
        by_unit: Dict[str, List[str]] = {}
        for name in chosen:
            self[name]  # tells an unknown name with a suggestion
            by_unit.setdefault(units.get(name, "s"), []).append(name)
        for unit, group in by_unit.items():
            figure.add(unit or "1", [(name, t, self[name]) for name in group])
        return figure

    def show(self) -> str:
        """Opens the report with plots and animation in the browser; returns its file."""
        import webbrowser

        handle, path = tempfile.mkstemp(prefix="coenergy-", suffix=".html")
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(self._data.html())
        webbrowser.open("file://" + path)
        return path

    def report(self, path: str) -> None:
        with open(path, "w", encoding="utf-8") as file:
            file.write(self._data.html())

    def save(self, path: str) -> None:
        """In the format of the ending: .csv, .h5, .mat, .raw."""
        self._data.write(os.fspath(path))


class LinearModel:
    """ẋ = A x + B u, y = C x + D u with names and units; with a `period` a sampled one."""

    def __init__(self, data: native.LinearModel) -> None:
        self.A, self.B, self.C, self.D = data.A, data.B, data.C, data.D
        self.states, self.inputs, self.outputs = data.states, data.inputs, data.outputs
        self.state_units, self.input_units, self.output_units = data.state_units, data.input_units, data.output_units
        self.period: Optional[float] = data.period or None
        self.notes = data.notes

    def to_control(self) -> Any:
        """A StateSpace of python-control."""
        control: Any = importlib.import_module("control")

        dt = self.period if self.period is not None else 0
        return control.StateSpace(self.A, self.B, self.C, self.D, dt)

    def to_scipy(self) -> Any:
        """A StateSpace of scipy.signal."""
        signal: Any = importlib.import_module("scipy.signal")

        return signal.StateSpace(self.A, self.B, self.C, self.D, **({"dt": self.period} if self.period else {}))

    def __repr__(self) -> str:
        return f"<coenergy.LinearModel: {len(self.states)} states, inputs {self.inputs}, outputs {self.outputs}>"


class Mode:
    def __init__(self, eigenvalue: complex, frequency: float, damping: float, shape: Dict[str, complex]) -> None:
        self.eigenvalue, self.frequency, self.damping, self.shape = eigenvalue, frequency, damping, shape

    def __repr__(self) -> str:
        return f"<coenergy.Mode: {self.frequency:.6g} Hz, damping {self.damping:.4g}>"


class FrequencyResponse:
    """values[frequency, output, input]; frequencies in Hz."""

    def __init__(self, f: Floats, inputs: List[str], outputs: List[str], values: NDArray[np.complex128]) -> None:
        self.frequencies, self.inputs, self.outputs, self.values = f, inputs, outputs, values

    @property
    def decibel(self) -> Floats:
        decibel: Floats = 20 * np.log10(np.abs(self.values))
        return decibel

    @property
    def phase(self) -> Floats:
        """In degrees, without jumps."""
        phase: Floats = np.degrees(np.unwrap(np.angle(self.values), axis=0))
        return phase

    def plot(self) -> Figure:
        figure = Figure("", "frequency (Hz)", logarithmic=True)
        for label, values in (("dB", self.decibel), ("deg", self.phase)):
            figure.add(
                label,
                [
                    (f"{y} / {u}", self.frequencies, values[:, i, j])
                    for i, y in enumerate(self.outputs)
                    for j, u in enumerate(self.inputs)
                ],
            )
        return figure


class Equilibrium:
    """All signals at rest."""

    def __init__(self, signals: Dict[str, Any], stable: bool, lowest: float) -> None:
        self.units = {name: unit for name, (_, unit) in signals.items()}
        self.signals: Dict[str, float] = {name: value for name, (value, _) in signals.items()}
        self.stable, self.lowest_eigenvalue = stable, lowest

    def __getitem__(self, name: str) -> float:
        if name not in self.signals:
            import difflib

            near = difflib.get_close_matches(name, self.signals, 1)
            raise Error(f'there is no signal "{name}"' + (f"; did you mean {near[0]}?" if near else ""))
        return self.signals[name]


class Function:
    """A function of a mechanism: `f(q=..., qd=...)` with arrays of rows × entries, evaluated in lanes. What is not
    given keeps its value in the model."""

    def __init__(self, data: native.Function) -> None:
        self._data = data
        self.inputs = {name: entries for name, _, entries, _ in data.arguments if entries}
        self.outputs = {name: entries for name, _, entries, _ in data.results if entries}
        self._start = {name: np.array(start) for name, _, entries, start in data.arguments if entries}

    def __call__(self, **arrays: Any) -> Any:
        for name in arrays:
            if name not in self.inputs:
                raise Error(f'the function has no input "{name}"; it has {", ".join(self.inputs)}')
        given = {name: np.atleast_1d(np.asarray(value, dtype=float)) for name, value in arrays.items()}
        for name, value in given.items():
            if value.ndim > 2 or value.shape[-1] != len(self.inputs[name]):
                raise Error(
                    f"{name} must have the shape (rows, {len(self.inputs[name])}), for "
                    f"{', '.join(self.inputs[name])}, not {value.shape}"
                )
        rows = {value.shape[0] for value in given.values() if value.ndim == 2}
        if len(rows) > 1:
            raise Error("the inputs have different numbers of rows: " + ", ".join(str(n) for n in sorted(rows)))
        count = rows.pop() if rows else 1
        block = np.concatenate(
            [np.broadcast_to(given.get(name, self._start[name]), (count, len(e))) for name, e in self.inputs.items()], 1
        )
        out, at, results = self._data.evaluate(np.ascontiguousarray(block)), 0, {}
        is_row = all(value.ndim == 1 for value in given.values())
        for name, entries in self.outputs.items():
            part = out[:, at : at + len(entries)]
            results[name], at = (part[0] if is_row else part), at + len(entries)
        return next(iter(results.values())) if len(results) == 1 else results
