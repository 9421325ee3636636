"""Mechatronic simulation: models in, runs, linear models and operating points out.

    import coenergy as ce

    m = ce.load("crane.yaml")
    m["motor.R"] = "1.2 ohm"
    r = m.run(t_end=3)
    r["wheel.w"]              # a NumPy array over r.t
"""
from ._coenergy import Simulator, version
from .errors import Error, Failure
from .figure import Figure
from .model import Model, load, parse
from .program import compare, describe, examples
from .results import Equilibrium, FrequencyResponse, Function, LinearModel, Mode, Result

__version__ = version
__all__ = [
    "Equilibrium",
    "Error",
    "Failure",
    "Figure",
    "FrequencyResponse",
    "Function",
    "LinearModel",
    "Mode",
    "Model",
    "Result",
    "Simulator",
    "compare",
    "describe",
    "examples",
    "load",
    "parse",
    "version",
]
