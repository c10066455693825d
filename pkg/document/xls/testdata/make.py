# Makes the workbooks here: python make.py [SOFFICE-PROFILE]. It needs xlwt 1.3.0, XlsxWriter
# 3.3.1, xlrd 2.0.2, soffice (LibreOffice 7.4) and ssconvert (gnumeric 1.12). What LibreOffice
# displays of each goes to NAME.shown, what xlrd reads to NAME.read: lines of sheet, row,
# column and value, with tabs between.
import csv, glob, json, os, random, struct, subprocess, sys, tempfile, zlib

import xlrd, xlsxwriter, xlwt

random.seed(5)
profile = sys.argv[1] if len(sys.argv) > 1 else tempfile.mkdtemp()
FORMATS = """General|0|0.00|#,##0|#,##0.00|0%|0.00%|0.00E+00|# ?/?|# ??/??|m/d/yy|d-mmm-yy|d-mmm|mmm-yy|h:mm AM/PM|h:mm:ss|m/d/yy h:mm|mm:ss|[h]:mm:ss|@|yyyy-mm-dd|dddd, mmmm dd, yyyy
[$$-409]#,##0.00|#,##0.00;[Red]-#,##0.00|[>=1000]#,##0,"k";[<0]-0;0|0.000;-0.000;"zero";"text: "@|00000|# ?/8|[h]:mm|0.0,,"M"|yyyy"年"m"月"d"日"|0.0#|hh:mm:ss.00|ddd""".replace("\n", "|").split("|")
VALUES = [0, 1, -1, 0.5, -0.5, 1234.5678, -1234.5678, 1234567, 1 / 4, 2 / 3, 40000, 40000.75, 36526.25, 61, 0.999]
FORMULAS = """A1+B1|A1-B1*2|(A1+B1)*2|-A1|A1%|A1^B1|A1&B1|A1>=B1|A1<>B1|SUM(A1:B1)|IF(A1>1,"a","b""c")|'Two words'!A1*2|$A$1|A$1+$B1|ROUND(A1/3,2)|TRUE|"text"
VLOOKUP(1,A1:B1,2,FALSE)|COUNTIF(A1:B1,">1")|NOT(A1)|PI()|INDEX(A1:B1,1,2)|SUM('Two words'!A1:B2)""".replace("\n", "|").split("|")


def png(width, height, colour):
    raw = b"".join(b"\0" + bytes(colour) * width for _ in range(height))
    chunk = lambda t, d: struct.pack(">I", len(d)) + t + d + struct.pack(">I", zlib.crc32(t + d))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)) + chunk(b"IDAT", zlib.compress(raw)) + chunk(b"IEND", b"")


def formats(name, epoch):
    book = xlwt.Workbook()
    book.dates_1904 = epoch == 1904
    sheet = book.add_sheet("Formats")
    for i, code in enumerate(FORMATS):
        style = xlwt.easyxf(num_format_str=code)
        for j, value in enumerate(VALUES):
            # LibreOffice has no 29 February 1900, and dates before it.
            if not any(letter in code for letter in ("yy", "d", "h", "ss")) or 61 <= value < 100000 and value * 24 % 1 == 0:
                sheet.write(i, j, value, style)
        sheet.write(i, len(VALUES), "text", style)
    book.save(name)


def strings(name):
    book = xlwt.Workbook()
    sheet = book.add_sheet("Strings")
    pool = "abc defghij äöüß €中文字符日本語 Привет"
    row = 0
    for n in [1, 100, 8224, 8225]:
        sheet.write(row, 0, "".join(random.choice("abc def") for _ in range(n)))
        row += 1
    sheet.write(row, 0, "".join(random.choice(pool) for _ in range(5000)))
    for i in range(60):
        sheet.write(row + 1 + i // 10, i % 10, "".join(random.choice(pool) for _ in range(random.randint(1, 60))))
    bold, red = xlwt.easyfont("bold true"), xlwt.easyfont("color_index red")
    sheet.write_rich_text(30, 0, (("bold ", bold), ("中", xlwt.easyfont("")), (" red", red)))
    sheet.write(31, 0, "two\nlines")
    for title, visibility in ("Hidden", 1), ("Very hidden", 2):
        other = book.add_sheet(title)
        other.visibility = visibility
        other.write(0, 0, title)
    odd = book.add_sheet("Ünï 中文")
    odd.write_merge(0, 2, 0, 3, "merged")
    odd.row(7).hidden = True
    odd.write(7, 0, "in a hidden row")
    odd.col(5).hidden = True
    odd.write(10, 0, True)
    odd.write(10, 1, False)
    odd.row(11).set_cell_error(0, 0x2A)
    odd.row(11).set_cell_error(1, 0x07)
    odd.write(12, 200, "far")
    book.save(name)


def formulas(name):
    book = xlwt.Workbook()
    sheet, other = book.add_sheet("Formulas"), book.add_sheet("Two words")
    sheet.write(0, 0, 1)
    sheet.write(0, 1, 2)
    other.write(0, 0, 5)
    for i, text in enumerate(FORMULAS):
        sheet.write(i + 1, 0, xlwt.Formula(text))
        sheet.write(i + 1, 1, text)
    book.save(name)


def whole(name):
    book = xlsxwriter.Workbook(name)
    sheet = book.add_worksheet("Formulas")
    two = book.add_worksheet("Two words")
    two.write_row(0, 0, [5, 6])
    two.write_row(1, 0, [7, 8])
    sheet.write_row(0, 0, [1, 2])
    more = ["SUM({1,2,3;4,5,6})", "SUM(Rng)", "A1:A3 A2:B2", 'REPT("ab",300)', "1/0", "MAX(A:A)"]
    for i, text in enumerate(FORMULAS + more):
        sheet.write_formula(i + 1, 0, "=" + text)
        sheet.write_string(i + 1, 1, text)
    for i in range(20):
        sheet.write_formula(i + 1, 3, "=A$1*B%d" % (i + 1))
    sheet.write_array_formula("F1:F3", "{=A1:A3*2}")
    book.define_name("Rng", "=Formulas!$A$1:$A$10")
    book.define_name("'Two words'!Local", "='Two words'!$B$2")
    third = book.add_worksheet("Third")
    third.merge_range("B2:D4", "merged")
    third.set_row(9, None, None, {"hidden": True})
    third.write("A10", "hidden")
    third.set_column("F:G", None, None, {"hidden": True})
    third.write("A12", "noted")
    third.write_comment("A12", "A comment\nof two lines 中文", {"author": "Ann"})
    third.write_url("A14", "https://example.com/a?b=c#frag", string="link")
    third.write_url("A15", "internal:'Two words'!B3", string="inside")
    third.print_area("A1:D20")
    for at, size, colour in ("H3", 20, (255, 0, 0)), ("B20", 8, (0, 0, 255)), ("D22", 20, (255, 0, 0)):
        path = os.path.join(tempfile.mkdtemp(), "%d.png" % size)
        with open(path, "wb") as f:
            f.write(png(size, 10, colour))
        third.insert_image(at, path, {"description": "a box"})
    chart = book.add_chart({"type": "column"})
    chart.add_series({"name": "Series A", "values": "=Formulas!$A$1:$B$1"})
    chart.set_title({"name": "My chart"})
    third.insert_chart("J10", chart)
    alone = book.add_chart({"type": "line"})
    alone.add_series({"values": "=Formulas!$A$1:$B$1"})
    book.add_chartsheet("Alone").set_chart(alone)
    book.close()


def soffice(to, out, *files):
    subprocess.run(["soffice", "-env:UserInstallation=file://" + profile, "--headless", "--convert-to", to, "--outdir", out, *files], check=True, capture_output=True, timeout=120)


def judge(name):
    stem = name[:-4]
    out = tempfile.mkdtemp()
    soffice("csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true,true,false,false,-1", out, name)
    book = xlrd.open_workbook(name)
    with open(stem + ".shown", "w", encoding="utf-8") as shown, open(stem + ".read", "w", encoding="utf-8") as read:
        for sheet in book.sheets():
            with open("%s/%s-%s.csv" % (out, stem, sheet.name), encoding="utf-8", newline="") as f:
                for r, row in enumerate(csv.reader(f)):
                    for c, value in enumerate(row):
                        if value:
                            print(sheet.name, r + 1, c, json.dumps(value, ensure_ascii=False), sep="\t", file=shown)
            for r in range(sheet.nrows):
                for c in range(sheet.row_len(r)):
                    kind, value = sheet.cell_type(r, c), sheet.cell_value(r, c)
                    if kind == xlrd.XL_CELL_ERROR:
                        value = xlrd.error_text_from_code[value]
                    elif kind == xlrd.XL_CELL_BOOLEAN:
                        value = bool(value)
                    if value != "":
                        print(sheet.name, r + 1, c, json.dumps(value, ensure_ascii=False), sep="\t", file=read)


temporary = tempfile.mkdtemp()
book = temporary + "/book.xlsx"
formats("formats.xls", 1900)
formats("formats1904.xls", 1904)
strings("strings.xls")
formulas("formulas.xls")
whole(book)
soffice("xls", temporary, book)
again = tempfile.mkdtemp()  # the second time it writes the values of formulas
soffice("xls", again, temporary + "/book.xls")
os.replace(again + "/book.xls", "libreoffice.xls")
for version in "biff7", "biff8":
    subprocess.run(["ssconvert", "--recalc", "-T", "Gnumeric_Excel:excel_" + version, book, "gnumeric-%s.xls" % version], check=True, capture_output=True)
for name in sorted(glob.glob("*.xls")):
    judge(name)
