"""Reads blocks of lines and texts, and prints where in each text difflib finds the
window of lines that is most similar to the block."""

import difflib
import json
import sys

starts = []
for case in json.load(sys.stdin):
    old, text = case["old"], case["text"]
    best, at = -1.0, 0
    matcher = difflib.SequenceMatcher(None)
    matcher.set_seq2("\n".join(old))
    for i in range(max(1, len(text) - len(old) + 1)):
        matcher.set_seq1("\n".join(text[i : i + len(old)]))
        if matcher.real_quick_ratio() > best and matcher.quick_ratio() > best:
            ratio = matcher.ratio()
            if ratio > best:
                best, at = ratio, i
    starts.append(at)
json.dump(starts, sys.stdout)
