"""Makes the presentations of this folder and what judges read in them.

Run by hand: python make.py (needs python-pptx, Pillow, soffice and pdftotext).
"""
import io, json, pathlib, re, subprocess, tempfile
from PIL import Image
from pptx import Presentation
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.enum.shapes import MSO_SHAPE, MSO_SHAPE_TYPE
from pptx.util import Inches, Pt
from lxml import etree

here = pathlib.Path(__file__).parent
A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"


def bullets(frame, lines):
    for i, (level, text) in enumerate(lines):
        p = frame.paragraphs[0] if i == 0 else frame.add_paragraph()
        p.text, p.level = text, level


def number(p, scheme, start=None):
    e = etree.SubElement(p._p.get_or_add_pPr(), A + "buAutoNum", type=scheme)
    if start:
        e.set("startAt", str(start))


def picture(color, size=(40, 30)):
    b = io.BytesIO()
    Image.new("RGB", size, color).save(b, "PNG")
    b.seek(0)
    return b


def deck():
    d = Presentation()
    d.core_properties.title, d.core_properties.author = "Annual review", "Ann Example"

    s = d.slides.add_slide(d.slide_layouts[0])
    s.shapes.title.text = "Annual review"
    s.placeholders[1].text = "Results & plans\nfor 2025"
    s.notes_slide.notes_text_frame.text = "Welcome everybody.\nSay who you are."

    s = d.slides.add_slide(d.slide_layouts[1])
    s.shapes.title.text = "Agenda"
    bullets(s.placeholders[1].text_frame, [(0, "Sales"), (1, "by region"), (2, "in detail"), (1, "by product"), (0, "Costs")])

    s = d.slides.add_slide(d.slide_layouts[5])
    s.shapes.title.text = "Order of boxes"
    for text, x, y in ("third", 1, 3.5), ("second", 5, 2.02), ("first", 1, 2.0), ("fourth", 5, 3.52):
        s.shapes.add_textbox(Inches(x), Inches(y), Inches(3), Inches(0.5)).text_frame.text = text
    box = s.shapes.add_textbox(Inches(1), Inches(5), Inches(8), Inches(1)).text_frame
    for i, text in enumerate(("Boil water", "Add tea", "Wait")):
        p = box.paragraphs[0] if i == 0 else box.add_paragraph()
        p.text = text
        number(p, "arabicPeriod", 3)
    p = box.add_paragraph()
    p.text = "no number"
    p = box.add_paragraph()
    p.text = "again"
    number(p, "alphaLcParenR")

    s = d.slides.add_slide(d.slide_layouts[5])
    s.shapes.title.text = "A table"
    t = s.shapes.add_table(4, 3, Inches(1), Inches(2), Inches(8), Inches(3)).table
    for r, row in enumerate((("Region", "2023", "2024"), ("North", "19.2", "20.1"), ("South | East", "7", "two\nlines"), ("merged", "", "x"))):
        for c, text in enumerate(row):
            t.cell(r, c).text = text
    t.cell(3, 0).merge(t.cell(3, 1))

    s = d.slides.add_slide(d.slide_layouts[5])
    s.shapes.title.text = "A chart"
    data = CategoryChartData()
    data.categories = ["Q1", "Q2", "Q3"]
    data.add_series("Income", (10, 20.5, 30))
    data.add_series("Cost", (7, 8, 9))
    s.shapes.add_chart(XL_CHART_TYPE.COLUMN_CLUSTERED, Inches(1), Inches(2), Inches(8), Inches(4), data)

    s = d.slides.add_slide(d.slide_layouts[5])
    s.shapes.title.text = "Pictures"
    for color, alt, x in ("blue", "a blue box", 5), ("red", "a [red] box", 1), ("red", "", 3):
        p = s.shapes.add_picture(picture(color), Inches(x), Inches(2), Inches(1), Inches(1))
        p._element.nvPicPr.cNvPr.set("descr", alt)
    s.shapes.add_textbox(Inches(1), Inches(4), Inches(5), Inches(1)).text_frame.text = "below the pictures"

    s = d.slides.add_slide(d.slide_layouts[5])
    s.shapes.title.text = "Groups and emphasis"
    g = s.shapes.add_group_shape()
    for text, y in ("group second", 3), ("group first", 2):
        g.shapes.add_shape(MSO_SHAPE.RECTANGLE, Inches(1), Inches(y), Inches(3), Inches(0.6)).text_frame.text = text
    inner = g.shapes.add_group_shape()
    inner.shapes.add_shape(MSO_SHAPE.OVAL, Inches(1), Inches(4), Inches(3), Inches(0.6)).text_frame.text = "inner"
    p = s.shapes.add_textbox(Inches(5), Inches(2), Inches(4), Inches(2)).text_frame.paragraphs[0]
    for text, bold, italic in ("plain ", None, None), ("bold", True, None), (" ", None, None), ("both", True, True), (" *stars* ", None, None):
        r = p.add_run()
        r.text, r.font.bold, r.font.italic = text, bold, italic
    r = p.add_run()
    r.text, r.hyperlink.address = "the site", "https://example.org/a?b=c"

    s = d.slides.add_slide(d.slide_layouts[1])
    s.shapes.title.text = "Hidden slide"
    s.placeholders[1].text = "nobody sees this"
    s._element.set("show", "0")

    s = d.slides.add_slide(d.slide_layouts[3])
    s.shapes.title.text = "两栏 – Zwei Spalten"
    s.placeholders[2].text = "右边 right"
    s.placeholders[1].text = "左边 left"

    s = d.slides.add_slide(d.slide_layouts[6])
    s.shapes.add_textbox(Inches(1), Inches(1), Inches(5), Inches(1)).text_frame.text = "no title here"
    return d


def texts(shapes):
    for sh in shapes:
        if sh.shape_type == MSO_SHAPE_TYPE.GROUP:
            yield from texts(sh.shapes)
        elif sh.has_text_frame:
            yield sh.text_frame.text
        elif getattr(sh, "has_table", False) and sh.has_table:
            for row in sh.table.rows:
                yield from (c.text_frame.text for c in row.cells)
        elif getattr(sh, "has_chart", False) and sh.has_chart:
            for plot in sh.chart.plots:
                yield from map(str, plot.categories)
                for series in plot.series:
                    yield series.name
                    yield from (f"{v:g}" for v in series.values)


def words(text):
    return re.findall(r"\w+", text)


def judge(file):
    """What python-pptx reads: words of each slide and of its notes, in the file's order."""
    out = []
    for s in Presentation(file).slides:
        notes = s.notes_slide.notes_text_frame.text if s.has_notes_slide and s.notes_slide.notes_text_frame else ""
        out.append({"words": words(" ".join(texts(s.shapes))), "notes": words(notes)})
    return out


def pdf(file, tmp):
    """What people see: the words of each page that LibreOffice prints; it leaves hidden slides out."""
    subprocess.run(["soffice", f"-env:UserInstallation=file://{tmp}/lo", "--headless", "--convert-to", "pdf", "--outdir", tmp, file], check=True, capture_output=True)
    text = subprocess.run(["pdftotext", "-layout", tmp / (file.stem + ".pdf"), "-"], check=True, capture_output=True).stdout.decode()
    return [words(page) for page in text.split("\f")[:-1]]


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as tmp:
        tmp = pathlib.Path(tmp)
        made = here / "python-pptx.pptx"
        deck().save(made)
        lo = ["soffice", f"-env:UserInstallation=file://{tmp}/lo", "--headless", "--convert-to"]
        subprocess.run([*lo, "odp", "--outdir", tmp, made], check=True, capture_output=True)
        subprocess.run([*lo, "pptx", "--outdir", tmp, tmp / "python-pptx.odp"], check=True, capture_output=True)
        (tmp / "python-pptx.pptx").replace(here / "libreoffice.pptx")
        want = {p: {"python-pptx": judge(here / f"{p}.pptx"), "pdftotext": pdf(here / f"{p}.pptx", tmp)} for p in ("python-pptx", "libreoffice")}
    (here / "words.json").write_text(json.dumps(want, ensure_ascii=False) + "\n")
