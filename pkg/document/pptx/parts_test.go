package pptx

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/helve-dev/helve/pkg/document"
	"github.com/helve-dev/helve/pkg/fault"
)

// small returns the parts of a presentation of one slide with some content, and with
// relations of the slide: type, target, type, target, … with the IDs r1, r2, …
func small(content string, rels ...string) map[string][]byte {
	relations := func(pairs ...string) []byte {
		var b strings.Builder
		b.WriteString(`<Relationships>`)
		for i := 0; i < len(pairs); i += 2 {
			mode := ""
			if strings.Contains(pairs[i+1], ":") {
				mode = ` TargetMode="External"`
			}
			fmt.Fprintf(&b, `<Relationship Id="r%d" Type="t/%s" Target="%s"%s/>`, i/2+1, pairs[i], pairs[i+1], mode)
		}
		return []byte(b.String() + `</Relationships>`)
	}
	return map[string][]byte{
		"_rels/.rels":                      relations("officeDocument", "ppt/presentation.xml"),
		"ppt/presentation.xml":             []byte(`<p:presentation><p:sldIdLst><p:sldId id="256" r:id="r1"/></p:sldIdLst></p:presentation>`),
		"ppt/_rels/presentation.xml.rels":  relations("slide", "slides/slide1.xml", "commentAuthors", "authors.xml", "authors", "people.xml"),
		"ppt/slides/slide1.xml":            []byte(`<p:sld><p:cSld><p:spTree>` + content + `</p:spTree></p:cSld></p:sld>`),
		"ppt/slides/_rels/slide1.xml.rels": relations(rels...),
	}
}

// box returns a shape with paragraphs, so many thousand EMUs from the top.
func box(y int, properties string, paragraphs ...string) string {
	return fmt.Sprintf(`<p:sp><p:nvSpPr>%s</p:nvSpPr><p:spPr><a:xfrm><a:off x="0" y="%d"/><a:ext cx="9" cy="9"/></a:xfrm></p:spPr><p:txBody><a:p>%s</a:p></p:txBody></p:sp>`,
		properties, y*1000, strings.Join(paragraphs, "</a:p><a:p>"))
}

func run(text string) string { return "<a:r><a:t>" + text + "</a:t></a:r>" }

func TestParts(t *testing.T) {
	const group = `<p:grpSp><p:nvGrpSpPr/><p:grpSpPr><a:xfrm><a:off x="0" y="%d"/><a:ext cx="100" cy="200"/><a:chOff x="0" y="%d"/><a:chExt cx="100" cy="100"/></a:xfrm></p:grpSpPr>%s</p:grpSp>`
	for _, c := range []struct {
		name  string
		parts map[string][]byte
		more  map[string]string
		want  string
	}{
		{name: "footers and hidden shapes", parts: small(
			box(9, `<p:nvPr><p:ph type="sldNum"/></p:nvPr>`, run("7")) + box(9, `<p:nvPr><p:ph type="ftr" idx="3"/></p:nvPr>`, run("footer")) +
				box(1, `<p:cNvPr hidden="1"/>`, run("hidden")) + box(2, "", run("seen")) + box(5, `<p:nvPr><p:ph type="ctrTitle"/></p:nvPr>`, run("T"), run("U"))),
			want: "## Slide 1: T U\n\nseen\n"},
		{name: "groups by where they are", parts: small(
			box(500, "", run("below")) + fmt.Sprintf(group, 100_000, 700_000, box(800, "", run("b"))+box(700, "", run("a")))),
			want: "## Slide 1\n\na\n\nb\n\nbelow\n"},
		{name: "no layout and no place", parts: small(`<p:sp><p:nvSpPr><p:nvPr><p:ph idx="1"/></p:nvPr></p:nvSpPr><p:spPr/><p:txBody><a:p>`+run("x")+`</a:p></p:txBody></p:sp>`, "slideLayout", "none.xml"),
			want: "## Slide 1\n\nx\n"},
		{name: "layout and master", parts: small(
			`<p:sp><p:nvSpPr><p:nvPr><p:ph idx="2"/></p:nvPr></p:nvSpPr><p:spPr/><p:txBody><a:p>`+run("low")+`</a:p><a:p><a:pPr lvl="1"/>`+run("numbered")+`</a:p></p:txBody></p:sp>`+box(100, "", run("high")), "slideLayout", "../layout.xml"),
			more: map[string]string{
				"ppt/layout.xml":            `<p:sldLayout><p:cSld><p:spTree><p:sp><p:nvSpPr><p:nvPr><p:ph type="body" idx="1"/></p:nvPr></p:nvSpPr><p:spPr><a:xfrm><a:off x="0" y="0"/></a:xfrm></p:spPr></p:sp><p:sp><p:nvSpPr><p:nvPr><p:ph type="body" idx="2"/></p:nvPr></p:nvSpPr><p:spPr><a:xfrm><a:off x="0" y="9cm"/></a:xfrm></p:spPr><p:txBody><a:lstStyle><a:lvl2pPr><a:buAutoNum type="romanLcPeriod"/></a:lvl2pPr></a:lstStyle></p:txBody></p:sp></p:spTree></p:cSld></p:sldLayout>`,
				"ppt/_rels/layout.xml.rels": `<Relationships><Relationship Id="m" Type="t/slideMaster" Target="master.xml"/></Relationships>`,
				"ppt/master.xml":            `<p:sldMaster><p:txStyles><p:bodyStyle><a:lvl1pPr><a:buChar char="•"/></a:lvl1pPr><a:lvl2pPr><a:buChar char="–"/></a:lvl2pPr></p:bodyStyle></p:txStyles></p:sldMaster>`,
			}, want: "## Slide 1\n\nhigh\n\n- low\n  - i. numbered\n"},
		{name: "choices", parts: small(
			`<mc:AlternateContent><mc:Choice Requires="a14">` + box(1, "", run("new")) + `</mc:Choice><mc:Fallback>` + box(1, "", run("old")) + `</mc:Fallback></mc:AlternateContent>` +
				`<mc:AlternateContent><mc:Choice Requires="future">` + box(2, "", run("unknown")) + `</mc:Choice><mc:Fallback>` + box(2, "", run("known")) + `</mc:Fallback></mc:AlternateContent>`),
			want: "## Slide 1\n\nnew\n\nknown\n"},
		{name: "equations", parts: small(`<mc:AlternateContent><mc:Choice Requires="a14">` +
			box(1, "", run("So ")+`<a14:m><m:oMathPara><m:oMath><m:f><m:num><m:r><m:t>a</m:t></m:r></m:num><m:den><m:r><m:t>2</m:t></m:r></m:den></m:f></m:oMath></m:oMathPara></a14:m>`) +
			`</mc:Choice><mc:Fallback>` + box(1, "", run("picture")) + `</mc:Fallback></mc:AlternateContent>`),
			want: "## Slide 1\n\nSo $\\frac{a}{2}$\n"},
		{name: "objects", parts: small(
			`<p:pic><p:nvPicPr><p:cNvPr name="clip.mp4"/><p:nvPr><a:videoFile r:link="r9"/></p:nvPr></p:nvPicPr><p:blipFill><a:blip r:embed="r1"/></p:blipFill></p:pic>`+
				`<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr name="Object 1" descr="a sheet"/></p:nvGraphicFramePr><a:graphic><a:graphicData><mc:AlternateContent><mc:Choice Requires="v"><p:oleObj name="Worksheet" progId="Excel.Sheet.12"/></mc:Choice><mc:Fallback><p:oleObj name="Worksheet" progId="Excel.Sheet.12"><p:pic><p:blipFill><a:blip r:embed="r2"/></p:blipFill></p:pic></p:oleObj></mc:Fallback></mc:AlternateContent></a:graphicData></a:graphic></p:graphicFrame>`+
				`<p:pic><p:blipFill><a:blip r:embed="r1"><a:extLst><a:ext><asvg:svgBlip r:embed="r3"/></a:ext></a:extLst></a:blip></p:blipFill></p:pic><p:pic><p:blipFill><a:blip><a:extLst><a:ext><asvg:svgBlip r:embed="r3"/></a:ext></a:extLst></a:blip></p:blipFill></p:pic><p:pic><p:blipFill><a:blip r:link="r4"/></p:blipFill></p:pic>`,
			"image", "../a.png", "image", "../b.emf", "image", "../c.svg", "image", "https://example.org/x.png"),
			more: map[string]string{"ppt/a.png": "\x89PNG\r\n\x1a\n0000IHDR", "ppt/b.emf": "emf", "ppt/c.svg": `<svg xmlns="http://www.w3.org/2000/svg"/>`},
			want: "## Slide 1\n\n[video: clip.mp4]\n\n![](image/png)\n\n[object Excel.Sheet.12: Worksheet]\n\n![a sheet](image/emf)\n\n![](image/png)\n\n![](image/svg+xml)\n\n![](https://example.org/x.png)\n"},
		{name: "SmartArt", parts: small(`<p:graphicFrame><a:graphic><a:graphicData><dgm:relIds r:dm="r1"/></a:graphicData></a:graphic></p:graphicFrame>`, "diagramData", "../d.xml"),
			more: map[string]string{"ppt/d.xml": `<dgm:dataModel><dgm:ptLst><dgm:pt modelId="0" type="doc"/><dgm:pt modelId="1"><dgm:t><a:p>` + run("Plan") + `</a:p></dgm:t></dgm:pt><dgm:pt modelId="2"><dgm:t><a:p>` + run("Do") + `</a:p></dgm:t></dgm:pt></dgm:ptLst><dgm:cxnLst><dgm:cxn srcId="0" destId="1"/><dgm:cxn srcId="1" destId="2"/></dgm:cxnLst></dgm:dataModel>`},
			want: "## Slide 1\n\n- Plan\n  - Do\n"},
		{name: "comments", parts: small("", "comments", "../old.xml", "comments", "../new.xml"),
			more: map[string]string{
				"ppt/authors.xml": `<p:cmAuthorLst><p:cmAuthor id="0" name="Ann"/></p:cmAuthorLst>`, "ppt/people.xml": `<p188:authorLst><p188:author id="{B}" name="Bob"/></p188:authorLst>`,
				"ppt/old.xml": `<p:cmLst><p:cm authorId="0" dt="2024-03-01T12:00:00" idx="1"><p:pos x="1" y="1"/><p:text>why *this*?</p:text></p:cm></p:cmLst>`,
				"ppt/new.xml": `<p188:cmLst><p188:cm authorId="{B}" status="resolved" created="2024-04-02T01:02:03.004"><p188:replyLst><p188:reply authorId="{C}" created="2024-04-03T00:00:00"><p188:txBody><a:p>` + run("yes") + `</a:p></p188:txBody></p188:reply></p188:replyLst><p188:txBody><a:p>` + run("done") + `</a:p></p188:txBody></p188:cm></p188:cmLst>`,
			}, want: "## Slide 1\n\n> Comment (Ann, 2024-03-01): why \\*this\\*?\n\n> Comment (Bob, 2024-04-02, resolved): done\n\n> Reply (2024-04-03): yes\n"},
		{name: "notes of a list", parts: small("", "notesSlide", "../n.xml"),
			more: map[string]string{"ppt/n.xml": `<p:notes><p:cSld><p:spTree>` + box(0, `<p:nvPr><p:ph type="sldImg"/></p:nvPr>`) + box(1, `<p:nvPr><p:ph type="body" idx="1"/></p:nvPr>`, `<a:pPr><a:buChar char="*"/></a:pPr>`+run("a"), `<a:pPr><a:buChar char="*"/></a:pPr>`+run("b")) + box(2, `<p:nvPr><p:ph type="sldNum"/></p:nvPr>`, run("1")) + `</p:spTree></p:cSld></p:notes>`},
			want: "## Slide 1\n\n> Notes:\n> \n> - a\n> - b\n"},
		{name: "sections", parts: small(""),
			more: map[string]string{"ppt/presentation.xml": `<p:presentation><p:sldIdLst><p:sldId id="256" r:id="r1"/><p:sldId id="257" r:id="r1"/></p:sldIdLst><p:extLst><p:ext><p14:sectionLst><p14:section name="Part  1"><p14:sldIdLst><p14:sldId id="256"/></p14:sldIdLst></p14:section></p14:sectionLst></p:ext></p:extLst></p:presentation>`},
			want: "# Part 1\n\n## Slide 1\n"},
	} {
		for name, content := range c.more {
			c.parts[name] = []byte(content)
		}
		got, err := read(t, packed(t, c.parts), document.Request{Image: func(i document.Image) string { return i.MIME }})
		if err != nil || got != c.want {
			t.Errorf("%s: %v\n%s", c.name, err, got)
		}
	}
}

// A slide that is not there is said, and one that is damaged gives what is whole.
func TestDamaged(t *testing.T) {
	parts := small(box(1, "", run("whole")) + `<p:sp><p:txBody><a:p>`)
	parts["ppt/slides/slide1.xml"] = bytes.TrimSuffix(parts["ppt/slides/slide1.xml"], []byte(`</p:spTree></p:cSld></p:sld>`))
	if got, err := read(t, packed(t, parts), document.Request{}); !fault.Is(err, fault.BadDocument) || !strings.Contains(got, "whole") {
		t.Errorf("%v\n%s", err, got)
	}
	delete(parts, "ppt/slides/slide1.xml")
	var warnings []string
	got, err := read(t, packed(t, parts), document.Request{Warn: func(w fault.Text) { warnings = append(warnings, w.String()) }})
	if err != nil || got != "## Slide 1\n" || len(warnings) != 1 || !strings.Contains(warnings[0], "slide 1: ") {
		t.Errorf("%v, %q\n%s", err, warnings, got)
	}
	// The relation to the slide is lost.
	parts = small(box(1, "", run("found")))
	delete(parts, "ppt/_rels/presentation.xml.rels")
	if got, err := read(t, packed(t, parts), document.Request{}); err != nil || !strings.Contains(got, "found") {
		t.Errorf("%v\n%s", err, got)
	}
	// That to one of two is lost.
	parts = small(box(1, "", run("found")))
	parts["ppt/presentation.xml"] = []byte(`<p:presentation><p:sldId r:id="r99"/><p:sldId r:id="r1"/></p:presentation>`)
	warnings = nil
	if got, err := read(t, packed(t, parts), document.Request{Warn: func(w fault.Text) { warnings = append(warnings, w.String()) }}); err != nil || !strings.Contains(got, "found") || len(warnings) != 1 {
		t.Errorf("%v, %q\n%s", err, warnings, got)
	}
	// The list of slides is cut off.
	parts = small(box(1, "", run("found")))
	parts["ppt/presentation.xml"] = []byte(`<p:presentation><p:sldId`)
	if got, err := read(t, packed(t, parts), document.Request{}); !fault.Is(err, fault.BadDocument) || !strings.Contains(got, "found") {
		t.Errorf("%v\n%s", err, got)
	}
}

func TestNumbered(t *testing.T) {
	for scheme, want := range map[string]string{"arabicPeriod": "28.", "arabicParenBoth": "(28)", "alphaLcParenR": "bb)", "alphaUcPeriod": "BB.", "romanLcPeriod": "xxviii.", "romanUcParenR": "XXVIII)", "arabicPlain": "28.", "": "28."} {
		if got := numbered(28, scheme); got != want {
			t.Errorf("%s: %s, want %s", scheme, got, want)
		}
	}
}
