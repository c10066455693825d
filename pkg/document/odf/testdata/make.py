"""Makes the documents of this directory. Run it by hand where LibreOffice, pandoc, python-docx,
python-pptx, odfpy and cryptography are installed; README.md names the versions that were used."""
import base64, hashlib, os, struct, subprocess, zipfile, zlib


def png(w, h, name):
    raw = b"".join(b"\0" + b"\xff\x20\x20" * w for _ in range(h))
    def chunk(t, d):
        return struct.pack(">I", len(d)) + t + d + struct.pack(">I", zlib.crc32(t + d))
    with open(name, "wb") as f:
        f.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", w, h, 8, 2, 0, 0, 0)) + chunk(b"IDAT", zlib.compress(raw)) + chunk(b"IEND", b""))


png(16, 12, "dot.png")

# --- slides.odp, contract.odt: made with python-pptx and python-docx, converted by LibreOffice
from pptx import Presentation
from pptx.util import Inches, Pt
p=Presentation()
s=p.slides.add_slide(p.slide_layouts[0]); s.shapes.title.text="Quarterly review"; s.placeholders[1].text="Ann Lee, 2024"
s.notes_slide.notes_text_frame.text="Say hello first.\nThen begin."
s=p.slides.add_slide(p.slide_layouts[1]); s.shapes.title.text="Agenda"
tf=s.placeholders[1].text_frame; tf.text="Sales"
a=tf.add_paragraph(); a.text="North"; a.level=1
a=tf.add_paragraph(); a.text="Costs"; a.level=0
r=a.add_run(); r.text=" in bold"; r.font.bold=True
s=p.slides.add_slide(p.slide_layouts[5]); s.shapes.title.text="Figures"
t=s.shapes.add_table(3,3,Inches(1),Inches(2),Inches(6),Inches(2)).table
for i,row in enumerate([["Item","Q1","Q2"],["Apples","3","4"],["Pears | plums","5","6"]]):
    for j,c in enumerate(row): t.cell(i,j).text=c
s.shapes.add_picture("dot.png",Inches(7),Inches(5))
b=s.shapes.add_textbox(Inches(5),Inches(6),Inches(2),Inches(1)); b.text_frame.text="right box"
b=s.shapes.add_textbox(Inches(1),Inches(6),Inches(2),Inches(1)); b.text_frame.text="left box"
s=p.slides.add_slide(p.slide_layouts[5]); s.shapes.title.text="Secret"; s._element.set("show","0")
b=s.shapes.add_textbox(Inches(1),Inches(3),Inches(2),Inches(1)); b.text_frame.text="hidden text"
p.core_properties.title="Review"; p.core_properties.author="Ann Lee"
p.save("slides.pptx")
from docx import Document
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls
d=Document()
d.core_properties.title="Contract"; d.core_properties.author="Ann Lee"
d.add_heading("Contract",0)
d.add_heading("Terms",1)
q=d.add_paragraph("The price is ")
def ins(p,t): p._p.append(parse_xml('<w:ins %s w:id="1" w:author="Bob" w:date="2024-01-02T03:04:05Z"><w:r><w:t xml:space="preserve">%s</w:t></w:r></w:ins>'%(nsdecls("w"),t)))
def dele(p,t): p._p.append(parse_xml('<w:del %s w:id="2" w:author="Bob" w:date="2024-01-02T03:04:05Z"><w:r><w:delText xml:space="preserve">%s</w:delText></w:r></w:del>'%(nsdecls("w"),t)))
dele(q,"ten"); ins(q,"twelve"); q.add_run(" euros.")
m=d.add_paragraph("A merged ")
m._p.get_or_add_pPr().append(parse_xml('<w:rPr %s><w:ins w:id="3" w:author="Bob" w:date="2024-01-02T03:04:05Z"/></w:rPr>'%nsdecls("w")))
d.add_paragraph("pair of paragraphs.")
x=d.add_paragraph("Kept. ")
dele(x,"Removed sentence. ")
x.add_run("End.")
t=d.add_table(3,3); t.style="Table Grid"
for i in range(3):
    for j in range(3): t.cell(i,j).text="r%dc%d"%(i+1,j+1)
t.cell(0,0).merge(t.cell(0,1)); t.cell(1,2).merge(t.cell(2,2))
t.cell(2,0).add_paragraph("second line")
for i in range(3): d.add_paragraph("numbered %d"%i, style="List Number")
for i in range(2): d.add_paragraph("bullet %d"%i, style="List Bullet")
d.add_paragraph("deep bullet", style="List Bullet 2")
p=d.add_paragraph(); r=p.add_run("hidden words"); r.font.hidden=True; p.add_run("visible words")
p=d.add_paragraph(); r=p.add_run("all bold paragraph"); r.bold=True
p=d.add_paragraph("tab\there and a break"); p.add_run().add_break(); p.add_run("after * the _break_ [x](y)")
d.add_picture("dot.png")
d.save("contract.docx")

def office(*args):
    subprocess.run(["soffice", "--headless", "--convert-to", *args], check=True)

office("odp", "slides.pptx")
office("odt", "contract.docx")
office("fodt", "contract.docx")
office("pdf", "slides.odp")
subprocess.run(["pdftotext", "-layout", "slides.pdf", "slides.odp.txt"], check=True)

# --- sales.ods, sales-gnumeric.ods: by openpyxl, converted
import datetime
from openpyxl import Workbook
from openpyxl.comments import Comment
from openpyxl.chart import BarChart, Reference
from openpyxl.workbook.defined_name import DefinedName
from openpyxl.drawing.image import Image
wb=Workbook(); ws=wb.active; ws.title="Sales"
ws.append(["id","name","date","price","share","when","ok","f"])
rows=[(1,"Ann",datetime.date(2024,3,1),1234.5,0.125,datetime.datetime(2024,3,1,14,5,7),True,"=A2*2"),
      (2,"Bob | Co",datetime.date(1999,12,31),-0.5,1.5,datetime.datetime(2000,1,1,0,0,0),False,"=SUM(A2:A3)"),
      (12345678901234,"line\nbreak",datetime.date(2030,1,1),1e9,0,datetime.datetime(2024,6,7,8,9,10),True,'=IF(B2="Ann","yes","no")')]
for r in rows: ws.append(r)
for r in range(2,5):
    ws.cell(r,3).number_format="yyyy-mm-dd"; ws.cell(r,4).number_format='#,##0.00 "€"'; ws.cell(r,5).number_format="0.0%"; ws.cell(r,6).number_format="dd/mm/yyyy hh:mm:ss"
ws["A7"]="=1/0"; ws["B7"]="=NA()"; ws["C7"]=datetime.time(13,30); ws["C7"].number_format="hh:mm"; ws["D7"]=datetime.timedelta(hours=30,minutes=5); ws["D7"].number_format="[h]:mm"
ws["E7"]=1234.5678; ws["F7"]=0.1+0.2; ws["G7"]="   spaces  "; ws["H7"]="https://example.org"; ws["H7"].hyperlink="https://example.org/x"
ws.merge_cells("A9:C10"); ws["A9"]="merged"
ws["E9"]="noted"; ws["E9"].comment=Comment("Check this","Ann")
ws.row_dimensions[3].hidden=True; ws.column_dimensions["G"].hidden=True
ws["J20"]="far"; ws["A1000"]="deep"
h=wb.create_sheet("Hidden one"); h["A1"]="secret"; h.sheet_state="hidden"
c=wb.create_sheet("Chart data"); 
for r in [("q","n"),("Q1",3),("Q2",5)]: c.append(r)
ch=BarChart(); ch.title="Per quarter"; ch.add_data(Reference(c,min_col=2,min_row=1,max_row=3),titles_from_data=True); ch.set_categories(Reference(c,min_col=1,min_row=2,max_row=3)); c.add_chart(ch,"D2")
wb.defined_names["Prices"]=DefinedName("Prices",attr_text="Sales!$D$2:$D$4")
ws.add_image(Image("dot.png"),"L3")
ws.auto_filter.ref="A1:H4"
wb.create_sheet("Empty")
wb.save("sales.xlsx")

office("ods", "sales.xlsx")
subprocess.run(["ssconvert", "sales.xlsx", "sales-gnumeric.ods"], check=True)
for name in ("sales", "sales-gnumeric"):
    office("csv:Text - txt - csv (StarCalc):44,34,76", name + ".ods")
    os.rename(name + ".csv", name + ".ods.csv")
os.remove("sales.xlsx")

# --- report.odt: by pandoc
open("report.md", "w").write("""---
title: Field report
author: Ann Lee
---

# Introduction

Plain with **bold**, *italic*, ~~struck~~, `code span`, H~2~O, x^2^ and a [link](https://example.org/a?b=c).

## Lists

- one
- two
    - two a
    - two b

        second paragraph of two b

1. first
2. second
    a. alpha
    b. beta

5. five
6. six

## Table

| Name | Qty | Price |
|------|----:|------:|
| Apple | 3 | 1.20 |
| Pear | 10 | 0.80 |

## Code

```python
def f(x):
    return x  # comment
```

> A quotation with two
> lines.

A note[^1] and another[^2].

[^1]: The first note.
[^2]: The second note, with *emphasis*.

Math: $a^2 + \\frac{b}{c}$ inline.

$$\\sum_{i=1}^n i = \\frac{n(n+1)}{2}$$

![A red dot](dot.png)
""")
subprocess.run(["pandoc", "report.md", "-o", "report.odt"], check=True)

# --- handbook.odt: by odfpy
from odf.opendocument import OpenDocumentText
from odf import text, style, table, draw, dc, office, meta
from odf.namespaces import OFFICENS
d=OpenDocumentText()
d.meta.addElement(dc.Title(text="Handbook")); d.meta.addElement(meta.InitialCreator(text="Ann Lee"))
def st(name,family,auto=True,parent=None,**tp):
    s=style.Style(name=name,family=family,**({"parentstylename":parent} if parent else {}))
    if tp: s.addElement(style.TextProperties(**tp))
    (d.automaticstyles if auto else d.styles).addElement(s); return s
st("Emph","text",False,fontstyle="italic"); st("B","text",fontweight="bold"); st("EB","text",parent="Emph",fontweight="bold")
st("Off","text",parent="B",fontweight="normal"); st("Hide","text",display="none")
# a cycle of parents
st("Cyc1","text",parent="Cyc2",fontweight="bold"); st("Cyc2","text",parent="Cyc1")
ls=text.ListStyle(name="Num")
for lv,fmt,disp in ((1,"1",1),(2,"a",1),(3,"1",3)):
    ls.addElement(text.ListLevelStyleNumber(level=lv,numformat=fmt,numsuffix=")" if lv==2 else ".",displaylevels=disp,startvalue=4 if lv==1 else 1))
d.automaticstyles.addElement(ls)
o=text.OutlineStyle(name="Outline")
for lv in (1,2): o.addElement(text.OutlineLevelStyle(level=lv,numformat="1",displaylevels=lv))
d.styles.addElement(o)
def P(*parts,**k):
    p=text.P(**k)
    for x in parts:
        if isinstance(x,str): p.addText(x)
        else: p.addElement(x)
    return p
b=d.text
b.addElement(text.H(outlinelevel=1,text="First chapter"))
b.addElement(text.H(outlinelevel=2,text="Part"))
b.addElement(text.H(outlinelevel=2,text="Second part"))
b.addElement(text.H(outlinelevel=1,text="Second chapter"))
b.addElement(text.H(outlinelevel=1,text="Not counted",islistheader="true"))
b.addElement(P("Some ",text.Span(stylename="EB",text="bold italics"),", ",text.Span(stylename="Off",text="plain"),", ",text.Span(stylename="Cyc1",text="cyclic"),text.Span(stylename="Hide",text="NEVER")," and   many\n   spaces",text.S(c=3),"kept."))
def L(items,**k):
    l=text.List(**k)
    for it in items:
        li=text.ListItem()
        for x in it: li.addElement(x)
        l.addElement(li)
    return l
b.addElement(L([[P("four")],[P("five"),L([[P("five a")],[P("five b"),L([[P("deep")]])]])]],stylename="Num"))
b.addElement(P("Between."))
b.addElement(L([[P("six, going on")]],stylename="Num",continuenumbering="true"))
n=text.Note(noteclass="footnote",id="f1"); n.addElement(text.NoteCitation(text="1")); nb=text.NoteBody(); nb.addElement(P("A footnote.")); nb.addElement(P("Its second paragraph.")); n.addElement(nb)
e=text.Note(noteclass="endnote",id="e1"); e.addElement(text.NoteCitation(text="i")); nb=text.NoteBody(); nb.addElement(P("An endnote.")); e.addElement(nb)
b.addElement(P("Noted",n," and ended",e,"."))
a=office.Annotation(); a.setAttrNS(OFFICENS,"name","c1"); a.addElement(dc.Creator(text="Bob")); a.addElement(dc.Date(text="2024-03-04T05:06:07")); a.addElement(P("Is this right?"))
b.addElement(P("We ",a,"doubt this",office.AnnotationEnd(name="c1")," sentence."))
sec=text.Section(name="S",display="none"); sec.addElement(P("SECRET section")); b.addElement(sec)
sec=text.Section(name="T"); sec.addElement(P("A section that shows.")); b.addElement(sec)
t=table.Table(name="T1"); t.addElement(table.TableColumn(numbercolumnsrepeated=3))
r=table.TableRow(); c=table.TableCell(numbercolumnsspanned=2); c.addElement(P("wide")); r.addElement(c); r.addElement(table.CoveredTableCell()); c=table.TableCell(); c.addElement(P("x | y")); r.addElement(c); t.addElement(r)
r=table.TableRow(numberrowsrepeated=2); c=table.TableCell(numbercolumnsrepeated=3); c.addElement(P("again")); r.addElement(c); t.addElement(r)
r=table.TableRow(); c=table.TableCell(); c.addElement(P("two")); c.addElement(P("lines")); r.addElement(c)
c=table.TableCell(); inner=table.Table(); 
for row in (("in1","in2"),("in3","in4")):
    ir=table.TableRow()
    for x in row: ic=table.TableCell(); ic.addElement(P(x)); ir.addElement(ic)
    inner.addElement(ir)
c.addElement(inner); r.addElement(c); t.addElement(r)
r=table.TableRow(numberrowsrepeated=1000000); r.addElement(table.TableCell(numbercolumnsrepeated=16384)); t.addElement(r)
b.addElement(t)
fr=draw.Frame(); 
from odf import svg
tb=draw.TextBox(); tb.addElement(P("In a box.")); fr.addElement(tb)
b.addElement(P("Beside a box.",fr))
href=d.addPicture("dot.png")
fr=draw.Frame(); fr.addElement(draw.Image(href=href)); fr.addElement(svg.Title(text="Dot")); fr.addElement(svg.Desc(text="A red dot"))
b.addElement(P("Picture: ",fr))
b.addElement(P("Link to ",text.A(href="https://example.org/?a=1&b=2",text="a site")," and ",text.A(href="#x",text="a place"),"."))
b.addElement(P("x = 1",stylename="Preformatted_20_Text")); b.addElement(P("y = 2",stylename="Preformatted_20_Text"))
b.addElement(P("# not a heading")); b.addElement(P("Line",text.LineBreak(),"break",text.Tab(),"tab."))
d.save("handbook.odt")

for name in ("report", "contract"):
    office("txt:Text", name + ".odt")
    os.rename(name + ".txt", name + ".odt.txt")

# --- locked.odt: pandoc's text, encrypted as LibreOffice does (part 2, 3.4)
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
subprocess.run(["pandoc", "-f", "markdown", "-t", "odt", "-o", "short.odt"], input=b"Top secret\n==========\n\nNobody reads *this*.\n", check=True)
start = hashlib.sha256(b"geheim").digest()
entries = ""
with zipfile.ZipFile("short.odt") as plain, zipfile.ZipFile("locked.odt", "w") as out:
    out.writestr("mimetype", plain.read("mimetype"))
    for name in ("content.xml", "styles.xml", "meta.xml"):
        data = plain.read(name)
        z = zlib.compressobj(9, zlib.DEFLATED, -15)
        packed = z.compress(data) + z.flush()
        salt, iv = hashlib.md5(name.encode()).digest(), hashlib.md5(b"iv" + name.encode()).digest()
        key = hashlib.pbkdf2_hmac("sha1", start, salt, 1000, 32)
        fill = 16 - len(packed) % 16
        c = Cipher(algorithms.AES(key), modes.CBC(iv)).encryptor()
        out.writestr(name, c.update(packed + b"\0" * (fill - 1) + bytes([fill])) + c.finalize())
        b64 = lambda b: base64.b64encode(b).decode()
        entries += f"""<manifest:file-entry manifest:full-path="{name}" manifest:media-type="text/xml" manifest:size="{len(data)}">
<manifest:encryption-data manifest:checksum-type="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0#sha256-1k" manifest:checksum="{b64(hashlib.sha256(packed[:1024]).digest())}">
<manifest:algorithm manifest:algorithm-name="http://www.w3.org/2001/04/xmlenc#aes256-cbc" manifest:initialisation-vector="{b64(iv)}"/>
<manifest:key-derivation manifest:key-derivation-name="PBKDF2" manifest:key-size="32" manifest:iteration-count="1000" manifest:salt="{b64(salt)}"/>
<manifest:start-key-generation manifest:start-key-generation-name="http://www.w3.org/2000/09/xmldsig#sha256" manifest:key-size="32"/>
</manifest:encryption-data></manifest:file-entry>
"""
    out.writestr("META-INF/manifest.xml", f"""<?xml version="1.0" encoding="UTF-8"?>
<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0" manifest:version="1.2">
<manifest:file-entry manifest:full-path="/" manifest:media-type="application/vnd.oasis.opendocument.text"/>
{entries}</manifest:manifest>
""")

for name in ("slides.pptx", "contract.docx", "report.md", "short.odt", "dot.png", "slides.pdf"):
    os.remove(name)
