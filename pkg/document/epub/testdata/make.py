"""Makes the books of this folder and what pandoc reads in them.

Run by hand: python make.py (needs ebooklib, Pillow, pandoc and soffice).
"""
import io, json, pathlib, re, subprocess, tempfile
from ebooklib import epub
from PIL import Image

here = pathlib.Path(__file__).parent

source = """---
title: The *Small* Book
author: [Ann Example, Bob Writer]
lang: en
---

# First chapter

Some **bold** and *emphasised* text with a [link](https://example.org/a_b), `code`, a footnote[^a] and 2 * 3 = 6.

![a red box](red.png)

## A section

- one
- two
    - nested
- three

1. first
2. second

| Name | Value |
|------|------:|
| a    | 1     |
| b \\| c | 2   |

# Second chapter

> A quotation
> of two lines.

``` python
def f(x):

    return x < 3 & x > 1
```

Another footnote[^b] and a link to [the first chapter](#first-chapter). Formula: $a^2 + b_1$.

# Dritte 第三章

Ein Absatz mit Umlauten: äöü. 中文文字。

[^a]: The *first* note.

[^b]: The second note.

    With two paragraphs.
"""


def picture(color):
    b = io.BytesIO()
    Image.new("RGB", (40, 30), color).save(b, "PNG")
    return b.getvalue()


def ebooklib_book(path):
    b = epub.EpubBook()
    b.set_identifier("id1")
    b.set_title("Ebooklib & friends")
    b.set_language("en")
    b.add_author("Carol")
    b.add_item(epub.EpubItem(uid="red", file_name="images/red box.png", media_type="image/png", content=picture("red")))
    chapters = []
    for i, (title, content) in enumerate((
        ("Cover", '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 4 3"><image width="4" height="3" xlink:href="../images/red%20box.png"/></svg>'),
        ("Titled by the contents", '<p>A page that has no heading<a id="x"/> and an anchor.</p><p><img src="../images/red%20box.png" alt="red again"/></p>'),
        ("Notes", '<h1>Notes</h1><p>Text<a epub:type="noteref" href="#n1">1</a> goes on. See <a href="c1.xhtml">the page before</a>.</p><aside epub:type="footnote" id="n1"><p><a href="#r1">1.</a> An aside.</p></aside>'),
        ("Definitions", "<h2>Definitions</h2><dl><dt>Term</dt><dd>What it means</dd></dl><table><tr><th>H</th></tr><tr><td>c</td></tr></table>"),
    )):
        c = epub.EpubHtml(title=title, file_name=f"text/c{i}.xhtml", lang="en")
        c.content = f"<html><head><title/></head><body>{content}</body></html>"
        b.add_item(c)
        chapters.append(c)
    b.toc = [chapters[1], (epub.Section("Part two"), chapters[2:])]
    b.add_item(epub.EpubNcx())
    b.add_item(epub.EpubNav())
    b.spine = ["nav", *chapters]
    epub.write_epub(path, b)


def words(text):
    return re.findall(r"\w+", text)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as tmp:
        tmp = pathlib.Path(tmp)
        (tmp / "red.png").write_bytes(picture("red"))
        (tmp / "book.md").write_text(source)
        for kind in "epub2", "epub3":
            subprocess.run(["pandoc", "-t", kind, "book.md", "-o", here / f"pandoc-{kind}.epub"], cwd=tmp, check=True)
        subprocess.run(["pandoc", "book.md", "-o", "book.odt"], cwd=tmp, check=True)
        subprocess.run(["soffice", f"-env:UserInstallation=file://{tmp}/lo", "--headless", "--convert-to", "epub", "--outdir", tmp, tmp / "book.odt"], check=True, capture_output=True)
        (tmp / "book.epub").replace(here / "libreoffice.epub")
        ebooklib_book(here / "ebooklib.epub")
        want = {}
        for book in sorted(here.glob("*.epub")):
            out = subprocess.run(["pandoc", "-f", "epub", "-t", "plain", "--wrap=none", book], check=True, capture_output=True).stdout.decode()
            want[book.stem] = words(out)
    (here / "words.json").write_text(json.dumps(want, ensure_ascii=False) + "\n")
