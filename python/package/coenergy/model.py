"""Machines: read from files or made component by component."""
from __future__ import annotations

import os
import tempfile
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple, Union

from . import _coenergy as native
from .errors import Error, Failure
from .program import call_verb
from .results import Equilibrium, FrequencyResponse, Function, LinearModel, Mode, Result

Names = Union[str, Sequence[str], None]
Progress = Callable[[float, float], object]


def _text(value: Any) -> str:
    """A value as it stands in a model file."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {_text(item)}" for key, item in value.items()) + "}"
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(_text(item) for item in value) + "]"
    if isinstance(value, (int, float)):
        return repr(value)
    raise Error(f"a value must be a number, a text, a list or a dict, not {type(value).__name__}")


def _names(value: Names) -> List[str]:
    return [] if value is None else [value] if isinstance(value, str) else list(value)


def _number(value: Union[float, str], name: str) -> Union[float, str]:
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        raise Error(f"{name} must be a number or a text such as \"5 ms\", not {type(value).__name__}")
    return value


class Model:
    """A machine. `m["motor.R"] = "1.2 ohm"` changes a value as --set of the command line does."""

    def __init__(self, title: str = "") -> None:
        self._native = native.Model(title)
        self._file: Optional[str] = None
        self._sets: List[str] = []
        self._kept: List[Any] = []  # functions that the model calls
        self._raised: List[BaseException] = []

    @classmethod
    def _of(cls, data: native.Model, file: Optional[str]) -> "Model":
        model = cls()
        model._native, model._file = data, file
        return model

    def copy(self) -> "Model":
        other = Model._of(native.Model(self._native), self._file)
        other._sets, other._kept, other._raised = list(self._sets), self._kept, self._raised
        return other

    # ---- what it is made of

    def add(self, name: str, type: str, **entries: Any) -> "Model":
        """A component with its ports and parameters; returns the model."""
        self._native.add(name, type, [(key, _text(value)) for key, value in entries.items()])
        self._file = None
        return self

    def __setitem__(self, path: str, value: Any) -> None:
        text = _text(value)
        self._native.set(path, text)
        self._sets.append(f"{path}={text}")

    def __getitem__(self, path: str) -> str:
        return self._native.get(path)

    def define(self, name: str, function: Callable[..., float], arguments: Sequence[str], unit: str = "any") -> None:
        """A function of Python that expressions may call, in SI; `arguments` are its units, "any" fits everything."""
        import ctypes

        count, raised = len(arguments), self._raised

        def call(x: Any) -> float:
            try:
                return float(function(*x[0:count]))
            except BaseException as error:  # told when the run has ended
                raised.append(error)
                return float("nan")

        thunk = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.POINTER(ctypes.c_double))(call)
        self._kept.append(thunk)
        address = ctypes.cast(thunk, ctypes.c_void_p).value
        assert address is not None
        self._native.add_function(name, address, [*arguments, unit])

    def allow_libraries(self) -> None:
        """Lets functions in shared libraries beside the model run, with all your rights."""
        self._native.allow_libraries()

    @property
    def title(self) -> str:
        return self._native.title

    @property
    def text(self) -> str:
        """As a model file."""
        return self._native.text

    @property
    def signals(self) -> Dict[str, str]:
        """Units by name."""
        return self._native.signals()

    @property
    def parameters(self) -> Dict[str, Tuple[float, str]]:
        """Values in SI and units by name."""
        return self._native.parameters()

    @property
    def notes(self) -> List[str]:
        return self._native.notes()

    def __repr__(self) -> str:
        return f"<coenergy.Model {self.title or self._native.file or 'without a title'}>"

    # ---- runs

    def _options(self, given: Dict[str, Any]) -> Tuple[Dict[str, Any], "Model"]:
        """Numbers for the library; texts with units go into a copy of the model."""
        model = self
        options: Dict[str, Any] = {}
        for name, value in given.items():
            if value is None:
                continue
            if name == "method":
                members = native.Method.__members__
                key = str(value).replace("-", "_")
                if key not in members:
                    import difflib

                    near = difflib.get_close_matches(key, members, 1)
                    hint = f"; did you mean {near[0].replace('_', '-')}?" if near else ""
                    raise Error(f'there is no method "{value}"{hint}')
                options[name] = members[key]
            elif name == "signals":
                options[name] = _names(value)
            elif isinstance(_number(value, name), str):
                if model is self:
                    model = self.copy()
                model[f"simulate.{name}"] = value
            else:
                options[name] = float(value)
        return options, model

    def run(
        self,
        t_end: Union[float, str, None] = None,
        step: Union[float, str, None] = None,
        output_step: Union[float, str, None] = None,
        rtol: Optional[float] = None,
        atol: Optional[float] = None,
        method: Optional[str] = None,
        signals: Names = None,
        progress: Optional[Progress] = None,
    ) -> Result:
        """A run. One that fails raises Failure, whose `result` has the rows up to there."""
        options, model = self._options(
            dict(t_end=t_end, step=step, output_step=output_step, rtol=rtol, atol=atol, method=method, signals=signals)
        )
        self._raised.clear()
        result = Result(model._native.run(options, progress))
        if self._raised:
            raise self._raised[0]
        if result.status == "failed":
            failure = Failure(result.text)
            failure.result = result  # type: ignore[attr-defined]
            raise failure
        return result

    def simulator(
        self,
        t_end: Union[float, str, None] = None,
        step: Union[float, str, None] = None,
        rtol: Optional[float] = None,
        atol: Optional[float] = None,
        method: Optional[str] = None,
    ) -> native.Simulator:
        """A run that is driven from outside: set, step, get, save, load."""
        options, model = self._options(dict(t_end=t_end, step=step, rtol=rtol, atol=atol, method=method))
        return model._native.simulator(options)

    # ---- analyses

    def _linear(
        self, input: Names, output: Names, at: Optional[float], equilibrium: bool, steady: bool
    ) -> native.LinearOptions:
        if (at is not None) + equilibrium + steady > 1:
            raise Error("at, equilibrium and steady exclude each other")
        options = native.LinearOptions()
        options.inputs, options.outputs = _names(input), _names(output)
        if at is not None:
            options.at, options.time = native.At.time, float(at)
        if equilibrium:
            options.at = native.At.equilibrium
        if steady:
            options.at = native.At.steady
        return options

    def linearize(
        self,
        input: Names = None,
        output: Names = None,
        at: Optional[float] = None,
        equilibrium: bool = False,
        steady: bool = False,
    ) -> LinearModel:
        return LinearModel(self._native.linearize(self._linear(input, output, at, equilibrium, steady)))

    def modes(self, at: Optional[float] = None, equilibrium: bool = False, steady: bool = False) -> List[Mode]:
        names, modes = self._native.modes(self._linear(None, None, at, equilibrium, steady))
        return [Mode(value, f, damping, dict(zip(names, shape))) for value, f, damping, shape in modes]

    def bode(
        self,
        input: Names = None,
        output: Names = None,
        from_: float = 0.1,
        to: float = 1000.0,
        points: int = 200,
        at: Optional[float] = None,
        equilibrium: bool = False,
        steady: bool = False,
    ) -> FrequencyResponse:
        """Frequency response from inputs to outputs, from_ … to in Hz."""
        options = self._linear(input, output, at, equilibrium, steady)
        return FrequencyResponse(*self._native.bode(options, float(from_), float(to), points))

    def equilibrium(self) -> Equilibrium:
        return Equilibrium(*self._native.equilibrium())

    def function(self, task: str) -> Function:
        """inverse-dynamics, forward-dynamics, mass-matrix, kinematics or constraints of a mechanism, over arrays."""
        return Function(self._native.function(task))

    # ---- the other verbs of the command line, with the same options; each gives what --json prints

    def verb(self, word: str, **options: Any) -> Dict[str, Any]:
        """Any verb: `m.verb("sweep", parameter="U.v", value=[3, 5], signal="wheel.w")`."""
        if self._file is not None:
            return call_verb(word, [self._file, *(f"--set={s}" for s in self._sets)], options)
        handle, path = tempfile.mkstemp(prefix="coenergy-", suffix=".yaml")
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                file.write(self.text)
            return call_verb(word, [path], options)
        finally:
            os.unlink(path)

    def check(self, **options: Any) -> Dict[str, Any]:
        return self.verb("check", **options)

    def equations(self, **options: Any) -> Dict[str, Any]:
        return self.verb("equations", **options)

    def op(self, **options: Any) -> Dict[str, Any]:
        return self.verb("op", **options)

    def ac(self, **options: Any) -> Dict[str, Any]:
        return self.verb("ac", **options)

    def periodic(self, **options: Any) -> Dict[str, Any]:
        return self.verb("periodic", **options)

    def sweep(self, **options: Any) -> Dict[str, Any]:
        return self.verb("sweep", **options)

    def sensitivity(self, **options: Any) -> Dict[str, Any]:
        return self.verb("sensitivity", **options)

    def buckling(self, **options: Any) -> Dict[str, Any]:
        return self.verb("buckling", **options)

    def effective(self, **options: Any) -> Dict[str, Any]:
        return self.verb("effective", **options)

    def inverse(self, **options: Any) -> Dict[str, Any]:
        return self.verb("inverse", **options)

    def kinematics(self, **options: Any) -> Dict[str, Any]:
        return self.verb("kinematics", **options)

    def generate(self, **options: Any) -> Dict[str, Any]:
        return self.verb("generate", **options)

    def verify(self, **options: Any) -> Dict[str, Any]:
        return self.verb("verify", **options)

    def convert(self, **options: Any) -> Dict[str, Any]:
        return self.verb("convert", **options)


def load(path: Union[str, "os.PathLike[str]"]) -> Model:
    """A model file, netlist or robot, by its ending."""
    name = os.fspath(path)
    return Model._of(native.Model.load(name), name)


def parse(text: str, name: str = "model.yaml") -> Model:
    """A model from the text of a model file; `name` is told in errors, and data files are looked for beside it."""
    return Model._of(native.Model.parse(text, name), None)
