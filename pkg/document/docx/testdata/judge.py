#!/usr/bin/env python3
"""Compare Markdown made of .docx files with pandoc's reading of the same files.

    judge.py DIR [NAME…] [-v] [-min=.92]
    judge.py -words NAME.docx

DIR has NAME.docx and NAME.docx.md. Both are read by pandoc into its tree; of each feature
that one of the two has, the F1 score of the multisets is taken. Printed are the mean over
the features of each file, and the means over the files. A title, which pandoc keeps as
metadata, counts as a heading of level 1; the numbers of list items, which pandoc keeps as
attributes, are no part of the words. It fails if the mean is less than -min. The second form prints the words that pandoc
reads, one a line.
"""
import collections, json, os, re, subprocess, sys


def tree(args, data=None):
    out = subprocess.run(["pandoc", "-t", "json", *args], input=data, capture_output=True, check=True)
    return json.loads(out.stdout)


def text(x):
    if isinstance(x, list):
        return "".join(text(y) for y in x)
    if isinstance(x, dict):
        t, c = x.get("t"), x.get("c")
        if t == "Str":
            return c
        if t in ("Space", "SoftBreak", "LineBreak"):
            return " "
        if t in ("Code", "CodeBlock"):
            return c[1] + " " * (t == "CodeBlock")
        if t == "Math":
            return " "
        if t == "RawInline" or t == "RawBlock":
            return " " if "<br" in c[1] else ""
        if t == "Note":
            return ""
        if t in ("Image",):
            return ""
        if t in ("Link", "Span"):
            return text(c[1])
        inner = text(c)
        return inner + " " if t in ("Para", "Plain", "Header") else inner
    return ""


def words(s):
    return re.findall(r"\w+", s)


def features(doc):
    f = collections.defaultdict(collections.Counter)

    def para(s):
        return " ".join(words(s))

    def walk(x, depth=0, styles=()):
        if isinstance(x, list):
            for y in x:
                walk(y, depth, styles)
            return
        if not isinstance(x, dict):
            return
        t, c = x.get("t"), x.get("c")
        if t == "Header":
            f["head"][(min(c[0], 6), para(text(c[2])))] += 1
            walk(c[2], depth)
        elif t in ("BulletList", "OrderedList"):
            items = c if t == "BulletList" else c[1]
            for item in items:
                own = [b for b in item if b["t"] not in ("BulletList", "OrderedList")]
                f["list"][(depth, para(text(own[:1])))] += 1
                walk(item, depth + 1)
        elif t == "Table":
            head, bodies, foot = c[3], c[4], c[5]
            rows = head[1] + [r for b in bodies for r in b[2] + b[3]] + foot[1]
            f["table"][("tables",)] += 1
            for row in rows:
                for cell in row[1]:
                    if para(text(cell[4])):  # blanks may be covered by others
                        f["table"][para(text(cell[4]))] += 1
                    walk(cell[4], depth)
            walk(c[1], depth)
        elif t == "Image":
            f["image"][para(text(c[1]))] += 1
        elif t == "Note":
            f["note"][para(text(c))] += 1
            walk(c, depth)
        elif t in ("Emph", "Strong", "Strikeout", "Superscript", "Subscript", "Code"):
            for w in words(c[1] if t == "Code" else text(c)):
                f["code" if t == "Code" else "emph"][(t, w)] += 1
            walk(c, depth)
        elif t == "RawInline":
            return
        elif t == "Math":
            f["math"][formula(c[1])] += 1
        elif t == "CodeBlock":
            f["code"][c[1].strip()] += 1
        elif t == "BlockQuote":
            for b in c:
                f["quote"][para(text(b))] += 1
            walk(c, depth)
        else:
            walk(c, depth, styles)

    walk(doc["blocks"])
    f["words"].update(words(text(doc["blocks"])))
    for note in notes(doc["blocks"]):
        f["words"].update(words(text(note)))
    for key in ("title", "subtitle", "author", "date", "abstract"):
        if key in doc["meta"]:
            meta = doc["meta"][key]
            f["words"].update(words(text(meta.get("c", []))))
            if key == "title":
                f["head"][(1, para(text(meta["c"])))] += 1
    return f


def formula(latex):
    """A formula without what makes no difference in it."""
    latex = latex.replace("\\rightarrow", "\\to").replace("\\widehat", "\\hat").replace("\\\\\\end", "\\end")
    return re.sub(r"\\\\\s*\\end", r"\\end", re.sub(r"[\s{}]", "", re.sub(r"\\\\\s*(?=\\end)|(?<!\\)\\ |\\left|\\right|\\,", "", latex)))


def notes(x):
    if isinstance(x, list):
        for y in x:
            yield from notes(y)
    elif isinstance(x, dict):
        if x.get("t") == "Note":
            yield x["c"]
        yield from notes(x.get("c"))


SCRIPT = re.compile(r"<(su[bp])>(.*?)</\1>", re.S)


def scripts(md, f):
    """Superscripts and subscripts, which the dialect has as HTML."""
    for kind, inner in SCRIPT.findall(md):
        for w in words(inner):
            f["emph"][("Superscript" if kind == "sup" else "Subscript", w)] += 1


def prepare(md):
    """Breaks in cells as spaces, and list items without the labels that Markdown does not
    have: a dash and what people see."""
    return re.sub(r"(?m)^(\s*)- (\(?(?:[0-9]{1,3}|[a-z]|[A-Z]|[ivxlcIVXLC]+)(?:\.[0-9a-z]+)*[.)]|[0-9]+(?:\.[0-9]+)+|Article [IVX]+) (?=\S)", r"\1- ", md.replace("<br>", " "))


# What the score is the mean of, and what is only shown: pandoc takes paragraphs of code for
# text, and indented items of lists for quotations.
FEATURES = ("words", "head", "list", "table", "image", "emph", "note")
OTHERS = ("math", "code", "quote")


def f1(a, b):
    n = sum(a.values()) + sum(b.values())
    return 2 * sum((a & b).values()) / n if n else 1.0


def main():
    if sys.argv[1] == "-words":
        print("\n".join(features(tree(["-f", "docx", sys.argv[2]]))["words"].elements()))
        return
    where, verbose = sys.argv[1], "-v" in sys.argv
    only = [a for a in sys.argv[2:] if not a.startswith("-")]
    total, count, files = collections.Counter(), collections.Counter(), []
    for name in sorted(os.listdir(where)):
        if not name.endswith(".docx") or only and not any(o in name for o in only):
            continue
        path = os.path.join(where, name)
        want = features(tree(["-f", "docx", path]))
        with open(path + ".md", encoding="utf-8") as file:
            md = file.read()
        got = features(tree(["-f", "gfm+tex_math_dollars+footnotes-autolink_bare_uris-emoji"], prepare(md).encode()))
        scripts(md, got)
        scores = {}
        for feature in FEATURES + OTHERS:
            if want[feature] or got[feature]:
                scores[feature] = f1(want[feature], got[feature])
                total[feature] += scores[feature]
                count[feature] += 1
                if verbose and scores[feature] < 1:
                    print(name, feature, "only pandoc:", list((want[feature] - got[feature]).items())[:8], "only ours:", list((got[feature] - want[feature]).items())[:8])
        judged = [scores[k] for k in FEATURES if k in scores]
        mean = sum(judged) / len(judged)
        files.append(mean)
        print(f"{mean:.3f}", name, " ".join(f"{k}={v:.2f}" for k, v in scores.items() if v < 1))
    print(f"file mean {sum(files) / len(files):.3f} of {len(files)} files;", " ".join(f"{k} {total[k] / count[k]:.3f} ({count[k]})" for k in total))
    least = [float(a[5:]) for a in sys.argv if a.startswith("-min=")]
    sys.exit(bool(least and sum(files) / len(files) < least[0]))


main()
