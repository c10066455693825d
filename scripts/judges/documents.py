"""Makes testdata/documents, which the README and the scripts show, in the working directory, with openpyxl 3.1 and
python-docx 1.2. LibreOffice 7.4 fills in what formulas give and prints the PDF."""

import datetime
import os
import subprocess

import docx
import openpyxl
from openpyxl.comments import Comment
from openpyxl.styles import Font

book = openpyxl.Workbook()
sales = book.active
sales.title = "Sales"
sales.append(["id", "customer", "date", "amount"])
for row in [
    (1, "Ann", datetime.date(2026, 3, 1), 1250),
    (2, "Böhm | Söhne", datetime.date(2026, 3, 4), 99.5),
    (3, "周", datetime.date(2026, 4, 17), 12000),
]:
    sales.append(row)
sales.append([None, "Total", None, "=SUM(D2:D4)"])
for row in range(2, 6):
    sales.cell(row, 3).number_format = "dd.mm.yyyy"
    sales.cell(row, 4).number_format = '#,##0.00 "€"'
sales["B5"].font = Font(bold=True)
sales["D4"].comment = Comment("paid in two parts", "Ann")
rates = book.create_sheet("Rates")
rates.append(["VAT", 0.19])
rates["B1"].number_format = "0%"
rates.sheet_state = "hidden"
os.makedirs("raw", exist_ok=True)  # without what formulas give
book.save("raw/budget.xlsx")

contract = docx.Document()
contract.add_heading("Service contract", 0)
contract.add_heading("Parties", 1)
text = contract.add_paragraph("This contract is made between ")
text.add_run("Ann Miller").bold = True
text.add_run(" and Böhm & Söhne.")
contract.add_heading("Duties", 1)
for duty in ["Deliver the goods.", "Send an invoice.", "Answer within two days."]:
    contract.add_paragraph(duty, style="List Number")
table = contract.add_table(rows=1, cols=2)
table.rows[0].cells[0].text, table.rows[0].cells[1].text = "Service", "Price"
for service, price in [("Support", "1,250.00 €"), ("Training", "99.50 €")]:
    cells = table.add_row().cells
    cells[0].text, cells[1].text = service, price
contract.save("contract.docx")

office = ["soffice", "--headless", "-env:UserInstallation=file:///tmp/helve-office", "--convert-to"]
subprocess.run([*office, "xlsx", "--outdir", ".", "raw/budget.xlsx"], check=True)
subprocess.run([*office, "pdf", "--outdir", ".", "contract.docx"], check=True)
