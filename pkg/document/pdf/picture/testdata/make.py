"""Writes images.pdf and pixels.json. Run by hand: make.py, with pdfimages (poppler) and qpdf
on PATH, and pikepdf and Pillow beside the interpreter."""
import io, json, os, subprocess, tempfile, zlib
import pikepdf
from pikepdf import Array, Dictionary, Name, Stream, String
from PIL import Image, ImageCms

os.chdir(os.path.dirname(os.path.abspath(__file__)))
W, H = 13, 7
pdf = pikepdf.new()
images = {}


def bits(values, n, columns):
    """Packs samples of n bits, rows to full bytes."""
    out = b""
    for row in range(0, len(values), columns):
        number = "".join(format(v, f"0{n}b") for v in values[row:row + columns])
        number += "0" * (-len(number) % 8)
        out += int(number, 2).to_bytes(len(number) // 8, "big")
    return out


def add(name, data, space, bpc=8, **more):
    s = Stream(pdf, data)
    s.Type, s.Subtype, s.Width, s.Height = Name.XObject, Name.Image, W, H
    if space is not None:
        s.ColorSpace = space
    s.BitsPerComponent = bpc
    for key, value in more.items():
        s[f"/{key}"] = value
    images[name] = pdf.make_indirect(s)


def gradient(n, most):
    return [(x * 37 + y * 91 + c * 53) % (most + 1) for y in range(H) for x in range(W) for c in range(n)]


for n in 1, 2, 4, 8:
    add(f"gray{n}", bits(gradient(1, 2**n - 1), n, W), Name.DeviceGray, n)
    table = bytes((i * 7 + c * 101) % 256 for i in range(2**n) for c in range(3))
    add(f"indexed{n}", bits(gradient(1, 2**n - 1), n, W), Array([Name.Indexed, Name.DeviceRGB, 2**n - 1, String(table)]), n)
add("gray16", bytes(v for s in gradient(1, 255) for v in (s, 77)), Name.DeviceGray, 16)
rgb = bytes(gradient(3, 255))
add("rgb8", rgb, Name.DeviceRGB)
add("rgb4", bits(gradient(3, 15), 4, 3 * W), Name.DeviceRGB, 4)
add("inverted", bits(gradient(1, 1), 1, W), Name.DeviceGray, 1, Decode=Array([1, 0]))
add("decode", bytes(gradient(1, 255)), Name.DeviceGray, 8, Decode=Array([0.25, 1]))
icc = Stream(pdf, ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes())
icc.N = 3
add("icc", rgb, Array([Name.ICCBased, pdf.make_indirect(icc)]))
add("cmyk", bytes(gradient(4, 255)), Name.DeviceCMYK)
table = pdf.make_indirect(Stream(pdf, bytes(range(16))))
add("indexed-cmyk", bits(gradient(1, 3), 2, W), Array([Name.Indexed, Name.DeviceCMYK, 3, table]), 2)


def filtered(name, data, filter, parms=None, bpc=8, space=Name.DeviceRGB, **more):
    add(name, b"", space, bpc, **more)
    images[name].write(data, filter=filter, decode_parms=parms)


predictor = Dictionary(Predictor=15, Colors=3, Columns=W)
png = io.BytesIO()
Image.frombytes("RGB", (W, H), rgb).save(png, "PNG")
chunks, at = b"", 8
raw = png.getvalue()
while at < len(raw):
    length = int.from_bytes(raw[at:at + 4], "big")
    if raw[at + 4:at + 8] == b"IDAT":
        chunks += raw[at + 8:at + 8 + length]
    at += 12 + length
filtered("flate-png", chunks, Name.FlateDecode, predictor)
differences = bytes((rgb[i] - (rgb[i - 3] if i % (3 * W) >= 3 else 0)) % 256 for i in range(len(rgb)))
filtered("flate-tiff", zlib.compress(differences), Name.FlateDecode, Dictionary(Predictor=2, Colors=3, Columns=W))


def strips(image, compression):
    """The data of an image that Pillow (libtiff) wrote as a TIFF."""
    out = io.BytesIO()
    image.save(out, "TIFF", compression=compression)
    back = Image.open(io.BytesIO(out.getvalue()))
    assert len(back.tag_v2[273]) == 1
    offset, length = back.tag_v2[273][0], back.tag_v2[279][0]
    return out.getvalue()[offset:offset + length], back.tag_v2[262]


big = Image.frombytes("RGB", (W, H), rgb)
filtered("lzw", strips(big, "tiff_lzw")[0], Name.LZWDecode)
long = bytes((i * i // 7) % 251 for i in range(3 * W * H * 40))  # more than 4096 codes
tall = Image.frombytes("RGB", (W, H * 40), long)
data, _ = strips(tall, "tiff_lzw")
filtered("lzw-long", data, Name.LZWDecode, Height=H * 40)
two = Image.frombytes("1", (W, H), bits(gradient(1, 1), 1, W))
data, photometric = strips(two, "group4")
filtered("fax-g4", data, Name.CCITTFaxDecode, Dictionary(K=-1, Columns=W, Rows=H, BlackIs1=photometric == 1), 1, Name.DeviceGray)
data, photometric = strips(two, "group3")
filtered("fax-g3", data, Name.CCITTFaxDecode, Dictionary(K=0, Columns=W, BlackIs1=photometric == 1), 1, Name.DeviceGray)
jpeg = io.BytesIO()
Image.frombytes("RGB", (W, H), rgb).save(jpeg, "JPEG")
filtered("jpeg", jpeg.getvalue(), Name.DCTDecode)
jp2 = io.BytesIO()
Image.frombytes("RGB", (W, H), rgb).save(jp2, "JPEG2000")
filtered("jp2", jp2.getvalue(), Name.JPXDecode)
mask = Stream(pdf, bits(gradient(1, 1), 1, W))
mask.Type, mask.Subtype, mask.Width, mask.Height, mask.ImageMask, mask.BitsPerComponent = Name.XObject, Name.Image, W, H, True, 1
images["mask"] = pdf.make_indirect(mask)

resources = Dictionary(XObject=Dictionary({f"/{name}": s for name, s in images.items()}))
content = b"".join(b"/%s Do\n" % name.encode() for name in images)
inner = Stream(pdf, content)
inner.Type, inner.Subtype, inner.BBox, inner.Resources = Name.XObject, Name.Form, Array([0, 0, 100, 100]), resources
page = pdf.add_blank_page(page_size=(200, 200))
page.Resources = Dictionary(XObject=Dictionary(F=pdf.make_indirect(inner), gray8=images["gray8"]))
page.Contents = Stream(pdf, b"/F Do /gray8 Do /F Do\nBI /W 2 /H 1 /BPC 8 /CS /RGB ID abcdef EI\n")
pdf.save("images.pdf", compress_streams=False, deterministic_id=True)

# What others see: poppler, and Pillow where pdfimages looks at no palette (1 bit), inverts (masks) or
# applies a profile (CMYK).
said = {}
tmp = tempfile.mkdtemp()
for name in images:
    one = pikepdf.new()  # pdfimages names by order: one image, one file
    p = one.add_blank_page()
    p.Resources = Dictionary(XObject=Dictionary(I=one.copy_foreign(images[name])))
    p.Contents = Stream(one, b"/I Do")
    path = os.path.join(tmp, f"{name}.pdf")
    one.save(path)
    subprocess.run(["pdfimages", "-png", path, os.path.join(tmp, name)], check=True)
    seen = Image.open(os.path.join(tmp, f"{name}-000.png")).convert("RGB")
    if name == "cmyk":
        seen = Image.frombytes("CMYK", (W, H), bytes(gradient(4, 255))).convert("RGB")
    if name == "indexed-cmyk":
        seen = Image.frombytes("CMYK", (W, H), b"".join(bytes(range(4 * v, 4 * v + 4)) for v in gradient(1, 3))).convert("RGB")
    if name == "indexed1":
        seen = Image.frombytes("P", (W, H), bytes(gradient(1, 1)))
        seen.putpalette(bytes((i * 7 + c * 101) % 256 for i in range(2) for c in range(3)))
        seen = seen.convert("RGB")
    if name == "mask":
        seen = two.convert("RGB")
    said[name] = {"width": seen.width, "height": seen.height, "rgb": zlib.compress(seen.tobytes()).hex()}
json.dump(said, open("pixels.json", "w"), indent=0)
