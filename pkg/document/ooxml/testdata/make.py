"""Makes the charts of this folder. Run by hand: python make.py (needs python-pptx and soffice)."""
import json, pathlib, shutil, subprocess, tempfile, zipfile
from pptx import Presentation
from pptx.chart.data import BubbleChartData, CategoryChartData, XyChartData
from pptx.enum.chart import XL_CHART_TYPE as T
from pptx.util import Inches
import datetime

here = pathlib.Path(__file__).parent
deck = Presentation()
want = {}


def add(name, kind, data, title, rows, general=None):
    """general are the rows without the number format, which LibreOffice drops."""
    slide = deck.slides.add_slide(deck.slide_layouts[6])
    chart = slide.shapes.add_chart(kind, Inches(1), Inches(1), Inches(8), Inches(5), data).chart
    chart.has_title = True
    chart.chart_title.text_frame.text = title
    want[name] = {"title": title, "python-pptx": rows, "libreoffice": general or rows}
    return chart


d = CategoryChartData(number_format="0.0")
d.categories = ["Nord & Süd", "West | Ost", "北京"]
d.add_series("2023", (19.2, None, 16.7))
d.add_series("2024", (1.5, -3, 100))
add("column", T.COLUMN_CLUSTERED, d, "Sales", [["", "2023", "2024"], ["Nord & Süd", "19.2", "1.5"], ["West | Ost", "", "-3.0"], ["北京", "16.7", "100.0"]],
    [["", "2023", "2024"], ["Nord & Süd", "19.2", "1.5"], ["West | Ost", "", "-3"], ["北京", "16.7", "100"]])

d = CategoryChartData()
d.categories = [datetime.date(2024, 1, 31), datetime.date(2024, 2, 29)]
d.add_series("Price", (1234567.5, 0.1))
add("dates", T.LINE, d, "Price by day", [["", "Price"], ["2024-01-31", "1234567.5"], ["2024-02-29", "0.1"]])

d = CategoryChartData(number_format="0%")
for region, cities in ("USA", ("SF", "NYC")), ("CA", ("Toronto",)):
    c = d.add_category(region)
    for city in cities:
        c.add_sub_category(city)
d.add_series("Share", (0.25, 0.5, 0.25))
add("levels", T.BAR_CLUSTERED, d, "Two levels", [["", "", "Share"], ["USA", "SF", "25%"], ["USA", "NYC", "50%"], ["CA", "Toronto", "25%"]],
    [["", "", "Share"], ["USA", "SF", "0.25"], ["USA", "NYC", "0.5"], ["CA", "Toronto", "0.25"]])

d = XyChartData()
for name, points in ("A", ((1, 2), (3, 4.5))), ("B", ((9, 8),)):
    s = d.add_series(name)
    for x, y in points:
        s.add_data_point(x, y)
add("scatter", T.XY_SCATTER, d, "Scatter", [["series", "x", "y"], ["A", "1", "2"], ["A", "3", "4.5"], ["B", "9", "8"]])

d = BubbleChartData()
s = d.add_series("Bubbles")
s.add_data_point(1, 2, 30)
s.add_data_point(4, 5, 60)
add("bubble", T.BUBBLE, d, "Sizes", [["x", "Bubbles", "Bubbles (size)"], ["1", "2", "30"], ["4", "5", "60"]])

with tempfile.TemporaryDirectory() as tmp:
    tmp = pathlib.Path(tmp)
    deck.save(tmp / "deck.pptx")
    subprocess.run(["soffice", f"-env:UserInstallation=file://{tmp}/lo", "--headless", "--convert-to", "odp", "--outdir", tmp, tmp / "deck.pptx"], check=True)
    (tmp / "out").mkdir()
    subprocess.run(["soffice", f"-env:UserInstallation=file://{tmp}/lo", "--headless", "--convert-to", "pptx", "--outdir", tmp / "out", tmp / "deck.odp"], check=True)
    for program, file in ("python-pptx", tmp / "deck.pptx"), ("libreoffice", tmp / "out" / "deck.pptx"):
        z = zipfile.ZipFile(file)
        for i, name in enumerate(want):
            rels = z.read(f"ppt/slides/_rels/slide{i+1}.xml.rels").decode()
            part = [p for p in z.namelist() if p.startswith("ppt/charts/chart") and p.rsplit("/")[-1] in rels]
            (here / f"{name}-{program}.xml").write_bytes(z.read(part[0]))
(here / "charts.json").write_text(json.dumps(want, ensure_ascii=False, indent=1) + "\n")
