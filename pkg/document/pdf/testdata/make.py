"""Makes the PDF files beside it, and what they say. Run it by hand: make.py DIRECTORY.

It needs chromium, soffice, pdftotext and the packages python-docx, python-pptx, openpyxl,
reportlab and fpdf2. NAME.txt is what pdftotext reads in NAME.pdf; where pdftotext cannot
read it well (Arabic ligatures, fonts that are not embedded), it is the text that went in.
"""
import html
import os
import re
import subprocess
import sys
import tempfile

from docx import Document
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from fpdf import FPDF
from openpyxl import Workbook
from pptx import Presentation
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import getSampleStyleSheet
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfgen import canvas
from reportlab.platypus import BaseDocTemplate, Frame, PageTemplate, Paragraph

out = os.path.abspath(sys.argv[1])
work = tempfile.mkdtemp()

LATIN = ("Typography is the art and technique of arranging type to make written language legible, readable and "
         "appealing when displayed. The arrangement of type involves selecting typefaces, point sizes, line lengths, "
         "line spacing, and letter spacing. ")
LIGATURES = ("The office was efficient and the final offers were flawless; baffling difficulties in the workflow were "
             "officially filed. Internationalisation and telecommunications are long words. ")
HEBREW = [
    "ירושלים היא עיר הבירה של מדינת ישראל והעיר הגדולה ביותר בה מבחינת שטח ואוכלוסייה. נכון לשנת 2023 מתגוררים בה 981,711 תושבים.",
    "האוניברסיטה העברית (הוקמה בשנת 1925) היא מוסד אקדמי מוביל, ובה לומדים כ-24,000 סטודנטים. קמפוסים: גבעת רם, עין כרם ורחובות.",
    "חברת Microsoft Israel פתחה מרכז פיתוח בשנת 1991, והשתמשה בשפות כמו C++ ו-Python 3.11 לפיתוח. המחיר הוא 49.90 ₪ (כולל מע\"מ).",
    "לפי הדו\"ח [עמ' 12-15], שיעור הצמיחה היה 3.5% ברבעון הראשון, לעומת 2.1% ברבעון המקביל.",
]
ARABIC = [
    "القاهرة هي عاصمة جمهورية مصر العربية وأكبر مدنها، ويبلغ عدد سكانها نحو 10 ملايين نسمة وفق تقديرات عام 2022.",
    "تأسست جامعة الأزهر (عام 970 ميلادي) وهي من أقدم الجامعات في العالم؛ ويدرس فيها أكثر من 300,000 طالب وطالبة.",
    "أعلنت شركة Google عن إصدار Android 14 الذي يدعم اللغة العربية، وبلغ السعر 99.99 دولارًا (شامل الضريبة) في الأسواق.",
    "ارتفع معدل النمو إلى ٣٫٥٪ في الربع الأول مقارنةً بنسبة ٢٫١٪ في العام الماضي، يوم ١٥ مارس ٢٠٢٣.",
]
PERSIAN = ["تهران پایتخت و پرجمعیت‌ترین شهر ایران است و بیش از ۹ میلیون نفر جمعیت دارد. نسخهٔ جدید Firefox 120 منتشر شد."]
CHINESE = "北京是中华人民共和国的首都，位于华北平原的北部。全市常住人口约2189万人。"
JAPANESE = "東京は日本の首都であり、世界最大の都市圏の一つである。人口は約1400万人（2023年）。"
KOREAN = "서울은 대한민국의 수도이자 최대 도시이다. 인구는 약 940만 명이다."
TAIWANESE = "臺北市是中華民國的首都"


def read(name):
    subprocess.run(["pdftotext", "-enc", "UTF-8", f"{out}/{name}.pdf", f"{out}/{name}.txt"], check=True)


def said(name, text):
    with open(f"{out}/{name}.txt", "w") as f:
        f.write(text)


def chromium(name, page, own=False):
    path = f"{work}/{name}.html"
    with open(path, "w") as f:
        f.write('<meta charset="utf-8">' + page)
    subprocess.run(["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--no-pdf-header-footer",
                    f"--user-data-dir={work}/chromium", f"--print-to-pdf={out}/{name}.pdf", "file://" + path],
                   check=True, capture_output=True, timeout=120)
    if own:
        said(name, html.unescape(re.sub(r"<[^>]*>", " ", page)))
    else:
        read(name)


def libreoffice(name, kind, own=""):
    subprocess.run(["soffice", f"-env:UserInstallation=file://{work}/lo", "--headless", "--convert-to", "pdf",
                    "--outdir", out, f"{work}/{name}.{kind}"], check=True, capture_output=True, timeout=180)
    if own:
        said(name, own)
    else:
        read(name)


def paragraphs(texts):
    return "".join(f"<p>{t}</p>" for t in texts)


chromium("chromium_columns", '<html lang=en><body style="font-family:DejaVu Serif"><h1>Two Columns</h1>'
         '<div style="columns:2;column-gap:24px;text-align:justify;hyphens:auto">'
         + paragraphs([LATIN * 2, LIGATURES * 2] * 2) + "</div><h2>After the columns</h2><p>" + LATIN
         + "<p>E = mc<sup>2</sup>, H<sub>2</sub>O; see <a href='https://example.com/note'>the note</a><sup>1</sup>.")
chromium("chromium_hebrew", '<html dir=rtl lang=he><body style="font-family:DejaVu Sans"><h1>' + HEBREW[0][:31] + "</h1>"
         + paragraphs(HEBREW) + f"<ul><li>{HEBREW[1]}<li>{HEBREW[2]}</ul>", own=True)
chromium("chromium_arabic", '<html dir=rtl lang=ar><body style="font-family:DejaVu Sans">' + paragraphs(ARABIC + PERSIAN), own=True)
chromium("chromium_mixed", '<html lang=en><body style="font-family:DejaVu Sans"><p>The Hebrew word שלום means peace, and the Arabic '
         "word سلام means the same (both are greetings).<p>Born in תל אביב in 1975, she moved to القاهرة later."
         f"<p dir=rtl>{HEBREW[2]}<p>Back to English, with numbers 1,234.56 and symbols.", own=True)

d = Document()
d.core_properties.title, d.core_properties.author = "Annual Report", "Ann Author"
d.add_heading("Annual Report", 0)
d.add_heading("Introduction", 1)
d.add_paragraph(LATIN * 2)
d.add_paragraph("First point of the list", style="List Bullet")
d.add_paragraph("Second point, with more words in it than fit on one line of this page so that it goes on below", style="List Bullet")
table = d.add_table(rows=4, cols=3)
for i, row in enumerate(table.rows):
    for j, cell in enumerate(row.cells):
        cell.text = f"Cell {i} {j}"
section = d.add_section(0)
columns = section._sectPr.xpath("./w:cols")[0]
columns.set(qn("w:num"), "2")
columns.set(qn("w:space"), "400")
for _ in range(2):
    d.add_paragraph(LATIN + LIGATURES + LATIN)
section.header.paragraphs[0].text = "Annual Report 2026"
section.footer.paragraphs[0].text = "Confidential footer"
d.save(f"{work}/libreoffice_report.docx")
libreoffice("libreoffice_report", "docx")

d = Document()
for text in HEBREW + ARABIC:
    p = d.add_paragraph(text)
    p._p.get_or_add_pPr().append(OxmlElement("w:bidi"))
    for r in p.runs:
        r._r.get_or_add_rPr().append(OxmlElement("w:rtl"))
d.save(f"{work}/libreoffice_rtl.docx")
libreoffice("libreoffice_rtl", "docx", "\n".join(HEBREW + ARABIC))

book = Workbook()
for i in range(20):
    book.active.append([f"Row {i}", i * 1.5, f"text value {i * 7}", f"2026-01-{i + 1:02}"])
book.save(f"{work}/libreoffice_sheet.xlsx")
libreoffice("libreoffice_sheet", "xlsx")

show = Presentation()
for i in range(2):
    slide = show.slides.add_slide(show.slide_layouts[3])
    slide.shapes.title.text = f"Slide {i} title"
    slide.placeholders[1].text = "Left one\nLeft two is longer\nLeft three"
    slide.placeholders[2].text = "Right one\nRight two\nRight three"
show.save(f"{work}/libreoffice_slides.pptx")
libreoffice("libreoffice_slides", "pptx")

doc = BaseDocTemplate(f"{out}/reportlab_columns.pdf", pagesize=A4, title="Two Columns", author="Ann Author")
doc.addPageTemplates(PageTemplate(frames=[Frame(50, 50, 240, 740), Frame(305, 50, 240, 740)]))
styles = getSampleStyleSheet()
styles["BodyText"].alignment = 4
doc.build([Paragraph("Two Columns", styles["Title"])] + [Paragraph((LATIN + LIGATURES) * 2, styles["BodyText"]) for _ in range(9)])
read("reportlab_columns")

c = canvas.Canvas(f"{out}/reportlab_cjk.pdf")
for y, (font, text) in enumerate([("HeiseiMin-W3", JAPANESE), ("STSong-Light", CHINESE), ("MSung-Light", TAIWANESE), ("HYSMyeongJo-Medium", KOREAN)]):
    pdfmetrics.registerFont(UnicodeCIDFont(font))
    c.setFont(font, 12)
    c.drawString(50, 800 - 20 * y, text)
c.setFont("Times-Roman", 12)
c.drawString(50, 660, "Caf\u00e9 \u201cquoted\u201d \u2014 na\u00efve")
c.setFont("Symbol", 12)
c.drawString(50, 640, "αβχ")
c.setFont("Helvetica", 12)
c.saveState()
c.translate(300, 300)
c.rotate(90)
c.drawString(0, 0, "Rotated text upwards here")
c.restoreState()
c.showPage()
c.setPageRotation(90)
c.setFont("Helvetica", 12)
c.rotate(90)
c.drawString(100, -300, "This page is landscape by rotation")
c.drawString(100, -320, "and has two lines")
c.showPage()
c.rect(100, 100, 200, 200)
c.save()
said("reportlab_cjk", "\n".join([JAPANESE, CHINESE, TAIWANESE, KOREAN, "Café “quoted” — naïve", "αβχ", "Rotated text upwards here",
                                 "This page is landscape by rotation", "and has two lines"]))

p = FPDF()
p.add_page()
p.add_font("DejaVu", "", "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf")
p.set_font("DejaVu", size=12)
p.multi_cell(0, 6, LATIN + "\n\n" + LIGATURES + "\nПривет мир, Ελληνικά, ąęłż")
p.set_font("helvetica", size=10)
with p.table() as t:
    for i in range(4):
        row = t.row()
        for j in range(4):
            row.cell(f"r{i} c{j}")
p.output(f"{out}/fpdf_table.pdf")
read("fpdf_table")
