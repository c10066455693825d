package docx

import (
	"archive/zip"
	"bytes"
	"context"
	"io"
	"strings"
	"testing"

	"github.com/helve-dev/helve/pkg/document"
	"github.com/helve-dev/helve/pkg/document/markdown"
	"github.com/helve-dev/helve/pkg/fault"
)

const namespaces = ` xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"` +
	` xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math" xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"` +
	` xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"` +
	` xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture" xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape"` +
	` xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" xmlns:dgm="http://schemas.openxmlformats.org/drawingml/2006/diagram" xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office" xmlns:w14="http://schemas.microsoft.com/office/word/2010/wordml"`

const office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/"

// pixel is a picture: a GIF of one pixel.
const pixel = "GIF89a\x01\x00\x01\x00\x80\x00\x00\x00\x00\x00\xff\xff\xff!\xf9\x04\x01\x00\x00\x00\x00,\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02D\x01\x00;"

// packed returns a document of a body and of further parts: "styles", "numbering" and so on
// are the content of an element of that name.
func packed(t testing.TB, body string, parts map[string]string) *bytes.Reader {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	add := func(name, content string) {
		f, err := w.Create(name)
		if err == nil {
			_, err = f.Write([]byte(content))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	add("_rels/.rels", `<Relationships><Relationship Id="rId1" Type="`+office+`officeDocument" Target="word/document.xml"/></Relationships>`)
	add("word/document.xml", `<?xml version="1.0"?><w:document`+namespaces+`><w:body>`+body+`</w:body></w:document>`)
	rels := `<Relationship Id="link" Type="` + office + `hyperlink" Target="https://example.com/" TargetMode="External"/>` +
		`<Relationship Id="chart" Type="` + office + `chart" Target="charts/1.xml"/><Relationship Id="diagram" Type="` + office + `diagramData" Target="diagrams/1.xml"/>` +
		`<Relationship Id="image" Type="` + office + `image" Target="media/image1.gif"/>`
	add("word/media/image1.gif", pixel)
	for name, content := range parts {
		if strings.Contains(name, "/") {
			add(name, content)
			continue
		}
		rels += `<Relationship Id="` + name + `" Type="` + office + name + `" Target="` + name + `.xml"/>`
		add("word/"+name+".xml", `<w:`+name+namespaces+`>`+content+`</w:`+name+`>`)
	}
	add("word/_rels/document.xml.rels", `<Relationships>`+rels+`</Relationships>`)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return bytes.NewReader(b.Bytes())
}

// rendered returns the whole document as Markdown.
func rendered(t testing.TB, file *bytes.Reader, changes document.Changes) (string, error) {
	t.Helper()
	d, err := Open(file, file.Size())
	if err != nil {
		return "", err
	}
	w := markdown.NewWriter(markdown.Window{})
	err = d.Render(context.Background(), &document.Request{Changes: changes, Image: func(i document.Image) string {
		return "saved." + strings.TrimPrefix(i.MIME, "image/")
	}}, w)
	return strings.TrimSpace(string(w.Bytes())), err
}

func p(text string) string { return `<w:p><w:r><w:t>` + text + `</w:t></w:r></w:p>` }

func styled(style, text string) string {
	return `<w:p><w:pPr><w:pStyle w:val="` + style + `"/></w:pPr><w:r><w:t>` + text + `</w:t></w:r></w:p>`
}

func numbered(list, level, text string) string {
	return `<w:p><w:pPr><w:numPr><w:ilvl w:val="` + level + `"/><w:numId w:val="` + list + `"/></w:numPr></w:pPr><w:r><w:t>` + text + `</w:t></w:r></w:p>`
}

func check(t *testing.T, body, want string, parts map[string]string) {
	t.Helper()
	got, err := rendered(t, packed(t, body, parts), document.Accept)
	if err != nil || got != want {
		t.Errorf("%v\n got: %s\nwant: %s", err, got, want)
	}
}

func TestHeadings(t *testing.T) {
	styles := `<w:style w:type="paragraph" w:default="1" w:styleId="a"><w:name w:val="Normal"/></w:style>` +
		`<w:style w:type="paragraph" w:styleId="1"><w:name w:val="heading 1"/><w:basedOn w:val="a"/></w:style>` +
		`<w:style w:type="paragraph" w:styleId="mine"><w:name w:val="My own"/><w:basedOn w:val="1"/></w:style>` +
		`<w:style w:type="paragraph" w:styleId="out"><w:name w:val="Outlined"/><w:pPr><w:outlineLvl w:val="2"/></w:pPr></w:style>` +
		`<w:style w:type="paragraph" w:styleId="T"><w:name w:val="Title"/></w:style>` +
		`<w:style w:type="paragraph" w:styleId="loop"><w:name w:val="Loop"/><w:basedOn w:val="pool"/></w:style>` +
		`<w:style w:type="paragraph" w:styleId="pool"><w:name w:val="Pool"/><w:basedOn w:val="loop"/></w:style>` +
		`<w:style w:type="paragraph" w:styleId="de"><w:name w:val="Überschrift 2"/></w:style>`
	check(t, styled("T", "Title")+styled("1", "One")+styled("mine", "Mine")+styled("out", "Three")+styled("de", "Zwei")+styled("loop", "text")+styled("Heading4", "by its ID")+
		`<w:p><w:pPr><w:outlineLvl w:val="1"/></w:pPr><w:r><w:t>direct</w:t></w:r></w:p>`+`<w:p><w:pPr><w:pStyle w:val="out"/><w:outlineLvl w:val="9"/></w:pPr><w:r><w:t>body text</w:t></w:r></w:p>`+styled("1", " "),
		"# Title\n\n# One\n\n# Mine\n\n### Three\n\n## Zwei\n\ntext\n\n#### by its ID\n\n## direct\n\nbody text", map[string]string{"styles": styles})
}

func lvl(level, format, text, more string) string {
	return `<w:lvl w:ilvl="` + level + `"><w:start w:val="1"/><w:numFmt w:val="` + format + `"/>` + more + `<w:lvlText w:val="` + text + `"/></w:lvl>`
}

func TestLists(t *testing.T) {
	numbering := `<w:abstractNum w:abstractNumId="0">` + lvl("0", "decimal", "%1.", "") + lvl("1", "lowerLetter", "%2)", "") + lvl("2", "bullet", "\uf0b7", "") + `</w:abstractNum>` +
		`<w:abstractNum w:abstractNumId="1">` + lvl("0", "upperRoman", "Article %1", "") + lvl("1", "decimal", "%1.%2", "<w:isLgl/>") + lvl("2", "decimal", "%1.%2.%3", `<w:lvlRestart w:val="0"/>`) + `</w:abstractNum>` +
		`<w:abstractNum w:abstractNumId="2"><w:numStyleLink w:val="linked"/></w:abstractNum>` +
		`<w:abstractNum w:abstractNumId="3">` + lvl("0", "decimal", "%1", `<w:pStyle w:val="h1"/>`) + lvl("1", "decimal", "%1.%2", `<w:pStyle w:val="h2"/>`) + `</w:abstractNum>` +
		`<w:abstractNum w:abstractNumId="4"><w:numStyleLink w:val="self"/></w:abstractNum>` +
		`<w:abstractNum w:abstractNumId="5">` + lvl("0", "decimal", "%1.", `<w:pPr><w:ind w:left="360" w:hanging="360"/></w:pPr>`) + `</w:abstractNum>` +
		`<w:abstractNum w:abstractNumId="6">` + lvl("0", "decimal", "%1)", `<w:pPr><w:ind w:left="720" w:hanging="360"/></w:pPr>`) + `</w:abstractNum>` +
		`<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num><w:num w:numId="8"><w:abstractNumId w:val="5"/></w:num><w:num w:numId="9"><w:abstractNumId w:val="6"/></w:num>` +
		`<w:num w:numId="2"><w:abstractNumId w:val="0"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="5"/></w:lvlOverride></w:num>` +
		`<w:num w:numId="3"><w:abstractNumId w:val="1"/></w:num>` +
		`<w:num w:numId="4"><w:abstractNumId w:val="2"/></w:num>` +
		`<w:num w:numId="5"><w:abstractNumId w:val="0"/><w:lvlOverride w:ilvl="0">` + lvl("0", "lowerRoman", "(%1)", "") + `</w:lvlOverride></w:num>` +
		`<w:num w:numId="6"><w:abstractNumId w:val="3"/></w:num>` +
		`<w:num w:numId="7"><w:abstractNumId w:val="4"/></w:num>`
	styles := `<w:style w:type="numbering" w:styleId="linked"><w:name w:val="L"/><w:pPr><w:numPr><w:numId w:val="3"/></w:numPr></w:pPr></w:style>` +
		`<w:style w:type="numbering" w:styleId="self"><w:name w:val="S"/><w:pPr><w:numPr><w:numId w:val="7"/></w:numPr></w:pPr></w:style>` +
		`<w:style w:type="paragraph" w:styleId="h1"><w:name w:val="heading 1"/><w:pPr><w:numPr><w:numId w:val="6"/></w:numPr></w:pPr></w:style>` +
		`<w:style w:type="paragraph" w:styleId="h2"><w:name w:val="heading 2"/><w:basedOn w:val="h1"/><w:pPr><w:numPr><w:ilvl w:val="1"/></w:numPr></w:pPr></w:style>` +
		`<w:style w:type="paragraph" w:styleId="lp"><w:name w:val="List Paragraph"/></w:style>`
	for _, c := range []struct{ name, body, want string }{
		{"nested", numbered("1", "0", "a") + numbered("1", "1", "b") + numbered("1", "1", "c") + numbered("1", "2", "d") + numbered("1", "0", "e") + numbered("1", "1", "f"),
			"1. a\n   - a) b\n   - b) c\n     - d\n2. e\n   - a) f"},
		{"goes on after a paragraph", numbered("1", "0", "a") + p("text") + numbered("1", "0", "b"), "1. a\n\ntext\n\n2. b"},
		{"starts anew", numbered("1", "0", "a") + p("x") + numbered("2", "0", "b") + numbered("2", "0", "c"), "1. a\n\nx\n\n5. b\n6. c"},
		{"replaced level", numbered("5", "0", "a") + numbered("5", "0", "b"), "- (i) a\n- (ii) b"},
		{"legal", numbered("3", "0", "a") + numbered("3", "1", "b") + numbered("3", "0", "c") + numbered("3", "1", "d") + numbered("3", "2", "e") + numbered("3", "1", "f") + numbered("3", "2", "g"),
			"- Article I a\n  - 1.1 b\n- Article II c\n  - 2.1 d\n    - II.1.1 e\n  - 2.2 f\n    - II.2.2 g"},
		{"linked by a style", numbered("4", "0", "a"), "- Article I a"},
		{"linked to itself", numbered("7", "0", "a"), "a"},
		{"begins at an inner level", numbered("1", "1", "a") + numbered("1", "1", "b") + numbered("1", "0", "c"), "- a) a\n- b) b\n2. c"},
		{"headings", styled("h1", "A") + styled("h2", "B") + styled("h2", "C") + styled("h1", "D") + styled("h2", "E"), "# 1 A\n\n## 1.1 B\n\n## 1.2 C\n\n# 2 D\n\n## 2.1 E"},
		{"within an item", numbered("1", "0", "a") + styled("lp", "more") + numbered("1", "0", "b"), "1. a\n\n   more\n2. b"},
		{"a list in another by its indentation", numbered("8", "0", "a") + numbered("9", "0", "b") + numbered("9", "0", "c") + numbered("8", "0", "d"), "1. a\n   1) b\n   2) c\n2. d"},
		{"indented after an item", numbered("8", "0", "a") + `<w:p><w:pPr><w:ind w:left="360"/></w:pPr><w:r><w:t>b</w:t></w:r></w:p>` + numbered("8", "0", "c") + p("d"), "1. a\n\n   b\n2. c\n\nd"},
		{"no such list", numbered("99", "0", "a") + numbered("0", "0", "b"), "a\n\nb"},
	} {
		t.Run(c.name, func(t *testing.T) {
			check(t, c.body, c.want, map[string]string{"styles": styles, "numbering": numbering})
		})
	}
}

func TestNumerals(t *testing.T) {
	for _, c := range []struct {
		format string
		n      int
		want   string
	}{
		{"decimal", 12, "12"}, {"decimalZero", 7, "07"}, {"decimalZero", 12, "12"}, {"upperRoman", 1994, "MCMXCIV"}, {"lowerRoman", 4, "iv"}, {"upperRoman", 0, "0"},
		{"upperLetter", 26, "Z"}, {"upperLetter", 28, "BB"}, {"lowerLetter", 0, "0"}, {"lowerLetter", 100_000, "100000"}, {"ordinal", 22, "22nd"}, {"ordinal", 112, "112th"},
		{"chineseCounting", 23, "二十三"}, {"chineseCounting", 10, "十"}, {"chineseCountingThousand", 105, "一百〇五"}, {"chineseLegalSimplified", 11, "拾壹"}, {"japaneseCounting", 1000, "一千"},
		{"ideographTraditional", 3, "丙"}, {"decimalEnclosedCircle", 21, "21"}, {"decimalFullWidth", 10, "１０"}, {"chicago", 6, "††"}, {"russianLower", 2, "б"}, {"none", 3, ""}, {"unheard of", 3, "3"},
	} {
		if got := numeral(c.format, c.n); got != c.want {
			t.Errorf("%s of %d: %q, want %q", c.format, c.n, got, c.want)
		}
	}
}

func TestText(t *testing.T) {
	styles := `<w:style w:type="character" w:styleId="S"><w:name w:val="Strong"/><w:rPr><w:b/></w:rPr></w:style>` +
		`<w:style w:type="character" w:styleId="V"><w:name w:val="Verbatim Char"/></w:style>` +
		`<w:style w:type="paragraph" w:styleId="SC"><w:name w:val="Source Code"/></w:style>` +
		`<w:style w:type="paragraph" w:styleId="Q"><w:name w:val="Quote"/></w:style>` +
		`<w:style w:type="paragraph" w:styleId="H"><w:name w:val="z-Top of Form"/><w:rPr><w:vanish/></w:rPr></w:style>`
	run := func(properties, text string) string {
		return `<w:r><w:rPr>` + properties + `</w:rPr><w:t xml:space="preserve">` + text + `</w:t></w:r>`
	}
	for _, c := range []struct{ name, body, want string }{
		{"emphasis", `<w:p>` + run("", "a ") + run("<w:b/>", "b ") + run("<w:b w:val='1'/>", "c") + run(`<w:i/><w:b w:val="0"/>`, " d") + run("<w:strike/>", " e") + run(`<w:vertAlign w:val="superscript"/>`, "f") + `</w:p>`,
			"a **b c** *d* ~~e~~<sup>f</sup>"},
		{"styles", `<w:p>` + run(`<w:rStyle w:val="S"/>`, "strong") + run(`<w:rStyle w:val="S"/><w:b w:val="false"/>`, " weak ") + run(`<w:rStyle w:val="V"/>`, "a*b") + `</w:p>`, "**strong** weak `a*b`"},
		{"hidden", `<w:p>` + run("", "a") + run("<w:vanish/>", "b") + run("<w:caps/>", "c") + `</w:p>`, "ac"},
		{"hidden style", styled("H", "a") + `<w:p><w:pPr><w:pStyle w:val="H"/></w:pPr>` + run("", "b") + run(`<w:vanish w:val="0"/>`, "c") + `</w:p>`, "c"},
		{"page break", `<w:p><w:r><w:br w:type="page"/><w:t>a</w:t><w:br w:type="page"/><w:t>b</w:t></w:r></w:p>`, "a b"},
		{"code", styled("SC", "if x {") + styled("SC", "  y") + `<w:p><w:pPr><w:pStyle w:val="SC"/></w:pPr></w:p>` + styled("SC", "}") + p("text"), "```\nif x {\n  y\n\n}\n```\n\ntext"},
		{"monospace", `<w:p>` + run(`<w:rFonts w:ascii="Consolas"/>`, "ls -l") + `</w:p><w:p>` + run(`<w:rFonts w:ascii="Consolas"/>`, "ls") + run("", " lists") + `</w:p>`, "```\nls -l\n```\n\n`ls` lists"},
		{"quotation", styled("Q", "said") + `<w:p><w:pPr><w:ind w:left="720"/></w:pPr><w:r><w:t>indented</w:t></w:r></w:p><w:p><w:pPr><w:ind w:left="720" w:hanging="720"/></w:pPr><w:r><w:t>hangs</w:t></w:r></w:p>`,
			"> said\n\n> indented\n\nhangs"},
		{"characters", `<w:p><w:r><w:t>a</w:t><w:tab/><w:t>b</w:t><w:br/><w:t>c</w:t><w:noBreakHyphen/><w:t>d</w:t><w:softHyphen/><w:t>e</w:t><w:br w:type="page"/><w:sym w:font="Wingdings" w:char="F0FC"/><w:sym w:font="Symbol" w:char="F061"/><w:sym w:font="Arial" w:char="2265"/></w:r></w:p>`,
			"a\tb\\\nc\u2011de ✔α≥"},
		{"ruby", `<w:p><w:r><w:ruby><w:rt><w:r><w:t>かんじ</w:t></w:r></w:rt><w:rubyBase><w:r><w:t>漢字</w:t></w:r></w:rubyBase></w:ruby></w:r></w:p>`, "漢字(かんじ)"},
		{"containers", `<w:sdt><w:sdtPr><w:alias w:val="x"/></w:sdtPr><w:sdtContent>` + p("a") + `</w:sdtContent></w:sdt><w:p><w:smartTag><w:r><w:t>b</w:t></w:r></w:smartTag><w:customXml><w:r><w:t>c</w:t></w:r></w:customXml></w:p>`, "a\n\nbc"},
		{"drop cap", `<w:p><w:pPr><w:framePr w:dropCap="drop"/></w:pPr><w:r><w:t>O</w:t></w:r></w:p>` + p("nce"), "Once"},
		{"formulas", `<w:p><w:r><w:t>Let </w:t></w:r><m:oMath><m:f><m:num><m:r><m:t>a</m:t></m:r></m:num><m:den><m:r><m:t>b</m:t></m:r></m:den></m:f></m:oMath></w:p><w:p><m:oMathPara><m:oMath><m:r><m:t>x=1</m:t></m:r></m:oMath></m:oMathPara></w:p>`,
			`Let $\frac{a}{b}$` + "\n\n$$x=1$$"},
	} {
		t.Run(c.name, func(t *testing.T) { check(t, c.body, c.want, map[string]string{"styles": styles}) })
	}
}

func fieldOf(instruction, result string) string {
	return `<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>` + instruction + `</w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r>` + result + `<w:r><w:fldChar w:fldCharType="end"/></w:r>`
}

func TestLinks(t *testing.T) {
	r := func(text string) string { return `<w:r><w:t>` + text + `</w:t></w:r>` }
	for _, c := range []struct{ name, body, want string }{
		{"relation", `<w:hyperlink r:id="link" w:anchor="x">` + r("here") + `</w:hyperlink>`, "[here](https://example.com/#x)"},
		{"within the document", `<w:hyperlink w:anchor="_Toc1">` + r("Intro") + fieldOf("PAGEREF _Toc1", r("3")) + `</w:hyperlink>`, "Intro3"},
		{"simple field", `<w:fldSimple w:instr=" HYPERLINK &quot;http://a.b/&quot; ">` + r("here") + `</w:fldSimple><w:fldSimple w:instr="PAGE">` + r("7") + `</w:fldSimple>`, "[here](http://a.b/)7"},
		{"field", fieldOf(` HYPERLINK "http://a.b/c" \o "tip" `, r("he")+r("re")) + r(" and ") + fieldOf(`HYPERLINK \l "mark"`, r("there")), "[here](http://a.b/c) and there"},
		{"nested fields", fieldOf(`HYPERLINK http://a.b/`, r("page ")+fieldOf("PAGEREF x", r("9"))), "[page 9](http://a.b/)"},
		{"field in an instruction", `<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>IF </w:instrText></w:r>` + fieldOf("MERGEFIELD a", r("hidden")) + `<w:r><w:fldChar w:fldCharType="separate"/></w:r>` + r("shown") + `<w:r><w:fldChar w:fldCharType="end"/></w:r>`, "shown"},
		{"without an end", `<w:r><w:fldChar w:fldCharType="begin"/></w:r>` + r("lost") + `</w:p><w:p>` + r("not lost"), "not lost"},
		{"box", `<w:r><w:fldChar w:fldCharType="begin"><w:ffData><w:checkBox><w:default w:val="0"/><w:checked/></w:checkBox></w:ffData></w:fldChar></w:r><w:r><w:instrText>FORMCHECKBOX</w:instrText></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>`, "☒"},
		{"button of a macro", `<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText> MACROBUTTON  NoMacro [Click here and type] </w:instrText></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>`, `[Click here and type]`},
		{"symbol", `<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>SYMBOL 183 \f "Symbol"</w:instrText></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>`, "•"},
	} {
		t.Run(c.name, func(t *testing.T) { check(t, `<w:p>`+c.body+`</w:p>`, c.want, nil) })
	}
}

func tr(cells ...string) string { return `<w:tr>` + strings.Join(cells, "") + `</w:tr>` }

func tc(properties, content string) string {
	return `<w:tc><w:tcPr>` + properties + `</w:tcPr>` + content + `</w:tc>`
}

func TestTables(t *testing.T) {
	check(t, `<w:tbl><w:tblGrid><w:gridCol/><w:gridCol/><w:gridCol/></w:tblGrid>`+
		tr(tc("", p("h1")), tc(`<w:gridSpan w:val="2"/>`, p("h2")))+
		tr(tc(`<w:vMerge w:val="restart"/>`, p("tall")), tc("", p("a")+p("b")), tc("", p("x|y")))+
		tr(tc(`<w:vMerge/>`, p("covered")), tc("", `<w:tbl>`+tr(tc("", p("n1")), tc("", p("n2")))+`</w:tbl>`+p("after")))+
		`<w:tr><w:trPr><w:gridBefore w:val="1"/></w:trPr>`+tc("", p("late"))+`</w:tr></w:tbl>`+p("end"),
		"| h1 | h2 | |\n| --- | --- | --- |\n| tall | a<br>b | x\\|y |\n| | n1 \\| n2<br>after | |\n| | late | |\n\nend", nil)
}

// A table is written in parts that are one.
func TestLongTable(t *testing.T) {
	got, err := rendered(t, packed(t, `<w:tbl>`+strings.Repeat(tr(tc("", p("a")), tc("", p("b"))), 2*heldRows+10)+`</w:tbl>`+p("end"), nil), "")
	want := "| a | b |\n| --- | --- |\n" + strings.Repeat("| a | b |\n", 2*heldRows+9) + "\nend"
	if err != nil || got != want {
		t.Errorf("%v, %d bytes of %d", err, len(got), len(want))
	}
}

func TestNotes(t *testing.T) {
	ref := func(kind, id string) string { return `<w:r><w:` + kind + `Reference w:id="` + id + `"/></w:r>` }
	check(t, `<w:p><w:r><w:t>a</w:t></w:r>`+ref("footnote", "3")+`<w:r><w:t>b</w:t></w:r>`+ref("endnote", "2")+ref("footnote", "2")+ref("footnote", "9")+
		`<w:commentRangeStart w:id="0"/><w:r><w:t>quoted text</w:t></w:r><w:commentRangeEnd w:id="0"/>`+ref("comment", "0")+`</w:p>`,
		"a[^1]b[^e1][^2][^3]quoted text\n\n[^1]: three, [here](https://notes.example/)\n[^2]: two\n\n    twice\n[^3]: –\n[^e1]: end\n\n**Comments**\n\n- **Ann** on “quoted text”: why?",
		map[string]string{
			"footnotes": `<w:footnote w:type="separator" w:id="0">` + p("-") + `</w:footnote><w:footnote w:id="2">` + p("two") + p("twice") + `</w:footnote>` +
				`<w:footnote w:id="3"><w:p><w:r><w:footnoteRef/></w:r><w:r><w:t>three, </w:t></w:r><w:hyperlink r:id="link"><w:r><w:t>here</w:t></w:r></w:hyperlink></w:p></w:footnote>`,
			"endnotes":                      `<w:endnote w:id="2">` + p("end") + `</w:endnote>`,
			"comments":                      `<w:comment w:id="0" w:author="Ann">` + p("why?") + `</w:comment>`,
			"word/_rels/footnotes.xml.rels": `<Relationships><Relationship Id="link" Type="` + office + `hyperlink" Target="https://notes.example/" TargetMode="External"/></Relationships>`,
		})
}

func TestChanges(t *testing.T) {
	body := `<w:p><w:pPr><w:pStyle w:val="Heading2"/><w:pPrChange><w:pPr><w:pStyle w:val="Heading1"/></w:pPr></w:pPrChange></w:pPr><w:r><w:t>H</w:t></w:r></w:p>` +
		`<w:p><w:r><w:t xml:space="preserve">a </w:t></w:r><w:ins><w:r><w:t>new</w:t></w:r></w:ins><w:del><w:r><w:delText>old</w:delText></w:r></w:del>` +
		`<w:moveFrom><w:r><w:t>from</w:t></w:r></w:moveFrom><w:moveTo><w:r><w:t>to</w:t></w:r></w:moveTo><w:r><w:rPr><w:b/><w:rPrChange><w:rPr/></w:rPrChange></w:rPr><w:t>bold</w:t></w:r></w:p>` +
		`<w:p><w:pPr><w:rPr><w:del/></w:rPr></w:pPr><w:r><w:t>joined</w:t></w:r></w:p>` + p("once") +
		`<w:p><w:pPr><w:rPr><w:ins/></w:rPr></w:pPr><w:r><w:t>split</w:t></w:r></w:p>` + p("twice") +
		`<w:tbl>` + tr(tc("", p("h"))) + `<w:tr><w:trPr><w:ins/></w:trPr>` + tc("", p("in")) + `</w:tr><w:tr><w:trPr><w:del/></w:trPr>` + tc("", p("out")) + `</w:tr></w:tbl>`
	for changes, want := range map[document.Changes]string{
		document.Accept: "## H\n\na newto**bold**\n\njoinedonce\n\nsplit\n\ntwice\n\n| h |\n| --- |\n| in |",
		document.Reject: "# H\n\na oldfrombold\n\njoined\n\nonce\n\nsplittwice\n\n| h |\n| --- |\n| out |",
		document.All:    "## H\n\na <ins>new</ins><del>oldfrom</del><ins>to</ins>**bold**\n\njoined\n\nonce\n\nsplit\n\ntwice\n\n| h |\n| --- |\n| <ins>in</ins> |\n| <del>out</del> |",
	} {
		got, err := rendered(t, packed(t, body, nil), changes)
		if err != nil || got != want {
			t.Errorf("%s: %v\n got: %s\nwant: %s", changes, err, got, want)
		}
	}
}

// Code shows what was changed in it.
func TestChangedCode(t *testing.T) {
	run := func(text string) string {
		return `<w:r><w:rPr><w:rFonts w:ascii="Consolas"/></w:rPr>` + text + `</w:r>`
	}
	body := `<w:p>` + run(`<w:t xml:space="preserve">go </w:t>`) + `<w:del>` + run(`<w:delText>old</w:delText>`) + `</w:del><w:ins>` + run(`<w:t>new</w:t>`) + `</w:ins></w:p>`
	for changes, want := range map[document.Changes]string{
		document.Accept: "```\ngo new\n```",
		document.All:    "`go` <del>`old`</del><ins>`new`</ins>",
	} {
		got, err := rendered(t, packed(t, body, nil), changes)
		if err != nil || got != want {
			t.Errorf("%s: %v\n got: %s\nwant: %s", changes, err, got, want)
		}
	}
}

// A document that stands in one cell is whole; what is dropped is said.
func TestLongCell(t *testing.T) {
	line := p(strings.Repeat("word ", 2000))
	for _, n := range []int{100, 500} { // 1 MB, 5 MB
		file := packed(t, `<w:tbl>`+tr(tc("", strings.Repeat(line, n)+p("last")))+`</w:tbl>`, nil)
		d, err := Open(file, file.Size())
		if err != nil {
			t.Fatal(err)
		}
		said := 0
		w := markdown.NewWriter(markdown.Window{})
		if err := d.Render(context.Background(), &document.Request{Warn: func(fault.Text) { said++ }}, w); err != nil {
			t.Fatal(err)
		}
		if whole := strings.Contains(string(w.Bytes()), "last"); whole != (n == 100) || said > 0 == whole {
			t.Errorf("%d paragraphs: whole %v, %d warnings", n, whole, said)
		}
	}
}

func TestDrawings(t *testing.T) {
	picture := `<w:drawing><wp:inline><wp:docPr id="1" name="Picture 1" descr="a cat"/><a:graphic><a:graphicData><pic:pic><pic:nvPicPr><pic:cNvPr id="0" name="cat.gif"/></pic:nvPicPr><pic:blipFill><a:blip r:embed="image"/></pic:blipFill></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing>`
	box := `<w:txbxContent>` + p("boxed") + `</w:txbxContent>`
	for _, c := range []struct{ name, body, want string }{
		{"picture", `<w:p><w:r><w:t>see </w:t>` + picture + `<w:t> here</w:t></w:r></w:p>`, "see ![a cat](saved.gif) here"},
		{"VML", `<w:p><w:r><w:pict><v:shape alt="old cat"><v:imagedata r:id="image" o:title="x"/></v:shape></w:pict></w:r></w:p>`, "![old cat](saved.gif)"},
		{"text box, once", `<w:p><w:r><w:t>before</w:t></w:r><w:r><mc:AlternateContent><mc:Choice Requires="wps"><w:drawing><wps:wsp><wps:txbx>` + box + `</wps:txbx></wps:wsp></w:drawing></mc:Choice><mc:Fallback><w:pict><v:textbox>` + box + `</v:textbox></w:pict></mc:Fallback></mc:AlternateContent></w:r></w:p>` + p("after"),
			"before\n\nboxed\n\nafter"},
		{"fallback", `<w:p><w:r><mc:AlternateContent><mc:Choice Requires="aink"/><mc:Fallback>` + picture + `</mc:Fallback></mc:AlternateContent></w:r></w:p>`, "![a cat](saved.gif)"},
		{"line", p("a") + `<w:p><w:r><w:pict><v:rect o:hr="t"/></w:pict></w:r></w:p>` + p("b"), "a\n\n---\n\nb"},
		{"chart", `<w:p><w:r><w:t>a</w:t><w:drawing><wp:docPr descr="Sales"/><c:chart r:id="chart"/></w:drawing></w:r></w:p>` + p("b"), "a\n\nChart **Sales** (bar)\n\n| | Year |\n| --- | --- |\n| Q1 | 5 |\n\nb"},
		{"diagram", `<w:p><w:r><w:drawing><dgm:relIds r:dm="diagram"/></w:drawing></w:r></w:p>`, "- step"},
		{"name of the file", `<w:p><w:r><w:drawing><wp:docPr descr="x.png" title="A cat"/><pic:cNvPr descr="x.png"/><a:blip r:embed="image"/></w:drawing></w:r></w:p>`, "![A cat](saved.gif)"},
		{"not in the package", `<w:p><w:r><w:drawing><wp:docPr descr="gone"/><a:blip r:embed="none"/></w:drawing><w:t>x</w:t></w:r></w:p>`, "x"},
	} {
		t.Run(c.name, func(t *testing.T) {
			check(t, c.body, c.want, map[string]string{
				"word/charts/1.xml": `<c:chartSpace` + namespaces + `><c:chart><c:plotArea><c:barChart><c:ser><c:tx><c:v>Year</c:v></c:tx>` +
					`<c:cat><c:strLit><c:pt idx="0"><c:v>Q1</c:v></c:pt></c:strLit></c:cat><c:val><c:numLit><c:pt idx="0"><c:v>5</c:v></c:pt></c:numLit></c:val></c:ser></c:barChart></c:plotArea></c:chart></c:chartSpace>`,
				"word/diagrams/1.xml": `<dgm:dataModel` + namespaces + `><dgm:ptLst><dgm:pt modelId="0" type="doc"/><dgm:pt modelId="1"><dgm:t><a:p><a:r><a:t>step</a:t></a:r></a:p></dgm:t></dgm:pt></dgm:ptLst>` +
					`<dgm:cxnLst><dgm:cxn modelId="2" srcId="0" destId="1" srcOrd="0" destOrd="0"/></dgm:cxnLst></dgm:dataModel>`,
			})
		})
	}
}

// Files that Word would import are shown in their place.
func TestChunks(t *testing.T) {
	const page = "<html><body><h2>Page</h2><p>with <img src='data:image/gif;base64,R0lGODdh'><b>bold</b> =</p></body></html>"
	mht := "MIME-Version: 1.0\r\nContent-Type: multipart/related; boundary=\"xx\"\r\n\r\n--xx\r\nContent-Type: image/png\r\n\r\n0\r\n--xx\r\nContent-Type: text/html; charset=\"utf-8\"\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n" +
		strings.ReplaceAll(page, "=", "=3D") + "\r\n--xx--\r\n"
	for name, content := range map[string]string{"a.html": page, "a.mht": mht, "a.txt": "## Page\n# x", "a.docx": "PK", "b.mht": "no header", "c.mht": "Content-Type: multipart/related; boundary=xx\r\n\r\n--xx"} {
		want := "before\n\n## Page\n\nwith **bold** =\n\nafter"
		switch name {
		case "a.txt":
			want = "before\n\n\\## Page\n\\# x\n\nafter"
		case "a.docx", "b.mht", "c.mht":
			want = "before\n\nafter"
		}
		file := streamed(t, map[string]io.Reader{
			"word/document.xml":            strings.NewReader(`<w:document` + namespaces + `><w:body>` + p("before") + `<w:altChunk r:id="c"/>` + p("after") + `</w:body></w:document>`),
			"word/_rels/document.xml.rels": strings.NewReader(`<Relationships><Relationship Id="c" Type="` + office + `aFChunk" Target="` + name + `"/></Relationships>`),
			"word/" + name:                 strings.NewReader(content),
		})
		if got, err := rendered(t, file, ""); err != nil || got != want {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
}

// What is cut off gives what there is, and the fault.
func TestDamage(t *testing.T) {
	got, err := rendered(t, packed(t, p("a")+p("b")+`<w:p a="`, nil), "")
	if got != "a\n\nb" || !fault.Is(err, fault.BadDocument) {
		t.Errorf("%q, %v", got, err)
	}
}

// The strict conformance class has other namespaces and units, and a part may begin with a
// byte order mark.
func TestStrict(t *testing.T) {
	const strict = "http://purl.oclc.org/ooxml/"
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for name, content := range map[string]string{
		"_rels/.rels":    `<Relationships><Relationship Id="1" Type="` + strict + `officeDocument/relationships/officeDocument" Target="/doc/Main.xml"/></Relationships>`,
		"doc/Main.xml":   "\xef\xbb\xbf" + `<x:document xmlns:x="` + strict + `wordprocessingml/main" xmlns:rel="` + strict + `officeDocument/relationships"><x:body><x:p><x:pPr><x:pStyle x:val="q"/></x:pPr><x:hyperlink rel:id="h"><x:r><x:t>here</x:t></x:r></x:hyperlink></x:p><x:p><x:pPr><x:ind x:start="36pt"/></x:pPr><x:r><x:t>in</x:t></x:r></x:p></x:body></x:document>`,
		"doc/styles.xml": `<w:styles xmlns:w="` + strict + `wordprocessingml/main"><w:style w:type="paragraph" w:styleId="q"><w:name w:val="heading 2"/></w:style></w:styles>`,
		"doc/_rels/Main.xml.rels": `<Relationships><Relationship Id="s" Type="` + strict + `officeDocument/relationships/styles" Target="styles.xml"/>` +
			`<Relationship Id="h" Type="` + strict + `officeDocument/relationships/hyperlink" Target="http://a.b/" TargetMode="External"/></Relationships>`,
	} {
		f, err := w.Create(name)
		if err == nil {
			_, err = f.Write([]byte(content))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if got, err := rendered(t, bytes.NewReader(b.Bytes()), ""); err != nil || got != "## [here](http://a.b/)\n\n> in" {
		t.Errorf("%q, %v", got, err)
	}
}

// A package whose main part is something else says so.
func TestNoBody(t *testing.T) {
	if got, err := rendered(t, packed(t, "</w:body></w:document><!--", nil), ""); err != nil || got != "" {
		t.Errorf("an empty document: %q, %v", got, err)
	}
	file := streamed(t, map[string]io.Reader{"word/document.xml": strings.NewReader("<workbook/>")})
	if _, err := rendered(t, file, ""); !fault.Is(err, fault.BadDocument) {
		t.Errorf("no document: %v", err)
	}
}

// A reader that has what it wants stops, and one that is told to ends.
func TestEnds(t *testing.T) {
	file := packed(t, strings.Repeat(p("a"), 10_000), nil)
	d, err := Open(file, file.Size())
	if err != nil {
		t.Fatal(err)
	}
	w := markdown.NewWriter(markdown.Window{Lines: 10})
	if err := d.Render(context.Background(), &document.Request{}, w); err != nil || w.Lines() > 12 {
		t.Errorf("%v, %d lines", err, w.Lines())
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := d.Render(ctx, &document.Request{}, markdown.NewWriter(markdown.Window{})); err == nil {
		t.Error("goes on")
	}
}
