"""Reads a document with a library, as a user of it would: peers.py LIBRARY FILE."""

import sys


def openpyxl(path, rows=None):
    from openpyxl import load_workbook

    book = load_workbook(path, read_only=True, data_only=True)
    for sheet in book:
        for row in sheet.iter_rows(max_row=rows, values_only=True):
            yield "\t".join("" if cell is None else str(cell) for cell in row)


def pandas(path):
    from pandas import read_excel

    for frame in read_excel(path, sheet_name=None, header=None).values():
        yield frame.to_csv(index=False)


def markitdown(path):
    from markitdown import MarkItDown

    yield MarkItDown().convert(path).text_content


def python_docx(path):
    from docx import Document

    document = Document(path)
    for paragraph in document.paragraphs:
        yield paragraph.text
    for table in document.tables:
        for row in table.rows:
            yield "\t".join(cell.text for cell in row.cells)


def mammoth(path):
    from mammoth import convert_to_html

    with open(path, "rb") as file:
        yield convert_to_html(file).value


def pdfminer(path):
    from pdfminer.high_level import extract_text

    yield extract_text(path)


def pypdf(path, only=None):
    from pypdf import PdfReader

    for number, page in enumerate(PdfReader(path).pages, 1):
        if only in (None, number):
            yield page.extract_text()


LIBRARIES = {
    "openpyxl": openpyxl,
    "openpyxl-200": lambda path: openpyxl(path, 200),
    "pandas": pandas,
    "markitdown": markitdown,
    "python-docx": python_docx,
    "mammoth": mammoth,
    "pdfminer": pdfminer,
    "pypdf": pypdf,
    "pypdf-7": lambda path: pypdf(path, 7),
}

for text in LIBRARIES[sys.argv[1]](sys.argv[2]):
    print(text)
