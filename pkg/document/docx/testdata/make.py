#!/usr/bin/env python3
"""Write the corpus of .docx files: by python-docx, by pandoc, and by LibreOffice from HTML
and from OpenDocument.

    make.py DIR

Needs python-docx, Pillow, pandoc and soffice. The files in this directory are some of
them; NAME.txt is what judge.py -words prints of them.
"""
import os
import random
import shutil
import subprocess
import sys
import tempfile

import docx
from docx.enum.style import WD_STYLE_TYPE
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from docx.shared import Inches
from PIL import Image

out = sys.argv[1]
os.makedirs(out, exist_ok=True)
tmp = tempfile.mkdtemp()
Image.new("RGB", (20, 10), (200, 30, 30)).save(os.path.join(tmp, "red.png"))
Image.new("RGB", (12, 30), (20, 30, 200)).save(os.path.join(tmp, "blue.jpg"))

def save(d,name): d.save(os.path.join(out,'pydocx-'+name+'.docx'))
W='The quick brown fox jumps over the lazy dog while seven wizards brew potions in ancient towers of Babel near river Danube'.split()
rng=random.Random(7)
def words(n): return ' '.join(rng.choice(W) for _ in range(n))
# headings
d=docx.Document(); d.add_heading('Annual review',0)
for i in range(4):
    d.add_heading('Chapter %d'%(i+1),1); d.add_paragraph(words(30))
    for j in range(2):
        d.add_heading('Section %d.%d'%(i+1,j+1),2); d.add_paragraph(words(20))
        d.add_heading('Detail',3); d.add_paragraph(words(10))
save(d,'headings')
# lists
d=docx.Document(); d.add_heading('Lists',1)
for s in ['List Bullet','List Bullet 2','List Bullet 3','List Bullet 2','List Bullet','List Bullet']: d.add_paragraph(words(5),style=s)
d.add_paragraph(words(8))
for s in ['List Number','List Number','List Number 2','List Number 2','List Number']: d.add_paragraph(words(5),style=s)
d.add_paragraph(words(8))
for i in range(3): d.add_paragraph(words(4),style='List Number')
save(d,'lists')
# list continue
d=docx.Document()
d.add_paragraph(words(5),style='List Bullet'); d.add_paragraph(words(5),style='List Continue'); d.add_paragraph(words(5),style='List Bullet')
d.add_paragraph('plain end')
save(d,'listcontinue')
# emphasis
d=docx.Document(); p=d.add_paragraph('Plain ')
p.add_run('bold').bold=True; p.add_run(' and '); r=p.add_run('italic'); r.italic=True; p.add_run(' and '); r=p.add_run('both'); r.bold=r.italic=True; p.add_run('.')
p=d.add_paragraph(); r=p.add_run('Label:'); r.bold=True; p.add_run('value glued')
p=d.add_paragraph(); r=p.add_run('strike'); r.font.strike=True; p.add_run(' H'); r=p.add_run('2'); r.font.subscript=True; p.add_run('O x'); r=p.add_run('2'); r.font.superscript=True
p=d.add_paragraph(); r=p.add_run('Emph style',style='Emphasis'); p.add_run(' text '); p.add_run('Strong style',style='Strong'); p.add_run(' text '); p.add_run('Subtle',style='Subtle Emphasis'); p.add_run(' and '); p.add_run('Intense',style='Intense Emphasis')
p=d.add_paragraph(); 
for c in 'split into runs': r=p.add_run(c); r.bold=True
p.add_run(' tail')
p=d.add_paragraph(); p.add_run('under').underline=True; p.add_run(' '); r=p.add_run('hidden'); r.font.hidden=True; r=p.add_run('caps'); r.font.all_caps=True
save(d,'emphasis')
# tables
d=docx.Document()
for style in [None,'Table Grid','Light Shading Accent 1']:
    t=d.add_table(rows=4,cols=3); 
    if style: t.style=style
    for i,row in enumerate(t.rows):
        for j,c in enumerate(row.cells): c.text='r%dc%d %s'%(i,j,words(2))
    d.add_paragraph(words(6))
save(d,'tables')
d=docx.Document(); t=d.add_table(rows=4,cols=4); t.style='Table Grid'
for i,row in enumerate(t.rows):
    for j,c in enumerate(row.cells): c.text='r%dc%d'%(i,j)
a=t.cell(0,0).merge(t.cell(0,1)); b=t.cell(1,2).merge(t.cell(3,2)); c=t.cell(2,0).merge(t.cell(3,1))
save(d,'merged')
d=docx.Document(); t=d.add_table(rows=2,cols=2)
t.cell(0,0).text='H1'; t.cell(0,1).text='H2'
t.cell(1,0).text='first'; t.cell(1,0).add_paragraph('second para')
n=t.cell(1,1).add_table(2,2)
for i in range(2):
    for j in range(2): n.cell(i,j).text='n%d%d'%(i,j)
d.add_paragraph('after')
save(d,'nestedtable')
# quotes
d=docx.Document(); d.add_paragraph(words(10)); d.add_paragraph(words(10),style='Quote'); d.add_paragraph(words(10),style='Intense Quote'); d.add_paragraph(words(8)); p=d.add_paragraph(words(12)); p.paragraph_format.left_indent=Inches(.5); p=d.add_paragraph(words(12)); p.paragraph_format.first_line_indent=Inches(.5)
p=d.add_paragraph(words(9)); p.paragraph_format.left_indent=Inches(.5); p.paragraph_format.first_line_indent=Inches(-.5)
save(d,'quotes')
# images
d=docx.Document(); d.add_paragraph('Before'); d.add_picture(os.path.join(tmp, 'red.png')); d.add_paragraph('A caption',style='Caption'); p=d.add_paragraph('inline '); p.add_run().add_picture(os.path.join(tmp, 'blue.jpg')); p.add_run(' after'); d.add_picture(os.path.join(tmp, 'red.png'))
save(d,'images')
# hyperlinks
def link(p,url,text):
    rid=p.part.relate_to(url,'http://schemas.openxmlformats.org/officeDocument/2006/relationships/hyperlink',is_external=True)
    h=OxmlElement('w:hyperlink'); h.set(qn('r:id'),rid); r=OxmlElement('w:r'); t=OxmlElement('w:t'); t.text=text; r.append(t); h.append(r); p._p.append(h)
d=docx.Document(); p=d.add_paragraph('See '); link(p,'https://example.com/x?y=1&z=2','the site'); p.add_run(' or '); link(p,'https://example.org/','https://example.org/'); p.add_run(' mail '); link(p,'mailto:a@b.c','a@b.c')
save(d,'links')
# custom styles
d=docx.Document(); s=d.styles.add_style('Corporate Head',WD_STYLE_TYPE.PARAGRAPH); s.base_style=d.styles['Heading 2']; s2=d.styles.add_style('Corp2',WD_STYLE_TYPE.PARAGRAPH); s2.base_style=s
c=d.styles.add_style('KeyTerm',WD_STYLE_TYPE.CHARACTER); c.font.bold=True; c.font.italic=True
d.add_paragraph('Based on heading',style='Corporate Head'); d.add_paragraph('Twice',style='Corp2'); p=d.add_paragraph('A '); p.add_run('key term',style='KeyTerm'); p.add_run(' here'); q=d.styles.add_style('MyQuote',WD_STYLE_TYPE.PARAGRAPH); q.base_style=d.styles['Quote']; d.add_paragraph('derived quotation here',style='MyQuote')
save(d,'customstyles')
# mixed long
d=docx.Document(); d.add_heading('Project plan',0)
for i in range(6):
    d.add_heading('Phase %d: %s'%(i+1,words(3)),1); d.add_paragraph(words(40))
    for _ in range(3): d.add_paragraph(words(6),style='List Bullet')
    for _ in range(3): d.add_paragraph(words(6),style='List Number')
    t=d.add_table(rows=3,cols=4); 
    for row in t.rows:
        for cc in row.cells: cc.text=words(2)
    p=d.add_paragraph(words(4)+' '); p.add_run(words(2)).bold=True; p.add_run(' '+words(3))
save(d,'mixed')
# special characters
d=docx.Document()
for s in ['2 * 3 * 4 = 24','snake_case and *stars* _under_','# not a heading','1. not a list','- dash','> quote','C:\\dir\\*.txt','[x](y) <b>&amp;</b>','$5 and $6','tab\there','line\nbreak','中文，文字。','עברית','ﬁ ligature “quotes” — dash…','a|b','~~x~~ ~y~','`code`']: d.add_paragraph(s)
t=d.add_table(rows=2,cols=2); t.cell(0,0).text='a|b'; t.cell(0,1).text='# x'; t.cell(1,0).text='*y*'; t.cell(1,1).text='l1\nl2'
save(d,'chars')
# CJK with emphasis
d=docx.Document(); d.add_heading('季度报告',1); p=d.add_paragraph(); p.add_run('注意：').bold=True; p.add_run('请在截止日期之前提交。'); p=d.add_paragraph('这是'); p.add_run('“重要”').italic=True; p.add_run('的文字'); d.add_paragraph('第一项',style='List Number'); d.add_paragraph('第二项',style='List Number')
save(d,'cjk')
# manual numPr
def num(p,numid,lvl):
    pPr=p._p.get_or_add_pPr(); n=pPr.get_or_add_numPr(); n.get_or_add_ilvl().val=lvl; n.get_or_add_numId().val=numid
d=docx.Document(); 
for l in [0,1,1,2,0,1]: num(d.add_paragraph(words(4)),1,l)
d.add_paragraph('middle')
for l in [0,0,1]: num(d.add_paragraph(words(4)),2,l)
save(d,'numpr')

SAMPLES = {
    'article': r"""# Climate and cities

Urban areas *warm faster* than the countryside. This is the **heat island** effect.[^a]

## Causes

1. Dark surfaces
2. Little vegetation
    - parks
    - trees
        - old trees
        - young trees
3. Waste heat

## Measures

| Measure | Cost | Effect |
|---|---|---|
| Trees | low | **high** |
| White roofs | low | medium |
| Water | high | [see here](https://example.com/water) |

> We must act now.
>
> Later is too late.

![A red bar](red.png)

[^a]: Described by *Howard* in 1818.
""",
    'code': r"""# Installing

Run `make install` in the directory, then call `foo --help`.

```
$ make
$ make install
```

1. Open the file `config.yml`.
2. Add:

    ```
    key: value
    list:
      - a
    ```

3. Save.

## Options

- `--verbose`: say more
- `--quiet`: say **less**

Text after.
""",
    'headings': r"""# A
## B
### C
#### D
##### E
###### F

Text under six levels.

# Second *with emphasis* and `code`

## [Linked](https://example.com) heading

* * *

After the rule.
""",
    'images': r"""# Pictures

Text with ![inline alt](red.png) picture.

![Figure caption](blue.jpg)

| Pic | Text |
|---|---|
| ![in cell](red.png) | yes |
""",
    'intl': r"""# Übersicht — 概要

Größe, naïve, Ångström, 東京, Москва, Ελλάδα, العربية.

1. 第一
2. 第二

**注意：**请勿*打扰*。

| Ключ | Значение |
|---|---|
| а | б |
""",
    'letter': r"""Dear Madam or Sir,

I am writing to **complain** about the *service* in your shop. On 12 May 2024 I bought a lamp (No. 4711) for $49.99.

It broke after 3 days. I ask you to

- replace the lamp, or
- return the money.

Yours faithfully,

*Jane Doe*
""",
    'math': r"""# Formulas

The equation $E = mc^2$ is known. So is $e^{i\pi} + 1 = 0$.

$$\int_{-\infty}^{\infty} e^{-x^2}\,dx = \sqrt{\pi}$$

A matrix: $$\begin{pmatrix} a & b \\ c & d \end{pmatrix}$$

And $\sum_{k=0}^{n} \binom{n}{k} = 2^n$, $\lim_{x\to 0} \frac{\sin x}{x} = 1$, $\overline{z}$, $\hat{x}$, $\mathbb{R}^n$.
""",
    'nested': r"""1. One

    Para in one.

2. Two
    a. Two a
    b. Two b
        i. Two b i
        ii. Two b ii
3. Three

- x

- y

    more y

- z

Some text.

5. Five
6. Six

Text *emphasised **strongly** here* and **bold *italic* bold**.
""",
    'notes': r"""# Notes

First[^1] and second[^2] and a long one.[^long]

[^1]: One.
[^2]: Two with [link](https://example.com).
[^long]: A note

    with two paragraphs.

- item with a note[^x]

[^x]: In an item.
""",
    'quotes': r"""Before.

> One quotation.

Between.

> - list in quote
> - second

> > nested quote

Dash — “quotes” and ‘single’ … ellipsis. Non break. Line\
break here.

H~2~O and E=mc^2^ and ~~gone~~.
""",
    'report': r"""---
title: The Report
author: Ann
---

# Introduction

A *paragraph* with **bold**, ***both***, ~~strike~~, H~2~O, x^2^, `code here`, [a link](https://example.com/a?b=c&d), and a note.[^1]

- one
- two
    - nested a
    - nested b
        1. deep
        2. deeper
- three

1. first
2. second

    continued paragraph

3. third

(a) alpha
(b) beta

iv. four
v. five

> A quotation
> of two lines.

```python
def f(x):
    return x ** 2
```

## Tables

| Name | Value |
|------|------:|
| a    | 1     |
| b\|c | *2*   |

: A caption

Inline math $a^2 + \frac{\alpha}{2}$ and

$$\sum_{i=1}^{n} x_i = \int_0^\infty e^{-x}\,dx$$

Term
:   Definition

[^1]: The note, with *emphasis*.
""",
    'tables': r"""# Tables

+-----------+------------+
| Head      | Second     |
+===========+============+
| para one  | - a        |
|           | - b        |
| para two  |            |
+-----------+------------+
| x         | y          |
+-----------+------------+

| a | b | c | d |
|---|--:|:-:|:--|
| 1 | 2 | 3 | 4 |
| 5 |   | 7 | *8* |
|   | 10 | **11** | `12` |

: Numbers

Text.
""",
}

for name, text in SAMPLES.items():
    with open(os.path.join(tmp, name + ".md"), "w", encoding="utf-8") as f:
        f.write(text)
    for args in (["-o", os.path.join(os.path.abspath(out), f"pandoc-{name}.docx")], ["-s", "--mathml", "-o", name + ".html"], ["-o", name + ".odt"]):
        subprocess.run(["pandoc", name + ".md", *args], cwd=tmp, check=True)


def office(kind, sources, *args):
    to = os.path.join(tmp, kind)
    subprocess.run(["soffice", "-env:UserInstallation=file://" + tmp + "/profile", "--headless", *args, "--outdir", to, *sources], cwd=tmp, check=True)
    for name in os.listdir(to):
        shutil.copy(os.path.join(to, name), os.path.join(out, f"lo{kind}-{name}"))


office("html", [n + ".html" for n in SAMPLES], "--infilter=HTML (StarWriter)", "--convert-to", "docx:MS Word 2007 XML")
office("odt", [n + ".odt" for n in SAMPLES], "--convert-to", "docx")
shutil.rmtree(tmp)
