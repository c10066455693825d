package main

import (
	"archive/zip"
	"bytes"
	"compress/zlib"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
)

// words are the vocabulary of the texts.
var words = strings.Fields(`report budget quarter region sales margin forecast customer invoice delivery the of and to in for with from by on
	growth decline market share product service contract number amount total average annual monthly increase reduction agreement`)

func sentence(r *rand.Rand, n int) string {
	picked := make([]string, n)
	for i := range picked {
		picked[i] = words[r.IntN(len(words))]
	}
	return strings.Join(picked, " ")
}

// packed writes a package of parts, each by a function.
func packed(w io.Writer, parts []part) error {
	z := zip.NewWriter(w)
	for _, p := range parts {
		f, err := z.Create(p.name)
		if err != nil {
			return err
		}
		var b bytes.Buffer
		p.write(&b)
		if _, err := f.Write(b.Bytes()); err != nil {
			return err
		}
	}
	return z.Close()
}

type part struct {
	name  string
	write func(*bytes.Buffer)
}

func text(name, content string) part {
	return part{name, func(b *bytes.Buffer) { b.WriteString(content) }}
}

const (
	declaration   = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>` + "\n"
	relationships = `http://schemas.openxmlformats.org/package/2006/relationships`
	office        = `http://schemas.openxmlformats.org/officeDocument/2006/relationships`
	spreadsheet   = `http://schemas.openxmlformats.org/spreadsheetml/2006/main`
	wordML        = `http://schemas.openxmlformats.org/wordprocessingml/2006/main`
)

func related(target, kind string) string {
	return declaration + `<Relationships xmlns="` + relationships + `"><Relationship Id="rId1" Type="` + office + "/" + kind + `" Target="` + target + `"/></Relationships>`
}

// writeSheet writes a sheet of so many rows and ten columns: numbers, dates, and texts of
// which most are unique, as a database would export them.
func writeSheet(w io.Writer, rows int) error {
	r := rand.New(rand.NewPCG(1, 2))
	unique := rows * 5 / 4
	return packed(w, []part{
		text("[Content_Types].xml", declaration+`<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.styles+xml"/><Override PartName="/xl/sharedStrings.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sharedStrings+xml"/></Types>`),
		text("_rels/.rels", related("xl/workbook.xml", "officeDocument")),
		text("xl/workbook.xml", declaration+`<workbook xmlns="`+spreadsheet+`" xmlns:r="`+office+`"><sheets><sheet name="Data" sheetId="1" r:id="rId1"/></sheets></workbook>`),
		text("xl/_rels/workbook.xml.rels", declaration+`<Relationships xmlns="`+relationships+`"><Relationship Id="rId1" Type="`+office+`/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="`+office+`/styles" Target="styles.xml"/><Relationship Id="rId3" Type="`+office+`/sharedStrings" Target="sharedStrings.xml"/></Relationships>`),
		text("xl/styles.xml", declaration+`<styleSheet xmlns="`+spreadsheet+`"><fonts count="1"><font/></fonts><fills count="1"><fill><patternFill patternType="none"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="4"><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="4"/><xf numFmtId="10"/></cellXfs></styleSheet>`),
		{"xl/sharedStrings.xml", func(b *bytes.Buffer) {
			fmt.Fprintf(b, `%s<sst xmlns="%s" count="%d" uniqueCount="%d">`, declaration, spreadsheet, 4*rows, unique)
			for i := range unique {
				fmt.Fprintf(b, "<si><t>%s %d</t></si>", sentence(r, 3), i)
			}
			b.WriteString("</sst>")
		}},
		{"xl/worksheets/sheet1.xml", func(b *bytes.Buffer) {
			fmt.Fprintf(b, `%s<worksheet xmlns="%s"><dimension ref="A1:J%d"/><sheetData>`, declaration, spreadsheet, rows)
			for n := 1; n <= rows; n++ {
				fmt.Fprintf(b, `<row r="%d" spans="1:10">`, n)
				for c := range 10 {
					at := string(rune('A' + c))
					switch {
					case c < 4:
						fmt.Fprintf(b, `<c r="%s%d" t="s"><v>%d</v></c>`, at, n, (n*4+c)%unique)
					case c == 4:
						fmt.Fprintf(b, `<c r="%s%d" s="1"><v>%d</v></c>`, at, n, 40000+r.IntN(6000))
					case c == 5:
						fmt.Fprintf(b, `<c r="%s%d" s="3"><v>%.4f</v></c>`, at, n, r.Float64())
					case c == 6:
						fmt.Fprintf(b, `<c r="%s%d"><v>%d</v></c>`, at, n, r.IntN(1_000_000))
					default:
						fmt.Fprintf(b, `<c r="%s%d" s="2"><v>%.2f</v></c>`, at, n, r.Float64()*100_000)
					}
				}
				b.WriteString("</row>")
			}
			b.WriteString("</sheetData></worksheet>")
		}},
	})
}

// writeText writes a text of so many paragraphs, with a heading for each 20 and a table for
// each 50 of them.
func writeText(w io.Writer, paragraphs int) error {
	r := rand.New(rand.NewPCG(3, 4))
	return packed(w, []part{
		text("[Content_Types].xml", declaration+`<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/><Override PartName="/word/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.styles+xml"/></Types>`),
		text("_rels/.rels", related("word/document.xml", "officeDocument")),
		text("word/_rels/document.xml.rels", related("styles.xml", "styles")),
		text("word/styles.xml", declaration+`<w:styles xmlns:w="`+wordML+`"><w:style w:type="paragraph" w:styleId="Heading1"><w:name w:val="heading 1"/></w:style><w:style w:type="table" w:styleId="TableGrid"><w:name w:val="Table Grid"/></w:style></w:styles>`),
		{"word/document.xml", func(b *bytes.Buffer) {
			b.WriteString(declaration + `<w:document xmlns:w="` + wordML + `"><w:body>`)
			for i := range paragraphs {
				if i%20 == 0 {
					fmt.Fprintf(b, `<w:p><w:pPr><w:pStyle w:val="Heading1"/></w:pPr><w:r><w:t>Section %d</w:t></w:r></w:p>`, i/20+1)
				}
				fmt.Fprintf(b, `<w:p><w:r><w:t xml:space="preserve">%s </w:t></w:r><w:r><w:rPr><w:b/></w:rPr><w:t>%s</w:t></w:r><w:r><w:t>.</w:t></w:r></w:p>`, sentence(r, 15), sentence(r, 3))
				if i%50 == 49 {
					b.WriteString(`<w:tbl><w:tblPr/><w:tblGrid><w:gridCol/><w:gridCol/><w:gridCol/></w:tblGrid>`)
					for range 4 {
						b.WriteString("<w:tr>")
						for range 3 {
							fmt.Fprintf(b, `<w:tc><w:p><w:r><w:t>%s</w:t></w:r></w:p></w:tc>`, sentence(r, 2))
						}
						b.WriteString("</w:tr>")
					}
					b.WriteString("</w:tbl>")
				}
			}
			b.WriteString("</w:body></w:document>")
		}},
	})
}

// writePDF writes pages of 50 lines each in a standard font.
func writePDF(w io.Writer, pages int) error {
	r := rand.New(rand.NewPCG(5, 6))
	var b bytes.Buffer
	var offsets []int
	object := func(format string, args ...any) {
		offsets = append(offsets, b.Len())
		fmt.Fprintf(&b, "%d 0 obj\n", len(offsets))
		fmt.Fprintf(&b, format, args...)
		b.WriteString("\nendobj\n")
	}
	b.WriteString("%PDF-1.4\n")
	object("<< /Type /Catalog /Pages 2 0 R >>")
	var kids strings.Builder
	for i := range pages {
		fmt.Fprintf(&kids, "%d 0 R ", 4+2*i)
	}
	object("<< /Type /Pages /Count %d /Kids [%s] >>", pages, kids.String())
	object("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>")
	for i := range pages {
		object("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 3 0 R >> >> /Contents %d 0 R >>", 5+2*i)
		var content strings.Builder
		content.WriteString("BT /F1 10 Tf 14 TL 50 790 Td\n")
		for range 50 {
			fmt.Fprintf(&content, "(%s) Tj T*\n", sentence(r, 12))
		}
		content.WriteString("ET")
		var deflated bytes.Buffer
		z := zlib.NewWriter(&deflated)
		if _, err := io.WriteString(z, content.String()); err != nil {
			return err
		}
		if err := z.Close(); err != nil {
			return err
		}
		object("<< /Length %d /Filter /FlateDecode >>\nstream\n%s\nendstream", deflated.Len(), deflated.String())
	}
	table := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(offsets)+1)
	for _, at := range offsets {
		fmt.Fprintf(&b, "%010d 00000 n \n", at)
	}
	fmt.Fprintf(&b, "trailer << /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n", len(offsets)+1, table)
	_, err := w.Write(b.Bytes())
	return err
}
