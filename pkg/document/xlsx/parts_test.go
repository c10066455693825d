package xlsx

import (
	"archive/zip"
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/helve-dev/helve/pkg/document/sheet"
)

// withParts returns a workbook of one sheet with further parts.
func withParts(t testing.TB, rows string, parts map[string]string) []byte {
	t.Helper()
	data := workbook(t, []byte("<worksheet><sheetData>"+rows+"</sheetData></worksheet>"), nil)
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, f := range z.File {
		if err := w.Copy(f); err != nil {
			t.Fatal(err)
		}
	}
	for name, content := range parts {
		write(t, w, name, []byte(content))
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func relations(list ...string) string {
	all := `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">`
	for i := 0; i < len(list); i += 2 {
		all += fmt.Sprintf(`<Relationship Id="rId%d" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/%s" Target="%s"/>`, i/2+1, list[i], list[i+1])
	}
	return all + "</Relationships>"
}

// A cell that names no style has the first one. Styles that are cut off are not passed over
// in silence: dates look like numbers then.
func TestStyles(t *testing.T) {
	const styles = `<styleSheet><numFmts count="1"><numFmt numFmtId="170" formatCode="yyyy-mm"/></numFmts><cellXfs><xf numFmtId="14"/><xf numFmtId="170"/><xf numFmtId="0"/></cellXfs></styleSheet>`
	const row = `<row r="1"><c r="A1"><v>45000</v></c><c r="B1" s="1"><v>45000</v></c><c r="C1" s="2"><v>45000</v></c></row>`
	for _, c := range []struct {
		styles, want string
		warnings     int
	}{
		{styles, "map[A1:3/15/2023 B1:2023-03 C1:45000]", 0},
		{styles[:strings.Index(styles, "<xf numFmtId=\"170")+6], "map[A1:3/15/2023 B1:45000 C1:45000]", 1},
	} {
		b := openBytes(t, withParts(t, row, map[string]string{
			"xl/_rels/workbook.xml.rels": relations("styles", "own.xml"), "xl/own.xml": c.styles,
		}))
		if got := fmt.Sprint(cells(t, b, 0, sheet.Window{})); got != c.want || len(b.Warnings()) != c.warnings {
			t.Errorf("%s, %v", got, b.Warnings())
		}
	}
	lost := openBytes(t, withParts(t, row, map[string]string{"xl/_rels/workbook.xml.rels": relations("styles", "gone.xml")}))
	if got := cells(t, lost, 0, sheet.Window{}); got["A1"] != "45000" || len(lost.Warnings()) != 1 {
		t.Errorf("%v, %v", got, lost.Warnings())
	}
}

// A thread is shown with its answers; the copy of it for older programs is not.
func TestThreads(t *testing.T) {
	const ns = `xmlns="http://schemas.microsoft.com/office/spreadsheetml/2018/threadedcomments"`
	data := withParts(t, `<row r="1"><c r="A1"><v>1</v></c></row>`, map[string]string{
		"xl/_rels/workbook.xml.rels":          relations("person", "persons/person.xml"),
		"xl/worksheets/_rels/sheet1.xml.rels": relations("threadedComment", "../threadedComments/t1.xml", "comments", "../comments1.xml"),
		"xl/persons/person.xml":               `<personList ` + ns + `><person displayName="Ann" id="{1}"/><person displayName="Bob" id="{2}"/></personList>`,
		"xl/threadedComments/t1.xml": `<ThreadedComments ` + ns + `>
			<threadedComment ref="C9" personId="{2}" id="{c}"><text>later</text></threadedComment>
			<threadedComment ref="B2" personId="{1}" id="{a}" done="1"><text>Is this right?</text><mentions><mention/></mentions></threadedComment>
			<threadedComment ref="B2" personId="{2}" id="{b}" parentId="{a}"><text>Yes</text></threadedComment></ThreadedComments>`,
		"xl/comments1.xml": `<comments><authors><author>tc={a}</author><author>Cy</author></authors><commentList>
			<comment ref="B2" authorId="0"><text><t>[Threaded comment] Is this right?</t></text></comment>
			<comment ref="A1" authorId="1"><text><r><t>Cy:</t></r><r><t>
 plain</t></r></text></comment></commentList></comments>`,
	})
	if got := fmt.Sprint(extras(t, openBytes(t, data), 0).Comments); got != "[{A1 Cy plain false false} {B2 Ann Is this right? false true} {B2 Bob Yes true false} {C9 Bob later false false}]" {
		t.Error(got)
	}
}

// WPS has pictures in cells by a formula of its own.
func TestCellImages(t *testing.T) {
	data := withParts(t, `<row r="1"><c r="A1" t="str"><f>_xlfn.DISPIMG("ID_1",1)</f><v>=DISPIMG("ID_1",1)</v></c><c r="B1" t="str"><f>DISPIMG("ID_2",1)</f><v>none</v></c></row>`, map[string]string{
		"xl/_rels/workbook.xml.rels":   `<Relationships><Relationship Id="rId1" Type="http://www.wps.cn/officeDocument/2020/cellImage" Target="cellimages.xml"/></Relationships>`,
		"xl/_rels/cellimages.xml.rels": relations("image", "media/image1.png"),
		"xl/cellimages.xml": `<etc:cellImages xmlns:etc="http://www.wps.cn/officeDocument/2017/etCustomData" xmlns:xdr="http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships">
			<etc:cellImage><xdr:pic><xdr:nvPicPr><xdr:cNvPr id="2" name="ID_1" descr="a stamp"/></xdr:nvPicPr><xdr:blipFill><a:blip r:embed="rId1"/></xdr:blipFill></xdr:pic></etc:cellImage></etc:cellImages>`,
		"xl/media/image1.png": "\x89PNG\r\n\x1a\n0000",
	})
	b := openBytes(t, data)
	if err := b.Rows(t.Context(), 0, sheet.Window{Range: sheet.All()}, func(r *sheet.Row) bool {
		p := r.Cells[0].Picture
		if p == nil || p.Alt != "a stamp" || p.MIME != "image/png" || p.Cell.String() != "A1" || r.Cells[1].Picture != nil {
			t.Fatalf("%+v", r.Cells)
		}
		if data, err := p.Data(t.Context()); err != nil || len(data) != 12 {
			t.Errorf("%q, %v", data, err)
		}
		return true
	}); err != nil {
		t.Fatal(err)
	}
}

// A picture in a group, one that is linked, one at an absolute position.
func TestDrawing(t *testing.T) {
	pic := func(alt, blip string) string {
		return `<xdr:pic><xdr:nvPicPr><xdr:cNvPr id="1" name="Picture 1" descr="` + alt + `"/></xdr:nvPicPr><xdr:blipFill><a:blip ` + blip + `/></xdr:blipFill></xdr:pic>`
	}
	data := withParts(t, `<row r="1"><c r="A1"><v>1</v></c></row>`, map[string]string{
		"xl/worksheets/_rels/sheet1.xml.rels": relations("drawing", "../drawings/drawing1.xml"),
		"xl/drawings/_rels/drawing1.xml.rels": `<Relationships><Relationship Id="rId1" Type="x/image" Target="../media/i.png"/><Relationship Id="rId2" Type="x/image" Target="https://example.com/i.png" TargetMode="External"/></Relationships>`,
		"xl/drawings/drawing1.xml": `<xdr:wsDr xmlns:xdr="http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006">
			<xdr:twoCellAnchor><xdr:from><xdr:col>2</xdr:col><xdr:colOff>5</xdr:colOff><xdr:row>4</xdr:row></xdr:from><xdr:to><xdr:col>9</xdr:col><xdr:row>9</xdr:row></xdr:to><xdr:grpSp>` + pic("in a group", `r:embed="rId1"`) + pic("linked", `r:link="rId2"`) + `</xdr:grpSp></xdr:twoCellAnchor>
			<xdr:absoluteAnchor><xdr:pos x="1219200" y="571500"/><mc:AlternateContent><mc:Choice Requires="x">` + pic("newer", `r:embed="rId1"`) + `</mc:Choice><mc:Fallback>` + pic("older", `r:embed="rId1"`) + `</mc:Fallback></mc:AlternateContent></xdr:absoluteAnchor></xdr:wsDr>`,
		"xl/media/i.png": "\x89PNG\r\n\x1a\n0000",
	})
	got := ""
	for _, p := range extras(t, openBytes(t, data), 0).Pictures {
		got += fmt.Sprintf("%s %s %s %s %v;", p.Cell, p.Alt, p.MIME, p.Link, p.Data != nil)
	}
	if got != "C4 newer image/png  true;C5 in a group image/png  true;C5 linked  https://example.com/i.png false;" {
		t.Error(got)
	}
}
