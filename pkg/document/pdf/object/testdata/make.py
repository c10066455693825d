"""Writes the PDF files of this directory. Run by hand: make.py, with qpdf, chromium and
soffice on PATH, and reportlab, fpdf2, pikepdf, pypdf and Pillow beside the interpreter."""
import datetime, hashlib, json, os, subprocess, tempfile
import fpdf, pikepdf, pypdf
from reportlab.lib.pagesizes import A5
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen import canvas
from PIL import Image

here = os.path.dirname(os.path.abspath(__file__))
os.chdir(here)
tmp = tempfile.mkdtemp()


def run(*args):
    subprocess.run(args, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def reportlab():
    c = canvas.Canvas("reportlab.pdf", pagesize=A5, invariant=1)
    c.setTitle("Grüße aus Köln")
    c.setAuthor("Ann (the author)")
    gradient = Image.new("RGB", (8, 4))
    gradient.putdata([(x * 30, y * 60, 128) for y in range(4) for x in range(8)])
    for page in range(1, 4):
        c.bookmarkPage(f"p{page}")
        c.addOutlineEntry(f"Chapter {page}", f"p{page}", 0 if page < 3 else 1)
        c.drawString(50, 500, f"Page {page} of the report")
        c.linkURL("https://example.org/?a=(b)", (50, 400, 150, 420))
        if page == 2:
            c.drawImage(ImageReader(gradient), 50, 300, 80, 40)
        c.showPage()
    c.save()


def fpdf2():
    p = fpdf.FPDF(format="A4")
    p.set_creation_date(datetime.datetime(2024, 1, 1, tzinfo=datetime.timezone.utc))
    p.set_title("日本語 title")
    p.set_font("helvetica", size=12)
    for n in range(1, 4):
        p.add_page()
        p.start_section(f"Section {n}")
        p.cell(text=f"text {n}")
    p.output("fpdf2.pdf")


def chromium():
    html = os.path.join(tmp, "a.html")
    open(html, "w").write("<title>From a browser</title><h1>One</h1><p>text <a href='https://example.org/'>link</a>"
                          "<h2 style='page-break-before:always'>Two</h2><p>more text")
    run("chromium", "--headless", "--no-sandbox", "--disable-gpu", "--no-pdf-header-footer", "--print-to-pdf=" + os.path.join(here, "chromium.pdf"), html)


def soffice():
    html = os.path.join(tmp, "libreoffice.html")
    open(html, "w").write("<title>From an office</title><h1>One</h1><p>text<h2>Two</h2><p>more text")
    run("soffice", "-env:UserInstallation=file://" + tmp + "/lo", "--headless", "--convert-to", "pdf:writer_web_pdf_Export", "--outdir", here, html)


def variants():
    q = lambda out, *args: run("qpdf", "--deterministic-id" if "--encrypt" not in args else "--static-id", "reportlab.pdf", out, *args)
    q("linearized.pdf", "--linearize")
    q("packed.pdf", "--object-streams=generate")
    q("packed-linearized.pdf", "--object-streams=generate", "--linearize")
    q("qdf.pdf", "--qdf")
    weak = ["--allow-weak-crypto"]
    q("rc4-40.pdf", *weak, "--encrypt", "", "owner", "40", "--")
    q("rc4-128.pdf", *weak, "--encrypt", "user", "owner", "128", "--")
    q("rc4-v4.pdf", *weak, "--encrypt", "user", "owner", "128", "--force-V4", "--")
    q("aes-128.pdf", *weak, "--encrypt", "user", "owner", "128", "--use-aes=y", "--")
    q("aes-128-metadata.pdf", *weak, "--encrypt", "", "owner", "128", "--use-aes=y", "--cleartext-metadata", "--", "--object-streams=generate")
    q("aes-256-r5.pdf", *weak, "--encrypt", "user", "owner", "256", "--force-R5", "--")
    q("aes-256.pdf", "--encrypt", "user", "owner", "256", "--", "--object-streams=generate")
    q("aes-256-umlaut.pdf", "--encrypt", "Käse", "owner", "256", "--")


def update():
    """An incremental update of a file with a table, and of one with a stream."""
    for name in "reportlab", "packed":
        w = pypdf.PdfWriter(f"{name}.pdf", incremental=True)
        w.metadata = {"/Title": "Changed title"}
        w.pages[0].rotate(90)
        w.write(f"{name}-updated.pdf")


def describe():
    """What pikepdf (qpdf's library) reads in each, in a notation that the tests write too."""
    def value(o):
        if isinstance(o, pikepdf.Object) and o.is_indirect:
            return "R%d" % o.objgen[0]
        return plain(o)

    def entries(o, skip=()):
        return "<" + "".join(f"{k[1:]} {value(v)} " for k, v in sorted(o.items()) if k not in skip) + ">"

    def plain(o):
        if isinstance(o, pikepdf.Stream):
            try:
                data = o.read_bytes()
            except pikepdf.PdfError:
                return "image " + entries(o, ("/Length",))
            skip = ("/Length", "/Filter", "/DecodeParms")
            return entries(o, skip) + hashlib.sha256(data).hexdigest()
        if isinstance(o, pikepdf.Dictionary):
            return entries(o)
        if isinstance(o, pikepdf.Array):
            return "[" + "".join(value(v) + " " for v in o) + "]"
        if isinstance(o, pikepdf.Name):
            return str(o)
        if isinstance(o, pikepdf.String):
            return "(" + bytes(o).hex() + ")"
        if o is None:
            return "null"
        if isinstance(o, bool):
            return str(o).lower()
        return str(round(float(o) * 1000))

    said = {}
    for name in sorted(os.listdir(".")):
        if not name.endswith(".pdf"):
            continue
        password = "Käse" if "umlaut" in name else "" if "metadata" in name or "rc4-40" in name else "user"
        with pikepdf.open(name, password=password, inherit_page_attributes=False) as pdf:
            objects = {}
            for n in range(1, int(pdf.trailer.Size)):
                o = pdf.get_object(n, 0)
                if isinstance(o, pikepdf.Stream) and o.get("/Type") in ("/XRef", "/ObjStm"):
                    continue
                if isinstance(o, pikepdf.Dictionary) and o.get("/Filter") == "/Standard":
                    continue
                if o is not None:
                    objects[str(n)] = hashlib.sha256(plain(o).encode()).hexdigest()[:8]
            said[name] = objects
    json.dump(said, open("pikepdf.json", "w"), indent=0, sort_keys=True)


reportlab(); fpdf2(); chromium(); soffice(); variants(); update(); describe()
