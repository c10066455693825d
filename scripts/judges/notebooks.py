"""Makes notebooks in the layouts of programs, changes sources, and writes them again with json, as nbformat does."""

import copy
import json
import random
import sys

WORDS = ["x = 1", 'print("hi")', "s = 'a\\n'", "", "\té = 'ü'  # 漢字 😀", "\u2028\x7f\x01", "a / b </script>", "\\"]
LAYOUTS = [
    {"indent": 1, "ensure_ascii": False, "sort_keys": True},  # nbformat
    {"indent": 1, "ensure_ascii": True},
    {"indent": 2, "ensure_ascii": False},
    {"indent": 4, "ensure_ascii": True, "sort_keys": True},
    {},
    {"separators": (",", ":")},
]


def source(r):
    return "\n".join(r.choice(WORDS) for _ in range(r.randrange(5))).rstrip("\n")


def notebook(r):
    text = r.random() < 0.2
    cells = []
    for i in range(r.randrange(1, 5)):
        cell = {"cell_type": r.choice(["code", "markdown"]), "id": f"c{i}", "metadata": {}}
        if cell["cell_type"] == "code":
            cell["execution_count"] = None
            cell["outputs"] = [{"output_type": "stream", "name": "stdout", "text": ["x = 1\n"]}] * r.randrange(2)
        cell["source"] = source(r) if text else lines(source(r))
        cells.append(cell)
    return {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5, "é": "ü"}


def lines(s):
    return [line for line in s.replace("\n", "\n\0").split("\0") if line]


made = []
for seed in range(json.load(sys.stdin)["count"]):
    r = random.Random(seed)
    layout = LAYOUTS[seed % len(LAYOUTS)]
    before = notebook(r)
    after = copy.deepcopy(before)
    changes = {}
    for i, cell in enumerate(after["cells"]):
        if r.random() < 0.6:
            text = source(r)
            changes[str(i)] = text
            cell["source"] = text if isinstance(cell["source"], str) else lines(text)
    made.append({"before": json.dumps(before, **layout), "after": json.dumps(after, **layout), "changes": changes})
print(json.dumps(made))
