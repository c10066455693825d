"""Writes the files of this directory with programs that are not ours, and beside each what
LibreOffice displays of it. Run by hand:  python make.py  (XlsxWriter, openpyxl, Pillow,
soffice and ssconvert are needed). See README.md."""
import datetime, glob, io, os, random, shutil, struct, subprocess, sys, tempfile, zlib
import openpyxl, xlsxwriter
from openpyxl.comments import Comment
from openpyxl.styles import Alignment
from openpyxl.worksheet.table import Table

random.seed(7)
WORK = tempfile.mkdtemp()
FORMATS = ['General', '0', '0.00', '#,##0', '#,##0.00', '0%', '0.00%', '0.00E+00', '# ?/?', '# ??/??', 'm/d/yyyy',
    'd-mmm-yy', 'd-mmm', 'mmm-yy', 'h:mm AM/PM', 'h:mm:ss AM/PM', 'h:mm', 'h:mm:ss', '#,##0;(#,##0)',
    '#,##0.00;[Red](#,##0.00)', 'mm:ss', '[h]:mm:ss', '@', 'yyyy-mm-dd', 'yyyy-mm-dd hh:mm:ss', 'dddd, mmmm d, yyyy',
    '0.000', '00000', '#.##', '0.0##', '"x"0', '0" kg"', '[<10]"few";[>=10]"many";"?"', '0;-0;"zero"', '[$-409]d mmmm yyyy',
    '[$€-407]#,##0.00', '¥#,##0', '#,##0,', '0.0,,"M"', '?0.0?', '[m]', '[ss]', 'yyyy"年"m"月"d"日"', '+0;-0;0', '0.00%;-0.00%', '000-00-0000', 'hh:mm:ss.000']
# LibreOffice has no 29 February 1900 and dates before it, of which Excel has none.
DATES = [45000, 44927.75, 61.5, 12345.678, 36526, 2958465, 100.25, 43831.5, 40000.1, 73050, 32874.999, 25569, 45292.00001, 44000.5, 1234.5]
VALUES = [0, 1, -1, 0.5, -0.25, 12, 99.995, 1234.5678, -9876543.21, 1e10, 45000, 44927.75, 60.5, 0.000123, 1/3]


def png(n):
    raw = b''.join(b'\0' + bytes([n, i * 30 % 256, 128]) * 8 for i in range(8))
    chunk = lambda t, d: struct.pack('>I', len(d)) + t + d + struct.pack('>I', zlib.crc32(t + d))
    return b'\x89PNG\r\n\x1a\n' + chunk(b'IHDR', struct.pack('>IIBBBBB', 8, 8, 8, 2, 0, 0, 0)) + chunk(b'IDAT', zlib.compress(raw)) + chunk(b'IEND', b'')


def picture(n):
    name = os.path.join(WORK, 'p%d.png' % n)
    with open(name, 'wb') as f:
        f.write(png(n))
    return name


def formats_xlsxwriter():
    wb = xlsxwriter.Workbook('formats.xlsx')
    ws = wb.add_worksheet('Formats')
    styles = [wb.add_format({'num_format': f}) for f in FORMATS]
    for c, f in enumerate(FORMATS):
        ws.write_string(0, c, f)
        dated = any(x in f for x in ('yy', 'd-m', 'h:', 'mm:', '[m]', '[s', '[h'))
        for r, v in enumerate(DATES if dated else VALUES):
            ws.write_number(r + 1, c, v, styles[c])
    wb.close()


def dates_1904():
    wb = xlsxwriter.Workbook('dates1904.xlsx', {'date_1904': True})
    ws = wb.add_worksheet('Dates')
    iso = wb.add_format({'num_format': 'yyyy-mm-dd hh:mm'})
    for r in range(40):
        ws.write_datetime(r, 0, datetime.datetime(1904 + r * 5, 1 + r % 12, 1 + r % 28, r % 24, 30), iso)
        ws.write_number(r, 1, r * 1000.25, wb.add_format({'num_format': 'd-mmm-yy'}))
    wb.close()


def features_xlsxwriter():
    wb = xlsxwriter.Workbook('features.xlsx')
    ws = wb.add_worksheet('Sales')
    bold = wb.add_format({'bold': True})
    money = wb.add_format({'num_format': '$#,##0.00'})
    ws.add_table('A1:D6', {'name': 'Orders', 'total_row': True, 'columns': [{'header': 'Item', 'total_string': 'Sum'}, {'header': 'Count'}, {'header': 'Price', 'format': money}, {'header': 'Total', 'format': money}],
        'data': [['Apples', 3, .5, 1.5], ['Pears', 5, .75, 3.75], ['Plums', 8, .2, 1.6], ['Figs', 1, 2, 2]]})
    ws.merge_range('F1:H2', 'wide title', bold)
    ws.write_comment('A2', 'red ones', {'author': 'Ann'})
    ws.write_url('F4', 'https://example.com/a?b=1&c=2#top', string='a link')
    ws.write_url('F5', "internal:'Other sheet'!B2", string='within')
    ws.write_formula('F6', '=HYPERLINK("https://example.org/x","made")', None, 'made')
    ws.write_rich_string('F7', 'plain ', bold, 'bold', ' and <more> & "quoted"')
    ws.write_string('F8', 'two\nlines')
    ws.write_string('F9', 'control \x07 and _x0041_ and pipe | star *')
    ws.write_boolean('F10', True)
    ws.write_formula('F11', '=1/0', None, '#DIV/0!')
    ws.write_array_formula('F12:F12', '{=A2:A2&"!"}', None, 'Apples!')
    ws.write_formula('F14', '="text "&A2', None, 'text Apples')
    ws.set_row(8, None, None, {'hidden': True})
    ws.set_row(20, None, None, {'hidden': True})
    ws.set_column('K:L', None, None, {'hidden': True})
    ws.insert_image('J3', picture(1), {'description': 'A small square'})
    ws.insert_image('J9', picture(2), {'object_position': 3})
    ws.embed_image('J15', picture(3), {'description': 'In the cell'})
    ws.set_header('&L&G', {'image_left': picture(4)})
    chart = wb.add_chart({'type': 'column'})
    chart.add_series({'name': 'Count', 'categories': '=Sales!$A$2:$A$5', 'values': '=Sales!$B$2:$B$5',
        'categories_data': ['Apples', 'Pears', 'Plums', 'Figs'], 'values_data': [3, 5, 8, 1]})
    chart.set_title({'name': 'Fruit'})
    ws.insert_chart('M2', chart)
    other = wb.add_worksheet('Other sheet')
    other.write('B2', 'here')
    other.hide()
    wb.add_worksheet('Secret').very_hidden()
    alone = wb.add_chartsheet('Alone')
    pie = wb.add_chart({'type': 'pie'})
    pie.add_series({'categories': '=Sales!$A$2:$A$5', 'values': '=Sales!$B$2:$B$5', 'categories_data': ['Apples', 'Pears'], 'values_data': [3, 5]})
    alone.set_chart(pie)
    wb.define_name('Prices', '=Sales!$C$2:$C$5')
    wb.define_name("'Other sheet'!Local", "='Other sheet'!$B$2")
    wb.set_properties({'title': 'Sales of fruit', 'author': 'Ann'})
    wb.close()


def features_openpyxl():
    wb = openpyxl.Workbook()
    ws = wb.active
    ws.title = '数据 ünïcode'
    ws.append(['日期', 'Zahl', '🙂 emoji', 'עברית'])
    for i in range(30):
        ws.append([datetime.date(2024, 1, 1) + datetime.timedelta(days=i * 17), i * 1.25 - 7, '值 %d' % (i % 5), '=B%d*2' % (i + 2)])
    ws['F2'] = datetime.datetime(2023, 12, 31, 23, 59, 59)
    ws['F3'] = datetime.time(13, 30)
    ws['F4'] = datetime.timedelta(hours=30, minutes=15)
    ws['F5'] = True
    ws['F6'] = '#N/A'
    ws['F7'] = 12345678901234567890
    ws['F8'] = 0.1 + 0.2
    ws['F9'] = ' leading and trailing '
    ws['F10'] = "'quoted"
    ws.merge_cells('H1:I2')
    ws['H1'] = 'merged'
    ws['A2'].comment = Comment('first\nsecond', 'Bob')
    ws['A3'].hyperlink = 'https://example.net/'
    ws.add_table(Table(displayName='Numbers', ref='A1:D31'))
    ws.column_dimensions['C'].hidden = True
    from openpyxl.drawing.image import Image
    ws.add_image(Image(picture(5)), 'K2')
    from openpyxl.chart import LineChart, Reference
    chart = LineChart()
    chart.add_data(Reference(ws, min_col=2, min_row=1, max_row=10), titles_from_data=True)
    chart.title = 'Line'
    ws.add_chart(chart, 'K10')
    wb.create_sheet('Empty')
    wb.save('openpyxl.xlsx')
    # A workbook that is written as a stream has its texts in the cells, and no dimension.
    wb = openpyxl.Workbook(write_only=True)
    ws = wb.create_sheet('Stream')
    for i in range(200):
        ws.append([i, 'text %d' % i, i / 7, None, i % 2 == 0])
    wb.save('stream.xlsx')


def convert():
    profile = '-env:UserInstallation=file://' + os.path.join(WORK, 'profile')
    run = lambda *a: subprocess.run(a, check=True, stdout=subprocess.DEVNULL)
    # LibreOffice writes shared formulas as they are, ssconvert shares them.
    src = os.path.join(WORK, 'calc.fods')
    rows = ''.join('<table:table-row><table:table-cell office:value-type="float" office:value="%g"/><table:table-cell table:formula="of:=[.A%d]*[.A$1]+LOG10(100)" office:value-type="float" office:value="0"/><table:table-cell table:formula="of:=TEXT([.A%d];&quot;0.00&quot;)&amp;&quot; A1&quot;"/><table:table-cell office:value-type="string"><text:p>row <text:span>%d</text:span></text:p></table:table-cell></table:table-row>' % (i * 1.5, i + 1, i + 1, i) for i in range(25))
    with open(src, 'w') as f:
        f.write('<?xml version="1.0" encoding="UTF-8"?><office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:of="urn:oasis:names:tc:opendocument:xmlns:of:1.2" office:version="1.2" office:mimetype="application/vnd.oasis.opendocument.spreadsheet"><office:body><office:spreadsheet><table:table table:name="Calc">' + rows + '</table:table></office:spreadsheet></office:body></office:document>')
    run('soffice', profile, '--headless', '--convert-to', 'xlsx:Calc MS Excel 2007 XML', '--outdir', WORK, src)
    shutil.move(os.path.join(WORK, 'calc.xlsx'), 'libreoffice.xlsx')
    run('soffice', profile, '--headless', '--convert-to', 'xlsx:Calc Office Open XML', '--outdir', WORK, 'formats.xlsx')
    shutil.move(os.path.join(WORK, 'formats.xlsx'), 'libreoffice-formats.xlsx')
    run('ssconvert', 'libreoffice.xlsx', 'gnumeric.xlsx')
    for name in sorted(glob.glob('*.xlsx')):
        out = os.path.join(WORK, 'csv')
        shutil.rmtree(out, True)
        run('soffice', profile, '--headless', '--convert-to', 'csv:Text - txt - csv (StarCalc):44,34,76,1,,1033,false,true,true,false,false,1', '--outdir', out, name)
        shutil.move(os.path.join(out, os.path.basename(glob.glob(out + '/*')[0])), name[:-5] + '.csv')


formats_xlsxwriter()
dates_1904()
features_xlsxwriter()
features_openpyxl()
convert()
shutil.rmtree(WORK)
