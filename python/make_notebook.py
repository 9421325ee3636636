"""make_notebook.py SCRIPT NOTEBOOK: the cells of a script (# %%) as a notebook."""
import json
import sys


def cells(text: str) -> list:
    made = []
    for block in text.split("# %%")[1:]:
        head, _, body = block.partition("\n")
        lines = body.strip("\n").splitlines(keepends=True)
        if "[markdown]" in head:
            lines = [line[2:] if line.startswith("# ") else line.lstrip("#") for line in lines]
            made.append({"cell_type": "markdown", "metadata": {}, "source": lines})
        else:
            made.append(
                {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": [], "source": lines}
            )
    return made


def main() -> None:
    with open(sys.argv[1], encoding="utf-8") as file:
        notebook = {
            "cells": cells(file.read()),
            "metadata": {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}},
            "nbformat": 4,
            "nbformat_minor": 4,
        }
    with open(sys.argv[2], "w", encoding="utf-8") as file:
        json.dump(notebook, file, indent=1, ensure_ascii=False)
        file.write("\n")


if __name__ == "__main__":
    main()
