"""The verbs of the command line: their answers as --json prints them."""
from __future__ import annotations

import json
import os
import shutil
from typing import Any, Dict, List, Sequence

from .errors import Error, Failure


def find_program() -> str:
    """$COENERGY_PROGRAM, the program of the same build or installation, or that on the path."""
    here = os.path.dirname(os.path.abspath(__file__))
    near = [os.environ.get("COENERGY_PROGRAM", ""), os.path.join(here, "..", "..", "coenergy")]
    for path in near:
        if path and os.path.isfile(path) and os.access(path, os.X_OK):
            return path
    found = shutil.which("coenergy")
    if found is None:
        raise Error("the program coenergy is not found; put it on the path, or name it in COENERGY_PROGRAM")
    return found


def _words(options: Dict[str, Any]) -> List[str]:
    words: List[str] = []
    for name, value in options.items():
        flag = "--" + name.rstrip("_").replace("_", "-")
        if value is True:
            words.append(flag)
        elif value is not None and value is not False:
            items = value if isinstance(value, (list, tuple)) else [value]
            words.extend(f"{flag}={item}" for item in items)
    return words


def call_verb(word: str, arguments: Sequence[str], options: Dict[str, Any]) -> Dict[str, Any]:
    import subprocess

    command = [find_program(), word, *arguments, *_words(options), "--json"]
    outcome = subprocess.run(command, capture_output=True, text=True, check=False)
    try:
        answer: Dict[str, Any] = json.loads(outcome.stdout)
    except ValueError:
        answer = {}
    if outcome.returncode == 2:
        items = [(e.get("file"), e.get("line"), e.get("column"), e["text"]) for e in answer.get("errors", [])]
        raise Error(outcome.stderr.strip(), items)
    if outcome.returncode != 0 and not answer.get("version"):
        raise Failure(outcome.stderr.strip() or f"coenergy {word} ended with status {outcome.returncode}")
    if answer.get("status") == "failed" and "errors" in answer:
        raise Failure(outcome.stderr.strip())
    return answer


def describe(type: str) -> Dict[str, Any]:
    """Ports, parameters and laws of a component type, or a topic."""
    return call_verb("describe", [type], {})


def compare(a: str, b: str, **options: Any) -> Dict[str, Any]:
    """Differences of two result files; `equal` says whether they are within the tolerances."""
    return call_verb("compare", [os.fspath(a), os.fspath(b)], options)


def examples(**options: Any) -> Dict[str, Any]:
    return call_verb("examples", [], options)
