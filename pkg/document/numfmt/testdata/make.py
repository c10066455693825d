#!/usr/bin/env python3
"""Makes displayed.tsv: what LibreOffice and Gnumeric display for pairs of a number format and
a value. Run by hand: make.py DIR, with XlsxWriter, soffice and ssconvert; DIR is for the files
in between. Each line is the format, the value, LibreOffice's text and Gnumeric's, as JSON."""
import csv, json, os, subprocess, sys
import xlsxwriter

work = sys.argv[1]
numbers = [0, 1, -1, 0.5, -0.5, 0.05, 0.256, -0.256, 1.005, 1.5, 2.5, -2.5, 9.995, 12, 12.34, 99.5, 100,
           123.456, -123.456, 999.999, 1000, 1234.5, -1234.567, 12345, 12345.678, 99999.5, 1234567, 1234567.891,
           -9876543.21, 123456789, 5551234567, 12345678901, 123456789012, 1e15, 0.001, 0.0001234, 0.00001, 1.23e-7,
           1 / 3, 2 / 3, 0.1 + 0.2, -0.001]
dates = [0.25, 0.5, 0.75, 0.999, 0.0001, 0.5868055556, 0.020833333333, 1, 1.5, 2.75, 61, 366.1, 1000.123,
         25569, 36526.4, 40000.5, 43831, 43890.041666667, 45352, 45352.5868055556, 45657.99, 50000.7, 73050.333, 2958465]
number_formats = [
    "General", "0", "0.00", "#,##0", "#,##0.00", "#", "#.##", "0.##", "0.0#", "00000", "???.???", "?0.0?", "#,###",
    "000-00-0000", "(###) ###-####", "0.000", "#,##0.0000", "0%", "0.00%", "0.0#%", "#%", "0.00E+00", "0.0E+0",
    "##0.0E+0", "0E+00", "#,##0,", "0.0,,", '0.0,"K"', '#,##0.00,,"M"', '"$"#,##0.00', '"$"#,##0_);("$"#,##0)',
    '"$"#,##0.00_);[Red]("$"#,##0.00)', "#,##0_);(#,##0)", "#,##0.00_);[Red](#,##0.00)",
    '_(* #,##0_);_(* (#,##0);_(* "-"_);_(@_)', '_("$"* #,##0.00_);_("$"* (#,##0.00);_("$"* "-"??_);_(@_)',
    "[$€-407] #,##0.00", "#,##0.00 [$€-407]", "[$£-809]#,##0", "[$-409]0.00", "[$¥-411]#,##0",
    '0;-0;"zero"', '0.0;(0.0);"-"', '"pos";"neg";"null"', "0;;", '0.00;[Red]-0.00', '[Blue]0;[Red]0',
    '[<100]0.0;[>=1000]0,"k";"mid"', '[>100]"big" 0;"small" 0', "[=1]\"one\";[=2]\"two\";0", '[>=1000000]0.0,,"M";[>=1000]0.0,"K";0',
    "0 \"units\"", '"Total: "0', "\\x0\\y", "+0;-0;0", "0.00 \"kg\"", '0"°"', "General\" units\"", '"n="General',
    "# ??/100", "# ?/8", "# ?/2", "# ??/16", "0.0000000000", "0.000000000000000",
    "#,##0.00;#,##0.00-", "0_)", "0*-", "@", "00.00", "#,#00.0", "0.0;[Red]0.0;0.0",
    ".00", ".##", "#,##0.???", "0000.0000", "0,000", "000,000", "###,###,##0.00", "0.00;-0.00;;@", "#,##0;-#,##0;-",
]
date_formats = [
    "yyyy-mm-dd", "yyyy-mm-dd hh:mm:ss", "m/d/yyyy", "mm/dd/yy", "d-mmm-yy", "d-mmm", "mmm-yy", "dd.mm.yyyy", "d mmmm yyyy",
    "dddd, mmmm d, yyyy", "ddd", "dddd", "mmmm", "mmmmm", "yy", "yyyy", "d", "dd", "m", "mm", "h:mm AM/PM", "h:mm:ss AM/PM", "h:mm", "hh:mm",
    "h:mm:ss", "hh:mm:ss", "m/d/yyyy h:mm", "yyyy\\-mm\\-dd\\Thh:mm:ss", "mm:ss", "mm:ss.0", "h:mm:ss.00", "hh:mm:ss.000",
    "[h]:mm", "[h]:mm:ss", "[hh]:mm", "[mm]:ss", "[m]", "[ss]", "[s].00", "[h]", "h", "hh", "s", "ss", "h \"h\" m \"min\"", "hh\\hmm",
    "[$-409]mmmm d, yyyy", "[$-407]d. mmmm yyyy", "[$-40C]d mmmm yyyy", "[$-409]h:mm AM/PM", "yyyy/m/d", 'yyyy"年"m"月"d"日"',
    "d/m/yy h:mm", "ddd d mmm", "mmm d", "hh AM/PM", "dd-mmm-yyyy hh:mm", "[Red]yyyy-mm-dd", "yyyymmdd", "yyyymmddhhmmss", "mmdd", "[h]\"h \"mm\"m\"",
    "yyyy-mm-dd;@", "[$-409]d-mmm-yyyy;@", "[$-F400]h:mm:ss AM/PM", "m/d/yy h:mm AM/PM", "mmm yyyy",
]
pairs = [(f, v) for f in number_formats for v in numbers] + [(f, v) for f in date_formats for v in dates]

columns = 40
book = xlsxwriter.Workbook(os.path.join(work, "formats.xlsx"))
page = book.add_worksheet()
page.set_column(0, columns, 60)
made = {}
for i, (code, value) in enumerate(pairs):
    if code not in made:
        made[code] = book.add_format({"num_format": code})
    page.write_number(i // columns, i % columns, value, made[code])
book.close()

def shown(path):
    with open(path, encoding="utf-8", newline="") as f:
        rows = list(csv.reader(f))
    return [rows[i // columns][i % columns] for i in range(len(pairs))]

subprocess.run(["soffice", "-env:UserInstallation=file://" + os.path.join(work, "lo"), "--headless", "--convert-to",
                "csv:Text - txt - csv (StarCalc):44,34,76,1,,1033,false,true", "--outdir", work,
                os.path.join(work, "formats.xlsx")], check=True, stdout=subprocess.DEVNULL)
subprocess.run(["ssconvert", "-O", "format=preserve", "-T", "Gnumeric_stf:stf_assistant", os.path.join(work, "formats.xlsx"),
                os.path.join(work, "gnumeric.csv")], check=True, env=dict(os.environ, LC_ALL="en_US.UTF-8"), stderr=subprocess.DEVNULL)
libre, gnumeric = shown(os.path.join(work, "formats.csv")), shown(os.path.join(work, "gnumeric.csv"))
with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "displayed.tsv"), "w", encoding="utf-8") as out:
    for (code, value), a, b in zip(pairs, libre, gnumeric):
        out.write("\t".join([json.dumps(code, ensure_ascii=False), repr(value), json.dumps(a, ensure_ascii=False), json.dumps(b, ensure_ascii=False)]) + "\n")
